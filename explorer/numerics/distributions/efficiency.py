"""Rényi efficiency: how evenly a text's pieces are used."""

import math
from collections.abc import Sequence

import numpy as np

ORDER = 2.5
"""The one that goes best with the quality of translations (Zouhar et al. 2023)."""


def renyi_efficiency(counts: Sequence[int], order: float = ORDER) -> float | None:
    """Rényi entropy as a share of the greatest there can be (Zouhar et al. 2023, section 4).

    Args:
        counts: How often each kind of piece stands in a text.
        order: Of the entropy; not 1.

    Returns:
        From 0 to 1, 1 where all kinds are equally frequent; None where there are not two of them.
    """
    seen = np.asarray([count for count in counts if count > 0], dtype=np.float64)
    if len(seen) < 2:
        return None
    entropy = math.log(float(((seen / seen.sum()) ** order).sum())) / (1.0 - order)
    return entropy / math.log(len(seen))
