"""What a model's forward pass comes to, counted while it runs on the meta device.

There tensors have shapes and no numbers, so that a pass of GPT-3 takes a third of a second and no
memory. Counted are the multiply-adds of every matrix product and convolution, those of the
attention included, by the formulas of torch.utils.flop_counter (each is two of its operations).
Lookups, norms, activations and the softmax are not: they have no matrix.
"""

from collections.abc import Callable, Mapping
from copy import deepcopy
from dataclasses import dataclass
from typing import Any

from explorer.api.family import Cancelled
from explorer.hf.family.shapes import once


@dataclass(frozen=True)
class ForwardPass:
    """One text going through a model.

    Attributes:
        length: Its tokens.
        multiply_adds: Of the whole text, by the path of the module that does them itself, every
            call of it counted.
        results: Numbers that come out of all tables, norms and linear layers.
    """

    length: int
    multiply_adds: Mapping[str, int]
    results: int


def without_numbers(module: Any) -> Any:
    """A copy of a loaded module on the meta device; its weights are not copied."""
    import torch

    memo: dict[int, Any] = {}
    for one in module.parameters():
        memo[id(one)] = torch.nn.Parameter(torch.empty_like(one, device="meta"), False)
    for one in module.buffers():
        memo[id(one)] = torch.empty_like(one, device="meta")
    return deepcopy(module, memo)


def count_pass(run: Callable[[Any, Any], None], module: Any, length: int) -> ForwardPass | None:
    """Let a text go through a module on the meta device.

    Args:
        run: A family's `run_once`.
        module: On the meta device; its buffers may be made longer.
        length: Tokens of the text.

    Returns:
        None where the module can't run, or not without numbers.
    """
    import torch

    module.eval().requires_grad_(False)
    module.config._attn_implementation = "eager"  # noqa: SLF001 - as transformers' own loading does
    _make_room(module, length)
    done: dict[str, int] = {}
    results: dict[int, Any] = {}
    counter = _counter()
    inside: list[list[int]] = []
    handles = []

    def watch(path: str, inner: Any) -> None:
        own = {name for name, weight in inner._parameters.items() if weight is not None}  # noqa: SLF001
        # A head that multiplies with another module's matrix has no module for the product.
        gives = "bias" in own or (own and not any(inner.children()))

        def enter(_module: Any, _inputs: Any) -> None:
            inside.append([counter.operations, 0])

        def leave(_module: Any, _inputs: Any, output: Any) -> None:
            before, children = inside.pop()
            whole = counter.operations - before
            done[path] = done.get(path, 0) + (whole - children) // 2
            if inside:
                inside[-1][1] += whole
            if gives and isinstance(output, torch.Tensor):
                results[id(output)] = output

        handles.append(inner.register_forward_pre_hook(enter))
        handles.append(inner.register_forward_hook(leave))

    for path, inner in module.named_modules():
        watch(path, inner)
    ids = torch.zeros((1, length), dtype=torch.long, device="meta")
    try:
        with torch.no_grad(), counter:
            run(module, ids)
    except (Cancelled, MemoryError):
        raise
    except Exception:  # noqa: BLE001 - a config may say anything; loading tells which field it is
        return None
    finally:
        for handle in handles:
            handle.remove()
    done = {path: amount for path, amount in done.items() if amount}
    return ForwardPass(length, done, sum(one.numel() for one in results.values()))


def _counter() -> Any:
    """A mode that adds up the `operations` of all matrix products and convolutions done in it.

    torch's own FlopCounterMode asks around every operation which module it is in, and works out
    the shapes of every layer anew: more than half of the time of a pass.
    """
    from torch.utils._python_dispatch import TorchDispatchMode
    from torch.utils.flop_counter import flop_registry

    class Counter(TorchDispatchMode):  # type: ignore[no-untyped-call]
        def __init__(self) -> None:
            super().__init__()  # type: ignore[no-untyped-call]
            self.operations = 0
            self._whole = set[Any]()

        def __torch_dispatch__(
            self, func: Any, types: Any, args: Any = (), kwargs: Any = None
        ) -> Any:
            kwargs = kwargs or {}
            if func not in self._whole:
                # One that is made of others: those are counted.
                with self:
                    given = func.decompose(*args, **kwargs)
                if given is not NotImplemented:
                    return given
                self._whole.add(func)
            given = once(func, args, kwargs)
            formula = flop_registry.get(func.overloadpacket)
            if formula is not None:
                self.operations += formula(*args, **kwargs, out_val=given)
            return given

    return Counter()


def _make_room(module: Any, length: int) -> None:
    """Let a text be longer than the model was made for: what it keeps of every place grows."""
    import torch

    longest = getattr(module.config, "max_position_embeddings", None) or 0
    if not 0 < longest < length:
        return
    for inner in module.modules():
        for name, buffer in inner.named_buffers(recurse=False):
            if longest in buffer.shape:
                shape = [length if size == longest else size for size in buffer.shape]
                longer = torch.empty(shape, dtype=buffer.dtype, device="meta")
                inner.register_buffer(name, longer, persistent=False)
