"""Of how many pairs the good sentence is likelier: in all, by phenomenon, one token by token."""

import difflib
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any, Final

import numpy as np

from explorer.api.question import (
    Amount,
    Amounts,
    Grid,
    Manner,
    Rows,
    Said,
    column,
    sets,
)
from explorer.api.question.parts.matrices.grid import Side
from explorer.questions.masking.hiding import method_said
from explorer.questions.pairs.minimal_pairs.question import (
    PHENOMENON,
    SCORE,
    SHOWN,
    MinimalPairsResult,
    PairShare,
    ScoredPair,
    SentenceScore,
    paired_p,
    share_of,
)
from explorer.text import N_, NN_, Phrase, verbatim
from explorer.text.formatting.intervals import percents_between
from explorer.text.formatting.numbers import decimal, percent, significant
from explorer.text.pieces import visible

IN_TENTHS = partial(percent, places=1)
LISTED: Final = 10
"""Pairs that are listed; files have all."""
MANY: Final = 3
"""Models, from which on a row of bars has no room for all."""
FEWEST: Final = 10
"""Pairs of a phenomenon below which its share says little."""

ABOUT = N_(
    "A model is right about a pair where it gives the good sentence a higher score than the bad "
    "one (BLiMP, Warstadt et al. 2020). Guessing would be right half of the time. Pairs that "
    "differ in the number of tokens are compared more fairly by their mean per token."
)
OF_WORLD = N_(
    "The small world's grammar writes the good sentences, and never the bad ones: their exact "
    "probability is 0. All are of texts that no miniature was trained on."
)


@dataclass(frozen=True)
class PhenomenonRow:
    """A phenomenon, and how often the good sentence is likelier."""

    phenomenon: str = column(N_("phenomenon"), key=True)
    accuracy: float = column(N_("right"), written=IN_TENTHS)
    interval: str = column(N_("interval"), ink=lambda _said: "muted", dispensable=True)
    second: float | None = column(N_("second model"), written=IN_TENTHS)
    pairs: int = column(N_("pairs"), compared=False, dispensable=True)


@dataclass(frozen=True)
class ScoringModelRow:
    """A model, and of how many pairs the good sentence is likelier for it."""

    model: str = column(N_("model"), key=True)
    accuracy: float = column(N_("right"), written=IN_TENTHS)
    interval: str = column(N_("interval"), ink=lambda _said: "muted", dispensable=True)
    p: float | None = column(
        N_("p"),
        written=lambda one: significant(one, 2),
        tip=N_("McNemar's exact test against the first model, over the pairs that both scored."),
    )
    pairs: int = column(N_("pairs"), compared=False, dispensable=True)


@dataclass(frozen=True)
class ListedPairRow:
    """A pair as it is listed."""

    good: str = column(N_("good sentence"), key=True, wraps=True)
    bad: str = column(N_("bad sentence"), key=True, wraps=True)
    difference: float = column(
        N_("difference"),
        unit=N_("nats"),
        digits=2,
        is_signed=True,
        tip=N_("By how much the good sentence's score is higher; below 0 the model is wrong."),
        ink=lambda cell: "positive" if cell > 0 else "danger",
    )


@dataclass(frozen=True)
class ComparedTokenRow:
    """A token of the good sentence next to that of the bad one."""

    good: str = column(N_("good"), written=visible)
    bad: str = column(N_("bad"), written=visible)
    good_nats: float | None = column(
        N_("surprisal, good"), unit=N_("nats"), digits=2, dispensable=True
    )
    bad_nats: float | None = column(
        N_("surprisal, bad"), unit=N_("nats"), digits=2, dispensable=True
    )
    difference: float = column(
        N_("difference"),
        unit=N_("nats"),
        digits=2,
        is_signed=True,
        tip=N_("How much this token speaks for the good sentence."),
    )


def parts(
    result: MinimalPairsResult,
    score: str = SCORE.default,
    phenomenon: str = PHENOMENON.default,
    shown: int = SHOWN.default,
) -> Iterator[Said | Amounts | Rows | Grid]:
    """In all, by phenomenon, the pairs of one, and one token by token.

    Args:
        result: The answer.
        score: The name of a `SentenceScore`.
        phenomenon: Whose pairs are listed; "" for all.
        shown: The number of the pair that is taken apart; -1 for the clearest mistake.
    """
    kind = SentenceScore(score)
    yield Amounts(tuple(_amounts(result, kind)), in_summary=False)
    yield from _warnings(result)
    if len(result.judged) > 1:
        yield _models(result, kind)
    yield (_phenomena if len(result.judged) < MANY else _every_model)(result, kind, phenomenon)
    listed = _listed(result, kind, phenomenon)
    yield from _pairs(result, kind, phenomenon, listed, shown)
    yield from _tokens(kind, _at(listed, shown))
    yield Said(ABOUT, Manner.ABOUT)
    if not result.source:
        yield Said(OF_WORLD, Manner.ABOUT, near=True)
    yield Said(method_said(result.scored[0].method), Manner.ABOUT, near=True)


