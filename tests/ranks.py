"""Ranks, compared as what they are made of is: two that are as good as equal may change places."""

from typing import Any

import numpy as np

NEAR = 2e-5
"""Between two log-probabilities or logits: as far as another way to compute one may be."""


def is_rank(found: Any, scores: Any, own: Any) -> bool:
    """Whether places among scores, counted from 1, are right.

    Args:
        found: The place, or one for each row.
        scores: Log-probabilities or logits of all that are ranked, in the last axis.
        own: The score of what has the place, with an axis of 1 at the end where there are rows.
    """
    rows, one = np.asarray(scores), np.asarray(own)
    least = (rows > one + NEAR).sum(-1) + 1
    most = np.maximum((rows > one - NEAR).sum(-1), 1)
    return bool(np.all((least <= np.asarray(found)) & (np.asarray(found) <= most)))
