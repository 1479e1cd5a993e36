"""A matrix on a page: a widget on the screen, the same cells painted into pictures."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from PySide6.QtCore import QPointF, QRectF, Signal
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QWidget

from explorer.ui.blocks.block import Block, EmbeddedWidget, PlacedBlock, Spot
from explorer.ui.blocks.columns import Card, Columns
from explorer.ui.blocks.spacing import Space
from explorer.ui.blocks.text import WrappedParagraph
from explorer.ui.guarded import guarded
from explorer.ui.matrices.heat_layout import HeatContent, HeatLayout, fit, height_for, left_of
from explorer.ui.matrices.heat_map import HeatMap
from explorer.ui.matrices.heat_painting import heat_figure, paint_small
from explorer.ui.theme.schemes import Theme
from explorer.ui.theme.shapes import painter_moved
from explorer.ui.typesetting.one_line import text_width

RowWords = Callable[[int], str]

AROUND = 7.0
"""Pixels beside a word in its cell."""


@dataclass(frozen=True)
class Matrix:
    """What the block shows.

    Attributes:
        content: The cells; what is said of each stands in it.
        title: Above it.
        key: What is told when a cell is chosen; None for a cell that only explains itself.
        row_key: The same of a row's label.
        row_words: What is said of a row; None where rows can't be chosen.
        act: What choosing a cell does, a gesture; None for nothing.
        row_act: The same of a row's label.
    """

    content: HeatContent
    title: str = ""
    key: Callable[[int, int], Any] = lambda _row, _column: None
    row_key: Callable[[int], Any] = lambda _row: None
    row_words: RowWords | None = None
    act: Callable[[int, int], Any] = lambda _row, _column: None
    row_act: Callable[[int], Any] = lambda _row: None


@dataclass(frozen=True)
class CellSize:
    """How large cells are at a width.

    Attributes:
        narrowest: Width at least.
        widest: Width at most.
        share: Height as a share of the width.
        lowest: Height at least.
        highest: Height at most.
    """

    narrowest: float
    widest: float
    share: float
    lowest: float
    highest: float

    def at(self, room: float, columns: int) -> tuple[float, float]:
        """Width and height, where there is so much room for all columns."""
        wide = min(max(room / max(columns, 1), self.narrowest), self.widest)
        return wide, min(max(wide * self.share, self.lowest), self.highest)


@dataclass(frozen=True)
class MatrixBlock:
    """A block of a page.

    Attributes:
        matrix: What is shown.
        size: Of its cells.
        above: The room above it.
    """

    matrix: Matrix
    size: CellSize
    above: Space = Space.APART

    def at(self, width: float) -> "LaidMatrix":
        """The matrix at a width."""
        return LaidMatrix(self.matrix, width, self.size)

    def in_print(self) -> Block:
        """Nobody can point at paper to read what is cut."""
        if self.matrix.content.texts is None:
            return self
        return WholeWords(self.matrix, self.size, self.above)

    def paint_small(self, painter: QPainter, theme: Theme, box: QRectF) -> None:
        """Its cells alone, in a picture of a few pixels."""
        paint_small(painter, theme, self.matrix.content, box)


class LaidMatrix(PlacedBlock):
    """A matrix at a width.

    Args:
        matrix: What is shown.
        width: In pixels.
        size: Of its cells.
    """

    def __init__(self, matrix: Matrix, width: float, size: CellSize) -> None:
        self.width, self.name = width, matrix.title
        room = width - left_of(matrix.content, width) - 1
        cell = size.at(room, len(matrix.content.columns))
        self.matrix = replace(matrix, content=replace(matrix.content, cell=cell))
        content = self.matrix.content
        self._title = WrappedParagraph(matrix.title, width, "strong")
        self.top = self._title.height + 4 if matrix.title else 0.0
        deep = height_for(content, width)
        self.height = self.top + deep
        self.place = QRectF(0, self.top, width, deep)
        self._at = fit(content, width, deep)
        self.live = (EmbeddedWidget(self.place, MatrixView, self.matrix),)

    def box(self, row: int, column: int) -> QRectF:
        """A cell."""
        return self._at.box(row, column).translated(0, self.top)

    @cached_property
    def spots(self) -> Sequence[Spot]:  # type: ignore[override]
        """Labels of rows that say something, and every cell."""
        content, spots = self.matrix.content, list[Spot]()
        said = content.said or (lambda _row, _column: "")
        for row in range(len(content.rows)):
            if self.matrix.row_words is not None:
                words = self.matrix.row_words(row)
                label = label_box(self._at, row).translated(0, self.top)
                act = self.matrix.row_act(row)
                spots.append(Spot(label, self.matrix.row_key(row), words, words, act))
            for column in range(len(content.columns)):
                words = said(row, column)
                key = self.matrix.key(row, column)
                spoken = words.replace("\n", ". ")
                act = self.matrix.act(row, column)
                spots.append(Spot(self.box(row, column), key, words, spoken, act))
        return spots

    def paint(self, painter: QPainter, theme: Theme) -> None:
        """The title and the cells."""
        self.paint_still(painter, theme)
        with painter_moved(painter, 0, self.top):
            heat_figure(self.matrix.content, self.width, theme).paint(painter)

    def paint_still(self, painter: QPainter, theme: Theme) -> None:
        """The title; on the screen, the cells are a widget."""
        if self.matrix.title:
            self._title.paint(painter, theme)


def label_box(at: HeatLayout, row: int) -> QRectF:
    """Where a row's label is."""
    box, labels = at.box(row, 0), at.labels
    left = labels.left() + (2 if at.from_right else 0)
    return QRectF(left, box.top(), labels.width() - 2, box.height())


