"""N-gram masking.

Lan et al. 2020 (ALBERT), section 4.1: the masked language model's targets are n-grams of whole
words of at most 3 words, with p(n) = (1/n) / sum over k = 1...3 of 1/k. As in the authors' code
each token of an n-gram has its own fate: [MASK], a random token or itself (80/10/10).
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

LONGEST: Final = 3


def ngram_lengths(longest: int = LONGEST) -> NDArray[np.float64]:
    """Probability of each n from 1 to the longest, shape [longest]."""
    weights = 1.0 / np.arange(1, longest + 1)
    return np.asarray(weights / weights.sum())
