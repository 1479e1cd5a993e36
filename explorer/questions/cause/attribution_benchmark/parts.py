"""How often each method finds the word that matters, in every model, and where it does not."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import partial

import numpy as np

from explorer.api.question import (
    Amount,
    Amounts,
    Cards,
    Changes,
    Colours,
    Grid,
    Manner,
    Mask,
    OneCard,
    OwnPicture,
    Rows,
    Said,
    Width,
    column,
    sets,
)
from explorer.api.question.parts.matrices.grid import Side
from explorer.questions.cause.attribution_benchmark.pair_matrix import matrix_of_pairs
from explorer.questions.cause.attribution_benchmark.places import KnownPlace
from explorer.questions.cause.attribution_benchmark.question import SHOWN
from explorer.questions.cause.attribution_benchmark.recorded import every_model
from explorer.questions.cause.attribution_benchmark.rules import rule_results
from explorer.questions.cause.attribution_benchmark.tested import (
    AttributionBenchmarkResult,
    WayTested,
)
from explorer.questions.cause.attribution_benchmark.wording import (
    ABOUT,
    AGREEMENT,
    LIMITS,
)
from explorer.text import N_, NN_, Phrase, _, verbatim
from explorer.text.formatting.intervals import percents_between
from explorer.text.formatting.numbers import percent, significant

IN_TENTHS = partial(percent, places=1)
"""A share as people read it."""
INTERVALS = "intervals"
"""The picture of each method's share with its interval."""
MISTAKES = 8
"""Places that are listed; the table for export has all."""


CAPTURED_TIP = N_("What the picked words are worth, of what the best ones are; the mean.")
P_TIP = N_("Of McNemar's exact test against the method that is right most often.")


@dataclass(frozen=True)
class ShareRow:
    """How often a method is right, as it is read."""

    method: str = column(N_("method"), key=True)
    share: float = column(N_("right"), written=IN_TENTHS)
    interval: str = column(N_("interval"), ink=lambda _said: "muted", dispensable=True)
    captured: float = column(
        N_("share of true importance"),
        tip=CAPTURED_TIP,
        written=IN_TENTHS,
    )
    mass: float | None = column(
        N_("mass"),
        tip=N_("Of all positive scores, the share of the words that matter most; the mean."),
        written=IN_TENTHS,
        dispensable=True,
    )
    rank: float | None = column(
        N_("rank corr."),
        digits=2,
        tip=N_("Spearman's correlation of scores and what words are worth; the mean over places."),
        dispensable=True,
    )
    agreeing: float | None = column(
        N_("where they agree"),
        tip=N_("Right at the places where the model's probabilities are the world's."),
        written=IN_TENTHS,
        dispensable=True,
    )
    p: str = column(
        "p",
        tip=P_TIP,
        dispensable=True,
    )


@dataclass(frozen=True)
class ModelFreeRuleRow:
    """How often a rule that asks no model is right."""

    rule: str = column(N_("rule"), key=True)
    share: float = column(N_("right"), written=IN_TENTHS)
    interval: str = column(N_("interval"), ink=lambda _said: "muted", dispensable=True)
    captured: float = column(
        N_("share of true importance"),
        tip=CAPTURED_TIP,
        written=IN_TENTHS,
        dispensable=True,
    )
    p: str = column(
        "p",
        tip=P_TIP,
        dispensable=True,
    )


@dataclass(frozen=True)
class MistakeRow:
    """A place at which a method picks another word than the one that matters."""

    place: str = column(N_("place, with the hidden word in brackets"), key=True)
    matters: str = column(N_("matters most"))
    worth: float = column(
        N_("worth"), digits=2, tip=N_("In nats of the hidden word's exact log-probability.")
    )
    picked: str = column(N_("picked"))
    of_picked: float = column(N_("worth"), digits=2)


def parts(
    result: AttributionBenchmarkResult, shown: str = "occlusion"
) -> Iterator[Said | Amounts | Cards | OwnPicture | Rows | Grid]:
    """Numbers, the chart beside the table, all models, and mistakes.

    Args:
        result: The answer.
        shown: The name of the method whose mistakes are listed.
    """
    yield Amounts(tuple(_amounts(result)), in_summary=False)
    if result.left_out:
        left = NN_(
            "{count} place is left out: its word is no single piece of this model's vocabulary.",
            "{count} places are left out: their words are no single pieces of this model's "
            "vocabulary.",
        )
        yield Said(Phrase(left, count=result.left_out))
    ways = {_row(result, one): one for one in result.ranked}
    methods = Rows(
        ShareRow,
        tuple(ways),
        "share",
        scale=(0.0, 1.0),
        gesture=lambda row: sets(SHOWN, ways[row].way.name, N_("choose a method's mistakes")),
        words=lambda row: _about(ways[row]),
        chosen=lambda row: ways[row].way.name == shown,
        in_files=False,
        title=N_("Method by method"),
    )
    yield Cards(
        (
            OneCard("", (OwnPicture(INTERVALS),)),
            OneCard("", (methods,)),
        ),
        Width.WIDE,
        framed=False,
        # The table's numbers leave names of methods no room where it is no wider.
        shares=(5.0, 7.0),
    )
    yield from _refused(result)
    yield _rules(result)
    yield matrix_of_pairs(result)
    yield from _every_model(result)
    yield from _mistakes(result, shown)
    yield Said(ABOUT, Manner.ABOUT)
    yield Said(AGREEMENT, Manner.ABOUT, near=True)
    yield Said(LIMITS, Manner.ABOUT, near=True)


