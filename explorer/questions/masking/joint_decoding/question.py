"""Which words does this model expect at several masks together, rather than at each alone?"""

import enum
import math
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from explorer.api.question import (
    BESIDE,
    MODEL,
    NOTHING_LOADED,
    TOKENS,
    Answered,
    Choice,
    Entry,
    Items,
    LeftOut,
    Listing,
    Loaded,
    MaskPredictions,
    ModelCard,
    ModelStamp,
    Prediction,
    Predictor,
    Question,
    ReadsEntities,
    Table,
    Token,
    Topic,
    UserMistake,
    a_mask,
    a_text,
    asked,
    check_text,
    column,
    spaces_stay_visible,
)
from explorer.document import MASK_LITERAL, Document, Mask
from explorer.exact_answers.asking import exactly_at_masks
from explorer.questions.reading_time import takes_long, tokens_about
from explorer.text import N_, Phrase
from explorer.text.formatting.probabilities import in_digits
from explorer.text.phrase import NOTHING
from explorer.text.pieces import visible

WIDEST_BEAM = 256
"""Fillings that a beam may keep; each is read again at every mask."""
MANY = 200
"""Masks above which it waits with the smallest model too: ten thousand take it a minute."""


class DecodingMethod(enum.StrEnum):
    """How several masks are filled."""

    INDEPENDENT = "independent"
    LEFT_TO_RIGHT = "left_to_right"
    CONFIDENT = "confident"
    BY_HAND = "by_hand"
    BEAM = "beam"


METHOD = Choice(
    N_("Method"),
    DecodingMethod.BEAM.value,
    entries=(
        Entry(
            DecodingMethod.BEAM.value,
            N_("Beam search"),
            N_("Keeps the most probable fillings while it goes from mask to mask."),
        ),
        Entry(
            DecodingMethod.LEFT_TO_RIGHT.value,
            N_("Left to right"),
            N_("Fills the first mask with its best word, looks again, and fills the next."),
        ),
        Entry(
            DecodingMethod.CONFIDENT.value,
            N_("Surest first"),
            N_("Fills the mask whose best word is most probable, looks again, and so on."),
        ),
        Entry(
            DecodingMethod.BY_HAND.value,
            N_("By hand"),
            N_("Click the masks below in the order in which they shall be filled."),
        ),
        Entry(
            DecodingMethod.INDEPENDENT.value,
            N_("Each alone"),
            N_("Takes every mask by itself, as the model does when it is asked once."),
        ),
    ),
)


def _order(chosen: Iterable[Any]) -> tuple[int, ...]:
    """Numbers of masks, each once; what is none is left out."""
    return tuple(dict.fromkeys(one for one in chosen if type(one) is int and one >= 0))


@dataclass(frozen=True)
class JointDecodingRequest(ReadsEntities):
    """Ask for whole fillings.

    Attributes:
        method: INDEPENDENT takes every mask alone; LEFT_TO_RIGHT, CONFIDENT (the most certain
            mask first) and BY_HAND (in `order`) take the best piece at one mask after the other;
            BEAM keeps the `width` most probable fillings while it goes through `order`.
        order: Numbers of masks (0 for the first in the text) in the order they are filled, for
            BY_HAND and BEAM; masks that are not named follow in the order of the text.
        top_k: Fillings asked for, and words shown at every step.
    """

    text: str
    pair: str | None = None
    masks: tuple[Mask, ...] = ()
    method: DecodingMethod = asked(METHOD, made=DecodingMethod)
    order: tuple[int, ...] = asked(
        Items(
            N_("Order of the masks"),
            (),
            N_(
                "Numbers of masks, 0 for the first in the text, in the order in which they are "
                "filled"
            ),
            in_bar=False,
        ),
        made=_order,
    )
    width: int = asked(
        Choice(
            N_("Beam"),
            8,
            N_("Beam search: how many fillings are kept at every mask, the most probable ones."),
            entries=tuple(Entry(width, str(width)) for width in (1, 4, 8, 16, 32)),
            beside=True,
            is_open=True,
            idle=lambda document: (
                ""
                if METHOD.of(document) == DecodingMethod.BEAM
                else N_("Only a beam search has a width.")
            ),
        ),
        made=lambda width: width if 1 <= width <= WIDEST_BEAM else 8,
    )
    top_k: int = 10

    @classmethod
    def fields_of(cls, document: Any, loaded: Loaded = NOTHING_LOADED) -> dict[str, Any]:
        """An order that was clicked is that of BY_HAND alone: another method forgets it."""
        found = super().fields_of(document, loaded)
        return found if found["method"] is DecodingMethod.BY_HAND else {**found, "order": ()}


