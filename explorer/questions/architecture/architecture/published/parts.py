"""What was published: figures beside ours, the choice of a score, slips of the notes."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, make_dataclass
from functools import cache
from typing import Any

from explorer.api.question import (
    Cards,
    Choices,
    Manner,
    OneCard,
    OneChoice,
    OwnPicture,
    Rows,
    Said,
    Table,
    Width,
    column,
    sets,
)
from explorer.architecture.wording import WHAT, count
from explorer.published.against import PublishedAgainst
from explorer.published.literature import (
    ScoreTable,
    Slip,
    measures,
    score_tables,
    scored,
    slips,
)
from explorer.questions.architecture.architecture.question import MEASURE, ArchitectureResult
from explorer.text import N_, Phrase, said, verbatim
from explorer.text.formatting.quantities import in_words
from explorer.text.sources import checked

MOST_BESIDE = 5
"""Scores of a table that has room beside another."""

NO_FIGURES = N_("No figures were published for this one, or none are known to this program.")
AGREES, DIFFERS = N_("agrees"), N_("differs")
EVERY_ROW = N_(
    "Every row of the tables below that has this measure. A larger model is not always a better "
    "one."
)


def published_parts(
    result: ArchitectureResult, measure: str
) -> Iterator[Said | Rows | Choices | OwnPicture | Cards]:
    """Everything published; the figures of what is shown come first."""
    yield Said(N_("Published against measured"), Manner.TITLE)
    if result.published:
        rows = tuple(map(_figure, result.published))
        words = lambda row: verbatim(row.source)  # noqa: E731
        yield Rows(FigureRow, rows, words=words, in_files=False)
    else:
        yield Said(NO_FIGURES, near=True)
    yield Said(N_("Size against score"), Manner.TITLE)
    yield Said(EVERY_ROW, Manner.EXPLANATION, near=True)
    several = (one for one in measures() if len([*scored(one)]) > 1)
    choices = tuple(_choice(one, chosen=one == measure_of(measure)) for one in several)
    yield Choices(choices, on_paper=True)
    yield OwnPicture("scatter")
    beside = [table for table in score_tables() if len(table.columns) <= MOST_BESIDE]
    for table in score_tables():
        if table not in beside:
            yield Said(table.title, Manner.TITLE)
            yield from _scores(table)
    cards = tuple(OneCard(table.title, tuple(_scores(table))) for table in beside)
    yield Cards(cards, Width.WIDE, framed=False)
    yield Said(N_("Common mistakes, and what the papers say"), Manner.TITLE)
    mistakes = tuple(map(_slip, slips()))
    yield Rows(SlipRow, mistakes, words=lambda row: verbatim(row.source), in_files=False)


def measure_of(chosen: str) -> str:
    """The measure that is plotted."""
    return chosen if chosen in measures() else MEASURE.default


def _choice(one: str, *, chosen: bool) -> OneChoice:
    shows = sets(MEASURE, one, Phrase(N_("show {one}"), one=one))
    tip = Phrase(N_("Show {one}"), one=one)
    return OneChoice(verbatim(one), shows, chosen, tip=tip, key=("measure", one))


@dataclass(frozen=True)
class FigureRow:
    """A published figure beside ours."""

    what: str = column(N_("what"), key=True, written=said)
    published: str = column(N_("published"))
    measured: float | None = column(N_("measured"), written=count)
    verdict: str = column(
        N_("verdict"), written=said, ink=lambda one: "positive" if one == AGREES else "warning"
    )
    reason: str = column(N_("why they differ"), wraps=True, written=said)
    source: str = column(N_("source"), wraps=True)


def _figure(one: PublishedAgainst) -> FigureRow:
    verdict = AGREES if one.agrees else DIFFERS
    what = WHAT.get(one.what, one.what)
    return FigureRow(what, one.says, one.measured, verdict, one.reason, checked(one.source))


@dataclass(frozen=True)
class SlipRow:
    """Something that is often said, and what the papers say."""

    about: str = column(N_("about"), key=True, written=said)
    mistake: str = column(
        N_("common mistake"), wraps=True, written=said, ink=lambda _one: "warning"
    )
    fact: str = column(N_("the papers say"), wraps=True, written=said)
    source: str = column(N_("source"), wraps=True, dispensable=True)


def _slip(one: Slip) -> SlipRow:
    return SlipRow(one.about, one.says, one.fact, checked(one.source))


@cache
def _kind(table: ScoreTable) -> type:
    """The rows of a table of scores; the best score of a column stands out."""

    def ink(at: int) -> Callable[[float], str]:
        best = max((row.scores[at] or 0.0 for row in table.rows), default=0.0)
        return lambda score: "accent" if score == best else ""

    named: list[tuple[str, Any, Any]] = [
        ("model", str, column(N_("Model"), key=True, written=said)),
        ("parameters", int, column(N_("Parameters"), written=in_words)),
    ]
    for at, name in enumerate(table.columns):
        score = column(name, digits=1, ink=ink(at), name=name)
        named.append((f"score_{at}", float | None, score))
    return make_dataclass(table.id, named, frozen=True)


def _scores(table: ScoreTable) -> Iterator[Said | Rows]:
    kind = _kind(table)
    rows = tuple(kind(row.model, row.parameters, *row.scores) for row in table.rows)
    about = Phrase(N_("{source}. {note}"), source=table.source, note=Phrase(table.note))
    yield Said(about, near=True)
    yield Rows(kind, rows, in_files=False)


def published_table(result: ArchitectureResult) -> Table:
    """The figures and every score, as rows."""
    rows: list[tuple[str | float | None, ...]] = [
        (result.model.id, one.what, one.value, one.measured, one.agrees, one.source, one.reason)
        for one in result.published
    ]
    for table in score_tables():
        for row in table.rows:
            rows += [
                (row.model, name, score, None, None, table.source, table.title)
                for name, score in zip(table.columns, row.scores, strict=True)
            ]
    columns = ("model", "what", "published", "measured", "agrees", "source", "reason")
    return Table(columns, tuple(rows))
