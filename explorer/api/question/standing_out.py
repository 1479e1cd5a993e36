"""What stands out among an answer's numbers, for the sentence on its largest effect."""

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


def hesitation(first: str, share: float, second: str, its: float) -> Phrase:
    """The sentence of two answers that are close.

    Args:
        first: The more probable one.
        share: Its probability.
        second: The next one.
        its: The probability of that.
    """
    return Phrase(
        N_("The model hesitates between “{first}” ({share}) and “{second}” ({its})."),
        first=first,
        share=in_percent(share),
        second=second,
        its=in_percent(its),
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
