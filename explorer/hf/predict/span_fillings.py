"""What a model that writes spans puts in place of each mask: T5's answer on masked tokens."""

import math

from explorer.api.question import (
    Context,
    Encoded,
    LoadedModel,
    MaskPredictions,
    Prediction,
    SpanCandidate,
    SpanPredictor,
)


def fill_spans(
    model: LoadedModel, encoded: Encoded, top_k: int, context: Context
) -> tuple[MaskPredictions, ...]:
    """Fill every mask with the most probable spans.

    A span's probability is exactly that of the decoder writing these pieces and then ending the
    span: the product of the probability of each piece, each softmax over the whole vocabulary
    given the text and all pieces before it, times the probability that the span ends. So no two
    spans share probability, and all spans together have at most one. A later mask is filled after
    the most probable span of each earlier one. The entropy is that of the first piece. A span's
    rank is among the spans that the search found.
    """
    predictor = model.port(SpanPredictor)
    answers: list[MaskPredictions] = []
    written: list[tuple[int, ...]] = []
    for number, position in enumerate(encoded.mask_positions):
        found = predictor.best_spans(encoded, written, top_k, context)
        shown = tuple(
            prediction_of_span(model, span, rank)
            for rank, span in enumerate(found.spans[:top_k], start=1)
        )
        ids = encoded.hidden[number]
        original: Prediction | None = None
        if ids is not None:
            original = next((one for one in shown if one.ids == ids), None)
            if original is None:
                span = scored(predictor, encoded, written, ids, context)
                better = sum(one.log_probability > span.log_probability for one in found.spans)
                original = prediction_of_span(model, span, max(better, len(shown)) + 1)
        answers.append(MaskPredictions(position, shown, original, found.entropy))
        written.append(found.spans[0].ids)
    return tuple(answers)


def scored(
    predictor: SpanPredictor,
    encoded: Encoded,
    written: list[tuple[int, ...]],
    ids: tuple[int, ...],
    context: Context,
) -> SpanCandidate:
    """One given span with its probability."""
    rows, end = predictor.piece_rows(encoded, written, ids, context)
    total = sum(float(row[piece]) for row, piece in zip(rows, ids, strict=True))
    return SpanCandidate(ids, total + end)


def prediction_of_span(model: LoadedModel, span: SpanCandidate, rank: int) -> Prediction:
    """A span as a prediction."""
    names = model.tokenizer.convert_ids_to_tokens(list(span.ids))
    pieces = [
        piece if piece is not None else f"<{number}>"
        for number, piece in zip(span.ids, names, strict=True)
    ]
    word = str(model.tokenizer.decode(list(span.ids))).strip()
    return Prediction(
        token="".join(pieces),
        id=span.ids[0],
        probability=math.exp(span.log_probability),
        word=word or "".join(pieces),
        rank=rank,
        ids=span.ids,
    )
