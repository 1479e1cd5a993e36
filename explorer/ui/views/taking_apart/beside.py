"""Blocks side by side, in as many columns as the width holds."""

from collections.abc import Callable, Sequence
from dataclasses import replace

from PySide6.QtGui import QPainter

from explorer.ui.blocks.block import Laid, LaidPage, Spot, live_of, still_painting
from explorer.ui.theme.schemes import Theme
from explorer.ui.widgets.column_flow import columns_for
from explorer.ui.widgets.figure import Figure

GAP = 22.0
RIGHT_NEEDS = 330.0
"""Least width of a right column, in pixels."""

Make = Callable[[float], Laid]
"""Makes a block for a width."""


class Placed:
    """Blocks at places of their own.

    Args:
        places: Left and upper end of each block, and the block.
    """

    def __init__(self, places: Sequence[tuple[float, float, Laid]]) -> None:
        self._places = tuple(places)
        self.height = max((y + block.height for _, y, block in self._places), default=0.0)
        self.spots = tuple(
            replace(spot, box=spot.box.translated(x, y))
            for x, y, block in self._places
            for spot in block.spots
        )
        self.live = tuple(
            replace(one, box=one.box.translated(x, y))
            for x, y, block in self._places
            for one in live_of(block)
        )

    def paint(self, painter: QPainter, theme: Theme) -> None:
        """Block after block."""
        self._paint(painter, theme, lambda block: block.paint)

    def paint_still(self, painter: QPainter, theme: Theme) -> None:
        """Block after block, but for what is a widget on the screen."""
        self._paint(painter, theme, still_painting)

    def _paint(
        self,
        painter: QPainter,
        theme: Theme,
        painting: Callable[[Laid], Callable[[QPainter, Theme], None]],
    ) -> None:
        for x, y, block in self._places:
            painter.save()
            painter.translate(x, y)
            painting(block)(painter, theme)
            painter.restore()


class Picture:
    """A figure as a block.

    Args:
        make: Makes the figure in a theme; its size must not depend on the theme.
        theme: Any, for its size.
    """

    spots: tuple[Spot, ...] = ()

    def __init__(self, make: Callable[[Theme], Figure], theme: Theme) -> None:
        self._make = make
        self.height = make(theme).height

    def paint(self, painter: QPainter, theme: Theme) -> None:
        """The figure in the theme of the painting."""
        self._make(theme).paint(painter)


class Inner:
    """A page as a block of another page."""

    def __init__(self, page: LaidPage) -> None:
        self.height, self.spots, self.paint = page.height, page.spots, page.paint
        self.live, self.paint_still = page.live, page.paint_still


def beside(makers: Sequence[Make], width: float, narrowest: float, widest: float) -> Placed:
    """Blocks of equal width; a row of them is as high as its highest.

    Args:
        makers: One a block.
        width: Of all together.
        narrowest: A column's least width, unless there is less.
        widest: A column's greatest width.
    """
    count, wide = columns_for(width, len(makers), narrowest, widest, GAP)
    blocks = [make(wide) for make in makers]
    places: list[tuple[float, float, Laid]] = []
    y = 0.0
    for first in range(0, len(blocks), count):
        row = blocks[first : first + count]
        places += [(column * (wide + GAP), y, block) for column, block in enumerate(row)]
        y += max(block.height for block in row) + GAP / 2
    return Placed(places)


def left_and_right(
    left: Sequence[tuple[float, Make]],
    right: Sequence[tuple[float, Make]],
    width: float,
    left_width: float,
) -> Placed:
    """Two columns of blocks; one below the other where there is no room for both.

    Args:
        left: The room above each block, and what makes it.
        right: The same.
        width: Of both together.
        left_width: Of the left column.
    """
    right_width = width - left_width - 1.5 * GAP
    narrow = right_width < RIGHT_NEEDS
    places: list[tuple[float, float, Laid]] = []
    y = 0.0
    for above, make in left:
        block = make(width if narrow else left_width)
        y += above
        places.append((0.0, y, block))
        y += block.height
    x, y = (0.0, y + GAP / 2) if narrow else (left_width + 1.5 * GAP, 0.0)
    for above, make in right:
        block = make(width if narrow else right_width)
        y += above
        places.append((x, y, block))
        y += block.height
    return Placed(places)
