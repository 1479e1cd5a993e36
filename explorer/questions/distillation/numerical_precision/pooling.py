"""Coarser numbers over a text or a file: what every row keeps, and what all of them say."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from explorer.api.question import Amount, Amounts, Cell, Manner, Said
from explorer.numerics.evaluation.clustered_means import clustered_mean
from explorer.numerics.evaluation.clustered_rates import Interval, rate_interval, wilson
from explorer.numerics.evaluation.student_t import MeanInterval
from explorer.text import N_, Phrase
from explorer.text.formatting.numbers import decimal, percent, signed, significant

COLUMNS = ("token_divergences", "token_differences", "token_changes", "token_flips")
"""A number a token, apart by spaces."""


@dataclass(frozen=True)
class PooledPrecision:
    """What all tokens say together; intervals are of 95 %.

    Attributes:
        texts: How many.
        tokens: Of all of them.
        divergence: Mean KL(reference || rounded) of a token, in nats.
        change: Mean growth of the surprisal of the token that is there, in nats.
        flips: Tokens at which another piece is the likeliest.
        flips_between: The share of these, of all such texts.
        difference: The largest difference of two logits anywhere, in nats.
    """

    texts: int
    tokens: int
    divergence: MeanInterval
    change: MeanInterval
    flips: int
    flips_between: Interval
    difference: float

    @property
    def flip_rate(self) -> float:
        """The share of tokens at which another piece is the likeliest."""
        return self.flips / self.tokens


def place_cells(places: Iterable[Sequence[float]]) -> Mapping[str, Cell]:
    """What a row keeps of its tokens: a number of each kind, in the order of `COLUMNS`."""
    columns = [*zip(*places, strict=True)] or [()] * len(COLUMNS)
    return {
        name: " ".join(f"{one:.7g}" for one in column)
        for name, column in zip(COLUMNS, columns, strict=True)
    }


def gather(rows: Iterable[Sequence[Cell]]) -> PooledPrecision | None:
    """All tokens of the rows; None where there is none.

    The intervals go by texts where there are two or more, else by tokens.
    """
    texts = [[[float(one) for one in str(cell).split()] for cell in row] for row in rows if row[0]]
    if not texts:
        return None
    kinds = [[text[n] for text in texts] for n in range(len(COLUMNS))]
    divergences, differences, changes, flips = kinds
    among = np.array([len(one) for one in flips], dtype=np.int64)
    hits = np.array([sum(one) for one in flips], dtype=np.int64)
    tokens = int(among.sum())
    between = rate_interval(hits, among) or wilson(float(hits.sum()) / tokens, tokens)
    return PooledPrecision(
        len(texts),
        tokens,
        clustered_mean(divergences),
        clustered_mean(changes),
        int(hits.sum()),
        between,
        max(max(one) for one in differences),
    )


def told(pooled: PooledPrecision) -> Mapping[str, Cell]:
    """The numbers of all tokens."""
    low, high = pooled.flips_between
    return {
        "texts": pooled.texts,
        "tokens": pooled.tokens,
        "divergence": pooled.divergence.mean,
        "divergence_low": pooled.divergence.low,
        "divergence_high": pooled.divergence.high,
        "flips": pooled.flips,
        "flip_rate": pooled.flip_rate,
        "flip_rate_low": low,
        "flip_rate_high": high,
        "difference": pooled.difference,
        "change": pooled.change.mean,
        "change_low": pooled.change.low,
        "change_high": pooled.change.high,
    }


def parts(pooled: PooledPrecision) -> Iterator[Amounts | Said]:
    """The four numbers, and what their intervals go by."""
    yield Amounts(tuple(amounts(pooled)), in_summary=False)
    said = (
        N_("95 % intervals, by sentences: the tokens of one sentence are no independent draws.")
        if pooled.texts > 1
        else N_("95 % intervals, by tokens of this text alone; a file says more.")
    )
    yield Said(said, Manner.ABOUT, near=True)


def amounts(pooled: PooledPrecision) -> Iterator[Amount]:
    """What they come to, each with its interval."""
    low, high = pooled.flips_between
    yield Amount(
        "divergence",
        N_("KL a token"),
        pooled.divergence.mean,
        N_("nats"),
        words=_between(pooled.divergence, lambda one: significant(one, 2)),
        written=lambda one: significant(one, 3),
    )
    yield Amount(
        "flip_rate",
        N_("flips of the first word"),
        pooled.flip_rate,
        words=Phrase(
            N_("{count} of {tokens} tokens. 95 % interval: {low} to {high}."),
            count=pooled.flips,
            tokens=pooled.tokens,
            low=percent(low, 2),
            high=percent(high, 2),
        ),
        written=lambda one: percent(one, 1),
    )
    yield Amount(
        "difference",
        N_("largest logit difference"),
        pooled.difference,
        N_("nats"),
        words=N_("Of any piece of the vocabulary at any token."),
        written=lambda one: significant(one, 3),
    )
    yield Amount(
        "change",
        N_("change of surprisal"),
        pooled.change.mean,
        N_("nats"),
        words=_between(pooled.change, lambda one: signed(one, 5)),
        written=lambda one: signed(one, 5),
    )


def _between(found: MeanInterval, written: Callable[[float], str]) -> Phrase:
    if found.low is None or found.high is None:
        return Phrase(N_("One token has no interval."))
    return Phrase(
        N_("Mean of {count} tokens. 95 % interval: {low} to {high} nats."),
        count=decimal(found.count, 0),
        low=written(found.low),
        high=written(found.high),
    )
