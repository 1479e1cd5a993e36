"""A claim, what may be concluded, its runs as dots beside what papers printed, and the numbers."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from explorer.api.question import Cards, Manner, OneCard, Part, Rows, Said, Table, Width, column
from explorer.learning.experiments.measures import measure_of
from explorer.questions.learning.experiments.question import (
    ClaimTried,
    ExperimentsResult,
    WayMeasured,
)
from explorer.questions.learning.experiments.wording import (
    VERDICTS,
    came_said,
    foretold_said,
    made_said,
    number_said,
    unit_of,
    verdict_said,
)
from explorer.text import N_, Phrase
from explorer.text.formatting.numbers import decimal
from explorer.text.sources import checked

BETTER_LEFT = N_("less is better")
BETTER_RIGHT = N_("more is better")


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


def parts(result: ExperimentsResult) -> Iterator[Said | Cards | Rows]:
    """From the claim to what made the numbers."""
    yield Said(result.sentence, Manner.HEADING)
    source = checked(result.source)
    yield Said(Phrase(N_("Claimed by {source}."), source=source) if source else "", near=True)
    yield Said(verdict_said(result), Manner.STRONG)
    yield Said(result.about, Manner.EXPLANATION)
    cards = (*_measured(result), *_published(result))
    if cards:
        yield Cards(cards, Width.WIDE)
    if result.measured:
        tried = tuple(map(_tried, result.tried))
        title = N_("What follows, at equal seeds")
        yield Rows(ClaimTriedRow, tried, title=title, below=lambda row: row.told, reads_whole=True)
    yield Said(result.cannot)
    yield Said(made_said(result), near=True)


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


def _measured(result: ExperimentsResult) -> Iterator[OneCard]:
    for name in result.measures:
        measure = measure_of(name)
        factor = 100.0 if measure.is_share else 1.0
        ways = tuple(
            DottedWay(
                one.title,
                tuple(factor * value for value in one.values),
                tuple(_dot(one, number) for number in range(len(one.values))),
                _about(one),
                factor * one.mean,
                None if one.low is None else factor * one.low,
                None if one.high is None else factor * one.high,
            )
            for one in result.of(name)
        )
        remark = BETTER_RIGHT if measure.rises else BETTER_LEFT
        told = (measure.title, unit_of(measure), measure.words, remark)
        yield OneCard(N_("Our runs"), (WayDots(*told, ways, file=measure.title),))


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
    measure = measure_of(one.measure)
    mean, low, high = (number_said(measure, value) for value in (one.mean, one.low, one.high))
    return Phrase(N_("{mean} ({low} to {high})"), mean=mean, low=low, high=high) if low else mean


def _published(result: ExperimentsResult) -> Iterator[OneCard]:
    for one in result.published:
        source = Phrase(N_("Published: {source}."), source=one.source)
        said = [decimal(value, 1) for value in one.values]
        ways = tuple(
            DottedWay(title, (value,), (word,), word, value)
            for title, value, word in zip(one.titles, one.values, said, strict=True)
        )
        dots = WayDots(one.measure, "", "", "", ways, file=one.measure)
        yield OneCard(N_("Published"), (dots, Said(source)))
