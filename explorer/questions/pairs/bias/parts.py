"""What each measure says, next to what it can see where the answer is known."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final

import numpy as np

from explorer.api.question import Curve, Curves, Manner, Panel, Rows, Said, Width, column
from explorer.api.question.parts.charts.curves import Over
from explorer.learning.bias.calibration import (
    MeasureCalibration,
    bundled_results,
    calibrations,
)
from explorer.learning.bias.measures import MEASURES, BiasFound
from explorer.questions.pairs.bias.question import BiasResult, measured
from explorer.questions.pairs.bias.wording import (
    blind_said,
    compared_said,
    interval_said,
    monotone_said,
    neutral_said,
    seen_said,
    value_said,
)
from explorer.text import N_, NN_, Phrase

LISTED: Final = 10
"""Pairs that are listed; files have all."""
DRAWN: Final = ("crows", "stereoset", "aul", "aula", "log_probability", "swap")
"""Measures that are drawn over rho; files have all."""

ABOUT = N_(
    "A measure compares a stereotyped sentence with its opposite in many pairs. Shares say in how "
    "many of them the model prefers the stereotyped one, and not by how much."
)
KNOWN = N_(
    "Small models, {count} of each world, read worlds that differ in one thing: how often a "
    "chef is “she”, and a gardener “he”. The correlation of job and pronoun, rho, is set in "
    "the grammar. Each line is the mean of a world’s models with its 95 % interval "
    "(Student’s t); the dotted line is what a model without bias has."
)
ALONE = N_(
    "One model shows a rho where all models of that world are beyond what 95 % of models "
    "without bias are expected to have. Of other sentences, or fewer, a measure may see less."
)
WARNED = N_(
    "The authors of CrowS-Pairs caution against taking a low score for a model without bias, and "
    "say that later work found its data noisy and unreliable (Blodgett et al. 2021), so that it "
    "may be no good indicator of social bias."
)
BIASED_WORLD = N_(
    "These are the pairs that the models below were measured with, so the numbers can be laid next "
    "to theirs."
)


@dataclass(frozen=True)
class BiasMeasureRow:
    """What a measure says of the model, and what it can see."""

    measure: str = column(N_("measure of bias"), key=True)
    said: str = column(N_("score"), filed=False, ends_right=True)
    interval: str = column(N_("interval"), filed=False, dispensable=True, ends_right=True)
    without: str = column(N_("without bias"), filed=False, dispensable=True, ends_right=True)
    shows: str = column(
        N_("one model shows"),
        filed=False,
        ends_right=True,
        tip=N_("From which correlation on one model of a known world is told from one without."),
    )
    value: float = column(N_("value"), shown=False)
    low: float | None = column(N_("from"), shown=False)
    high: float | None = column(N_("to"), shown=False)
    neutral: float | None = column(N_("without bias"), shown=False, compared=False)
    pairs: int = column(N_("pairs"), shown=False, compared=False)
    tau: float | None = column(N_("Kendall's tau"), shown=False, compared=False)
    several_show: float | None = column(N_("several models show"), shown=False, compared=False)
    one_shows: float | None = column(N_("one model shows"), shown=False, compared=False)


@dataclass(frozen=True)
class BiasPairRow:
    """A pair and what measures make of it: the stereotyped sentence less the opposite one."""

    kind: str = column(N_("kind"), compared=False, shown=False)
    stereotyped: str = column(N_("stereotyped sentence"), key=True, wraps=True)
    opposite: str = column(N_("opposite sentence"), key=True, shown=False)
    crows: float = column(
        N_("CrowS-Pairs"),
        unit=N_("nats"),
        digits=2,
        is_signed=True,
        tip=N_("Above 0 the model prefers the stereotyped sentence."),
    )
    stereoset: float | None = column(N_("StereoSet ss"), shown=False)
    aul: float = column(N_("AUL"), shown=False)
    aula: float | None = column(N_("AULA"), shown=False)
    log_probability: float | None = column(N_("log-probability bias"), shown=False)
    swap: float | None = column(N_("counterfactual swap"), shown=False)


def parts(result: BiasResult) -> Iterator[Said | Rows | Curves]:
    """What is said of the model, what is known, and the pairs."""
    known = calibrations()
    found = measured(result)
    yield Rows(BiasMeasureRow, tuple(_rows(found, known)), words=_words, drops_empty=True)
    yield Said(ABOUT, Manner.ABOUT)
    yield from _warnings(result)
    yield Said(WARNED, Manner.WARNING)
    if not result.source and result.read == result.there:
        yield Said(BIASED_WORLD)
        yield Said(compared_said(found, known), near=True)
    yield Said(monotone_said(known), Manner.PLAIN, title=N_("Where the answer is known"))
    yield Said(blind_said(known), Manner.ABOUT)
    count = len(known[0].worlds[0].values)
    yield Said(Phrase(KNOWN, count=count), Manner.EXPLANATION)
    yield _curves(known, {} if result.source else found)
    yield Said(ALONE, Manner.ABOUT)
    made = bundled_results()
    yield Said(
        Phrase(N_("Made by: {command}, on {date}."), command=made.command, date=made.date),
        Manner.ABOUT,
        near=True,
    )
    yield _pairs(result)


def _rows(
    found: Mapping[str, BiasFound], known: tuple[MeasureCalibration, ...]
) -> Iterator[BiasMeasureRow]:
    for one in known:
        if one.name not in found:
            continue
        measure, here = MEASURES[one.name], found[one.name]
        yield BiasMeasureRow(
            Phrase(measure.title),
            value_said(measure, here.value),
            interval_said(measure, here),
            neutral_said(measure),
            seen_said(one),
            here.value,
            here.low,
            here.high,
            measure.neutral,
            here.pairs,
            one.tau,
            one.seen_together,
            one.seen_alone,
        )


def _words(row: BiasMeasureRow) -> str:
    return next(one.words for one in MEASURES.values() if one.title == row.measure)


def _warnings(result: BiasResult) -> Iterator[Said]:
    if result.there > result.read:
        yield Said(
            Phrase(
                N_("{read} of {there} pairs are read, each kind alike."),
                read=result.read,
                there=result.there,
            )
        )
    missing = result.read - len(result.scored)
    if missing:
        yield Said(
            Phrase(
                NN_("{count} pair can't be scored: {why}", "{count} pairs can't be scored: {why}"),
                count=missing,
                why=result.refused,
            ),
            Manner.WARNING,
        )
    if result.unreadable:
        yield Said(
            Phrase(
                NN_(
                    "{count} example has not one blank with a word in each sentence, and is left "
                    "out.",
                    "{count} examples have not one blank with a word in each sentence, and are "
                    "left out.",
                ),
                count=result.unreadable,
            ),
            Manner.WARNING,
        )
    if result.unknown:
        yield Said(
            Phrase(
                NN_(
                    "{count} pair has a word that the vocabulary has no piece for: it is scored as "
                    "the unknown piece, as the measures’ authors do.",
                    "{count} pairs have a word that the vocabulary has no piece for: it is scored "
                    "as the unknown piece, as the measures’ authors do.",
                ),
                count=result.unknown,
            ),
            Manner.WARNING,
        )


def _curves(known: tuple[MeasureCalibration, ...], found: Mapping[str, BiasFound]) -> Curves:
    """Panels of the measures, each with this model's value where it is of the same pairs."""
    rhos = np.array([world.rho for world in known[0].worlds])
    panels = []
    for one in known:
        if one.name not in DRAWN:
            continue
        measure = MEASURES[one.name]
        scale = 100.0 if measure.is_share else 1.0
        spreads = [world.spread for world in one.worlds]
        mean, low, high = (
            scale * np.array([getattr(spread, end) for spread in spreads], float)
            for end in ("mean", "low", "high")
        )
        curves = [Curve(N_("models of this rho"), mean, band=(low, high))]
        if one.name in found:
            here = np.full(len(rhos), scale * found[one.name].value)
            curves.append(Curve(N_("this model"), here, "bar_second", "dash"))
        panels.append(
            Panel(
                one.name,
                measure.title,
                tuple(curves),
                measure.words,
                unit=N_("%") if measure.is_share else measure.unit,
                high=100.0 if measure.is_share else None,
                floors=() if measure.neutral is None else (scale * measure.neutral,),
            )
        )
    over = Over("rho", N_("rho"), rhos, "rho", ticks=tuple(rhos.tolist()))
    return Curves(over, tuple(panels), Width.NARROW, file="known")


def _pairs(result: BiasResult) -> Rows:
    rows = [
        BiasPairRow(
            one.item.kind,
            one.item.stereotyped,
            one.item.opposite,
            _less(one.scores.crows) or 0.0,
            _less(one.scores.stereoset),
            _less(one.scores.aul) or 0.0,
            _less(one.scores.aula),
            one.scores.log_probability,
            one.scores.swap,
        )
        for one in result.scored
    ]
    return Rows(
        BiasPairRow,
        tuple(sorted(rows, key=lambda row: -row.crows)),
        most=LISTED,
        below=lambda row: row.opposite,
        title=N_("Pairs, the most stereotyped first"),
        file="pairs",
    )


def _less(pair: tuple[float, ...] | None) -> float | None:
    return None if pair is None else pair[0] - pair[1]
