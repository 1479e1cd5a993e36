"""A corrupted and judged sentence as rows: a token each, through every step of the loop."""

from dataclasses import dataclass

from explorer.api.question import Prediction, Token
from explorer.numerics.evaluation.outcomes import Outcome, outcome
from explorer.questions.detection.replaced_tokens.question import ChosenToken, ReplacedTokensResult
from explorer.questions.detection.wording import EXPLAINED, NAMES, shown_piece
from explorer.text import _
from explorer.text.bidi import isolated
from explorer.text.formatting.numbers import signed, with_minus
from explorer.text.formatting.probabilities import in_digits

SHOWN = 5
"""Proposals that are drawn; what was drawn and what stood there are added where they are not
among them."""


@dataclass(frozen=True)
class Proposal:
    """One line of the generator's distribution.

    Attributes:
        prediction: The piece and its probability.
        was_drawn: It stands in the corrupted sentence.
        was_original: It stood in the sentence.
    """

    prediction: Prediction
    was_drawn: bool
    was_original: bool

    @property
    def word(self) -> str:
        """As it is drawn; pieces inside a word keep their marks."""
        return shown_piece(self.prediction.token)

    def told(self) -> str:
        """What its tooltip tells."""
        one = self.prediction
        lines = [
            _(
                "{word}: rank {rank}, probability {chance}",
                word=self.word,
                rank=one.rank,
                chance=in_digits(one.probability),
            )
        ]
        if self.was_original:
            lines.append(_("It was in the sentence."))
        if self.was_drawn:
            lines.append(_("It is in the corrupted sentence."))
        else:
            lines.append(_("Click to put it into the corrupted sentence."))
        return "\n".join(lines)


@dataclass(frozen=True)
class LoopRow:
    """One token's way.

    Attributes:
        position: In the discriminator's input.
        token: What stands there now, with the characters of the user's text.
        original: What stood there; "" for a piece that a longer word added.
        corrupted: What stands there now.
        masked: The generator did not see it.
        by_user: The user put a word there.
        proposals: The generator's, most probable first.
        loss: The generator's for what stood there, in nats; None where it was not asked.
        probability: That it was replaced, as the discriminator says.
        logit: Before the sigmoid.
        replaced: What is true.
        special: The model put it there.
        pinned: The probability of the same place in the pinned answer, or None.
    """

    position: int
    token: Token
    original: str
    corrupted: str
    masked: bool
    by_user: bool
    proposals: tuple[Proposal, ...]
    loss: float | None
    probability: float
    logit: float
    replaced: bool
    special: bool
    pinned: float | None = None

    @property
    def was_guessed(self) -> bool:
        """It was chosen, and the same token was put there again."""
        return (self.masked or self.by_user) and not self.replaced

    def verdict(self, threshold: float) -> Outcome:
        """The outcome at a threshold."""
        return outcome(self.probability, self.replaced, threshold)

    def verdict_said(self, threshold: float) -> str:
        """The outcome in words; of an original that is not doubted, what it is."""
        said = self.verdict(threshold)
        if said is not Outcome.CORRECT_REJECTION:
            return _(NAMES[said])
        return _("guessed right") if self.was_guessed else _("original")

    def spoken(self, threshold: float) -> str:
        """What a screen reader says."""
        said = [isolated(self.corrupted)]
        if self.replaced and self.original:
            said.append(_("in place of {word}", word=self.original))
        elif self.replaced:
            said.append(_("added"))
        elif self.was_guessed:
            said.append(_("guessed right"))
        said.append(_("replaced with probability {chance}", chance=f"{self.probability:.2f}"))
        if not self.special:
            said.append(_(NAMES[self.verdict(threshold)]))
        return ", ".join(said)

    def told(self, threshold: float) -> str:
        """What its tooltip tells."""
        lines = [
            _(
                "{word}: replaced with probability {chance} (logit {logit})",
                word=self.corrupted,
                chance=in_digits(self.probability),
                logit=with_minus(self.logit, 2),
            )
        ]
        if self.replaced and self.original:
            lines.append(_("In truth it replaces {word}.", word=self.original))
        elif self.replaced:
            lines.append(_("In truth there was nothing in its place."))
        elif self.was_guessed:
            lines.append(_("The same token was put there again, so it counts as original."))
        if not self.special:
            lines.append(_(EXPLAINED[self.verdict(threshold)]))
        if self.loss is not None:
            lines.append(
                _(
                    "Generator's loss for {word}: {loss} nats",
                    word=self.original,
                    loss=f"{self.loss:.2f}",
                )
            )
        if self.pinned is not None:
            lines.append(
                _(
                    "Pinned: {pinned}, now {change}",
                    pinned=in_digits(self.pinned),
                    change=signed(self.probability - self.pinned, 3),
                )
            )
        if not self.special:
            lines.append(_("Double-click the corrupted word to type another one."))
        return "\n".join(lines)


def pinned_of(
    result: ReplacedTokensResult, baseline: ReplacedTokensResult | None
) -> tuple[float | None, ...]:
    """The pinned answer's probabilities where it is of the same sentence, token for token."""
    if baseline is None or baseline.original != result.original:
        return (None,) * len(result.tokens)
    return baseline.probability


def made_from(result: ReplacedTokensResult) -> tuple[str, ...]:
    """The sentence as the discriminator read it, for a caption."""
    pieces = (shown_piece(token.text) for token in result.tokens if not token.special)
    return (_("Corrupted: “{text}”.", text=" ".join(pieces)),)


def rows_of(
    result: ReplacedTokensResult, baseline: ReplacedTokensResult | None = None
) -> tuple[LoopRow, ...]:
    """A row for every token, in order; with a pinned answer, each knows what that said."""
    pinned = pinned_of(result, baseline)
    chosen = {choice.position: choice for choice in result.chosen}
    rows: list[LoopRow] = []
    for i, token in enumerate(result.tokens):
        choice = chosen.get(i)
        rows.append(
            LoopRow(
                position=i,
                token=token,
                original=shown_piece(result.original[i]) if result.original[i] else "",
                corrupted=shown_piece(token.text),
                masked=choice is not None and bool(choice.proposals),
                by_user=choice is not None and not choice.drawn,
                proposals=() if choice is None else _proposals(choice),
                loss=None if choice is None else choice.loss,
                probability=result.probability[i],
                logit=result.logits[i],
                replaced=result.truth[i],
                special=token.special,
                pinned=pinned[i],
            )
        )
    return tuple(rows)


def _proposals(choice: ChosenToken) -> tuple[Proposal, ...]:
    listed = list(choice.proposals[:SHOWN])
    for extra in (choice.sampled, choice.original):
        if extra is not None and not any(one.id == extra.id for one in listed):
            listed.append(extra)
    listed.sort(key=lambda one: one.rank)
    return tuple(
        Proposal(
            one,
            was_drawn=choice.sampled is not None and one.id == choice.sampled.id,
            was_original=choice.original is not None and one.id == choice.original.id,
        )
        for one in listed
    )
