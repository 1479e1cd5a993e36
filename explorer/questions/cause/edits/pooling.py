"""Edits of many texts: what every row keeps of them, and what each rule does over all of them."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from explorer.api.question import Cell, Manner, Rows, Said, Table, column
from explorer.numerics.evaluation.clustered_means import clustered_mean
from explorer.numerics.evaluation.clustered_rates import Interval, rate_interval, wilson
from explorer.numerics.evaluation.student_t import MeanInterval
from explorer.text import N_, Phrase
from explorer.text.formatting.intervals import between, percents_between
from explorer.text.formatting.numbers import decimal, percent, signed

COLUMNS = ("edit_rules", "edit_divergences", "edit_changes", "edit_flips")
"""A word or number an edit, apart by spaces."""
NEIGHBOURS: Final = "neighbours"
OWN_WORDS: Final = "own_words"
RULE_TITLES = {
    "negation": N_("Negation"),
    "number": N_("Number"),
    "tense": N_("Tense"),
    "pronoun": N_("Pronoun"),
    "name": N_("Name"),
    "synonym": N_("Synonym"),
    NEIGHBOURS: N_("Neighbours"),
    OWN_WORDS: N_("Words of your own"),
}
"""What puts words into places, in the order of the rows."""


@dataclass(frozen=True)
class PooledEdits:
    """What the edits of one kind do over all texts; intervals are of 95 %, by texts.

    Attributes:
        texts: How many have such an edit.
        edits: How many there are.
        flips: Edits after which another word is the most probable one.
        flips_between: The share of these, of all such texts.
        divergence: Mean KL(before || after), in nats.
        change: Mean growth of the log-probability of the word asked about, in nats.
    """

    texts: int
    edits: int
    flips: int
    flips_between: Interval
    divergence: MeanInterval
    change: MeanInterval

    @property
    def flip_rate(self) -> float:
        """The share of edits after which another word is the most probable one."""
        return self.flips / self.edits


def edit_cells(edits: Iterable[tuple[str, float, float, bool]]) -> Mapping[str, Cell]:
    """What a row keeps of its edits: the kind, divergence, change, and whether another is first."""
    rows = [(kind, f"{kl:.7g}", f"{by:.7g}", str(int(flips))) for kind, kl, by, flips in edits]
    columns = zip(*rows, strict=True) if rows else [()] * len(COLUMNS)
    return {name: " ".join(one) for name, one in zip(COLUMNS, columns, strict=True)}


def gather(rows: Iterable[Sequence[Cell]]) -> Mapping[str, PooledEdits] | None:
    """The edits of all rows by their kind; None where there is none."""
    texts = [[str(cell).split() for cell in row] for row in rows if row[0]]
    found = {}
    for kind in RULE_TITLES:
        of_kind = [
            [one[1:] for one in zip(*text, strict=True) if one[0] == kind]
            for text in texts
            if kind in text[0]
        ]
        if of_kind:
            found[kind] = _pooled(
                [[(float(a), float(b), int(c)) for a, b, c in text] for text in of_kind]
            )
    return found or None


def _pooled(texts: Sequence[Sequence[tuple[float, float, int]]]) -> PooledEdits:
    among = np.array([len(text) for text in texts], dtype=np.int64)
    hits = np.array([sum(one[2] for one in text) for text in texts], dtype=np.int64)
    edits, flips = int(among.sum()), int(hits.sum())
    return PooledEdits(
        len(texts),
        edits,
        flips,
        rate_interval(hits, among) or wilson(flips / edits, edits),
        clustered_mean([[one[0] for one in text] for text in texts]),
        clustered_mean([[one[1] for one in text] for text in texts]),
    )


def told(pooled: Mapping[str, PooledEdits]) -> Mapping[str, Cell]:
    """The numbers of each kind of edit."""
    return {
        f"{kind}_{name}": cell
        for kind, one in pooled.items()
        for name, cell in _numbers(one).items()
        if name in ("edits", "flip_rate", "divergence")
    }


def table(pooled: Mapping[str, PooledEdits]) -> Table:
    """All numbers, a row a kind of edit."""
    rows = {kind: _numbers(one) for kind, one in pooled.items()}
    names = next(iter(rows.values()))
    return Table(("rule", *names), tuple((kind, *one.values()) for kind, one in rows.items()))


def _numbers(one: PooledEdits) -> Mapping[str, Cell]:
    return {
        "edits": one.edits,
        "texts": one.texts,
        "flips": one.flips,
        "flip_rate": one.flip_rate,
        "flip_rate_low": one.flips_between[0],
        "flip_rate_high": one.flips_between[1],
        "divergence": one.divergence.mean,
        "divergence_low": one.divergence.low,
        "divergence_high": one.divergence.high,
        "change": one.change.mean,
        "change_low": one.change.low,
        "change_high": one.change.high,
    }


@dataclass(frozen=True)
class RuleRow:
    """A kind of edit, and what it does to predictions."""

    rule: str = column(N_("edit by"), key=True)
    edits: int = column(N_("edits"), compared=False, dispensable=True)
    flips: float = column(
        N_("other first word"),
        written=lambda one: percent(one, 0),
        tip=N_("The share of edits after which another word is the most probable one."),
    )
    flips_between: str | None = column(N_("interval"), ink=lambda _said: "muted", dispensable=True)
    divergence: float = column(
        N_("divergence"),
        digits=3,
        tip=N_("The mean of KL(before ‖ after), in nats."),
    )
    divergence_between: str | None = column(
        N_("interval"), ink=lambda _said: "muted", dispensable=True
    )
    change: float = column(
        N_("change"),
        digits=2,
        is_signed=True,
        tip=N_("Of the asked word's log-probability, in nats: the mean."),
    )
    change_between: str | None = column(N_("interval"), ink=lambda _said: "muted", dispensable=True)


def parts(pooled: Mapping[str, PooledEdits]) -> Iterator[Rows | Said]:
    """What each kind of edit does, a row each."""
    yield Rows(
        RuleRow,
        tuple(_row(kind, one) for kind, one in pooled.items()),
        "divergence",
        title=N_("What each kind of edit does"),
        in_files=False,
    )
    yield Said(
        N_("95 % intervals, by texts: the edits of one text are no independent draws."),
        Manner.NOTE,
        near=True,
    )


def _row(kind: str, one: PooledEdits) -> RuleRow:
    return RuleRow(
        Phrase(RULE_TITLES[kind]),
        one.edits,
        one.flip_rate,
        percents_between(*one.flips_between, places=0),
        one.divergence.mean,
        # No divergence is below 0, though the interval by Student's t may be.
        _ends(one.divergence, lambda end: decimal(max(0.0, end), 3)),
        one.change.mean,
        _ends(one.change, lambda end: signed(end, 2)),
    )


def _ends(found: MeanInterval, written: Callable[[float], str]) -> Phrase | None:
    if found.low is None or found.high is None:
        return None
    return between(found.low, found.high, written)
