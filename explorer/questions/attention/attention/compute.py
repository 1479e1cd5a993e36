"""Attention made easier to read: pieces merged into words, special tokens hidden."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from explorer.api import Token
from explorer.hf.text.pieces import written
from explorer.questions.attention.attention.question import Place

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    Values = npt.NDArray[np.floating[Any]]

SHOWN, HIDDEN, RENORMALISED = "shown", "hidden", "renormalised"
SPECIAL = (SHOWN, HIDDEN, RENORMALISED)
"""What becomes of special tokens. Hidden, a row no longer sums to one, and what is missing went to
them; renormalised, every row is divided by its sum."""


def places_of(
    tokenizer: Any, tokens: Sequence[Token], *, words: bool, special: str
) -> tuple[Place, ...]:
    """The rows or columns of tokens.

    Args:
        tokenizer: Whose tokens they are.
        tokens: In order.
        words: The pieces of a word are one place.
        special: One of SPECIAL; tokens are hidden only where others are left.
    """
    places: list[Place] = []
    for position, token in enumerate(tokens):
        whole = token.special or token.masked or token.reserved
        label = token.text if whole else written(tokenizer, token.text)
        if words and token.joined and places:
            before = places[-1]
            places[-1] = Place(before.label + label, before.first, position, before.special)
        else:
            joined = token.joined and not whole
            places.append(
                Place(f"##{label}" if joined else label, position, position, token.special)
            )
    kept = [place for place in places if not place.special]
    return tuple(kept if special != SHOWN and kept else places)


def separators_of(tokenizer: Any, tokens: Sequence[Token]) -> tuple[int, ...]:
    """Positions of the tokens that end or divide texts: [SEP], </s>."""
    ends = {tokenizer.sep_token_id, tokenizer.eos_token_id} - {None}
    return tuple(position for position, token in enumerate(tokens) if token.id in ends)


def pooled(weights: "Values", block: tuple[int, int]) -> "Values":
    """The largest weight of every block of so many rows and columns of the last two axes."""
    import numpy as np

    for axis, size in zip((-2, -1), block, strict=True):
        if size > 1:
            starts = np.arange(0, weights.shape[axis], size)
            weights = np.maximum.reduceat(weights, starts, axis=axis)
    return weights


def read_as(
    weights: "Values",
    queries: Sequence[Place],
    keys: Sequence[Place],
    *,
    renormalise: bool = False,
) -> "Values":
    """Weights between places: float32, … x queries x keys.

    The weight to a word is the sum over its pieces, the weight from it the mean over them (Clark
    et al. 2019, section 4.1); so a row of words sums to one where a row of pieces does.

    Args:
        weights: … x query tokens x key tokens.
        queries: Rows, in order.
        keys: Columns, in order.
        renormalise: Divide every row by its sum; a row without any weight stays zero.
    """
    import numpy as np

    values = np.asarray(weights, dtype=np.float32)
    values = _grouped(values, keys, axis=-1)
    values = _grouped(values, queries, axis=-2)
    for index, place in enumerate(queries):
        if place.last > place.first:
            values[..., index, :] /= place.last - place.first + 1
    if renormalise:
        sums = values.sum(axis=-1, keepdims=True)
        values = np.divide(values, sums, out=np.zeros_like(values), where=sums > 0)
    return values


def _grouped(values: "Values", places: Sequence[Place], axis: int) -> "Values":
    """Sums over the tokens of every place; a copy wherever anything changes."""
    import numpy as np

    first = [place.first for place in places]
    if all(place.first == place.last for place in places):
        if first == list(range(values.shape[axis])):
            return values.copy() if axis == -2 and not values.flags.owndata else values
        return np.take(values, first, axis=axis)
    # A place ends where its own tokens do, not where the next one begins: some may be left out.
    edges = [edge for place in places for edge in (place.first, place.last + 1)]
    if edges[-1] == values.shape[axis]:
        edges.pop()
    summed: Values = np.add.reduceat(values, edges, axis=axis)
    return np.take(summed, np.arange(0, len(edges), 2), axis=axis)
