"""How high a curve is on average, on a scale of its own."""

from numpy.typing import ArrayLike


def mean_height(curve: ArrayLike, low: float, high: float) -> float | None:
    """The mean height of a curve of equal steps, where `low` is 0 and `high` is 1.

    It is the area under the curve by trapezoids, its width being 1. None where both are the same,
    or there is no step.
    """
    import numpy as np

    heights = np.asarray(curve, dtype=np.float64)
    if high == low or len(heights) < 2:
        return None
    shares = (heights - low) / (high - low)
    return float((shares[:-1] + shares[1:]).mean() / 2)
