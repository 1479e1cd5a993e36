"""Several matrices of the same rows and columns: pointing at a cell in one marks it in all."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from PySide6.QtCore import QRectF, Qt, Signal
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QWidget

from explorer.ui.blocks.block import Block, EmbeddedWidget, PlacedBlock
from explorer.ui.blocks.page.parts import InlinePart
from explorer.ui.blocks.spacing import Space, columns_for
from explorer.ui.blocks.text import WrappedParagraph
from explorer.ui.controls.plain_words import plain_label
from explorer.ui.guarded import guarded
from explorer.ui.matrices.block import Matrix, MatrixView
from explorer.ui.matrices.heat_layout import HeatContent, height_for, left_of
from explorer.ui.matrices.heat_painting import (
    ROOM_FOR_NUMBERS,
    heat_figure,
    room_for_numbers,
)
from explorer.ui.theme.schemes import Theme
from explorer.ui.theme.shapes import painter_moved
from explorer.ui.typesetting.one_line import text_height

GAP = 18.0
FOR_NUMBER = 42.0
"""Of a cell that its number is written into, in pixels."""
WIDE_ENOUGH = 330.0
"""Of a matrix that is made so wide that numbers have room in it, in pixels."""
FOR_COLOUR, NARROWEST, NARROW_ENOUGH = 11.0, 205.0, 300.0
"""Of a cell, and of a matrix, where they have none: small, so that all are seen at a glance."""
LARGEST = 30.0
"""Of a cell."""

Cell = tuple[int, int]


@dataclass(frozen=True)
class LinkedMatrix:
    """One of them.

    Attributes:
        name: Of its widget, which keeps its zoom while it is shown under the same name.
        title: Above it.
        about: Below the title, in small letters.
        content: Its cells.
    """

    name: str
    title: str
    about: str
    content: HeatContent


@dataclass(frozen=True)
class LinkedMatrices:
    """A block: the matrices side by side, and a sentence about the cell that is pointed at.

    Attributes:
        matrices: In reading order.
        said: Of a cell, or of none.
        chosen: The cell that stays marked while none is pointed at; None for none.
        act: What choosing a cell does, a gesture.
        above: The room above it.
        is_printed: Nobody can point at a cell.
    """

    matrices: Sequence[LinkedMatrix]
    said: Callable[[Cell | None], str]
    chosen: Cell | None = None
    act: Callable[[int, int], Any] = lambda _row, _column: None
    above: Space = Space.APART
    is_printed: bool = False

    def at(self, width: float) -> "LaidMatrices":
        """In as many columns as fit."""
        return LaidMatrices(self, width)

    @property
    def parts(self) -> list[InlinePart]:
        """The matrices."""
        return [InlinePart(one.title) for one in self.matrices]

    def with_parts(self, kept: Mapping[int, Sequence[Block]]) -> "LinkedMatrices":
        """Some of the matrices."""
        return replace(self, matrices=[self.matrices[n] for n in kept])

    def in_print(self) -> "LinkedMatrices":
        """Without room for words about a cell where none was chosen."""
        return replace(self, is_printed=True)


class LaidMatrices(PlacedBlock):
    """Linked matrices at a width: where each stands, below the sentence.

    Attributes:
        block: What is shown.
        sentence: Its room: that of the longest of a few.
        boxes: A box a matrix, without its title.
        contents: Their cells, with numbers in all of them or in none.
    """

    def __init__(self, block: LinkedMatrices, width: float) -> None:
        self.block, self.width = block, width
        self.name = block.said(block.chosen)
        matrices = block.matrices
        narrowest = max((_narrowest(one.content) for one in matrices), default=NARROWEST)
        count, wide = columns_for(width, len(matrices), narrowest, width, GAP)
        count = _evenly(len(matrices), count)
        _, wide = columns_for(width, count, narrowest, width, GAP)
        self.contents = _alike([one.content for one in matrices], wide)
        self._titles = text_height("strong") + text_height("small") + 6
        self.sentence = QRectF(0, 0, width, self._lines() * text_height("body") + 6)
        self.boxes: list[QRectF] = []
        y = self.sentence.bottom() + 8
        if block.is_printed and block.chosen is None:
            y = 0.0
        for first in range(0, len(matrices), count):
            row = matrices[first : first + count]
            high = max(height_for(one.content, wide, LARGEST) for one in row)
            for column in range(len(row)):
                self.boxes.append(QRectF(column * (wide + GAP), y + self._titles, wide, high))
            y += self._titles + high + GAP
        self.height = max(0.0, y - GAP)
        self.live = (EmbeddedWidget(QRectF(0, 0, width, self.height), MatricesView, self),)

    def _lines(self) -> int:
        """Of the sentence, whatever is pointed at: its words differ little from cell to cell."""
        block = self.block
        said = {block.said(None), block.said(block.chosen)}
        for one in block.matrices[:1]:
            labels = one.content.rows
            longest = sorted(range(len(labels)), key=lambda at: -len(labels[at]))[:1]
            said |= {block.said((at, at)) for at in longest}
            said |= {block.said((at, 0)) for at in longest}
            said |= {block.said((0, at)) for at in longest}
        return max(len(WrappedParagraph(f"{one} …", self.width).lines) for one in said)

    def paint(self, painter: QPainter, theme: Theme) -> None:
        """The sentence about the chosen cell, and every matrix with its title."""
        if self.block.chosen is not None:
            WrappedParagraph(self.name, self.width).paint(painter, theme)
        self.paint_still(painter, theme)
        for content, box in zip(self.contents, self.boxes, strict=True):
            with painter_moved(painter, box.topLeft().x(), box.topLeft().y()):
                heat_figure(content, box.width(), theme, LARGEST).paint(painter)

    def paint_still(self, painter: QPainter, theme: Theme) -> None:
        """The titles; on the screen, the rest is a widget."""
        for one, box in zip(self.block.matrices, self.boxes, strict=True):
            with painter_moved(painter, box.left(), box.top() - self._titles):
                WrappedParagraph(one.title, box.width(), "strong").paint(painter, theme)
                painter.translate(0, text_height("strong"))
                WrappedParagraph(one.about, box.width(), "small", "muted").paint(painter, theme)


def _alike(contents: Sequence[HeatContent], wide: float) -> list[HeatContent]:
    """With numbers in all or in none: one without would be read as one that has none."""
    columns = max((len(one.columns) for one in contents), default=0)
    if wide < ROOM_FOR_NUMBERS * columns:
        return [*contents]
    room = max((room_for_numbers(one) for one in contents), default=0.0)
    return [replace(one, number_room=room) for one in contents]


def _narrowest(content: HeatContent) -> float:
    """The least width of a matrix."""
    left, columns = left_of(content, 0), len(content.columns)
    if left + FOR_NUMBER * columns <= WIDE_ENOUGH:
        return left + FOR_NUMBER * columns
    return min(max(left + FOR_COLOUR * columns, NARROWEST), NARROW_ENOUGH)


def _evenly(items: int, columns: int) -> int:
    """As many columns that the rows are alike: six in two rows are three and three."""
    rows = -(-items // max(columns, 1))
    return -(-items // max(rows, 1))


@guarded
class MatricesView(QWidget):
    """The matrices on the screen.

    Attributes:
        maps: Those that are shown, by name.
        sentence: About the cell that is pointed at.

    Signals:
        chosen: Nothing: cells have gestures.
        acted: The gesture of the cell that was chosen.
    """

    chosen = Signal(object)
    acted = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.maps: dict[str, MatrixView] = {}
        self.sentence = plain_label(self)
        self.sentence.setObjectName("linkedSentence")
        self.sentence.setWordWrap(True)
        self.sentence.setAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop)
        self._laid: LaidMatrices | None = None
        self._telling = False

    def show_content(self, laid: LaidMatrices) -> None:
        """Show other matrices; one of a name that was shown keeps its widget, and so its zoom."""
        self._laid = laid
        block = laid.block
        self.sentence.setFont(Theme.font("body"))
        self.sentence.setGeometry(laid.sentence.toAlignedRect())
        for name in self.maps.keys() - {one.name for one in block.matrices}:
            gone = self.maps.pop(name)
            gone.hide()
            gone.deleteLater()
        shown = zip(block.matrices, laid.contents, laid.boxes, strict=True)
        for one, content, box in shown:
            if one.name not in self.maps:
                made = MatrixView(self)
                made.setObjectName(one.name)
                made.hovered.connect(self._point)
                made.acted.connect(self.acted)
                self.maps[one.name] = made
            found = self.maps[one.name]
            found.show_content(Matrix(content, one.title, act=block.act))
            found.setGeometry(box.toAlignedRect())
            found.show()
        self.maps = {one.name: self.maps[one.name] for one in block.matrices}
        self._point(None)

    def look(self) -> Any:
        """What is zoomed in on in each that is, by its name."""
        looks = {name: one.look() for name, one in self.maps.items()}
        return {name: look for name, look in looks.items() if look is not None} or None

    def take_look(self, look: Any) -> None:
        """Zoom in on the same."""
        for name, one in self.maps.items():
            if name in look:
                one.take_look(look[name])

    def _point(self, cell: Cell | None) -> None:
        """Mark a cell in all of them; where none is pointed at, the one that was chosen."""
        if self._telling or self._laid is None:
            return
        block = self._laid.block
        cell = cell if cell is not None else block.chosen
        self._telling = True
        try:
            for one in self.maps.values():
                # The sentence says the numbers of all; more bubbles would only hide cells.
                one.has_bubble = one.underMouse() or one.hasFocus()
                one.point_at(cell)
                one.update()
        finally:
            self._telling = False
        self.sentence.setText(block.said(cell))
