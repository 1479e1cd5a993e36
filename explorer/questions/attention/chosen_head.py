"""The pairs of tokens in a table of one head."""

import numpy as np
from numpy.typing import NDArray

MOST_ROWS = 20_000
"""Of a table: with more pairs of tokens than these, the ones with most attention are kept."""


def pairs_kept(attention: NDArray[np.float32]) -> NDArray[np.int64]:
    """The pairs of tokens that have a row, by their places in the flat matrix, in order."""
    if attention.size <= MOST_ROWS:
        return np.arange(attention.size)
    return np.sort(np.argsort(-attention, axis=None, kind="stable")[:MOST_ROWS])
