"""The last layer where it is read, and nowhere else.

Behind the attention's weighted sums, what a layer makes of a token depends on no other token. So
where one token of every row is read, three quarters of the last layer have to run there only.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from explorer.api import LoadedModel
from explorer.hf.masked import HEAD_STATES

_KEY = "last_layer"
_PARTS = ("attention", "feed_forward_chunk", "intermediate", "output")
"""What a layer has whose attention ends with a part that takes the weighted sums and the layer's
input, and gives what its feed-forward part takes (BERT, RoBERTa, ELECTRA, ERNIE and their students
in transformers)."""


def last_layer(model: LoadedModel) -> Any | None:
    """The encoder's last layer, where it is one of the kind that can be read at one place."""
    if _KEY not in model.extras:
        found = [
            part.layer[-1]
            for part in model.module.modules()
            if type(part).__name__.endswith("Encoder") and _is_stack(getattr(part, "layer", None))
        ]
        usable = len(found) == 1 and HEAD_STATES not in model.extras
        model.extras[_KEY] = found[0] if usable else None
    return model.extras[_KEY]


def _is_stack(layers: Any) -> bool:
    from torch.nn import ModuleList

    if not isinstance(layers, ModuleList) or not len(layers):
        return False
    layer = layers[-1]
    has_parts = all(hasattr(layer, name) for name in _PARTS) and hasattr(layer.attention, "output")
    return has_parts and not getattr(layer, "is_decoder", False)


@contextmanager
def read_at(model: LoadedModel, places: Sequence[int]) -> Iterator[bool]:
    """Let the model give the states of one token a row, while the block runs.

    Args:
        model: Whose encoder runs inside.
        places: The token of each row.

    Yields:
        Whether it will: the states are then (rows x 1 x hidden), else as always.
    """
    layer = last_layer(model)
    if layer is None:
        yield False
        return

    def keep(_module: Any, states: tuple[Any, ...]) -> tuple[Any, ...]:
        import torch

        device = states[0].device
        rows, columns = torch.arange(len(places), device=device), torch.tensor(places)
        return tuple(one[rows, columns.to(device)][:, None] for one in states)

    handle = layer.attention.output.register_forward_pre_hook(keep)
    try:
        yield True
    finally:
        handle.remove()