def _amounts(result: AttributionBenchmarkResult) -> Iterator[Amount]:
    best = result.ranked[0]
    title = best.way.title
    yield Amount("share", title, best.share, words=N_("Right most often."), written=IN_TENTHS)
    yield Amount(
        "chance",
        N_("by chance"),
        result.chance,
        words=N_("A word drawn at random."),
        written=IN_TENTHS,
    )
    yield Amount(
        "places",
        N_("places"),
        len(result.places),
        words=N_("Each in a text that was never trained on."),
    )
    yield Amount(
        "probability",
        N_("the model's probability"),
        result.probability,
        digits=3,
        words=N_("Of the hidden words: the geometric mean."),
    )


def _refused(result: AttributionBenchmarkResult) -> Iterator[Said]:
    """What can't be had of this model, a sentence each."""
    for one in result.refused:
        yield Said(Phrase(N_("{method}: {why}"), method=one.title, why=one.why), near=True)


def _row(result: AttributionBenchmarkResult, one: WayTested) -> ShareRow:
    interval = percents_between(one.low, one.high)
    agreeing, _places, _others = result.by_agreement(one)
    best = result.ranked[0]
    p = "" if one is best else significant(result.p_of(one, best), 2)
    return ShareRow(
        one.way.title, one.share, interval, one.captured, one.mass, one.rank, agreeing, p
    )


def _rules(result: AttributionBenchmarkResult) -> Rows:
    """What is right without a model, which a method has to beat."""
    best = result.ranked[0]
    rows = (
        ModelFreeRuleRow(
            one.way.title,
            one.share,
            percents_between(one.low, one.high),
            one.captured,
            significant(result.p_of(one, best), 2),
        )
        for one in rule_results(result.places)
    )
    return Rows(
        ModelFreeRuleRow,
        tuple(rows),
        "share",
        scale=(0.0, 1.0),
        in_files=False,
        title=N_("Rules that ask no model"),
    )


def _about(one: WayTested) -> Phrase:
    """What a method does, and what choosing it."""
    about = one.way.about
    return Phrase(
        N_("{share}\n{does}\n{citation}\nClick to list where it is wrong."),
        share=one.said,
        does=Phrase(about.does),
        citation=Phrase(about.citation),
    )


def _every_model(result: AttributionBenchmarkResult) -> Iterator[Grid]:
    """What it came to in every bundled model that fills masks."""
    models = every_model()
    if not models:
        return
    names = [one.way.name for one in result.ways]
    known = [name for name in names if any(name in one.right for one in models)]
    ways = {one.way.name: one.way for one in result.ways}
    values = np.array([[one.share(name) for name in known] for one in models], dtype=np.float32)

    def said(row: int, at: int) -> str:
        one, name = models[row], known[at]
        if name not in one.right:
            title = ways[name].title.said
            return _("{model} does not have it: {method}.", model=one.model, method=title)
        lines = (
            f"{one.model}: {ways[name].title.said}",
            _(
                "Right at {right} of {places} places: {share}; chance {chance}",
                right=one.right[name],
                places=one.places,
                share=percent(one.share(name), 1),
                chance=percent(one.chance, 1),
            ),
            _("Share of true importance: {share}", share=percent(one.captured[name], 1)),
        )
        return "\n".join(lines)

    yield Grid(
        "every_model",
        values,
        Side(N_("model"), tuple(verbatim(one.model.replace("-miniature", "")) for one in models)),
        Side(N_("method"), tuple(ways[name].short for name in known), turned=True),
        N_("Share of the places at which a method is right"),
        said,
        percent,
        Colours(with_bar=False),
        framed=[(row, int(best)) for row, best in enumerate(np.nanargmax(values, axis=1))],
        title=N_("Every bundled model"),
    )


def _mistakes(result: AttributionBenchmarkResult, shown: str) -> Iterator[Rows | Said]:
    """Places at which one method picks another word; a click brings one into the sentence."""
    one = next((way for way in result.ways if way.way.name == shown), result.ways[0])
    title = Phrase(N_("Where it is wrong: {method}"), method=one.way.title)
    wrong = {
        _mistake(place, pick): place
        for place, pick in zip(result.places, one.picks, strict=True)
        if pick not in place.right
    }
    if not wrong:
        yield Said(N_("Nowhere."), title=title)
        return
    yield Rows(
        MistakeRow,
        tuple(sorted(wrong, key=lambda row: -row.worth)),
        most=MISTAKES,
        gesture=lambda row: _taking(wrong[row]),
        words=lambda row: Phrase(
            N_("{text}\nClick to bring it into the sentence, with the word masked."), text=row.place
        ),
        in_files=False,
        title=title,
    )
    if len(wrong) > MISTAKES:
        yield Said(
            Phrase(
                N_("The {listed} where most is at stake, of {count}; the table of places has all."),
                listed=MISTAKES,
                count=len(wrong),
            ),
            near=True,
        )


def _mistake(place: KnownPlace, pick: int) -> MistakeRow:
    start, end = place.words[place.asked]
    return MistakeRow(
        f"{place.text[:start]}[{place.text[start:end]}]{place.text[end:]}",
        " / ".join(place.word(n) for n in place.right),
        max(place.losses),
        place.word(pick),
        place.losses[pick],
    )


def _taking(place: KnownPlace) -> Changes:
    """Brings a place into the sentence, with its word masked."""
    masks = (Mask(*place.words[place.asked]),)
    return Changes(
        lambda now, _where: replace(now, text=place.text, pair=None, masks=masks),
        N_("take a place of the benchmark"),
    )
