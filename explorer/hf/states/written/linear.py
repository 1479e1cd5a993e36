"""Runs whose stream is linear: norms and the head's activation held as they are.

What a norm divides by, and what an activation multiplies with, stay what they are in the run. Its
numbers are the model's own; only gradients go through norms and activations as through matrices:

    LN(x) = (x - mean(x)) / s * gain + bias,  s held;    act(z) = z * (act(z) / z),  the ratio held

so that a logit is a sum of what was added to the stream, and of biases.
"""

from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from typing import Any

CLOSE = 1e-4
"""How far what a norm is taken for may be from what it gives, against its largest number."""
ACTIVATIONS = ("transformers.activations", "torch.nn.modules.activation")
"""Where modules are defined that are functions of single numbers."""


@contextmanager
def made_linear(whole: Any, is_over: Callable[[], bool]) -> Iterator[None]:
    """Hold what norms divide by, and what the head's activations multiply with, inside the block.

    A norm of an unknown kind stays as it is: whoever adds the parts up sees that something lacks.

    Args:
        whole: A torch module of transformers.
        is_over: Whether all layers have run. Activations in between stay as they are: they belong
            to parts that are cut off from the stream, and would else be taken for a part of it.
    """

    def activation(_module: Any, args: tuple[Any, ...], output: Any) -> Any:
        return _times(args[0], output) if is_over() else None

    with ExitStack() as around:
        for part in whole.modules():
            if is_norm(part):
                around.callback(part.register_forward_hook(_norm, with_kwargs=True).remove)
            elif type(part).__module__.startswith(ACTIVATIONS):
                around.callback(part.register_forward_hook(activation).remove)
        around.enter_context(_plain_functions(is_over))
        yield


def is_norm(part: Any) -> bool:
    """Whether a module is a norm, by its name."""
    return "norm" in type(part).__name__.lower() and not any(part.children())


def _norm(part: Any, args: tuple[Any, ...], kwargs: Mapping[str, Any], output: Any) -> Any:
    """What a norm gives, with the gradient of the matrix that it is for each token.

    One that is given more than states, such as a gate (Mamba 2), is of another kind.
    """
    import torch

    if kwargs or not isinstance(output, torch.Tensor):
        return None
    if len(args) != 1 or args[0].shape != output.shape:
        return None
    states = args[0]
    with torch.no_grad():
        # One that subtracts the mean does not see what is added to all numbers.
        moved = type(part).forward(part, states + 1)
        is_centred = _is_close(moved, output)
    weight, bias = getattr(part, "weight", None), getattr(part, "bias", None)
    centred = states - states.mean(-1, keepdim=True) if is_centred else states
    # Gemma's gain is what its weight is beyond 1; OLMo's norm has none.
    for gain in (weight, None if weight is None else weight + 1, None):
        scaled = centred if gain is None else centred * gain.detach()
        with torch.no_grad():
            wanted = doubled(output if bias is None else output - bias)
            known = doubled(scaled)
            size = (known * known).sum(-1, keepdim=True).clamp_min(1e-30)
            scale = (known * wanted).sum(-1, keepdim=True) / size
            fits = _is_close(known * scale, wanted)
        if fits:
            linear = scaled * scale.to(scaled)
            return _held(output, linear if bias is None else linear + bias)
    return None


def doubled(numbers: Any) -> Any:
    """A tensor in double precision, on the CPU: not every GPU has it."""
    return numbers.detach().cpu().double()


def _is_close(one: Any, other: Any) -> bool:
    return float((one - other).abs().max()) <= CLOSE * max(1.0, float(other.abs().max()))


def _times(given: Any, output: Any) -> Any:
    import torch

    with torch.no_grad():
        ratio = torch.where(given == 0, torch.zeros_like(output), output / given)
    return _held(output, given * ratio)


def _held(value: Any, linear: Any) -> Any:
    """A tensor's numbers with another one's gradient."""
    return value.detach() + (linear - linear.detach())


@contextmanager
def _plain_functions(is_over: Callable[[], bool]) -> Iterator[None]:
    """The same for activations that are no modules of the model (RoBERTa's in its head)."""
    import torch
    from torch.overrides import TorchFunctionMode

    functional = torch.nn.functional
    known = {functional.gelu, functional.relu, functional.silu, torch.tanh, torch.relu}

    class HeldActivations(TorchFunctionMode):
        def __torch_function__(
            self,
            function: Any,
            _types: Any,
            args: Any = (),
            kwargs: Mapping[str, Any] | None = None,
        ) -> Any:
            output = function(*args, **(kwargs or {}))
            if function in known and args and is_over():
                return _times(args[0], output)
            return output

    with HeldActivations():
        yield
