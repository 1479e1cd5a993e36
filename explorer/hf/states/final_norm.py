"""The norm behind the last layer of models whose norms stand before their sublayers."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any


class FinalNorm:
    """Found by what it does, not by its name: what it gives is what leaves the stack.

    A norm inside a layer has the layer's number in its path and is none of these, although what
    the last layer of a BERT gives comes out of one.

    Args:
        stack: A stack of layers of transformers.

    Attributes:
        is_known: A run was watched, so that it is known which one it is.
    """

    is_known = False

    def __init__(self, stack: Any) -> None:
        self._candidates = [
            part
            for path, part in stack.named_modules()
            if "norm" in type(part).__name__.lower()
            and not any(part.children())  # a class may have the word in its family's name
            and not any(step.isdigit() for step in path.split("."))
        ]

    @contextmanager
    def watched(self) -> Iterator[dict[Any, tuple[Any, Any]]]:
        """What goes into each candidate and comes out of it while the block runs."""
        seen: dict[Any, tuple[Any, Any]] = {}

        def note(part: Any, inputs: tuple[Any, ...], output: Any) -> None:
            seen[part] = (inputs[0], output)

        handles = [part.register_forward_hook(note) for part in self._candidates]
        try:
            yield seen
        finally:
            for handle in handles:
                handle.remove()

    def before(self, rows: Sequence[Any], seen: dict[Any, tuple[Any, Any]]) -> tuple[Any, ...]:
        """The rows of a stack, the last one as it was before the norm."""
        import torch

        self.is_known = True
        self._candidates = [
            part
            for part in self._candidates
            if part in seen and torch.equal(seen[part][1], rows[-1])
        ]
        if not self._candidates:
            return tuple(rows)
        return (*rows[:-1], seen[self._candidates[0]][0])

    def __call__(self, states: Any) -> Any:
        """States through the norm, where there is one; known after `before`."""
        return self._candidates[0](states) if self._candidates else states
