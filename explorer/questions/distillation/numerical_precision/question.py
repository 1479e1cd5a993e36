"""What does a model lose by coarser numbers: at each token, over a text and over a file?"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from explorer.api.question import (
    REFERENCE,
    ROUNDED,
    SLOTS,
    TOKENS,
    Answered,
    Cell,
    LeftOut,
    Listing,
    ModelCard,
    ModelStamp,
    Pool,
    Predictor,
    Question,
    ReadsEntities,
    Table,
    Token,
    Topic,
    a_text,
    asked,
    column,
    computed,
    made_of,
    stated,
)
from explorer.api.question.roles import Options, RoleBinding
from explorer.document import Document
from explorer.questions.distillation.numerical_precision import pooling
from explorer.questions.masking.hiding import HIDING, ScoringMethod
from explorer.questions.reading_time import takes_long, tokens_about
from explorer.text import N_
from explorer.text.formatting.probabilities import in_digits
from explorer.text.pieces import visible

NAME = "numerical_precision"
METHOD = replace(HIDING, key="numerical_precision.method")
WIDTHS: Mapping[str, int] = {"nf4": 4, "int8": 8, "float16": 16, "bfloat16": 16, "float32": 32}
"""Bits of the numbers that most weights are, by what stamps call them."""


@dataclass(frozen=True)
class NumericalPrecisionRequest(ReadsEntities):
    """Ask two models of one vocabulary for every token of a text.

    A model that was trained on masks has every token hidden in turn; one that reads from the left
    gives the next token at each place.
    """

    text: str
    pair: str | None = None
    method: ScoringMethod = asked(METHOD, made=ScoringMethod, also=(ScoringMethod.LEFT_TO_RIGHT,))


@dataclass(frozen=True)
class TokenPrecision:
    """What is predicted where a token is, by both models.

    Attributes:
        position: Of the token, in the input.
        divergence: KL(reference || rounded) over the whole vocabulary, in nats.
        difference: The largest distance between the two log-probabilities of a piece, in nats:
            between their logits, each less the logarithm of the sum that its softmax divides by,
            so that a constant added to all logits is no difference.
        piece: The one with that distance.
        log_probability: Of the token that is there, for the reference, in nats.
        rounded_log_probability: The same, for the other one.
        first: The reference's likeliest piece, as a person writes it.
        rounded_first: The other one's.
        is_flipped: They are two pieces.
    """

    position: int
    divergence: float
    difference: float
    piece: str
    log_probability: float
    rounded_log_probability: float
    first: str
    rounded_first: str
    is_flipped: bool

    @property
    def change(self) -> float:
        """By how much the token's surprisal grows, in nats."""
        return self.log_probability - self.rounded_log_probability


@dataclass(frozen=True)
class NumericalPrecisionResult:
    """Both models at every token.

    Attributes:
        model: The reference.
        other: The model of the coarser numbers.
        tokens: The input, which is the same for both.
        places: In the order of the input; special, unknown and typed mask tokens have none.
        left_out: What did not fit, or None.
    """

    model: ModelStamp
    other: ModelStamp
    tokens: tuple[Token, ...]
    places: tuple[TokenPrecision, ...]
    left_out: LeftOut | None = None

    @property
    def pooled(self) -> pooling.PooledPrecision:
        """What all places say together."""
        found = pooling.gather([tuple(kept(self).values())])
        assert found is not None
        return found


@dataclass(frozen=True)
class PrecisionRow:
    """A token, and what coarser numbers make of it."""

    position: int = column(N_("position"), key=True, place=TOKENS, shown=False)
    token: str = column(N_("token"), written=visible, compared=False)
    divergence: float = column(N_("KL"), unit=N_("nats"), digits=6)
    difference: float = column(
        N_("largest logit difference"), unit=N_("nats"), digits=4, dispensable=True
    )
    piece: str = column(N_("at piece"), written=visible, compared=False, dispensable=True)
    probability: float = column(N_("probability"), written=in_digits, dispensable=True)
    rounded_probability: float = column(N_("rounded"), written=in_digits, dispensable=True)
    first: str = column(N_("first"), written=visible, dispensable=True)
    rounded_first: str = column(N_("first, rounded"), written=visible, dispensable=True)
    flipped: bool = column(N_("flipped"), shown=False)


