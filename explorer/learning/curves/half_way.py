"""When half of what a run came to was done."""

import numpy as np
from numpy.typing import NDArray

END = 0.05
"""The share of a curve's points whose mean is where it came to: single ones scatter."""


def half_way(steps: NDArray[np.float64], values: NDArray[np.float64]) -> int | None:
    """The place of the first value that is beyond the middle between the first and the end.

    Args:
        steps: In rising order.
        values: As many.

    Returns:
        None where there are fewer than three, or the curve comes to where it began.
    """
    if len(steps) < 3:
        return None
    end = float(values[-max(1, round(END * len(values))) :].mean())
    first = float(values[0])
    if np.isclose(first, end):
        return None
    middle = (first + end) / 2
    beyond = values <= middle if end < first else values >= middle
    return int(np.argmax(beyond)) if beyond.any() else None
