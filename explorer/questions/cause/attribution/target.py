"""What an answer comes down to: which port is asked of which place, and which number is meant."""

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np

from explorer.api.question import (
    Context,
    Direction,
    Discriminator,
    Encoded,
    LoadedModel,
    PairClassifier,
    Predictor,
    Query,
    SpanExtractor,
    TokenClassifier,
    Unavailable,
    UserMistake,
    mask_of,
)
from explorer.attribution import explained as numbers
from explorer.attribution.explained import ExplainedAnswer, Scalar
from explorer.document import MASK_LITERAL
from explorer.hf.predict.guessing import queries_of
from explorer.hf.predict.heads.classes import class_logits
from explorer.hf.predict.masked_text import check_masked, refuse_pair
from explorer.hf.predict.predictions import prediction_of
from explorer.hf.text.vocabularies.word_lists import folds, word_list
from explorer.questions.cause.attribution.meaning import Meant, gone, word_at
from explorer.questions.cause.attribution.options import (
    ExplainedMeasure,
    ExplainedTarget,
    NormalisedOver,
    Quantity,
)
from explorer.questions.cause.attribution.question import (
    AttributionRequest,
    ExplainedKind,
    Explanandum,
)
from explorer.questions.cause.attribution.span_sides import span_side
from explorer.questions.pairs.token_labels.question import OUTSIDE
from explorer.text import N_


def meant(model: LoadedModel, request: AttributionRequest, context: Context) -> Meant:
    """What a request explains.

    Raises:
        Unavailable: The model does not answer what is to be explained.
        UserMistake: There is no place, word or label such as was asked for.
        Cancelled: The run was cancelled.
    """
    return READ[target_of(model, request)](model, request, context)


def target_of(model: LoadedModel, request: AttributionRequest) -> ExplainedTarget:
    """The target that was asked for, or the usual one of the model and the text."""
    if request.target is not ExplainedTarget.USUAL:
        return request.target
    if SpanExtractor in model.ports and Predictor not in model.ports:
        return ExplainedTarget.START
    judges = PairClassifier in model.ports
    if TokenClassifier in model.ports and not (judges or Predictor in model.ports):
        return ExplainedTarget.TOKEN_LABEL
    is_masked = bool(request.masks) or MASK_LITERAL in f"{request.text} {request.pair or ''}"
    pair_alone = bool(request.pair) and judges and not is_masked and not request.at
    if Predictor in model.ports and not pair_alone:
        return ExplainedTarget.WORD
    if Discriminator in model.ports and not pair_alone:
        return ExplainedTarget.REPLACED
    return ExplainedTarget.LABEL


# ---- a word -------------------------------------------------------------------------------------


def _word(model: LoadedModel, request: AttributionRequest, context: Context) -> Meant:
    predictor = model.port(Predictor)
    refuse_pair(predictor, request.pair)
    encoded, place = _asked_place(model, request)
    query = _query(predictor, encoded, place, context)
    (rows,) = predictor.log_probabilities([query], context)
    row = rows[0].cpu().double()
    first = _piece(model, request.word, row)
    others = row.clone()
    others[first] = -np.inf
    second = _piece(model, request.against, others)
    is_next = place == len(encoded.tokens) or not encoded.tokens[place].masked
    said = Explanandum(
        ExplainedKind.NEXT if is_next else ExplainedKind.MASKED,
        Quantity(request.measure),
        place,
        "" if request.measure is ExplainedMeasure.ENTROPY else _written(model, first),
        _written(model, second) if request.measure is ExplainedMeasure.DIFFERENCE else "",
        float(row[first].exp()),
        None if request.measure is ExplainedMeasure.DIFFERENCE else NormalisedOver.VOCABULARY,
    )
    scalar = _scalar(request.measure, first, second)
    explained = ExplainedAnswer(model, Predictor, query, scalar, context)
    return Meant(explained, said, gone(encoded, request.at))


def _asked_place(model: LoadedModel, request: AttributionRequest) -> tuple[Encoded, int]:
    """The input, with a mask at the place that is asked about where the model needs one."""
    encoded = model.encode(request.text, request.pair, request.masks)
    left = model.port(Predictor).direction is Direction.CAUSAL
    place = word_at(encoded, request.at)
    if place is None:
        past_the_end = encoded.left_out is not None and encoded.left_out.masks
        if left and not encoded.mask_positions and not past_the_end:
            return encoded, len(encoded.tokens)
        check_masked(encoded)
        return encoded, encoded.mask_positions[0]
    if left or encoded.tokens[place].masked:
        return encoded, place
    hidden = mask_of(encoded.tokens, place)
    again = model.encode(request.text, request.pair, (*request.masks, hidden))
    covering = (
        n
        for n in again.mask_positions
        if again.tokens[n].part == hidden.part
        and again.tokens[n].start <= hidden.start < again.tokens[n].end
    )
    return again, next(covering, again.mask_positions[0])


def _query(predictor: Predictor, encoded: Encoded, place: int, context: Context) -> Query:
    """What is asked; a model that goes from left to right has its own guesses at earlier masks."""
    before = any(n < place for n in encoded.mask_positions)
    if predictor.direction is Direction.BOTH or not before:
        return Query(encoded, (place,))
    found = queries_of(predictor, encoded, context)
    if predictor.direction is Direction.SPANS:
        return next(one for one in found if one.asked == (place,))
    return replace(found[0], asked=(place,))


