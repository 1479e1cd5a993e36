"""What was published: figures beside ours, the plot of scores, their tables, slips of the notes."""

from collections.abc import Iterator, Sequence

from explorer.api import Table
from explorer.questions.architecture.architecture.published.against import Against
from explorer.questions.architecture.architecture.published.literature import (
    Scored,
    ScoreTable,
    score_tables,
    slips,
)
from explorer.questions.architecture.architecture.published.scatter import Point, scatter_chart
from explorer.questions.architecture.architecture.question import (
    MEASURE,
    SORTING,
    ArchitectureResult,
)
from explorer.questions.architecture.architecture.words import WHAT, count
from explorer.text import _
from explorer.text.formatting.quantities import in_words
from explorer.text.sources import checked
from explorer.ui.blocks.block import Block
from explorer.ui.blocks.chips import Chip, Chips
from explorer.ui.blocks.columns import Card, Columns
from explorer.ui.blocks.shown import Shown
from explorer.ui.blocks.spacing import CardWidth, Space
from explorer.ui.blocks.tables.bar_table import BarTable
from explorer.ui.blocks.tables.rows import Column, Row
from explorer.ui.blocks.text import heading, note
from explorer.ui.charts.block import ChartBlock
from explorer.ui.document.gestures import Edit, set_options

MEASURES = tuple(dict.fromkeys(c for table in score_tables() for c in table.columns))
MOST_BESIDE = 5
"""Scores of a table that has room beside another."""


def published_blocks(shown: Shown) -> Iterator[Block]:
    """Everything published; the figures of what is shown come first."""
    result: ArchitectureResult = shown.result
    yield heading(_("Published against measured"))
    if result.published:
        yield _figures(result.published)
    else:
        words = _("No figures were published for this one, or none are known to this program.")
        yield note(words)
    yield heading(_("Size against score"))
    words = _(
        "Every row of the tables below that has this measure. A larger model is not always a "
        "better one."
    )
    yield note(words, above=Space.TIGHT)
    chosen = MEASURE.of(shown.now)
    measure = chosen if chosen in MEASURES else MEASURE.default
    yield Chips(
        [
            Chip(
                one,
                set_options(shown.now, {MEASURE.key: one}, _("show {one}", one=one)),
                one == measure,
                _("Show {one}", one=one),
                ("measure", one),
            )
            for one in MEASURES
            if len(points_of(one)) > 1
        ],
        on_paper=True,
    )
    yield ChartBlock((scatter_chart(points_of(measure), measure),))
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
    yield heading(_("Often said, and otherwise in the papers"))
    yield _slips()


def published_table(result: ArchitectureResult) -> Table:
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


def _figures(published: Sequence[Against]) -> BarTable:
    columns = (
        Column(_("Published")),
        Column(_("Measured")),
        Column("", left=True),
        Column(_("Why they differ"), left=True, wraps=True),
        Column(_("Source"), "muted", left=True, wraps=True),
    )
    rows = [
        Row(
            _(WHAT.get(one.what, one.what)),
            (
                one.says,
                count(one.measured) if one.measured is not None else "",
                _("agrees") if one.agrees else _("differs"),
                one.reason,
                checked(one.source),
            ),
            inks=("", "", "positive" if one.agrees else "warning", "", ""),
            words=checked(one.source),
        )
        for one in published
    ]
    return BarTable(rows, columns, title=_("Published against measured"), bold=False)


def _slips() -> BarTable:
    columns = (
        Column(_("Often said"), "warning", left=True, wraps=True),
        Column(_("The papers say"), left=True, wraps=True),
        Column(_("Source"), "muted", left=True, wraps=True, dispensable=True),
    )
    rows = [
        Row(one.about, (one.says, one.fact, checked(one.source)), words=checked(one.source))
        for one in slips()
    ]
    title = _("Often said, and otherwise in the papers")
    return BarTable(rows, columns, title=title, label=Column(_("About")), bold=False)


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
