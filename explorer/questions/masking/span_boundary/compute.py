"""A span-boundary head's predictions beside a masked-LM head's: `SpanBoundaryRequest`'s answer."""

import math
from typing import Any

from explorer.api import (
    BoundaryPredictor,
    Context,
    Encoded,
    LoadedModel,
    Predictor,
    Query,
    check_text,
    check_top_k,
)
from explorer.hf.predict.predictions import prediction_of, rank_of
from explorer.hf.text.vocabularies.word_lists import word_as_shown
from explorer.numerics.distributions.temperature import entropy
from explorer.questions.masking.masked_tokens.question import check_masked
from explorer.questions.masking.span_boundary.question import (
    BoundaryWord,
    Span,
    SpanBoundaryRequest,
    SpanBoundaryResult,
    SpanToken,
)
from explorer.text import N_, Phrase


def predict(
    model: LoadedModel, encoded: Encoded, top_k: int, context: Context
) -> SpanBoundaryResult:
    """Ask both heads at every span.

    Raises:
        Unavailable: The model has no span-boundary head.
        MachineFault: The logits are not numbers.
        Cancelled: The run was cancelled; checked before every layer.
    """
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
        if (left, right) not in rows:
            problem = Phrase(
                N_("This span has {count} tokens; the head tells {longest} places apart."),
                count=right - left - 1,
                longest=boundary.longest,
            )
            spans.append(Span(left, right, (), problem))
            continue
        tokens = tuple(
            _token(
                model,
                encoded,
                position,
                position - left - 1,
                rows[left, right][position - left - 1],
                plain.get(position),
                top_k,
            )
            for position in range(left + 1, right)
        )
        spans.append(Span(left, right, tokens))
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
    model: LoadedModel,
    encoded: Encoded,
    position: int,
    place: int,
    row: Any,
    beside: Any,
    top_k: int,
) -> SpanToken:
    original = encoded.tokens[position].original
    ids: list[int] = row.topk(min(top_k, len(row))).indices.tolist()
    if beside is not None:
        ids += beside.topk(min(top_k, len(beside))).indices.tolist()
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
    return SpanToken(
        position=position,
        place=place + 1,
        words=tuple(words),
        boundary_entropy=float(entropy(row.cpu().numpy())),
        masked_lm_entropy=None if beside is None else float(entropy(beside.cpu().numpy())),
    )


def run(model: Any, request: SpanBoundaryRequest, context: Context) -> SpanBoundaryResult:
    """Predict every token of each span from the hidden states beside the span (Joshi et al. 2020).

    y_i = f(x_(s-1), x_(e+1), p_(i-s+1)), section 3.2: the states of the tokens before and behind
    the span, and the embedding of the token's place in it. The encoder runs once; the masked-LM
    head reads the states of the masked tokens themselves.

    Raises:
        Unavailable: The model has no span-boundary head.
        UserMistake: The text is empty, or nothing is masked.
        Cancelled: The run was cancelled; checked before every layer.
    """
    check_text(request.text)
    check_top_k(request.top_k)
    context.check()
    encoded = model.encode(request.text, None, request.masks)
    check_masked(encoded)
    return predict(model, encoded, request.top_k, context)
