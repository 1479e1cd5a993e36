"""A claim, what may be concluded, its runs as dots beside what papers printed, and the numbers."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from explorer.api.question import (
    Cards,
    Manner,
    OneCard,
    OwnPicture,
    Part,
    Rows,
    Said,
    Table,
    Width,
    column,
)
from explorer.learning.experiments.definition import LEAST_SEEDS
from explorer.learning.experiments.measures import measure_of
from explorer.questions.learning.experiments.question import (
    ClaimTried,
    ExperimentsResult,
    WayMeasured,
)
from explorer.questions.learning.experiments.wording import (
    VERDICTS,
    came_said,
    claimed_said,
    control_said,
    foretold_said,
    here_said,
    made_said,
    number_said,
    unit_of,
    verdict_said,
)
from explorer.text import N_, Phrase
from explorer.text.formatting.numbers import decimal

BETTER_LEFT = N_("less is better")
BETTER_RIGHT = N_("more is better")
FOLLOWS = N_("What follows, at equal seeds")
FOLLOWS_HERE = N_("What follows of the runs made here")
BOTH = N_("Our runs, and those made here")
LOOKED_UP = N_("Published: {source}, {date}.")
AVERAGES = N_("average of GLUE and RACE"), N_("average of five tasks, E = 128")
"""Measures of papers that are no names of data."""
NOT_LOOKED_UP = N_("Published: {source}, {date}. Not checked: nobody has looked the figures up.")


@dataclass(frozen=True)
class DottedWay:
    """A line of dots.

    Attributes:
        title: The way, a Phrase.
        values: A dot each.
        words: What is said of each dot, as many.
        about: The mean and its interval in words, a Phrase.
        mean: Where the mean is.
        low: Where its interval begins; None for none.
        high: Where it ends.
    """

    title: str
    values: tuple[float, ...]
    words: tuple[str, ...]
    about: str
    mean: float
    low: float | None = None
    high: float | None = None


@dataclass(frozen=True)
class WayMeanRow:
    """What a way comes to in one measure."""

    measure: str = column(N_("measure"), key=True)
    way: str = column(N_("way"), key=True)
    mean: float = column(N_("mean"), digits=3)
    low: float | None = column(N_("from"), digits=3)
    high: float | None = column(N_("to"), digits=3)
    runs: int = column(N_("runs"))


@dataclass(frozen=True)
class WayDots(Part):
    """A measure of every way, one way below the other.

    Attributes:
        measure: What was measured, a Phrase or marked for translation.
        unit: Marked for translation; "" for none.
        words: What it means, likewise.
        remark: Which end is better, likewise.
        ways: In their order.
    """

    DRAWN_BY: ClassVar[str] = f"{__package__}.dots"

    measure: str
    unit: str
    words: str
    remark: str
    ways: tuple[DottedWay, ...]

    def table(self) -> Table:
        """A row a way."""
        ways = ((one.title, one.mean, one.low, one.high, len(one.values)) for one in self.ways)
        return Table.of(WayMeanRow, (WayMeanRow(self.measure, *told) for told in ways))


@dataclass(frozen=True)
class ClaimTriedRow:
    """What the claim foretells, and what came of it."""

    foretold: str = column(N_("the claim says"), key=True)
    difference: str = column(N_("difference"), ends_right=True)
    verdict: str = column(N_("our runs"), shown=False)
    measure: str = column(N_("measure"), key=True, shown=False)
    mean: float | None = column(N_("mean difference"), shown=False)
    low: float | None = column(N_("from"), shown=False)
    high: float | None = column(N_("to"), shown=False)
    seeds: int = column(N_("seeds"), shown=False)
    told: str = column(N_("our runs"), shown=False, filed=False)


Kinds = Said | Cards | Rows | OwnPicture


def parts(result: ExperimentsResult, sure: str = "") -> Iterator[Kinds]:
    """From the claim to what made the numbers."""
    del sure  # what is drawn of it is the page's own
    yield Said(result.sentence, Manner.HEADING)
    yield Said(claimed_said(result), near=True)
    yield Said(verdict_said(result), Manner.STRONG)
    yield Said(result.about, Manner.EXPLANATION)
    if result.looked:
        yield Said(here_said(result), Manner.HINT if result.here is None else Manner.NOTE)
        if result.here is not None and result.here.why is not None:
            yield Said(result.here.why, Manner.WARNING)
        yield OwnPicture("buttons")
    cards = (*_drawn(result), *_published(result))
    if cards:
        yield Cards(cards, Width.WIDE)
    yield from _rows(result)
    yield Said(result.cannot)
    yield Said(made_said(result), near=True)


def _rows(result: ExperimentsResult) -> Iterator[Kinds]:
    """What follows, of the bundled runs, of those made here, and in the control of each."""
    here = result.here
    every = (
        (FOLLOWS, result.tried if result.measured else (), result.control),
        (FOLLOWS_HERE, here.tried if here else (), here.control if here else None),
    )
    for title, tried, control in every:
        if not tried or all(one.count == 0 for one in tried):
            continue
        rows = tuple(map(_tried, tried))
        yield Rows(ClaimTriedRow, rows, title=title, below=lambda row: row.told, reads_whole=True)
        if control is not None and control.tried:
            rows = tuple(map(_tried, control.tried))
            yield Rows(
                ClaimTriedRow,
                rows,
                title=Phrase(N_("Control: {what}"), what=control.title),
                below=lambda row: row.told,
                reads_whole=True,
            )
        if control is not None:
            manner = Manner.WARNING if control.holds else Manner.PLAIN
            yield Said(control_said(control), manner, near=True)


def _tried(one: ClaimTried) -> ClaimTriedRow:
    measure = measure_of(one.measure)
    return ClaimTriedRow(
        foretold_said(one),
        number_said(measure, one.mean, signed=True),
        Phrase(VERDICTS[one.verdict]),
        one.measure,
        one.mean,
        one.low,
        one.high,
        one.count,
        came_said(one),
    )


def _drawn(result: ExperimentsResult) -> Iterator[OneCard]:
    """A card a measure: the bundled runs, and below them those made here, on one scale."""
    here = result.here.measured if result.here is not None else ()
    for name in result.measures:
        measure = measure_of(name)
        ours = [_dotted(one, one.title) for one in result.of(name)]
        own = [
            _dotted(one, Phrase(N_("{way}, here"), way=one.title))
            for one in here
            if one.measure == name
        ]
        remark = BETTER_RIGHT if measure.rises else BETTER_LEFT
        told = (measure.title, unit_of(measure), measure.words, remark)
        title = N_("Our runs") if not own else BOTH if ours else N_("Runs made here")
        yield OneCard(title, (WayDots(*told, (*ours, *own), file=measure.title),))


def _dotted(one: WayMeasured, title: str) -> DottedWay:
    factor = 100.0 if measure_of(one.measure).is_share else 1.0
    return DottedWay(
        title,
        tuple(factor * value for value in one.values),
        tuple(_dot(one, number) for number in range(len(one.values))),
        _about(one),
        factor * one.mean,
        None if one.low is None else factor * one.low,
        None if one.high is None else factor * one.high,
    )


def _dot(one: WayMeasured, number: int) -> str:
    measure = measure_of(one.measure)
    return Phrase(
        N_("{way}, seed {seed}: {value} {unit}"),
        way=one.title,
        seed=str(one.seeds[number]),
        value=number_said(measure, one.values[number]),
        unit=Phrase(unit_of(measure)),
    )


def _about(one: WayMeasured) -> str:
    """The mean with its interval; of fewer seeds than say anything, how many there are."""
    if len(one.seeds) < LEAST_SEEDS:
        return Phrase(
            N_("{count} of {least} seeds: no result"), count=len(one.seeds), least=LEAST_SEEDS
        )
    measure = measure_of(one.measure)
    mean, low, high = (number_said(measure, value) for value in (one.mean, one.low, one.high))
    return Phrase(N_("{mean} ({low} to {high})"), mean=mean, low=low, high=high) if low else mean


def _published(result: ExperimentsResult) -> Iterator[OneCard]:
    for one in result.published:
        told = {"source": one.source, "date": one.date}
        source = Phrase(LOOKED_UP if one.is_checked else NOT_LOOKED_UP, **told)
        said = [decimal(value, 1) for value in one.values]
        ways = tuple(
            DottedWay(title, (value,), (word,), word, value)
            for title, value, word in zip(one.titles, one.values, said, strict=True)
        )
        dots = WayDots(one.measure, "", "", "", ways, file=one.measure)
        yield OneCard(N_("Published"), (dots, Said(source)))