@guarded
class MatrixView(HeatMap):
    """A heat map on a page: it leaves the wheel to the page until it has the keyboard.

    Where rows can be chosen, a row's label is the cell before its first one.

    Signals:
        chosen: The key of the cell or the row that was clicked, or that Return was pressed on.
        acted: The gesture of that cell or row, where it has one.
    """

    chosen = Signal(object)
    acted = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__("matrix", parent)
        self.wheel_zooms = False
        self._matrix: Matrix | None = None
        self.clicked.connect(self._tell_choice)

    def show_content(self, matrix: Matrix) -> None:
        """Show another one."""
        self._matrix = matrix
        self.setAccessibleName(matrix.title or matrix.content.row_title)
        self.set_content(matrix.content)

    def words_at(self, row: int, column: int) -> str:
        """What a cell says, or a row."""
        rows = self._matrix.row_words if self._matrix is not None else None
        if column < 0:
            return rows(row) if rows is not None else ""
        return super().words_at(row, column)

    def _tell_choice(self, row: int, column: int) -> None:
        matrix = self._matrix
        if matrix is None:
            return
        key = matrix.row_key(row) if column < 0 else matrix.key(row, column)
        act = matrix.row_act(row) if column < 0 else matrix.act(row, column)
        if key is not None:
            self.chosen.emit(key)
        if act is not None:
            self.acted.emit(act)

    def _place_at(self, point: QPointF) -> tuple[int, int] | None:
        at, matrix = self.layout_now(), self._matrix
        if at is not None and matrix is not None and matrix.row_words is not None:
            for row in at.rows_in_sight(matrix.content):
                if label_box(at, row).contains(point):
                    return row, -1
        return super()._place_at(point)

    def _step(self, down: int, right: int) -> None:
        rows = self._matrix.row_words if self._matrix is not None else None
        at = self.pointed
        if rows is not None and at is not None and at[1] + right < 0:
            last = len(self._matrix.content.rows) - 1 if self._matrix is not None else 0
            self._by_key((min(max(at[0] + down, 0), last), -1))
        else:
            super()._step(down, right)


@dataclass(frozen=True)
class WholeWords:
    """A matrix of words on paper, where nobody can point at one that is cut.

    It has as many columns next to each other as leave every word whole, and the others below them.

    Attributes:
        matrix: What is shown; its cells have words.
        size: Of its cells.
        above: The room above it.
    """

    matrix: Matrix
    size: CellSize
    above: Space

    def at(self, width: float) -> PlacedBlock:
        """In as few rows of columns as there is room for."""
        content = self.matrix.content
        rows, columns = content.values.shape
        words = content.texts or (lambda _row, _column: "")
        every = (words(row, column) for row in range(rows) for column in range(columns))
        needs = max((text_width("small", word) for word in every), default=0.0) + AROUND
        room = width - left_of(content, width) - 1
        most = max(1, int(room // needs))
        if most >= columns:
            return MatrixBlock(self.matrix, self.size, self.above).at(width)
        parts = math.ceil(columns / most)
        each = math.ceil(columns / parts)
        # All cells are equally wide, though the last row has fewer.
        size = replace(self.size, widest=min(max(self.size.widest, needs), room / each))
        blocks: list[Block] = [
            MatrixBlock(_columns(self.matrix, first, min(first + each, columns)), size)
            for first in range(0, columns, each)
        ]
        return Columns((Card(blocks),), framed=False).at(width)


def _columns(matrix: Matrix, first: int, end: int) -> Matrix:
    """Some columns of a matrix; its title stands above the first, its colour bar below the last."""
    content = matrix.content
    part = replace(
        content,
        values=content.values[:, first:end],
        columns=content.columns[first:end],
        blocked=None if content.blocked is None else content.blocked[:, first:end],
        texts=_shifted(content.texts, first),
        said=_shifted(content.said, first),
        marks=tuple(
            replace(one, column=one.column - first)
            for one in content.marks
            if first <= one.column < end
        ),
        with_bar=content.with_bar and end == len(content.columns),
    )
    return Matrix(part, "" if first else matrix.title)


def _shifted(
    words: Callable[[int, int], str] | None, first: int
) -> Callable[[int, int], str] | None:
    if words is None:
        return None
    return lambda row, column: words(row, column + first)
