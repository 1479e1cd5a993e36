"""What a transformers class puts on its encoder, as a call of its own."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any


class Given(tuple[Any, ...]):
    """An encoder's output that is given and not computed; nothing but the last states is known."""

    __slots__ = ()

    @property
    def last_hidden_state(self) -> Any:
        """Batch x tokens x hidden."""
        return self[0]

    def __getattr__(self, name: str) -> None:
        """Caches, all layers' states and the like: there are none."""
        if name.startswith("__"):
            raise AttributeError(name)


class HeadBehind:
    """A class's own forward, run with states in the place of what its encoder computes.

    So a head is called at a few tokens only, without a list of what each class names its parts.

    Args:
        module: Gives logits (batch x tokens x vocabulary).
        trunk: The part of it whose last hidden state the head reads.
    """

    def __init__(self, module: Any, trunk: Any) -> None:
        self._module, self._trunk = module, trunk

    def __call__(self, states: Any) -> Any:
        """From hidden states (n x hidden) to logits (n x vocabulary)."""
        import torch

        ids = torch.zeros((1, len(states)), dtype=torch.long, device=states.device)
        with _giving(self._trunk, states[None]):
            return self._module(input_ids=ids).logits[0]


@contextmanager
def _giving(trunk: Any, states: Any) -> Iterator[None]:
    """Let a module give these states, whatever it is called with."""
    given = Given((states,))
    trunk.forward = lambda *_, **__: given
    try:
        yield
    finally:
        del trunk.forward  # the class's own is seen again


def base_of(module: Any) -> Any:
    """The model below a head; the module itself where it has none.

    Classes for the text of models that also see (Llama 4) say that it has another name than it has.
    """
    base = module.base_model
    return getattr(module, "model", base) if base is module else base


def writer_of(module: Any) -> Any:
    """The stack that writes, beside one that reads; None where it is not there."""
    found = getattr(module, "get_decoder", lambda: None)()
    return None if found is module else found


def path_of(module: Any, part: Any) -> str:
    """The last name of a part's path in a module."""
    path = str(next(name for name, one in module.named_modules() if one is part))
    return path.rpartition(".")[2]


def trunks(module: Any) -> tuple[Any, ...]:
    """Modules that may be what the head stands on, the usual one first."""
    base = base_of(module)
    found = [part for part in (base, getattr(base, "decoder", None)) if part is not None]
    return tuple(part for part in found if part is not module)


def states_of(base: Any) -> Callable[..., Any]:
    """From a batch of inputs to the last hidden state (batch x tokens x hidden)."""

    def encode(**inputs: Any) -> Any:
        return base(**inputs).last_hidden_state

    return encode
