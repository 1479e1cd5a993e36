"""Where an answer begins or ends, as what is explained."""

from typing import Any

import numpy as np

from explorer.api.question import Context, Encoded, LoadedModel, Query, SpanExtractor, UserMistake
from explorer.attribution import explained as numbers
from explorer.attribution.explained import ExplainedAnswer, Scalar
from explorer.hf.text.questions import encode_question, passage_places
from explorer.numerics.spans import best_span, of_each_start, softmax
from explorer.questions.cause.attribution.meaning import Meant, gone, word_at
from explorer.questions.cause.attribution.options import ExplainedMeasure, NormalisedOver, Quantity
from explorer.questions.cause.attribution.question import (
    AttributionRequest,
    ExplainedKind,
    Explanandum,
)
from explorer.text import N_


def span_side(
    kind: ExplainedKind, model: LoadedModel, request: AttributionRequest, context: Context
) -> Meant:
    """The best answer's start or end, or that of an answer at the chosen place.

    Args:
        kind: START or END.
        model: Who answers.
        request: Its text is the passage and its second text the question.
        context: Can stop it.

    Raises:
        UserMistake: There is no question, or words are to be deleted.
        Unavailable: The model has no head for answers.
    """
    extractor = model.port(SpanExtractor)
    if not request.pair:
        raise UserMistake(
            N_("An answer is explained, and there is no question."),
            N_("Add the question as the second text."),
        )
    if "deletion" in {request.method, request.beside}:
        raise UserMistake(
            N_("Words can't be deleted here: the answer would be elsewhere."),
            N_("Choose occlusion, which puts something else in their place."),
        )
    encoded = encode_question(model, request.text, request.pair)
    said = extractor.logits(encoded, context)
    places = list(passage_places(encoded))
    if not places:
        raise UserMistake(N_("The question leaves no room for the text."), N_("Ask a shorter one."))
    null = extractor.null(encoded)
    rivals = places if null is None else [null, *places]
    starts, ends = said.starts.cpu().numpy(), of_each_start(said.ends.cpu().numpy())
    depends = said.ends.dim() == 2
    begin, end = best_span(starts[places], ends[np.ix_(places, places)])
    chosen = word_at(encoded, request.at)
    place = places[begin if kind is ExplainedKind.START else end]
    place = chosen if chosen in places else place
    row = starts if kind is ExplainedKind.START else ends[places[begin]]
    share = float(softmax(row[rivals])[rivals.index(place)])
    against = max((n for n in rivals if n != place), key=lambda n: float(row[n]), default=place)
    explained = ExplainedAnswer(
        model,
        SpanExtractor,
        # Where ends depend on the start, the asked position is the start.
        Query(encoded, (places[begin] if depends else place,)),
        _scalar(request.measure, int(kind is ExplainedKind.END), rivals, place, against),
        context,
    )
    among = NormalisedOver.PASSAGE if null is None else NormalisedOver.PASSAGE_AND_NULL
    entropy, differs = ExplainedMeasure.ENTROPY, ExplainedMeasure.DIFFERENCE
    return Meant(
        explained,
        Explanandum(
            kind,
            Quantity(request.measure),
            place,
            "" if request.measure is entropy else _written(encoded, place, request),
            _written(encoded, against, request) if request.measure is differs else "",
            share,
            None if request.measure is differs else among,
        ),
        gone(encoded, request.at),
    )


def _scalar(
    measure: ExplainedMeasure, side: int, rivals: list[int], place: int, against: int
) -> Scalar:
    """One number of the answers (copies x 2 x tokens)."""

    def among(answers: Any) -> Any:
        return answers[:, side][:, rivals]

    if measure is ExplainedMeasure.ENTROPY:
        return lambda answers: numbers.entropy()(among(answers))
    if measure is ExplainedMeasure.DIFFERENCE:
        return lambda answers: answers[:, side, place] - answers[:, side, against]
    at = rivals.index(place)
    return lambda answers: among(answers).log_softmax(-1)[:, at]


def _written(encoded: Encoded, place: int, request: AttributionRequest) -> str:
    token = encoded.tokens[place]
    text = request.text if token.part == 0 else request.pair or ""
    return text[token.start : token.end].strip() or token.text
