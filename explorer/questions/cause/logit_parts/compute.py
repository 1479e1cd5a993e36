"""The difference of two words' logits, taken apart, and what each part changes in all."""

from dataclasses import replace
from typing import Any

import numpy as np

from explorer.api.question import (
    Context,
    Encoded,
    LoadedModel,
    LogitParts,
    Predictor,
    Query,
    Unavailable,
    UserMistake,
    WrittenBy,
    check_text,
)
from explorer.hf.kept import kept
from explorer.hf.predict.masked_text import masked_input
from explorer.hf.predict.predictions import prediction_of
from explorer.numerics.evaluation.rank_correlation import rank_correlation
from explorer.questions.cause.logit_parts.question import (
    LogitPartsRequest,
    LogitPartsResult,
    OpenedHead,
    OpenedNeurons,
    WrittenPart,
    part_named,
    strongest,
)
from explorer.questions.layers.reading import pieces_of
from explorer.text import N_

TAKEN_OUT = frozenset(
    {WrittenBy.EMBEDDINGS, WrittenBy.HEAD, WrittenBy.ATTENTION, WrittenBy.FEED_FORWARD}
)
"""What can be taken out."""
AT_ONCE = 32
"""Parts that are taken out between two looks at whether to go on."""
NEURONS = 100
"""Neurons that are told of one by one."""
MOST = 32
"""Answers whose total effects are kept, of all models."""


def run(model: Any, request: LogitPartsRequest, context: Context) -> LogitPartsResult:
    """Take the difference of two words' logits apart.

    Raises:
        UserMistake: Nothing is masked, a word is no single piece, or there is no such part.
        Unavailable: The model gives no gradients, or its parts do not add up.
        Cancelled: The run was cancelled; checked before every layer.
    """
    check_text(request.text)
    encoded = masked_input(model, request, context)
    masks = encoded.mask_positions
    place = request.position if request.position in masks else masks[0]
    query = Query(encoded, (place,))
    (rows,) = model.port(Predictor).log_probabilities([query], context)
    row = rows[0]
    ids, words = _words(model, encoded, place, row, request)
    found = model.port(LogitParts).split(query, ids, context)
    parts = tuple(WrittenPart(str(one.by), one.kind, one.row, one.value) for one in found.parts)
    result = LogitPartsResult(
        model=model.stamp,
        tokens=encoded.tokens,
        position=place,
        words=words,
        chances=(float(row[ids[0]].exp()), float(row[ids[1]].exp())),
        difference=found.difference,
        missing=found.missing,
        parts=parts,
        left_out=encoded.left_out,
    )
    result = _opened(model, query, ids, request, result, context)
    if not request.totals:
        return result
    context.show(lambda: result)
    asked = replace(request, opened="", words=words)

    def make() -> tuple[float | None, ...]:
        return _totals(model, query, ids, found, context)

    totals = kept("total effects", make, of=model, asked=asked, most=MOST)
    pairs = zip(parts, totals, strict=True)
    parts = tuple(replace(one, total=total) for one, total in pairs)
    return replace(result, parts=parts, correlation=_correlation(parts))


def _words(
    model: LoadedModel, encoded: Encoded, place: int, row: Any, request: LogitPartsRequest
) -> tuple[tuple[int, int], tuple[str, str]]:
    """The two words that are compared.

    Raises:
        UserMistake: There are not two, or one is no single piece.
    """
    if request.words:
        if len(set(request.words)) != 2:
            raise UserMistake(
                N_("Two words are compared, and {count} are given."),
                N_("Give two, with a comma between them: trowel, hose."),
                count=len(set(request.words)),
            )
        known, missing = pieces_of(model, request.words)
        if missing:
            raise UserMistake(
                N_("“{word}” is no single piece of this model's vocabulary."),
                N_("Compare another word."),
                word=missing[0],
            )
        first, second = request.words
        return (known[first], known[second]), (first, second)
    best, other = row.topk(2).indices.tolist()
    hidden = encoded.tokens[place].original
    ids = (best, other if hidden is None or hidden == best else hidden)
    named = [prediction_of(model, one, 0.0, 0) for one in ids]
    first, second = (one.word or one.token for one in named)
    return ids, (first, second)


def _opened(
    model: LoadedModel,
    query: Query,
    ids: tuple[int, int],
    request: LogitPartsRequest,
    result: LogitPartsResult,
    context: Context,
) -> LogitPartsResult:
    """With one head by tokens, or one feed-forward part by neurons.

    Raises:
        UserMistake: There is no such part.
    """
    opening = [one for one in result.parts if one.opens]
    chosen = part_named(opening, request.opened) if request.opened else strongest(opening)
    if chosen is None:
        if not request.opened:
            return result
        raise UserMistake(
            N_("This model has no part that is called “{name}”."),
            N_("Write it as head 3.1 or feed_forward 3: layers and heads count from 0."),
            name=request.opened,
        )
    port, place = model.port(LogitParts), (chosen.kind, chosen.row)
    result = replace(result, opened=chosen.name)
    try:
        if chosen.by == WrittenBy.HEAD:
            brought = port.tokens(query, ids, *place, context)
            weights, values = (one.cpu().numpy() for one in (brought.weights, brought.values))
            return replace(result, head=OpenedHead(brought.tokens, weights, values))
        return replace(result, neurons=_neurons(port.neurons(query, ids, *place, context)))
    except Unavailable as error:
        return replace(result, note=error.problem)


def _neurons(found: Any) -> OpenedNeurons:
    """The strongest one by one, and all others together."""
    values, activations = (one.cpu().numpy() for one in (found.values, found.activations))
    order = np.argsort(-np.abs(values), kind="stable")
    most = order[:NEURONS]
    return OpenedNeurons(
        count=len(values),
        numbers=most.astype(np.int32),
        activations=activations[most],
        values=values[most],
        others=float(values[order[NEURONS:]].astype(np.float64).sum()),
        bias=found.bias,
    )


def _totals(
    model: LoadedModel, query: Query, ids: tuple[int, int], found: Any, context: Context
) -> tuple[float | None, ...]:
    """How far the difference falls without each part; None for what can't be taken out."""
    port = model.port(LogitParts)
    parts = [one for one in found.parts if one.by in TAKEN_OUT]
    left: dict[int, float] = {}
    for start in range(0, len(parts), AT_ONCE):
        context.progress(N_("setting parts to zero"), float(start), float(len(parts)))
        context.give_way()
        some = parts[start : start + AT_ONCE]
        without = port.without(query, ids, some, context)
        left |= {id(one): value for one, value in zip(some, without, strict=True)}
    return tuple(
        found.difference - left[id(one)] if id(one) in left else None for one in found.parts
    )


def _correlation(parts: tuple[WrittenPart, ...]) -> float | None:
    """Spearman's, of what is known of both ways."""
    known = [(one.value, one.total) for one in parts if one.total is not None]
    if len(known) < 3:
        return None
    direct, total = zip(*known, strict=True)
    return rank_correlation(direct, total)
