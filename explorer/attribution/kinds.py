"""What stands in the place of words that say nothing, from which scores count."""

import enum


class Baseline(enum.StrEnum):
    """What stands in the place of words that say nothing, from which scores count."""

    MASK = "mask"
    PAD = "pad"
    ZERO = "zero"
    TEXT = "text"
