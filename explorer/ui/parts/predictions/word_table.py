"""Predicted words as rows of bars: how each is written, and what is known of it."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from explorer.api.question import Prediction
from explorer.text import N_, _, ngettext
from explorer.text.formatting.probabilities import in_digits, scale_for, signed
from explorer.text.pieces import drawn
from explorer.ui.blocks.tables.bar_table import BarTable
from explorer.ui.blocks.tables.rows import Bar, BarAxis, BarColumn, BarRow

TAG = N_("original")
CHANGE = N_("change (rank was)")
GLUED = {
    "before": N_("No word of its own: it continues the word before the mask."),
    "after": N_("The beginning of a longer word."),
}


@dataclass(frozen=True)
class Before:
    """What a word had in the pinned answer.

    Attributes:
        probability: None where that answer says nothing of it.
        rank: As the probability.
        listed: How many of its likeliest words that answer keeps, where it does not keep this one.
    """

    probability: float | None = None
    rank: int | None = None
    listed: int = 0

    @property
    def said(self) -> str:
        """In a sentence."""
        if self.probability is None and self.listed:
            return ngettext(
                "The pinned answer keeps only its likeliest word.",
                "The pinned answer keeps only its {count} likeliest words.",
                self.listed,
            )
        if self.probability is None:
            return _("The pinned answer does not list it.")
        probability = in_digits(self.probability)
        if self.rank is None:
            return _("Pinned answer: {probability}", probability=probability)
        return _(
            "Pinned answer: {probability}, rank {rank}", probability=probability, rank=self.rank
        )


def rows_of(
    predictions: Sequence[Prediction],
    original: Prediction | None,
    mask: int,
    put: Callable[[Prediction], Any],
    before: Callable[[Prediction], Before] | None = None,
) -> tuple[BarRow, ...]:
    """Rows for a mask; the original is marked, or appended where it is not among them.

    Args:
        predictions: Most probable first.
        original: The word under the mask, or None.
        mask: Its position, for the keys of the rows.
        put: The gesture that puts a prediction into the sentence.
        before: What the pinned answer says of a word; None where nothing is pinned.
    """
    told = [(one, one.is_same(original), False) for one in predictions]
    if original is not None and not any(is_original for _one, is_original, _apart in told):
        told.append((original, True, True))
    rows = []
    for one, is_original, apart in told:
        then = before(one) if before is not None else None
        change = _change(one, then)
        words, spoken = _words(one, then, change, is_original=is_original)
        rows.append(
            BarRow(
                drawn(one),
                (in_digits(one.probability), change),
                (Bar(one.probability, "bar_original" if is_original else "bar"),),
                mark=then.probability if then is not None else None,
                lead="" if apart else str(one.rank),
                tag=_(TAG) if is_original else "",
                strong=is_original,
                ground="mask_fill" if is_original else "",
                apart=_("⋯  rank {rank}", rank=one.rank) if apart else "",
                words=words,
                spoken=spoken,
                key=("prediction", mask, one.id),
                act=put(one),
            )
        )
    return tuple(rows)


def _change(one: Prediction, then: Before | None) -> str:
    """The difference to the pinned probability, and the pinned rank.

    A word that has risen among as many as the pinned answer keeps is new; of one further down
    nobody knows.
    """
    if then is None:
        return ""
    if then.probability is None:
        return _("new") if one.rank <= then.listed else _("not kept")
    rank = f" ({then.rank:,})" if then.rank is not None else ""
    return f"{signed(one.probability - then.probability)}{rank}"


def _words(
    one: Prediction, then: Before | None, change: str, *, is_original: bool
) -> tuple[str, str]:
    """All that is known of a word, line by line, and what a screen reader says of it."""
    values = {"rank": str(one.rank), "probability": in_digits(one.probability)}
    lines = [
        drawn(one),
        _("Piece: {token}", token=one.token),
        _("Id: {id}", id=str(one.id)),
        _("Rank: {rank}", rank=values["rank"]),
        _("Probability: {probability}", probability=values["probability"]),
    ]
    said = [_("Rank {rank}: {word}, {probability}", word=drawn(one), **values)]
    if is_original:
        lines.append(_("The word that is under the mask."))
        said.append(_("the original"))
    if one.glue:
        lines.append(_(GLUED[one.glue]))
    if then is not None:
        lines.append(then.said)
        said.append(_("{change} against the pinned answer", change=change))
    lines.append(_("Click to put it into the sentence."))
    return "\n".join(lines), ", ".join(said)


def predictions_table(
    rows: Sequence[BarRow], mask: int, peers: Sequence[BarRow] = (), scale: float = 0.0
) -> BarTable:
    """A row a prediction, most probable first; choosing one puts it into the sentence.

    Args:
        rows: As `rows_of` makes them.
        mask: The mask's position.
        peers: The rows of all masks, so that their columns and bars are alike.
        scale: Probability at the right end of the bars; 0 for one that holds all of them.
    """
    every = (*rows, *peers)
    ends = [bar.value for row in every for bar in row.bars if bar is not None]
    largest = max([*ends, *(row.mark or 0.0 for row in every)], default=1.0)
    pinned = any(row.cells[1] for row in every)
    columns = (BarColumn(""), *((BarColumn(_(CHANGE), "accent"),) if pinned else ()))

    def cut(some: Sequence[BarRow]) -> list[BarRow]:
        return [replace(row, cells=row.cells[: len(columns)]) for row in some]

    return BarTable(
        cut(rows),
        columns,
        BarAxis(scale or scale_for(largest)),
        _("Predictions for the mask at position {mask}", mask=mask),
        bold=False,
        track=True,
        peers=cut(peers),
    )
