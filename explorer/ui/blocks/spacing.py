"""The rhythm of a page: the room above its blocks, and how wide cards are at least.

Blocks take no other distances, so that pages which several people write look like one.
"""

from enum import IntEnum


class Space(IntEnum):
    """The room above a block, in pixels; every kind of block has the one that is usual for it."""

    TIGHT = 2
    """It belongs to the line above."""
    NEAR = 6
    """It goes on with what is above."""
    APART = 12
    """It is another thing than what is above."""
    SECTION = 18
    """Something new begins."""


class CardWidth(IntEnum):
    """What stands side by side is at least so wide, in pixels, unless there is less room."""

    NARROW = 210
    """A small chart, or a word with a bar."""
    MEDIUM = 300
    """A table of words with a number each."""
    WIDE = 450
    """A table of several columns, or a chart that is read exactly."""


def columns_for(
    width: float, items: int, narrowest: float, widest: float, gap: float
) -> tuple[int, float]:
    """Number of columns and their width.

    Args:
        width: There is this much.
        items: No more columns than these.
        narrowest: A column's least width, unless there is less.
        widest: A column's greatest width.
        gap: Between columns.
    """
    count = max(1, min(items, int((width + gap) // (narrowest + gap))))
    return count, min(widest, (width - gap * (count - 1)) / count)
