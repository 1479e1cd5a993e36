"""Is a model's first word right as often as the model says, over a text and over a file?"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from explorer.api.question import (
    MODEL,
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
from explorer.document import Document
from explorer.questions.masking.calibration import pooling
from explorer.questions.masking.hiding import HIDING, ScoringMethod
from explorer.questions.reading_time import takes_long, tokens_about
from explorer.text import N_
from explorer.text.formatting.probabilities import in_digits
from explorer.text.pieces import visible

METHOD = replace(HIDING, key="calibration.method")


@dataclass(frozen=True)
class CalibrationRequest(ReadsEntities):
    """Ask for the first word at every token, and whether it is the one that is there."""

    text: str
    pair: str | None = None
    method: ScoringMethod = asked(METHOD, made=ScoringMethod, also=(ScoringMethod.LEFT_TO_RIGHT,))


@dataclass(frozen=True)
class JudgedToken:
    """A token, and the model's first word in its place.

    Attributes:
        position: Index in the input.
        word_class: As `word_classes.py` has it.
        confidence: The probability of the first word.
        first: That word, as a person writes it.
        is_right: It is the token that is there.
        probability: Of the token that is there.
    """

    position: int
    word_class: str
    confidence: float
    first: str
    is_right: bool
    probability: float


@dataclass(frozen=True)
class CalibrationResult:
    """Every token of a text, and the model's first word in its place.

    Attributes:
        model: Who predicts.
        tokens: The input.
        method: What was hidden with a token.
        places: In the order of the input; special, unknown and typed mask tokens have none.
        left_out: What did not fit, or None.
    """

    model: ModelStamp
    tokens: tuple[Token, ...]
    method: ScoringMethod
    places: tuple[JudgedToken, ...]
    left_out: LeftOut | None = None

    @property
    def pooled(self) -> pooling.PooledCalibration:
        """What all of them say together."""
        found = pooling.gather([tuple(kept(self).values())])
        assert found is not None
        return found


@dataclass(frozen=True)
class JudgedWordRow:
    """A token, and the model's first word in its place."""

    position: int = column(N_("position"), key=True, place=TOKENS, shown=False)
    token: str = column(N_("token"), written=visible, compared=False)
    word_class: str = column(N_("class"), compared=False)
    confidence: float = column(N_("confidence"), written=in_digits)
    first: str = column(N_("likeliest word"))
    right: bool = column(N_("right"))
    probability: float = column(N_("probability"), written=in_digits)


def table(result: CalibrationResult) -> Table:
    """One row a token."""
    rows = (
        JudgedWordRow(
            one.position,
            result.tokens[one.position].text,
            one.word_class,
            one.confidence,
            one.first,
            one.is_right,
            one.probability,
        )
        for one in result.places
    )
    return Table.of(JudgedWordRow, [*rows])


def kept(result: CalibrationResult) -> Mapping[str, Cell]:
    """What a row of a file keeps of its tokens."""
    return pooling.place_cells(
        (one.confidence, one.is_right, one.word_class) for one in result.places
    )


def summary(result: CalibrationResult) -> Mapping[str, Cell]:
    """The text in one row."""
    found = result.pooled.whole.found
    return {
        "tokens": found.count,
        "accuracy": found.accuracy,
        "confidence": found.confidence,
        "calibration_error": found.error,
    }


def waits(document: Document, card: ModelCard, _answered: Answered | None) -> bool:
    """A long text in a large model takes many passes."""
    tokens = tokens_about(document)
    return takes_long(card, tokens * tokens)


QUESTION: Question[Any, Any] = Question(
    name="calibration",
    title=N_("Calibration"),
    asks=N_("Is a model's first word right as often as the model says?"),
    listing=Listing(Topic.PREDICT, 9, "chart-bell-curve-cumulative"),
    found_by=(
        *("reliability curve", "reliability diagram", "ECE", "expected calibration error"),
        *("confidence", "overconfidence", "too sure"),
        *("신뢰도 곡선", "보정 오차", "과신", "확신"),
    ),
    request=CalibrationRequest,
    result=CalibrationResult,
    run=computed(__name__),
    parts=made_of(__name__),
    table=table,
    summary=summary,
    column_titles=pooling.TITLES,
    headline=stated(__name__),
    sort_by="calibration_error",
    pool=Pool(
        kept,
        pooling.COLUMNS,
        pooling.gather,
        pooling.told,
        table=pooling.table,
        parts=pooling.parts,
    ),
    about=N_(
        "Every token is hidden in turn, or read from the left. The confidence is the probability "
        "of the model's first word; it is right where that is the word of the text. The expected "
        "calibration error (Guo et al. 2017) is the mean distance of the two, in bins of equal "
        "width, each by its tokens. A text alone has too few tokens: ask of a file. Where words "
        "have exact probabilities, “Exact answers” over a file draws the same curve against these."
    ),
    is_expensive=waits,
    waiting_hint=N_(
        "Every token of the sentence is hidden in turn, which takes this model a while. Press "
        "Run to see whether its first words are right as often as it says."
    ),
    lifts_masks=N_("The masks of the sentence are lifted here: every token is judged."),
    roles={MODEL: (Predictor,)},
    options=(METHOD,),
    conditions=(
        a_text(N_("Type a sentence to see how sure the model is of its words, and how right.")),
    ),
)