def _piece(model: LoadedModel, word: str, row: Any) -> int:
    """The likeliest piece that is a word; the likeliest of all where none was typed.

    Raises:
        UserMistake: The vocabulary has no such piece.
    """
    if not word:
        return int(row.argmax())
    folded = folds(model.tokenizer)
    listed = word_list(model.tokenizer, folded=folded)
    known = {one: n for n, one in enumerate(listed.words)}
    index = known.get(word.casefold() if folded else word)
    if index is None:
        raise UserMistake(
            N_("“{word}” is no single piece of this model's vocabulary."),
            N_("Type a word that is one piece, or none for the likeliest."),
            word=word,
        )
    pieces = np.flatnonzero(listed.word_of == index).tolist()
    return int(max(pieces, key=lambda piece: float(row[piece])))


def _written(model: LoadedModel, piece: int) -> str:
    one = prediction_of(model, piece, 0.0, 0)
    return one.word or one.token


# ---- a judgement --------------------------------------------------------------------------------


def _replaced(model: LoadedModel, request: AttributionRequest, context: Context) -> Meant:
    discriminator = model.port(Discriminator)
    encoded = model.encode(request.text, request.pair, request.masks)
    logits = discriminator.logits(encoded, context)
    place = word_at(encoded, request.at)
    if place is None:
        free = [n for n, token in enumerate(encoded.tokens) if not token.special]
        place = max(free, key=lambda n: float(logits[n]), default=0)
    doubted = request.measure is ExplainedMeasure.ENTROPY
    said = Explanandum(
        ExplainedKind.REPLACED,
        Quantity.ENTROPY if doubted else Quantity.LOG_ODDS,
        place,
        "",
        "",
        float(logits[place].cpu().double().sigmoid()),
        NormalisedOver.REPLACED_OR_NOT if doubted else None,
    )
    scalar = numbers.doubt() if doubted else numbers.log_odds()
    explained = ExplainedAnswer(model, Discriminator, Query(encoded, (place,)), scalar, context)
    return Meant(explained, said, gone(encoded, request.at))


def _label(model: LoadedModel, request: AttributionRequest, context: Context) -> Meant:
    encoded = model.encode(request.text, request.pair, request.masks)
    labels, scores = class_logits(model, encoded, context, pair=bool(request.pair))
    said, scalar = _of_labels(ExplainedKind.LABEL, request, labels, scores)
    return Meant(ExplainedAnswer(model, PairClassifier, Query(encoded, ()), scalar, context), said)


def _token_label(model: LoadedModel, request: AttributionRequest, context: Context) -> Meant:
    classifier = model.port(TokenClassifier)
    encoded = model.encode(request.text, request.pair, request.masks)
    logits = classifier.logits(encoded, context).cpu().double().numpy()
    place = word_at(encoded, request.at)
    if place is None:
        own = [n for n, token in enumerate(encoded.tokens) if not token.special]
        labelled = (n for n in own if classifier.labels[logits[n].argmax()] != OUTSIDE)
        place = next(iter((*labelled, *own)), 0)
    said, scalar = _of_labels(
        ExplainedKind.TOKEN_LABEL, request, classifier.labels, logits[place], place
    )
    explained = ExplainedAnswer(model, TokenClassifier, Query(encoded, (place,)), scalar, context)
    return Meant(explained, said, gone(encoded, request.at))


def _of_labels(
    kind: ExplainedKind,
    request: AttributionRequest,
    labels: tuple[str, ...],
    scores: Any,
    place: int | None = None,
) -> tuple[Explanandum, Scalar]:
    """Which label is meant, and the number of it.

    Raises:
        Unavailable: There is one alone.
        UserMistake: There is none of a name.
    """
    if len(labels) < 2:
        raise Unavailable(N_("This model has one label alone: nothing decides between labels."))
    first = _label_number(labels, request.word, scores)
    others = scores.copy()
    others[first] = -np.inf
    second = _label_number(labels, request.against, others)
    shares = np.exp(scores.astype(np.float64) - scores.max())
    said = Explanandum(
        kind,
        Quantity(request.measure),
        place,
        "" if request.measure is ExplainedMeasure.ENTROPY else labels[first],
        labels[second] if request.measure is ExplainedMeasure.DIFFERENCE else "",
        float(shares[first] / shares.sum()),
        None if request.measure is ExplainedMeasure.DIFFERENCE else NormalisedOver.LABELS,
    )
    return said, _scalar(request.measure, first, second)


def _label_number(labels: tuple[str, ...], name: str, scores: Any) -> int:
    """The number of a label by its name, or of the likeliest one.

    Raises:
        UserMistake: There is none of this name.
    """
    if not name:
        return int(np.argmax(scores))
    for number, label in enumerate(labels):
        if label.casefold() == name.casefold():
            return number
    raise UserMistake(
        N_("There is no label “{name}”."),
        N_("Type one of these: {labels}."),
        name=name,
        labels=", ".join(labels),
    )


def _scalar(measure: ExplainedMeasure, first: int, second: int) -> Scalar:
    if measure is ExplainedMeasure.ENTROPY:
        return numbers.entropy()
    if measure is ExplainedMeasure.DIFFERENCE:
        return numbers.difference(first, second)
    return numbers.log_probability(first)


Reading = Callable[[LoadedModel, AttributionRequest, Context], Meant]
READ: dict[ExplainedTarget, Reading] = {
    ExplainedTarget.WORD: _word,
    ExplainedTarget.REPLACED: _replaced,
    ExplainedTarget.LABEL: _label,
    ExplainedTarget.TOKEN_LABEL: _token_label,
    ExplainedTarget.START: partial(span_side, ExplainedKind.START),
    ExplainedTarget.END: partial(span_side, ExplainedKind.END),
}
"""How each target is read; another one is a line here and a member of `ExplainedTarget`."""
