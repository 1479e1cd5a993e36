"""What is selected on a page with the mouse or the keyboard: cells of rows, and paragraphs."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby

from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QColor, QPainter
from PySide6.QtWidgets import QApplication

from explorer.text import ngettext
from explorer.ui.blocks.block import LaidPage, Spot
from explorer.ui.theme.schemes import Theme
from explorer.ui.theme.shapes import draw_rounded

VEIL = 56
"""Of 255, how strongly what is selected is coloured: what stands there is still read."""


@dataclass(frozen=True)
class SelectablePiece:
    """A cell or a paragraph.

    Attributes:
        text: What is copied.
        box: Where it is on the page.
        block: Which block it stands in.
        row: Which row of that one.
    """

    text: str
    box: QRectF
    block: int
    row: int = 0


class Selecting:
    """What is selected, and how it comes about."""

    def __init__(self) -> None:
        self.chosen: tuple[SelectablePiece, ...] = ()
        self._pieces: Sequence[SelectablePiece] = ()
        self._start: QPointF | None = None
        self._first: Spot | None = None
        self._cells: int | None = None

    @property
    def is_dragged(self) -> bool:
        """The mouse has selected something and is still held."""
        return self._start is not None and bool(self.chosen)

    @property
    def said(self) -> str:
        """For a screen reader; "" for nothing selected."""
        count = len(self.chosen)
        if not count:
            return ""
        return ngettext("{count} cell is selected.", "{count} cells are selected.", count)

    @property
    def copied(self) -> str:
        """A line for a row or a paragraph; cells apart by tabs, each under its column's."""
        blocks = groupby(self.chosen, lambda piece: piece.block)
        return "\n".join(line for _block, pieces in blocks for line in _lines(list(pieces)))

    def clear(self) -> bool:
        """Select nothing; whether anything was."""
        was, self.chosen = bool(self.chosen), ()
        self._start = self._first = self._cells = None
        return was

    def press(self, point: QPointF, page: LaidPage | None) -> None:
        """The mouse was pressed: what it is drawn over is selected from here on."""
        self.clear()
        if page is not None:
            self._start, self._pieces = point, list(pieces_of(page))

    def drag(self, point: QPointF) -> bool:
        """The mouse is held elsewhere; whether something else is selected now."""
        if self._start is None:
            return False
        far = (point - self._start).manhattanLength()
        if not self.chosen and far < QApplication.startDragDistance():
            return False
        return self._select(QRectF(self._start, point).normalized())

    def release(self) -> bool:
        """The mouse was let go of; whether it has selected something."""
        self._start, self._pieces = None, ()
        return bool(self.chosen)

    def extend(self, first: Spot, last: Spot, page: LaidPage) -> None:
        """Select from one row to another; of both the same cells.

        Args:
            first: Where the keyboard was, unless something is selected from elsewhere on.
            last: Where it is.
            page: On which they are.
        """
        self._first = self._first or first
        box = self._first.box.united(last.box)
        if self._cells is not None and (ends := _ends(last)):
            box.setRight(ends[min(self._cells, len(ends)) - 1])
        self._pieces = list(pieces_of(page))
        self._select(box)
        self._pieces = ()

    def widen(self, spot: Spot, page: LaidPage, by: int) -> None:
        """Select so many cells more, or less, of every row; at first a row is selected whole."""
        count = len(_ends(spot))
        before = count if self._cells is None else self._cells
        if count:
            self._cells = min(max(before + by, 1), count)
        self.extend(spot, spot, page)

    def everything(self, page: LaidPage) -> None:
        """Select all that can be."""
        self.clear()
        self.chosen = tuple(pieces_of(page))

    def paint(self, painter: QPainter, theme: Theme) -> None:
        """A veil over what is selected."""
        veil = QColor(theme.focus)
        veil.setAlpha(VEIL)
        for piece in self.chosen:
            draw_rounded(painter, piece.box.adjusted(-3, 0, 3, 0), 3, veil)

    def _select(self, box: QRectF) -> bool:
        # A line has no inside, as one that is drawn along a row.
        box = box.adjusted(0, 0, max(0.0, 1 - box.width()), max(0.0, 1 - box.height()))
        found = tuple(piece for piece in self._pieces if piece.box.intersects(box))
        was, self.chosen = self.chosen, found
        return was != found


def pieces_of(page: LaidPage) -> Iterator[SelectablePiece]:
    """The cells and the paragraphs of a page, block after block."""
    for block, node in enumerate(page.nodes):
        rows = [spot for spot in node.spots if spot.cells]
        for number, spot in enumerate(rows):
            for cell in spot.cells:
                yield SelectablePiece(cell.value or cell.text, cell.box, block, number)
        # A paragraph that explains its terms is one place.
        if not rows and len(node.spots) < 2 and node.name and node.told is None:
            yield SelectablePiece(node.name, node.box, block)


def _ends(spot: Spot) -> list[float]:
    """The right edges of a row's cells, from the left."""
    return sorted(cell.box.right() - 1 for cell in spot.cells)


def _lines(pieces: Sequence[SelectablePiece]) -> Iterator[str]:
    """The rows of a block; what a row lacks is left empty, so that columns stay columns."""
    rows = [list(row) for _row, row in groupby(pieces, lambda piece: piece.row)]
    lefts = sorted({round(piece.box.left()) for piece in pieces})
    for row in rows:
        at = {round(piece.box.left()): piece.text for piece in row}
        apart = len(at) == len(row)
        yield "\t".join([at.get(left, "") for left in lefts] if apart else [p.text for p in row])
