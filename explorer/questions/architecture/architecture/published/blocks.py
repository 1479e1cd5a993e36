"""What was published: figures beside ours, the plot of scores, their tables, slips of the notes."""

from collections.abc import Iterator

from explorer.questions.architecture.architecture.published.literature import (
    Scored,
    ScoreTable,
    measures,
    score_tables,
    scored,
)
from explorer.questions.architecture.architecture.published.parts import measure_of
from explorer.questions.architecture.architecture.published.scatter import Point, scatter_chart
from explorer.questions.architecture.architecture.question import (
    MEASURE,
    SORTING,
)
from explorer.text import _
from explorer.text.formatting.quantities import in_words
from explorer.ui.blocks.block import Block
from explorer.ui.blocks.columns import Card, Columns
from explorer.ui.blocks.shown import Shown
from explorer.ui.blocks.spacing import CardWidth, Space
from explorer.ui.blocks.tables.bar_table import BarTable
from explorer.ui.blocks.tables.rows import Column, Row
from explorer.ui.blocks.text import heading, note
from explorer.ui.charts.block import ChartBlock
from explorer.ui.document.gestures import Edit, set_options

MEASURES = measures()
MOST_BESIDE = 5
"""Scores of a table that has room beside another."""


def scatter(shown: Shown) -> Iterator[Block]:
    """Size against the score that is chosen."""
    measure = measure_of(MEASURE.of(shown.now))
    yield ChartBlock((scatter_chart(points_of(measure), measure),))


def scores(shown: Shown) -> Iterator[Block]:
    """Every table of scores; small ones side by side."""
    tables = score_tables()
    beside = [table for table in tables if len(table.columns) <= MOST_BESIDE]
    for table in tables:
        if table not in beside:
            yield from _scores(shown, table)
    yield Columns(
        [Card(list(_scores(shown, table)), table.title) for table in beside],
        narrowest=CardWidth.WIDE,
        framed=False,
        above=Space.SECTION,
    )


def _scores(shown: Shown, table: ScoreTable) -> Iterator[Block]:
    """The rows in the order the user chose; the best score of a column stands out."""
    at, falls = _sorting_of(shown, table)
    titles = titles_of(table)
    label, *columns = (
        Column(
            title,
            act=_sort(shown, table, number),
            sorted=("down" if falls else "up") if number == at else "",
            key=("sort", table.id, number),
        )
        for number, title in enumerate(titles)
    )
    models = list(table.rows)
    if at == 0:
        models.sort(key=lambda row: row.model, reverse=falls)
    elif 0 < at < len(titles):
        models.sort(key=lambda row: _number(row, at), reverse=falls)
    best = [max(_number(row, i + 2) for row in models) for i in range(len(table.columns))]
    rows = [
        Row(
            row.model,
            (in_words(row.parameters), *map(_printed, row.scores)),
            inks=(
                "",
                *("accent" if score == best[i] else "" for i, score in enumerate(row.scores)),
            ),
        )
        for row in models
    ]
    yield heading(table.title)
    yield note(f"{table.source}. {table.note}", above=Space.TIGHT)
    yield BarTable(rows, tuple(columns), title=table.title, label=label, bold=False)


def points_of(measure: str) -> list[Point]:
    """Every model with a score in a measure."""
    return [
        Point(row.model, row.parameters, score, number, table.source)
        for number, table, row, score in scored(measure)
    ]


def titles_of(table: ScoreTable) -> tuple[str, ...]:
    """Of the columns."""
    return (_("Model"), _("Parameters"), *table.columns)


def _sorting_of(shown: Shown, table: ScoreTable) -> tuple[int, bool]:
    """The number of the column a table is sorted by, -1 for none, and whether it falls."""
    found = SORTING.of(shown.now).get(table.id)
    if not isinstance(found, list) or len(found) != 2:
        return -1, False
    return int(found[0]), bool(found[1])


def _sort(shown: Shown, table: ScoreTable, column: int) -> Edit:
    """By a column: numbers fall first, and rise the second time."""
    at, falls = _sorting_of(shown, table)
    held = [column, not falls if at == column else column > 0]
    values = {SORTING.key: {**SORTING.of(shown.now), table.id: held}}
    return set_options(
        shown.now,
        values,
        _("sort by {value}", value=("Model", "Parameters", *table.columns)[column]),
    )


def _number(row: Scored, column: int) -> float:
    """What a row is sorted by: its size, or a score; one that was not printed comes last."""
    score = float(row.parameters) if column == 1 else row.scores[column - 2]
    return score if score is not None else float("-inf")


def _printed(score: float | None) -> str:
    return "" if score is None else f"{score:.1f}"