def row_of(result: NumericalPrecisionResult, one: TokenPrecision) -> PrecisionRow:
    """A token's row."""
    return PrecisionRow(
        one.position,
        result.tokens[one.position].text,
        one.divergence,
        one.difference,
        one.piece,
        math.exp(one.log_probability),
        math.exp(one.rounded_log_probability),
        one.first,
        one.rounded_first,
        one.is_flipped,
    )


def table(result: NumericalPrecisionResult) -> Table:
    """One row a token."""
    return Table.of(PrecisionRow, [row_of(result, one) for one in result.places])


def kept(result: NumericalPrecisionResult) -> Mapping[str, Cell]:
    """What a row of a file keeps of its tokens."""
    return pooling.place_cells(
        (one.divergence, one.difference, one.change, float(one.is_flipped)) for one in result.places
    )


def summary(result: NumericalPrecisionResult) -> Mapping[str, Cell]:
    """The text in one row."""
    found = result.pooled
    return {
        "tokens": found.tokens,
        "divergence": found.divergence.mean,
        "flips": found.flips,
        "difference": found.difference,
        "change": found.change.mean,
    }


COLUMN_TITLES = {
    "tokens": N_("tokens"),
    "divergence": N_("KL a token, nats"),
    "flips": N_("flips"),
    "difference": N_("largest logit difference"),
    "change": N_("change of surprisal, nats"),
    "texts": N_("texts"),
    "divergence_low": N_("KL, lower end"),
    "divergence_high": N_("KL, upper end"),
    "flip_rate": N_("share of flips"),
    "flip_rate_low": N_("share of flips, lower end"),
    "flip_rate_high": N_("share of flips, upper end"),
    "change_low": N_("change, lower end"),
    "change_high": N_("change, upper end"),
}
"""What the columns of the summary are called on screen; in files they keep their names."""


def casting(cards: Mapping[str, ModelCard], _active: str, _document: Options) -> RoleBinding:
    """The model with the wider numbers is the reference; of two alike, that in A."""
    ranked = sorted(SLOTS, key=lambda slot: -width_of(cards[slot].stamp) if slot in cards else 0)
    return dict(zip((REFERENCE, ROUNDED), ranked, strict=True))


def width_of(stamp: ModelStamp) -> int:
    """Bits of the numbers that most weights are."""
    return WIDTHS.get(stamp.dtype.partition(" ")[0], 0)


def waits(document: Document, card: ModelCard, _answered: Answered | None) -> bool:
    """A long text in a large model takes many passes."""
    tokens = tokens_about(document)
    return takes_long(card, 2 * tokens * tokens)


QUESTION: Question[Any, Any] = Question(
    name=NAME,
    title=N_("Numerical precision"),
    asks=N_("What does a model lose by coarser numbers, such as bfloat16, 8 bit or a GGUF file?"),
    listing=Listing(Topic.COMPARE, 5, "decimal-decrease"),
    found_by=(
        *("quantisation", "rounding", "bfloat16", "float16", "8 bit", "4 bit"),
        *("GGUF", "precision loss", "KL a token", "flips"),
        *("양자화", "반올림", "수치 정밀도", "8비트", "정밀도 비교"),
    ),
    request=NumericalPrecisionRequest,
    result=NumericalPrecisionResult,
    run=computed(__name__),
    parts=made_of(__name__),
    table=table,
    summary=summary,
    column_titles=COLUMN_TITLES,
    headline=stated(__name__),
    sort_by="divergence",
    pool=Pool(kept, pooling.COLUMNS, pooling.gather, pooling.told, parts=pooling.parts),
    about=N_(
        "Every token is hidden in turn, or read from the left, and both models say what is there. "
        "KL(reference ‖ rounded) is how far the whole distribution moves; a flip is a place where "
        "another piece becomes the likeliest. Logits count less the logarithm of the sum that the "
        "softmax divides by, so that a constant added to all of them is no difference."
    ),
    second_model_hint=N_(
        "Load the same model as A and as B, then choose a number type for one of them: a right "
        "click on its name, Number type."
    ),
    is_expensive=waits,
    waiting_hint=N_(
        "Every token of the sentence is hidden in turn in both models, which takes a while. Press "
        "Run to see what coarser numbers change."
    ),
    lifts_masks=N_(
        "The masks of the sentence are lifted here: both models are asked at every token."
    ),
    roles=dict.fromkeys((REFERENCE, ROUNDED), (Predictor,)),
    binding=casting,
    options=(METHOD,),
    conditions=(
        a_text(N_("Type a sentence to see what coarser numbers change of its predictions.")),
    ),
)