@dataclass(frozen=True)
class Filling:
    """A piece (of T5, a span) at every mask.

    Attributes:
        words: What stands in each gap, as a person writes it.
        chosen: The piece at each mask, with its probability and rank when it was filled.
        alone: The same pieces with their probability and rank while everything was masked; empty
            for a model that cannot see behind a mask.
        log_joint: Sum of the logarithms of `chosen`'s probabilities, in nats: the filling's joint
            log-probability in the result's order.
        log_independent: The same sum for `alone`: what the filling would have if the masks had
            nothing to do with each other. None where `alone` is empty.
    """

    words: tuple[str, ...]
    chosen: tuple[Prediction, ...]
    alone: tuple[Prediction, ...]
    log_joint: float
    log_independent: float | None


@dataclass(frozen=True)
class FillingStep:
    """One mask of the best filling being filled.

    Attributes:
        mask: Its number.
        predictions: The top k the model saw at that moment, most probable first.
        entropy: Of that distribution, in nats.
        entropy_alone: While everything was masked; None where the model cannot say.
        kl: KL(p at that moment || p while everything was masked), in nats, over the whole
            vocabulary.
        total_variation: Half the sum of |p - q| over the vocabulary, 0 to 1: the share of the
            belief that moved.
    """

    mask: int
    predictions: tuple[Prediction, ...]
    entropy: float
    entropy_alone: float | None
    kl: float | None
    total_variation: float | None


@dataclass(frozen=True)
class Dependence:
    """How the second mask of the order depends on what stands at the first.

    Attributes:
        first: Number of the mask that is filled first.
        second: Of the one that is filled second.
        rows: The most probable pieces at the first, everything masked.
        columns: Pieces at the second that matter, with their probability while everything was
            masked.
        given: p(column at the second | row at the first), float32, rows x columns.
        joint: p(row) p(column | row), float32, rows x columns.
        independent: p(row) p(column), float32, rows x columns.
        kl: For each row, KL(p(second | row) || p(second)) in nats, over the whole vocabulary,
            float32.
        total_variation: For each row, half the sum of |p(second | row) - p(second)|, float32.
    """

    first: int
    second: int
    rows: tuple[Prediction, ...]
    columns: tuple[Prediction, ...]
    given: NDArray[np.float32]
    joint: NDArray[np.float32]
    independent: NDArray[np.float32]
    kl: NDArray[np.float32]
    total_variation: NDArray[np.float32]


@dataclass(frozen=True)
class JointDecodingResult:
    """Whole fillings, and what each mask alone would have said.

    Attributes:
        model: Who predicts.
        tokens: The input as the model saw it, everything masked.
        method: As asked.
        order: Numbers of the masks in the order in which they were filled, here and in every
            joint probability of this result.
        gaps: Numbers of the masks of each gap: the pieces of one word, or a mask by itself.
        alone: What the model expects at every mask while all are masked, as `masked_tokens`
            answers; empty for a model that sees only what stands before a mask.
        independent: The best piece of every mask alone, put together; None where `alone` is empty.
        fillings: What the method found, most probable first.
        steps: How the first of them was filled, in the result's order.
        dependence: Of the second mask on the first; None with a single mask, or where the model
            cannot say.
        left_out: What did not fit, or None.
        note: What must be known of how the model fills masks; "" where there is nothing to say.
    """

    model: ModelStamp
    tokens: tuple[Token, ...]
    method: DecodingMethod
    order: tuple[int, ...]
    gaps: tuple[tuple[int, ...], ...]
    alone: tuple[MaskPredictions, ...]
    independent: Filling | None
    fillings: tuple[Filling, ...]
    steps: tuple[FillingStep, ...]
    dependence: Dependence | None = None
    left_out: LeftOut | None = None
    note: Phrase = NOTHING

    @property
    def positions(self) -> tuple[int, ...]:
        """Index of each mask in the input."""
        return tuple(i for i, token in enumerate(self.tokens) if token.masked)


def check(request: JointDecodingRequest) -> None:
    """Refuse what can't be answered by any model.

    Raises:
        UserMistake: The text is empty, or nothing is asked for.
    """
    check_text(request.text)
    if request.top_k < 1 or request.width < 1:
        raise UserMistake(
            N_("At least one filling must be asked for."), N_("Choose top k and width from 1 on.")
        )
    if request.width > WIDEST_BEAM:
        raise UserMistake(
            N_("{width} is too wide: a beam keeps at most {widest_beam} fillings."),
            N_("Choose a narrower one."),
            width=request.width,
            widest_beam=WIDEST_BEAM,
        )


