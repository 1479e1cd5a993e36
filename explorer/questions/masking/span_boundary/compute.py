"""A span-boundary head's predictions beside a masked-LM head's: `SpanBoundaryRequest`'s answer."""

import math
from typing import Any

from explorer.api.question import (
    BoundaryPredictor,
    Context,
    Encoded,
    LoadedModel,
    Predictor,
    Query,
    check_text,
)
from explorer.hf.predict.masked_text import check_masked
from explorer.hf.predict.predictions import prediction_of, rank_of
from explorer.hf.text.vocabularies.word_lists import word_as_shown
from explorer.numerics.distributions.temperature import entropy
from explorer.questions.masking.span_boundary.question import (
    BoundaryWord,
    MaskedSpan,
    SpanBoundaryRequest,
    SpanBoundaryResult,
    SpanToken,
)
from explorer.text import N_, Phrase


def run(model: Any, request: SpanBoundaryRequest, context: Context) -> SpanBoundaryResult:
    """Predict every token of each span from the hidden states beside the span (Joshi et al. 2020).

    y_i = f(x_(s-1), x_(e+1), p_(i-s+1)), section 3.2: the states of the tokens before and behind
    the span, and the embedding of the token's place in it. The encoder runs once; the masked-LM
    head reads the states of the masked tokens themselves.

    Raises:
        Unavailable: The model has no span-boundary head.
        UserMistake: The text is empty, or nothing is masked.
        MachineFault: The logits are not numbers.
        Cancelled: The run was cancelled; checked before every layer.
    """
    check_text(request.text)
    context.check()
    encoded = model.encode(request.text, None, request.masks)
    check_masked(encoded)
    boundary = model.port(BoundaryPredictor)
    predictor: Predictor | None = model.ports.get(Predictor)
    found = spans_of(encoded)
    fits = [one for one in found if one[1] - one[0] - 1 <= boundary.longest]
    rows = dict(zip(fits, boundary.log_probabilities(encoded, fits, context), strict=True))
    plain: dict[int, Any] = {}
    if predictor is not None:
        positions = encoded.mask_positions
        alone = predictor.log_probabilities([Query(encoded, positions)], context)[0]
        plain = dict(zip(positions, alone, strict=True))
    spans = []
    for left, right in found:
        if (left, right) in rows:
            tokens = tuple(
                _token(model, encoded, left, place, row, plain.get(left + place), request.top_k)
                for place, row in enumerate(rows[left, right], 1)
            )
            spans.append(MaskedSpan(left, right, tokens))
            continue
        problem = Phrase(
            N_("This span has {count} tokens; the head tells {longest} places apart."),
            count=right - left - 1,
            longest=boundary.longest,
        )
        spans.append(MaskedSpan(left, right, (), problem))
    return SpanBoundaryResult(
        model.stamp, encoded.tokens, tuple(spans), boundary.longest, encoded.left_out
    )


def spans_of(encoded: Encoded) -> list[tuple[int, int]]:
    """Positions before and behind every run of masked tokens.

    A text's first and last token are always special, so both are there.
    """
    masked = set(encoded.mask_positions)
    found = []
    for position in encoded.mask_positions:
        if position - 1 not in masked:
            end = position
            while end in masked:
                end += 1
            found.append((position - 1, end))
    return found


def _token(
    model: LoadedModel, encoded: Encoded, left: int, place: int, row: Any, beside: Any, top_k: int
) -> SpanToken:
    """What both heads say of a place of the span behind `left`; without the other, None beside."""
    position = left + place
    original = encoded.tokens[position].original
    heads = [row] if beside is None else [row, beside]
    ids = [piece for one in heads for piece in one.topk(min(top_k, len(one))).indices.tolist()]
    if original is not None:
        ids.append(original)
    words = []
    for piece in dict.fromkeys(ids):
        value = math.exp(float(row[piece]))
        shown = prediction_of(model, piece, value, rank_of(row, piece))
        words.append(
            BoundaryWord(
                token=shown.token,
                id=piece,
                word=word_as_shown(model.tokenizer, shown.token),
                boundary=value,
                boundary_rank=shown.rank,
                masked_lm=None if beside is None else math.exp(float(beside[piece])),
                masked_lm_rank=None if beside is None else rank_of(beside, piece),
                is_original=piece == original,
            )
        )
    words.sort(key=lambda one: -max(one.boundary, one.masked_lm or 0.0))
    unsure = [float(entropy(one.cpu().numpy())) for one in heads]
    return SpanToken(position, place, tuple(words), unsure[0], unsure[1] if unsure[1:] else None)
