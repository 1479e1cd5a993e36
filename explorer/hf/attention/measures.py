"""What an attention head does most, in numbers: one of each for every head."""

from collections.abc import Collection, Mapping
from typing import TYPE_CHECKING, Any

from explorer.hf.attention.weights import AttendingStack
from explorer.numerics.attention_patterns import MEASURES, NAMES

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    Values = npt.NDArray[np.floating[Any]]


def measured(stack: AttendingStack, separators: Collection[int]) -> "Values":
    """Every measure of every head: measures x layers x heads, float32.

    They are of the tokens as the model sees them, whatever is merged or hidden on screen. A
    measure that a head can't have, like the previous token from one text to another, is not a
    number.

    Args:
        stack: The attention.
        separators: Positions of the separators among the keys.
    """
    import numpy as np

    within = stack.kind != "cross"
    found = np.full((len(MEASURES), stack.layers, stack.heads), np.nan, dtype=np.float32)
    for number, layer in enumerate(stack.weights):
        one = of_layer(np.asarray(layer, dtype=np.float32), separators, within=within)
        for index, name in enumerate(NAMES):
            if name in one:
                found[index, number] = one[name]
    return found


def of_layer(
    weights: "Values", separators: Collection[int], *, within: bool
) -> Mapping[str, "Values"]:
    """The measures of one layer's heads by name.

    Args:
        weights: heads x queries x keys, float32.
        separators: Positions of the separators among the keys.
        within: Queries and keys are the same tokens.
    """
    import numpy as np

    _, queries, keys = weights.shape
    found = {
        "first": weights[:, :, 0].mean(axis=1),
        "strongest": weights.max(axis=2).mean(axis=1),
        "entropy": _entropy(weights),
    }
    if separators:
        found["separator"] = weights[:, :, sorted(separators)].sum(axis=2).mean(axis=1)
    if within:
        rows = np.arange(queries)
        found["same"] = weights[:, rows, rows].mean(axis=1)
        if queries > 1:
            found["previous"] = weights[:, rows[1:], rows[:-1]].mean(axis=1)
            found["next"] = weights[:, rows[:-1], rows[1:]].mean(axis=1)
        apart = np.abs(rows[:, None] - np.arange(keys)[None, :]).astype(np.float32)
        found["distance"] = np.tensordot(weights, apart, axes=2) / np.float32(queries)
    return found


def _entropy(weights: "Values") -> "Values":
    """Mean over queries of -sum(w ln w), in nats; 0 ln 0 is 0."""
    import torch

    held = torch.from_numpy(weights)
    entropies: Values = torch.special.entr(held).sum(dim=-1).mean(dim=-1).numpy()
    return entropies
