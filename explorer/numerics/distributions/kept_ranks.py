"""Ranks at which a distribution over a whole vocabulary is kept, for a curve over all of them."""

FIRST, SPREAD = 12, 28


def kept_ranks(size: int) -> tuple[int, ...]:
    """Each of the first ranks, then some at even distances of their logarithms, to the last."""
    import numpy as np  # here: the window needs no arrays before it can be seen

    spread = np.geomspace(FIRST, size, SPREAD).round() if size > FIRST else ()
    return tuple(dict.fromkeys((*range(1, min(FIRST, size) + 1), *map(int, spread))))
