"""What stands out among an answer's numbers, for the sentence on what to look at first."""

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from explorer.text import N_, Phrase
from explorer.text.formatting.probabilities import in_percent
from explorer.text.phrase import NOTHING

CERTAIN = 0.9
"""A probability from which on something is all but certain."""
FLAT = 0.1
"""A probability below which not even the first of several stands out."""
OUTLYING = 3.5
"""Modified z-scores from which on a number is an outlier (Iglewicz and Hoaglin 1993): of some
hundred heads that scatter as normal numbers do, the largest has about 2.5."""
NORMAL = 0.6745
"""Median absolute deviation of a normal distribution, in standard deviations."""


def beyond(found: float, threshold: float, most: float = math.inf) -> float:
    """How far a finding is beyond its own threshold, to be put in an order with any other.

    What pages look at have units of their own: shares, nats, outliers' scores. What they have in
    common is that each has a threshold, below which nothing stands out, and a most that it can be.
    So it is told by the part of the way between the two; where there is no most, by how little of
    it the threshold is, which is half at twice the threshold. Of nats, which are logarithms, the
    factors are given (`exp`), so that they are ratios as all the others.

    Args:
        found: What was found, larger where more stands out.
        threshold: More than nought; from it on something stands out.
        most: What it can be at most; infinite for what has no bound.

    Returns:
        0 at the threshold and below it, 1 at the most; 0 for what is no number.
    """
    if not found > threshold:
        return 0.0
    if math.isinf(most):
        return 1.0 - threshold / found
    return min(1.0, (found - threshold) / (most - threshold))


def is_close(first: float, second: float) -> bool:
    """Whether the first of two probabilities leads by so little that the choice is open.

    Args:
        first: The larger one.
        second: The next one; from half of the first on it is close.
    """
    return second >= first / 2


def lead(ranked: Sequence[tuple[str, float]]) -> Phrase:
    """The sentence on how far the most probable answer is ahead of the next one.

    Args:
        ranked: Answers and their probabilities, the most probable first; at least one.

    Returns:
        Nothing where there is one alone, or the first is too improbable to stand out.
    """
    (first, share), *others = ranked
    if share < FLAT or not others:
        return NOTHING
    values = {"first": first, "share": in_percent(share)}
    second, its = others[0]
    values |= {"second": second, "its": in_percent(its)}
    if share >= CERTAIN:
        code = N_("“{first}” is nearly certain ({share}): the next, “{second}”, has only {its}.")
    elif is_close(share, its):
        code = N_("The model hesitates between “{first}” ({share}) and “{second}” ({its}).")
    else:
        code = N_("“{first}” ({share}) leads clearly: the next, “{second}”, has only {its}.")
    return Phrase(code, **values)


def outlying(values: NDArray[Any], at: tuple[int, ...]) -> float:
    """By how many modified z-scores one number is above the others.

    Args:
        values: Of any shape; those that are not finite do not count.
        at: Index of the one, a number a dimension.

    Returns:
        Infinite where the others are all the same and it is above them; nought for fewer than
        three numbers, which have nothing to stand out from.
    """
    others = np.delete(np.asarray(values, float).ravel(), np.ravel_multi_index(at, values.shape))
    others = others[np.isfinite(others)]
    if len(others) < 2:
        return 0.0
    middle = float(np.median(others))
    above = float(values[at]) - middle
    spread = float(np.median(abs(others - middle)))
    if not spread:
        return math.inf if above > 0 else 0.0
    return NORMAL * above / spread


def stands_out(values: NDArray[Any], at: tuple[int, ...]) -> bool:
    """Whether one number is so far above the others that it is no maximum by chance alone."""
    return outlying(values, at) > OUTLYING


def wavering(piece: str, share: float, other: tuple[str, float] | None = None) -> Phrase:
    """The sentence on the piece of a text that a model was least sure of when it wrote.

    Args:
        piece: The piece.
        share: Its probability after all before it.
        other: What was the most probable beside it, and how probable; None where nobody knows.

    Returns:
        Nothing where it is sure of that piece as well.
    """
    values = {"piece": piece, "share": in_percent(share)}
    if share >= CERTAIN or (other is not None and not is_close(share, other[1])):
        return NOTHING
    if other is None:
        return Phrase(
            N_("The model is least sure of “{piece}”: it has {share} after all pieces before it."),
            **values,
        )
    return Phrase(
        N_(
            "The model is least sure of “{piece}” ({share}): “{other}” could be there as "
            "well, with {its}."
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
