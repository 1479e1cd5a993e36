"""Predictions before and after something in a model was changed."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from explorer.api.question.parts.part import Part
from explorer.api.question.rows.rows import TOKENS, Cell, Table, column
from explorer.api.tokens import LeftOut, Token
from explorer.text import N_, Phrase
from explorer.text.formatting.probabilities import in_digits
from explorer.text.phrase import NOTHING


@dataclass(frozen=True)
class WordChange:
    """One word at one mask.

    Attributes:
        word: As a person writes it.
        token: As the tokenizer writes it.
        id: Its number in the vocabulary; of a span, its first piece's.
        before: Its probability.
        after: The same, switched off; None where a span was not found again.
        rank_before: 1 for the most probable.
        rank_after: The same, switched off.
        is_original: It is what stood under the mask.
    """

    word: str
    token: str
    id: int
    before: float | None
    after: float | None
    rank_before: int | None
    rank_after: int | None
    is_original: bool = False

    @property
    def change(self) -> float | None:
        """After minus before."""
        if self.before is None or self.after is None:
            return None
        return self.after - self.before


@dataclass(frozen=True)
class MaskChange:
    """What happened at one mask.

    Attributes:
        position: Index of the masked token in the input.
        words: The top k before and the top k after, and the original; the most probable before
            first.
        entropy_before: Of the whole distribution, in nats.
        entropy_after: The same, switched off.
    """

    position: int
    words: tuple[WordChange, ...]
    entropy_before: float
    entropy_after: float

    @property
    def best(self) -> tuple[WordChange, WordChange]:
        """The most probable word before, and after."""
        before = min(self.words, key=lambda one: one.rank_before or 10**9)
        return before, min(self.words, key=lambda one: one.rank_after or 10**9)


@dataclass(frozen=True)
class PredictionChanges:
    """A model's predictions before and after an intervention.

    Attributes:
        tokens: The input as the model saw it.
        masks: In the order of the input.
        replaced_before: A discriminator's probability that each token was replaced; None for
            models without such a head. Shape [tokens], float32.
        replaced_after: The same after the intervention.
        left_out: What did not fit, or None.
        note: What must be known of how the model saw the text.
    """

    tokens: tuple[Token, ...]
    masks: tuple[MaskChange, ...]
    replaced_before: NDArray[np.float32] | None = None
    replaced_after: NDArray[np.float32] | None = None
    left_out: LeftOut | None = None
    note: Phrase = NOTHING

    @property
    def most_moved(self) -> tuple[MaskChange, WordChange] | None:
        """The mask and the word whose probability changed most; None where no change is known."""
        moved = [
            (abs(one.change), mask, one)
            for mask in self.masks
            for one in mask.words
            if one.change is not None
        ]
        if not moved:
            return None
        _far, mask, word = max(moved, key=lambda one: one[0])
        return mask, word


@dataclass(frozen=True)
class ChangeRow:
    """A word at a mask before and after, or a token that a discriminator judges."""

    position: int = column(N_("position"), key=True, place=TOKENS)
    word: str = column(N_("word"), key=True)
    token: str = column(N_("token"))
    id: int = column(N_("id"), compared=False)
    before: float | None = column(N_("before"), written=in_digits)
    after: float | None = column(N_("after"), written=in_digits)
    change: float | None = column(N_("change"), digits=4)
    rank_before: int | None = column(N_("rank before"))
    rank_after: int | None = column(N_("rank after"))
    is_original: bool = column(N_("original"), compared=False)


@dataclass(frozen=True)
class Changed(Part):
    """What a model predicts at its masks before and after, or judges of its tokens.

    Attributes:
        changes: The predictions.
    """

    TITLES: ClassVar[Mapping[str, str]] = {
        "word_before": N_("word before"),
        "probability_before": N_("probability before"),
        "same_word_after": N_("the same word after"),
        "word_after": N_("word after"),
        "probability_after": N_("probability after"),
        "mean_change_replaced": N_("mean change of “replaced”"),
    }

    changes: PredictionChanges

    def table(self) -> Table:
        """One row a word, or for a discriminator a token."""
        changes = self.changes
        rows = [
            ChangeRow(
                *(mask.position, one.word, one.token, one.id, one.before, one.after, one.change),
                *(one.rank_before, one.rank_after, one.is_original),
            )
            for mask in changes.masks
            for one in mask.words
        ]
        before, after = changes.replaced_before, changes.replaced_after
        if before is not None and after is not None:
            both = zip(changes.tokens, before.tolist(), after.tolist(), strict=True)
            rows += [
                ChangeRow(n, "", one.text, one.id, was, now, now - was, None, None, False)
                for n, (one, was, now) in enumerate(both)
            ]
        return Table.of(ChangeRow, rows)

    def summary(self) -> Mapping[str, Cell]:
        """How much the first mask's prediction changed, or the discriminator's."""
        row: dict[str, Cell] = {}
        if self.changes.masks:
            before, after = self.changes.masks[0].best
            row |= {
                "word_before": before.word,
                "probability_before": before.before,
                "same_word_after": before.after,
                "word_after": after.word,
                "probability_after": after.after,
            }
        was, now = self.changes.replaced_before, self.changes.replaced_after
        if was is not None and now is not None:
            row["mean_change_replaced"] = float(abs(now - was).mean())
        return row


def verdict_of(changes: PredictionChanges | None) -> Phrase:
    """What an intervention did, in one line; nothing where nothing could be predicted."""
    said: list[Phrase] = []
    for mask in changes.masks if changes is not None else ():
        before, after = mask.best
        if before.before is None:
            continue
        values = {
            "word": before.word,
            "before": in_digits(before.before),
            "after": Phrase(N_("not found")) if before.after is None else in_digits(before.after),
        }
        if before is after:
            said.append(Phrase(N_("“{word}” {before} → {after}"), **values))
        else:
            code = N_("“{word}” {before} → {after}, first is now “{first}”")
            said.append(Phrase(code, **values, first=after.word))
    was = None if changes is None else changes.replaced_before
    now = None if changes is None else changes.replaced_after
    if was is not None and now is not None:
        far = in_digits(float(abs(now - was).mean()))
        code = N_("The chances that tokens were replaced move by {change} on average")
        said.append(Phrase(code, change=far))
    first, *more = said or [NOTHING]
    for one in more:
        first = Phrase(N_("{one}; {other}"), one=first, other=one)
    return first
