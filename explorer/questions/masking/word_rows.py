"""Predicted words as rows: how each is written, and what is known of it."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from explorer.api import Prediction
from explorer.text import N_, _, ngettext
from explorer.text.formatting.probabilities import in_digits, signed
from explorer.text.pieces import drawn

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


@dataclass(frozen=True)
class Row:
    """One row.

    Attributes:
        prediction: The word, its rank and probability.
        is_original: It is the word under the mask.
        apart: It stands below a separator, because its rank is not among the others'.
        before: What it had in the pinned answer; None where nothing is pinned.
    """

    prediction: Prediction
    is_original: bool = False
    apart: bool = False
    before: Before | None = None

    @property
    def word(self) -> str:
        """As it is drawn; white space as signs."""
        return drawn(self.prediction)

    @property
    def change(self) -> str:
        """The difference to the pinned probability, and the pinned rank.

        A word that has risen among as many as the pinned answer keeps is new; of one further down
        nobody knows.
        """
        if self.before is None:
            return ""
        if self.before.probability is None:
            return _("new") if self.prediction.rank <= self.before.listed else _("not kept")
        rank = f" ({self.before.rank:,})" if self.before.rank is not None else ""
        return f"{signed(self.prediction.probability - self.before.probability)}{rank}"

    @property
    def words(self) -> str:
        """All that is known of it, line by line."""
        prediction = self.prediction
        lines = [
            self.word,
            _("Piece: {token}", token=prediction.token),
            _("Id: {id}", id=str(prediction.id)),
            _("Rank: {rank}", rank=str(prediction.rank)),
            _("Probability: {probability}", probability=in_digits(prediction.probability)),
        ]
        if self.is_original:
            lines.append(_("The word that is under the mask."))
        if prediction.glue:
            lines.append(_(GLUED[prediction.glue]))
        if self.before is not None:
            lines.append(self.before.said)
        lines.append(_("Click to put it into the sentence."))
        return "\n".join(lines)

    @property
    def spoken(self) -> str:
        """What a screen reader says."""
        prediction = self.prediction
        said = [
            _(
                "Rank {rank}: {word}, {probability}",
                rank=str(prediction.rank),
                word=self.word,
                probability=in_digits(prediction.probability),
            )
        ]
        if self.is_original:
            said.append(_("the original"))
        if self.change:
            said.append(_("{change} against the pinned answer", change=self.change))
        return ", ".join(said)


def rows_of(
    predictions: Sequence[Prediction],
    original: Prediction | None,
    before: Callable[[Prediction], Before] | None = None,
) -> tuple[Row, ...]:
    """Rows for a mask; the original is marked, or appended where it is not among them.

    Args:
        predictions: Most probable first.
        original: The word under the mask, or None.
        before: What the pinned answer says of a word; None where nothing is pinned.
    """

    def then(one: Prediction) -> Before | None:
        return before(one) if before is not None else None

    rows = [Row(p, p.is_same(original), before=then(p)) for p in predictions]
    if original is not None and not any(row.is_original for row in rows):
        rows.append(Row(original, is_original=True, apart=True, before=then(original)))
    return tuple(rows)
