"""The last layer where it is read, and nowhere else.

Behind the attention's weighted sums, what a layer makes of a token depends on no other token. So
where few tokens are read, three quarters of the last layer have to run at those only.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

_PARTS = ("attention", "feed_forward_chunk", "intermediate", "output")
"""What a layer has whose attention ends with a part that takes the weighted sums and the layer's
input, and gives what its feed-forward part takes (BERT, RoBERTa, ELECTRA, ERNIE and their students
in transformers)."""


def last_layer(module: Any) -> Any | None:
    """The encoder's last layer, where it is one of the kind that can be read at some places."""
    found = [
        part.layer[-1]
        for part in module.modules()
        if type(part).__name__.endswith("Encoder") and _is_stack(getattr(part, "layer", None))
    ]
    return found[0] if len(found) == 1 else None


def _is_stack(layers: Any) -> bool:
    from torch.nn import ModuleList

    if not isinstance(layers, ModuleList) or not len(layers):
        return False
    layer = layers[-1]
    has_parts = all(hasattr(layer, name) for name in _PARTS) and hasattr(layer.attention, "output")
    return has_parts and not getattr(layer, "is_decoder", False)


@contextmanager
def read_at(layer: Any, rows: Sequence[int], columns: Sequence[int]) -> Iterator[None]:
    """Let a layer give the states of some tokens only, while the block runs.

    The encoder's last hidden state is then (1 x tokens read x hidden).

    Args:
        layer: As `last_layer` finds it.
        rows: The row of the batch that each token is in.
        columns: The position of each in its row.
    """

    def keep(_module: Any, states: tuple[Any, ...]) -> tuple[Any, ...]:
        return tuple(one[rows, columns][None] for one in states)

    handle = layer.attention.output.register_forward_pre_hook(keep)
    try:
        yield
    finally:
        handle.remove()
