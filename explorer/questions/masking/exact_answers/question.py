"""What is exactly probable here, in the world that the miniatures were trained on?"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from explorer.api.question import (
    MODEL,
    TOKENS,
    Cell,
    Condition,
    Listing,
    ModelCard,
    Pool,
    Predictor,
    Question,
    SpanExtractor,
    Topic,
    a_mask,
    a_text,
    any_of,
    column,
    made_of,
    spaces_stay_visible,
)
from explorer.api.question.beside import beside, computed
from explorer.api.question.options.passage import question_of
from explorer.document import MASK_LITERAL
from explorer.exact_answers import NAME
from explorer.exact_answers.answers import ExactAnswersResult
from explorer.exact_answers.asking import EVERY, ExactAnswersRequest
from explorer.questions.masking.exact_answers import pooling
from explorer.questions.masking.exact_answers.reliability import pooled
from explorer.text import N_
from explorer.text.formatting.probabilities import in_digits
from explorer.text.pieces import visible


@dataclass(frozen=True)
class ExactRow:
    """A word at a place, as it is exact and as the model has it."""

    position: int = column(N_("position"), key=True, place=TOKENS)
    word: str = column(N_("word"), key=True)
    token: str = column(N_("token"), written=visible, compared=False)
    id: int | None = column(N_("id"), compared=False)
    exact: float = column(N_("exact"), written=in_digits)
    model: float = column(N_("model"), written=in_digits)
    rank: int = column(N_("rank"))
    is_original: bool = column(N_("original"), compared=False)
    exact_entropy: float = column(N_("exact entropy"), unit=N_("nats"), digits=3)
    divergence: float = column(N_("KL divergence"), unit=N_("nats"), digits=3)


def rows(result: ExactAnswersResult) -> Iterator[ExactRow]:
    """One row a word at a place."""
    for place in result.places:
        for one in place.words:
            yield ExactRow(
                *(place.position, one.word, one.token, one.id, one.exact, one.model, one.rank),
                *(one.is_original, place.entropy, place.divergence),
            )


COLUMN_TITLES = {
    "places": N_("places"),
    "floor": N_("exact entropy, nats"),
    "divergence": N_("divergence, nats"),
    "worst_divergence": N_("largest divergence, nats"),
    "outside": N_("outside the world"),
    "sentences": N_("sentences"),
    "sentences_outside": N_("sentences outside the world"),
    "expected_loss": N_("expected loss, nats"),
    "confidence": N_("confidence"),
    "exact_accuracy": N_("exact accuracy"),
    "exact_calibration_error": N_("exact calibration error"),
    "places_of_text": N_("places with a word of the text"),
    "confidence_of_text": N_("confidence at these"),
    "accuracy": N_("accuracy"),
    "calibration_error": N_("calibration error"),
    "calibration_error_by_chance": N_("calibration error by chance"),
}
"""What the columns of the summary are called on screen; in files they keep their names."""


def summary(result: ExactAnswersResult) -> Mapping[str, Cell]:
    """Means over the places, and the greatest divergence."""
    worst = max((place.divergence for place in result.places), default=None)
    return {
        "places": len(result.places),
        "floor": result.floor if result.places else None,
        "divergence": result.divergence if result.places else None,
        "worst_divergence": worst,
        "outside": result.word,
    }


def of_sentence(request: ExactAnswersRequest, _line: int) -> ExactAnswersRequest:
    """A sentence of a file that has no mask is asked about every token."""
    is_masked = any(MASK_LITERAL in text for text in (request.text, request.pair or ""))
    return request if is_masked else replace(request, every=True)


def kept(result: ExactAnswersResult) -> Mapping[str, Cell]:
    """What a row of a file keeps of its places."""
    return pooling.place_cells(
        pooling.PlaceNumbers(
            place.first.model,
            place.first.exact,
            None if place.original is None else place.first.is_original,
            place.divergence,
            place.entropy,
        )
        for place in result.places
    )


def answers_only(card: ModelCard) -> bool:
    """Whether a model answers questions about a text and predicts no words."""
    return "answer_span" in card.operations and "masked_tokens" not in card.operations


def _only_answers(cards: Sequence[ModelCard]) -> bool:
    return bool(cards) and all(map(answers_only, cards))


QUESTION = Question(
    name=NAME,
    title=N_("Exact answers"),
    asks=N_("What is exactly probable here, in the world of the miniatures?"),
    listing=Listing(Topic.PREDICT, 5, "target", "Alt+5"),
    found_by=("ground truth", "true probability", "Bayes", "정답 확률", "실제 확률"),
    request=ExactAnswersRequest,
    result=ExactAnswersResult,
    run=computed(__name__),
    parts=made_of(__name__),
    drawn_beside=beside(__name__, "beside", "laid_beside"),
    summary=summary,
    column_titles=COLUMN_TITLES,
    about=N_(
        "The miniatures were trained on texts that a grammar writes, so the exact probability of "
        "every word is known: a sum over all texts of that world that agree with what is seen. No "
        "model can do better than these."
    ),
    sort_by="divergence",
    pool=Pool(
        kept,
        pooling.COLUMNS,
        pooling.gather,
        pooling.told,
        of_sentence,
        table=pooling.table,
        parts=pooled,
    ),
    roles={MODEL: (any_of(Predictor, SpanExtractor),)},
    conditions=(
        a_text(N_("Type a sentence of the miniatures' world; Samples holds some.")),
        a_mask(
            N_("Mask a word, or choose “Every token”."),
            spared=lambda document, cards: EVERY.of(document) or _only_answers(cards),
        ),
        Condition(
            lambda document: bool(question_of(document)),
            N_("Add the question as a second text: its answer is looked for in the first."),
            spared=lambda _document, cards: not _only_answers(cards),
        ),
    ),
    upgrades=(spaces_stay_visible,),
)
