"""What stands out among an answer's numbers, for the sentence on its largest effect."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from explorer.text import N_, Phrase
from explorer.text.formatting.probabilities import in_percent

CERTAIN = 0.9
"""A probability from which on something is all but certain."""
FLAT = 0.1
"""A probability below which not even the first of several stands out."""


def is_close(first: float, second: float) -> bool:
    """Whether the first of two probabilities leads by so little that the choice is open.

    Args:
        first: The larger one.
        second: The next one; from half of the first on it is close.
    """
    return second >= first / 2


def lead(ranked: Sequence[tuple[str, float]]) -> Phrase | None:
    """The sentence on how far the most probable answer is ahead of the next one.

    Args:
        ranked: Answers and their probabilities, the most probable first; at least one.

    Returns:
        None where there is one alone, and it is not too improbable to stand out.
    """
    (first, share), *others = ranked
    values = {"first": first, "share": in_percent(share)}
    if share < FLAT:
        return Phrase(
            N_("Nothing stands out: even the most probable, “{first}”, has only {share}."), **values
        )
    if not others:
        return None
    second, its = others[0]
    values |= {"second": second, "its": in_percent(its)}
    if share >= CERTAIN:
        code = N_("“{first}” is all but certain ({share}): the next, “{second}”, has only {its}.")
    elif is_close(share, its):
        code = N_("The model hesitates between “{first}” ({share}) and “{second}” ({its}).")
    else:
        code = N_("“{first}” ({share}) leads clearly: the next, “{second}”, has only {its}.")
    return Phrase(code, **values)


def wavering(piece: str, share: float, other: tuple[str, float] | None = None) -> Phrase:
    """The sentence on the piece of a text that a model was least sure of when it wrote.

    Args:
        piece: The piece.
        share: Its probability after all before it.
        other: What was the most probable beside it, and how probable; None where nobody knows.
    """
    values = {"piece": piece, "share": in_percent(share)}
    if share >= CERTAIN:
        return Phrase(
            N_(
                "The model is sure of all that it writes: even “{piece}”, its least sure piece, "
                "has {share}."
            ),
            **values,
        )
    if other is None:
        return Phrase(
            N_("The model is least sure of “{piece}”: it has {share} after all pieces before it."),
            **values,
        )
    return Phrase(
        N_(
            "The model is least sure of “{piece}” ({share}): “{other}” could stand there as well, "
            "with {its}."
        ),
        other=other[0],
        its=in_percent(other[1]),
        **values,
    )


def largest_cell(values: NDArray[Any]) -> tuple[int, ...]:
    """Where the largest number of an array is: an index a dimension, the first of equal ones.

    Args:
        values: Not all of them NaN, of which none counts.
    """
    return tuple(map(int, np.unravel_index(int(np.nanargmax(values)), values.shape)))


def strongest_link(weights: NDArray[Any], *, is_own: bool) -> tuple[int, ...]:
    """Where the largest of attention's weights is, from a token to another one.

    Args:
        weights: [..., queries, keys], nought and more.
        is_own: Queries and keys are the same tokens. What each gives to itself does not count
            then, unless there is only one.
    """
    size = weights.shape[-1]
    if not is_own or size < 2:
        return largest_cell(weights)
    others = np.array(weights, np.float32)
    others[..., np.arange(size), np.arange(size)] = -1.0
    return largest_cell(others)
