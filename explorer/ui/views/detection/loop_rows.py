"""A corrupted and judged sentence as rows: a token each, through every step of the loop."""

from dataclasses import dataclass

from explorer.api import Prediction, Token
from explorer.numerics.outcomes import Outcome, outcome
from explorer.questions.detection.replaced_tokens.question import Choice, DetectReplacedResult
from explorer.ui.sentence.pieces import readable, visible
from explorer.ui.widgets.bar_rows import in_digits

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
        words = f"{self.word}: rank {one.rank}, probability {in_digits(one.probability)}"
        if self.was_original:
            words += "\nIt stood in the sentence."
        if self.was_drawn:
            return f"{words}\nIt stands in the corrupted sentence."
        return f"{words}\nClick to put it into the corrupted sentence."


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

    def spoken(self, threshold: float) -> str:
        """What a screen reader says."""
        said = [self.corrupted]
        if self.replaced:
            said.append(f"in the place of {self.original}" if self.original else "added")
        elif self.was_guessed:
            said.append("guessed right")
        said.append(f"replaced with probability {self.probability:.2f}")
        if not self.special:
            said.append(self.verdict(threshold).value)
        return ", ".join(said)

    def told(self, proposal: int | None = None) -> str:
        """What its tooltip tells, or that of one of its proposals."""
        if proposal is not None:
            return self.proposals[proposal].told()
        chance = in_digits(self.probability)
        lines = [f"{self.corrupted}: replaced with probability {chance} (logit {self.logit:.2f})"]
        if self.replaced:
            lines.append(f"In truth it stands in the place of {self.original or 'nothing'}.")
        elif self.was_guessed:
            lines.append("The same token was put there again, so it counts as original.")
        if self.loss is not None:
            lines.append(f"Generator's loss for {self.original}: {self.loss:.2f} nats")
        if self.pinned is not None:
            lines.append(
                f"Pinned: {in_digits(self.pinned)}, now {self.probability - self.pinned:+.3f}"
            )
        if not self.special:
            lines.append("Double-click the corrupted word to type another one.")
        return "\n".join(lines)


def shown_piece(piece: str) -> str:
    """A piece for people; one inside a word keeps the mark that says so."""
    return piece if piece.startswith("##") else visible(readable(piece)) or piece


def pinned_of(
    result: DetectReplacedResult, baseline: DetectReplacedResult | None
) -> tuple[float | None, ...]:
    """The pinned answer's probabilities where it is of the same sentence, token for token."""
    if baseline is None or baseline.original != result.original:
        return (None,) * len(result.tokens)
    return baseline.probability


def rows_of(
    result: DetectReplacedResult, baseline: DetectReplacedResult | None = None
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


def _proposals(choice: Choice) -> tuple[Proposal, ...]:
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
