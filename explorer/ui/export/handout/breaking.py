"""Where a high picture goes on overleaf: between two parts, else between two lines."""

from collections.abc import Iterator

import numpy as np
from PySide6.QtGui import QImage, QPainter

from explorer.ui.blocks.figure import Figure
from explorer.ui.theme.schemes import Theme

PARTS_APART = 11
"""Rows of nothing that lie between two parts at least."""
EARLIEST = 0.5
"""Of the room on a sheet, how much is used before a break between two parts is taken."""


def slices(figure: Figure, first: float, further: float, theme: Theme) -> Iterator[float]:
    """How much of a picture stands on each sheet, in pixels.

    Args:
        figure: The picture.
        first: Pixels of room on the first sheet.
        further: On every other one.
        theme: That it is painted in.
    """
    gaps = _gaps(figure, theme)
    done, room = 0.0, first
    while figure.height - done > room:
        taken = _between_parts(figure, done, room) or _break(gaps, done, room)
        if taken == 0 and room < further:
            # What is left of this sheet is too little for anything.
            yield 0.0
            room = further
            continue
        taken = taken or room
        yield taken
        done += taken
        room = further
    yield figure.height - done


def _between_parts(figure: Figure, done: float, room: float) -> float:
    """Pixels after which a part ends that leaves little of a sheet; 0 where none does."""
    ends = (one - done for one in figure.breaks)
    return max((end for end in ends if EARLIEST * room <= end <= room), default=0.0)


def _break(gaps: list[tuple[int, int]], done: float, room: float) -> float:
    """Pixels after which the picture is broken; 0 where it can't be."""
    # In the middle of where nothing stands, or where the sheet ends in it.
    ends = [
        (min((low + high + 1) / 2 - done, room), high - low + 1)
        for low, high in gaps
        if low - done < room
    ]
    found = [(end, size) for end, size in ends if end > 0]
    between = [end for end, size in found if size >= PARTS_APART and end >= EARLIEST * room]
    return max(between or (end for end, _size in found), default=0.0)


def _gaps(figure: Figure, theme: Theme) -> list[tuple[int, int]]:
    """The first and the last row of each run of rows in which nothing but frames stands."""
    image = QImage(round(figure.width), round(figure.height), QImage.Format.Format_RGB32)
    image.fill(theme.surface)
    painter = QPainter(image)
    try:
        figure.paint(painter)
    finally:
        painter.end()
    pixels = np.frombuffer(image.constBits(), dtype=np.uint32).reshape(image.height(), -1)
    empty = np.isin(pixels, [theme.surface.rgb(), theme.border.rgb()])
    # The sides of a card's frame may go on overleaf; its corners and its upper edge may not.
    is_gap = ((~empty).sum(axis=1) == 0) & ((pixels == theme.border.rgb()).sum(axis=1) < 8)
    edges = np.flatnonzero(np.diff(np.concatenate(([0], is_gap.astype(np.int8), [0]))))
    return [(int(low), int(high) - 1) for low, high in zip(edges[::2], edges[1::2], strict=True)]
