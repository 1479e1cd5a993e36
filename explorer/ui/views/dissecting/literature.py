"""What was published: figures beside ours, slips of the notes, tables of scores, and their plot."""

from collections.abc import Mapping, Sequence
from typing import Any

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QPainter

from explorer.api import Table
from explorer.questions.architecture.architecture.against import Against
from explorer.questions.architecture.architecture.literature import (
    Scored,
    ScoreTable,
    score_tables,
    slips,
)
from explorer.questions.architecture.architecture.question import AnatomyResult
from explorer.text.quantities import in_words
from explorer.ui.blocks.block import LaidPage, Spot, stack
from explorer.ui.blocks.text import Words
from explorer.ui.sentence.token_layout import text_height, text_width
from explorer.ui.sentence.token_painting import draw_text
from explorer.ui.theme.schemes import Theme
from explorer.ui.views.dissecting.grid import Column, Grid, Row
from explorer.ui.views.dissecting.pages import heading
from explorer.ui.views.dissecting.scatter import Point, scatter
from explorer.ui.views.dissecting.words import WHAT, count

MEASURES = tuple(dict.fromkeys(c for table in score_tables() for c in table.columns))
FIRST_MEASURE = "MNLI"
NARROW = 700.0
"""Pixels below which reason and source share a column."""


def literature_page(
    result: AnatomyResult, sorting: Mapping[str, Any], measure: str, width: float
) -> LaidPage:
    """Everything published.

    Args:
        result: Whose figures come first.
        sorting: For each table's id the number of a column and whether it falls.
        measure: What the plot shows.
        width: Of the page.
    """
    blocks = heading(result, width)
    blocks.append((18, Words("Published against measured", width, "title")))
    if result.published:
        blocks.append((6, _figures(result.published, width)))
    else:
        words = "No figures were published for this one, or none are known to this program."
        blocks.append((4, Words(words, width, "small", "muted")))
    blocks.append((22, Words("Where the lecture notes slip", width, "title")))
    blocks.append((6, _slips(width)))
    blocks.append((22, Words("Size against score", width, "title")))
    words = "Every row of the tables below that has this measure. A larger model is not always"
    blocks.append((2, Words(f"{words} a better one.", width, "small", "muted")))
    blocks.append((8, Chips([m for m in MEASURES if len(points_of(m)) > 1], measure, width)))
    blocks.append((8, scatter(points_of(measure), measure, width)))
    for table in score_tables():
        blocks.append((20, Words(table.title, width, "title")))
        said = f"{table.source}. {table.note}"
        blocks.append((2, Words(said, width, "small", "muted")))
        blocks.append((6, _scores(table, sorting.get(table.id), width)))
    return stack(blocks, width)


def literature_table(result: AnatomyResult) -> Table:
    """The figures and every score, as rows."""
    rows: list[tuple[str | float | None, ...]] = [
        (result.model.id, one.what, one.value, one.measured, one.agrees, one.source, one.reason)
        for one in result.published
    ]
    for table in score_tables():
        for scored in table.rows:
            rows += [
                (scored.model, column, score, None, None, table.source, table.title)
                for column, score in zip(table.columns, scored.scores, strict=True)
            ]
    columns = ("model", "what", "published", "measured", "agrees", "source", "reason")
    return Table(columns, tuple(rows))


def points_of(measure: str) -> list[Point]:
    """Every model with a score in a measure."""
    found = []
    for group, table in enumerate(score_tables()):
        if measure not in table.columns:
            continue
        at = table.columns.index(measure)
        for row in table.rows:
            score = row.scores[at]
            if score is not None:
                found.append(Point(row.model, row.parameters, score, group, table.source))
    return found


def _figures(published: Sequence[Against], width: float) -> Grid:
    columns = [
        Column("What"),
        Column("Published", numbers=True),
        Column("Measured", numbers=True),
        Column(""),
    ]
    narrow = width < NARROW
    columns += [
        Column("Why they differ, and the source" if narrow else "Why they differ", stretch=True)
    ]
    if not narrow:
        columns.append(Column("Source", stretch=True))
    rows = []
    for one in published:
        said = [one.reason, one.source]
        rows.append(
            Row(
                (
                    WHAT.get(one.what, one.what),
                    one.says,
                    count(one.measured) if one.measured is not None else "",
                    "agrees" if one.agrees else "differs",
                    *([" ".join(filter(None, said))] if narrow else said),
                ),
                colours={3: "positive" if one.agrees else "warning", 5: "muted"},
                tip=one.source,
            )
        )
    return Grid(columns, rows, width)


def _slips(width: float) -> Grid:
    columns = [
        Column("About"),
        Column("The notes say", stretch=True),
        Column("It is", stretch=True),
    ]
    narrow = width < NARROW
    if not narrow:
        columns.append(Column("Source", stretch=True))
    rows = [
        Row(
            (one.about, one.says, one.fact, one.source)[: len(columns)],
            colours={1: "warning", 3: "muted"},
            tip=one.source,
        )
        for one in slips()
    ]
    return Grid(columns, rows, width)


def _scores(table: ScoreTable, sorting: Any, width: float) -> Grid:
    """The rows in the order the user chose; the best score of a column stands out."""
    at, falls = sorting if isinstance(sorting, list | tuple) else (-1, False)
    titles = ("Model", "Parameters", *table.columns)
    columns = [
        Column(
            title,
            numbers=number > 0,
            key=("sort", table.id, number),
            sorted=("down" if falls else "up") if number == at else "",
        )
        for number, title in enumerate(titles)
    ]
    models = list(table.rows)
    if at == 0:
        models.sort(key=lambda row: row.model, reverse=bool(falls))
    elif 0 < at < len(titles):
        models.sort(key=lambda row: _number(row, at), reverse=bool(falls))
    best = [max(_number(row, i + 2) for row in models) for i in range(len(table.columns))]
    rows = [
        Row(
            (row.model, in_words(row.parameters), *map(_printed, row.scores)),
            colours={i + 2: "accent" for i, score in enumerate(row.scores) if score == best[i]},
        )
        for row in models
    ]
    return Grid(columns, rows, width)


def _number(row: Scored, column: int) -> float:
    """What a row is sorted by: its size, or a score; one that was not printed comes last."""
    score = float(row.parameters) if column == 1 else row.scores[column - 2]
    return score if score is not None else float("-inf")


def _printed(score: float | None) -> str:
    return "" if score is None else f"{score:.1f}"


class Chips:
    """Words to choose one of."""

    def __init__(self, words: Sequence[str], chosen: str, width: float) -> None:
        self._chosen = chosen
        self.width = width
        high = text_height("small") + 10
        self._places: list[tuple[str, QRectF]] = []
        x = y = 0.0
        for word in words:
            wide = text_width("small", word) + 20
            if x and x + wide > width:
                x, y = 0.0, y + high + 6
            self._places.append((word, QRectF(x, y, wide, high)))
            x += wide + 6
        self.height = y + high
        self.spots = tuple(
            Spot(box, ("measure", word), f"Show {word}", word) for word, box in self._places
        )

    def paint(self, painter: QPainter, theme: Theme) -> None:
        """Each in a rounded box."""
        for word, box in self._places:
            chosen = word == self._chosen
            painter.setPen(theme.accent if chosen else theme.border)
            painter.setBrush(theme.selection if chosen else Qt.BrushStyle.NoBrush)
            painter.drawRoundedRect(box.adjusted(0.5, 0.5, -0.5, -0.5), 6, 6)
            draw_text(painter, box, word, "small", theme.text)