def _amounts(result: MinimalPairsResult, score: SentenceScore) -> Iterator[Amount]:
    shares = [share_of(result, one, score, None) for one in result.judged]
    first = shares[0]
    yield Amount(
        "accuracy",
        N_("the good sentence is likelier"),
        first.accuracy,
        words=Phrase(
            N_("95 % interval: {interval}. By chance: 50 %."),
            interval=percents_between(*first.interval),
        ),
        written=IN_TENTHS,
    )
    if len(shares) > 1:
        yield Amount("second_accuracy", N_("second model"), shares[1].accuracy, written=IN_TENTHS)
        yield Amount(
            "p",
            N_("p of the difference"),
            paired_p(result, score) or 0.0,
            words=N_("McNemar's test in its exact form, over the pairs that both models scored."),
            written=lambda one: significant(one, 2),
        )
    yield Amount("pairs", N_("pairs"), first.among)


def _warnings(result: MinimalPairsResult) -> Iterator[Said]:
    first = result.scored[0]
    if result.there > len(result.pairs):
        yield Said(
            Phrase(
                N_("{read} of {there} pairs are read, of each phenomenon its share."),
                read=len(result.pairs),
                there=result.there,
            )
        )
    missing = len(result.pairs) - len(first.pairs)
    if missing:
        yield Said(
            Phrase(
                NN_("{count} pair can't be scored: {why}", "{count} pairs can't be scored: {why}"),
                count=missing,
                why=first.refused,
            ),
            Manner.WARNING,
        )
    blind = sum(one.differ_unscored for one in first.pairs)
    if blind:
        yield Said(
            Phrase(
                NN_(
                    "{count} pair begins with different words, and the model has nothing before "
                    "the first one to score it by: what comes after it alone is compared.",
                    "{count} pairs begin with different words, and the model has nothing before "
                    "the first one to score it by: what comes after it alone is compared.",
                ),
                count=blind,
            ),
            Manner.WARNING,
        )
    for other in result.scored[1:]:
        if not other.pairs:
            yield Said(other.refused, Manner.WARNING)


def _models(result: MinimalPairsResult, score: SentenceScore) -> Rows:
    shares = [share_of(result, one, score, None) for one in result.judged]
    rows = (
        ScoringModelRow(
            one.model.as_asked,
            share.accuracy,
            percents_between(*share.interval),
            paired_p(result, score, number),
            share.among,
        )
        for number, (one, share) in enumerate(zip(result.judged, shares, strict=True))
    )
    return Rows(ScoringModelRow, tuple(rows), "accuracy", scale=(0.0, 1.0), title=N_("By model"))


def _phenomena(result: MinimalPairsResult, score: SentenceScore, phenomenon: str) -> Rows:
    names = {_row(result, score, name): name for name in result.phenomena}
    has_second = len(result.judged) > 1

    def words(row: PhenomenonRow) -> Phrase:
        few = row.pairs < FEWEST
        said = (
            N_("{interval}; so few pairs say little. Choose it to list its pairs.")
            if few
            else N_("{interval}. Choose it to list its pairs.")
        )
        return Phrase(said, interval=row.interval)

    return Rows(
        PhenomenonRow,
        tuple(sorted(names, key=lambda row: row.accuracy)),
        "accuracy",
        second_bar="second" if has_second else "",
        scale=(0.0, 1.0),
        gesture=lambda row: sets(
            PHENOMENON,
            "" if names[row] == phenomenon else names[row],
            N_("choose a phenomenon's pairs"),
        ),
        words=words,
        chosen=lambda row: bool(phenomenon) and names[row] == phenomenon,
        hidden=() if has_second else ("second",),
        in_files=False,
        title=N_("By phenomenon"),
    )


def _row(result: MinimalPairsResult, score: SentenceScore, name: str) -> PhenomenonRow:
    shares = [share_of(result, one, score, name) for one in result.judged]
    second: PairShare | None = shares[1] if len(shares) > 1 else None
    return PhenomenonRow(
        result.title_of(name) or "—",
        shares[0].accuracy,
        percents_between(*shares[0].interval),
        second.accuracy if second is not None and second.among else None,
        shares[0].among,
    )