@dataclass(frozen=True)
class FillingRow:
    """A mask of a filling."""

    method: str = column(N_("method"), compared=False)
    rank: int = column(N_("rank"))
    filling: str = column(N_("filling"), key=True)
    log_joint: float = column(N_("log-probability"), unit=N_("nats"), digits=3)
    joint: float = column(N_("probability"), written=in_digits)
    log_independent: float | None = column(N_("of each alone"), unit=N_("nats"), digits=3)
    mask: int = column(N_("mask"), compared=False)
    position: int = column(N_("position"), key=True, place=TOKENS)
    gap: int = column(N_("gap"), compared=False)
    step: int | None = column(N_("step"), compared=False)
    word: str = column(N_("word"), compared=False)
    token: str = column(N_("token"), written=visible, compared=False)
    id: int = column(N_("id"), compared=False)
    probability: float = column(N_("probability then"), written=in_digits)
    rank_then: int = column(N_("rank then"))
    probability_alone: float | None = column(N_("probability alone"), written=in_digits)
    rank_alone: int | None = column(N_("rank alone"))


def table(result: JointDecodingResult) -> Table:
    """One row a mask of a filling; the filling of each mask alone comes last, as rank 0."""
    fillings = [(rank, one) for rank, one in enumerate(result.fillings, start=1)]
    if result.independent is not None:
        fillings.append((0, result.independent))
    when = {mask: step for step, mask in enumerate(result.order, start=1)}
    gap_of = {mask: number for number, gap in enumerate(result.gaps) for mask in gap}
    positions = result.positions
    rows = []
    for rank, filling in fillings:
        for mask, chosen in enumerate(filling.chosen):
            alone = filling.alone[mask] if filling.alone else None
            rows.append(
                FillingRow(
                    "alone" if rank == 0 else result.method.value,
                    rank,
                    " | ".join(filling.words),
                    filling.log_joint,
                    math.exp(filling.log_joint),
                    filling.log_independent,
                    mask,
                    positions[mask],
                    gap_of[mask],
                    when[mask],
                    chosen.word,
                    chosen.token,
                    chosen.id,
                    chosen.probability,
                    chosen.rank,
                    alone.probability if alone is not None else None,
                    alone.rank if alone is not None else None,
                )
            )
    return Table.of(FillingRow, rows)


COLUMN_TITLES = {
    "filling": N_("filling"),
    "log_joint": N_("log p together"),
    "log_independent": N_("log p as if independent"),
    "each_alone": N_("each alone"),
    "log_joint_each_alone": N_("log p together of each alone"),
    "same": N_("the same"),
}
"""What the columns of the summary are called on screen; in files they keep their names."""


def summary(result: JointDecodingResult) -> dict[str, str | int | float | bool | None]:
    """The best filling in one row."""
    best, alone = result.fillings[0], result.independent
    return {
        "filling": " | ".join(best.words),
        "log_joint": best.log_joint,
        "log_independent": best.log_independent,
        "each_alone": " | ".join(alone.words) if alone is not None else None,
        "log_joint_each_alone": alone.log_joint if alone is not None else None,
        "same": best.words == alone.words if alone is not None else None,
    }


def waits(document: Document, card: ModelCard, _answered: Answered | None) -> bool:
    """Every mask is read again for each filling that is kept, with the whole text around it."""
    texts = (document.text, document.pair or "")
    masks = len(document.masks) + sum(text.count(MASK_LITERAL) for text in texts)
    request = JointDecodingRequest.of(document)
    kept = request.width if request.method is DecodingMethod.BEAM else 1
    passes = 1 if request.method is DecodingMethod.INDEPENDENT else masks * kept
    return masks > MANY or takes_long(card, tokens_about(document) * passes)


QUESTION = Question(
    name="joint_decoding",
    title=N_("Joint decoding"),
    asks=N_("Which words fit several masks together, and not each alone?"),
    listing=Listing(Topic.PREDICT, 2, "set-center", "Alt+2", in_overview=20),
    found_by=(
        "several masks",
        "mask-predict",
        "beam search",
        "joint probability",
        "여러 마스크",
        "결합 확률",
        "빔 서치",
    ),
    request=JointDecodingRequest,
    result=JointDecodingResult,
    table=table,
    summary=summary,
    column_titles=COLUMN_TITLES,
    roles={MODEL: (Predictor,)},
    options=(BESIDE,),
    conditions=(
        a_text(N_("Type a sentence, then click two words to mask them.")),
        a_mask(
            N_(
                "Click two or more words to mask them: a model fills each mask without a look at "
                "the others, and here you see what it would say if it looked."
            )
        ),
    ),
    is_expensive=waits,
    waiting_hint=N_(
        "So many masks, filled together, take this model a while. Press Run to see which words "
        "fit them all."
    ),
    beside=exactly_at_masks,
    upgrades=(spaces_stay_visible,),
    formerly=("fill_jointly",),
)