def _every_model(result: MinimalPairsResult, score: SentenceScore, phenomenon: str) -> Grid:
    """The phenomena by the models, where two bars a row do not hold them all."""
    first = result.scored[0]
    names = sorted(result.phenomena, key=lambda name: share_of(result, first, score, name).accuracy)
    shares = [[share_of(result, one, score, name) for one in result.judged] for name in names]
    titles = [result.title_of(name) or "—" for name in names]
    models = [one.model.as_asked for one in result.judged]

    def words(row: int, at: int) -> str:
        one = shares[row][at]
        return Phrase(
            N_("{model}, {phenomenon}: {share} of {count} pairs ({interval})"),
            model=models[at],
            phenomenon=titles[row],
            share=IN_TENTHS(one.accuracy),
            count=one.among,
            interval=percents_between(*one.interval),
        ).said

    return Grid(
        "phenomena",
        np.array([[one.accuracy if one.among else np.nan for one in row] for row in shares]),
        Side(N_("phenomenon"), tuple(titles)),
        Side(N_("model"), tuple(map(verbatim, models)), turned=True),
        N_("By phenomenon: share of pairs in which the good sentence is likelier"),
        words,
        written=percent,
        missing=N_("no pair was scored"),
        framed={(names.index(phenomenon), at) for at in range(len(models))}
        if phenomenon in names
        else (),
        gesture=lambda row, _at: sets(
            PHENOMENON,
            "" if names[row] == phenomenon else names[row],
            N_("choose a phenomenon's pairs"),
        ),
    )


def _listed(result: MinimalPairsResult, score: SentenceScore, phenomenon: str) -> list[ScoredPair]:
    """Pairs of a phenomenon, the clearest mistake first."""
    known = phenomenon if phenomenon in result.phenomena else ""
    own = (
        one
        for one in result.scored[0].pairs
        if not known or result.pairs[one.number].phenomenon == known
    )
    return sorted(own, key=lambda one: one.difference(score))


def _pairs(
    result: MinimalPairsResult,
    score: SentenceScore,
    phenomenon: str,
    listed: list[ScoredPair],
    shown: int,
) -> Iterator[Rows]:
    rows: dict[ListedPairRow, int] = {}
    for one in listed:
        pair = result.pairs[one.number]
        rows.setdefault(ListedPairRow(pair.good, pair.bad, one.difference(score)), one.number)
    known = phenomenon if phenomenon in result.phenomena else ""
    title = (
        Phrase(N_("Pairs of “{phenomenon}”, mistakes first"), phenomenon=result.title_of(known))
        if known
        else N_("Pairs, mistakes first")
    )
    at = _at(listed, shown)
    yield Rows(
        ListedPairRow,
        tuple(rows),
        most=LISTED,
        gesture=lambda row: sets(SHOWN, rows[row], N_("compare a pair token by token")),
        words=lambda _row: Phrase(N_("Choose it to compare it token by token.")),
        chosen=lambda row: at is not None and rows[row] == at.number,
        in_files=False,
        title=title,
    )


def _at(listed: list[ScoredPair], shown: int) -> ScoredPair | None:
    """The pair that is taken apart: the chosen one, or the first that is listed."""
    return next((one for one in listed if one.number == shown), listed[0] if listed else None)


def _tokens(score: SentenceScore, one: ScoredPair | None) -> Iterator[Said | Rows]:
    if one is None:
        return
    title = N_("One pair, token by token")
    difference = one.difference(score)
    said = (
        N_("The good sentence is likelier by {nats} nats.")
        if difference > 0
        else N_("The bad sentence is likelier by {nats} nats.")
    )
    yield Said(Phrase(said, nats=decimal(abs(difference), 2)), Manner.PLAIN, title=title)
    rows = tuple(compared(one))
    yield Rows(
        ComparedTokenRow,
        rows,
        bar="difference",
        in_files=False,
    )


def compared(pair: ScoredPair) -> Iterator[ComparedTokenRow]:
    """The tokens of both sentences next to each other; one that only one has is alone."""
    good, bad = pair.good, pair.bad
    matcher = difflib.SequenceMatcher(None, good.tokens, bad.tokens, autojunk=False)
    for _kind, start, end, other_start, other_end in matcher.get_opcodes():
        for at in range(max(end - start, other_end - other_start)):
            yield _compared(
                _token(good.tokens, good.log_probabilities, start + at, end),
                _token(bad.tokens, bad.log_probabilities, other_start + at, other_end),
            )


def _token(
    tokens: tuple[str, ...], log_probabilities: tuple[float, ...], at: int, end: int
) -> tuple[str, float | None]:
    return (tokens[at], -log_probabilities[at]) if at < end else ("", None)


def _compared(good: tuple[str, Any], bad: tuple[str, Any]) -> ComparedTokenRow:
    difference = (bad[1] or 0.0) - (good[1] or 0.0)
    return ComparedTokenRow(good[0], bad[0], good[1], bad[1], difference)
