"""One pass through the model's modules, and the words that it leads to."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from explorer.api.family import Weights
from explorer.api.question import (
    Context,
    Direction,
    Encoded,
    LayerReadout,
    LoadedModel,
    Predictor,
    Query,
    RecordedPass,
    StepwisePass,
    check_text,
)
from explorer.hf.predict.guessing import guessed, queries_of
from explorer.hf.predict.masked_text import refuse_pair
from explorer.hf.predict.predictions import prediction_of
from explorer.hf.states.rows import row_names
from explorer.questions.layers.forward_pass.question import (
    ENCODER,
    ForwardPassRequest,
    ForwardPassResult,
    PassWord,
    RowReading,
)

WORDS = 5
"""Of the likeliest pieces that are shown."""


def run(model: Any, request: ForwardPassRequest, context: Context) -> ForwardPassResult:
    """Follow one token (Vaswani et al. 2017; what each family does otherwise is seen in the steps).

    Raises:
        UserMistake: The text is empty; there is a second one for a model that reads one; or the
            model reads from the left and its first token is masked.
        MachineFault: The numbers overflow.
        Cancelled: The run was cancelled.
    """
    check_text(request.text)
    predictor: Predictor | None = model.ports.get(Predictor)
    if predictor is not None:
        refuse_pair(predictor, request.pair)
    context.check()
    encoded = model.encode(request.text, request.pair, request.masks)
    query, asked = query_of(predictor, encoded, request.position, context)
    is_read = (
        request.stack == ENCODER
        and predictor is not None
        and predictor.direction is Direction.SPANS
    )
    if is_read:
        asked = _place_of(encoded, request.position)
    read = asked if is_read else None
    found = model.port(StepwisePass).record(query, request.head, context, read)
    words = words_of(model, found) if found.logits is not None and predictor is not None else ()
    verdict = None
    if predictor is None and found.logits is not None:
        verdict = float(1 / (1 + np.exp(-np.float64(found.logits[0]))))
    return ForwardPassResult(
        model=model.stamp,
        tokens=encoded.tokens,
        followed=found.tokens,
        place=found.place,
        kind=found.kind,
        asked=asked,
        steps=found.steps,
        roles=roles_of(model, found),
        attentions=found.attentions,
        words=words,
        pieces=0 if found.logits is None else len(found.logits),
        verdict=verdict,
        readings=readings_of(model, query, words, context),
        layer=request.layer,
        head=request.head,
        left_out=encoded.left_out,
        is_read=is_read,
    )


def query_of(
    predictor: Predictor | None, encoded: Encoded, position: int | None, context: Context
) -> tuple[Query, int]:
    """What is run, and which token of the text that is about.

    Args:
        predictor: Of the model; None for one that predicts no tokens.
        encoded: The text.
        position: Of the token that is followed; None for the first mask, or where there is none
            for the last word of a model that reads from the left, the first of others.
        context: Can stop it.
    """
    tokens, masks = encoded.tokens, encoded.mask_positions
    wanted = position if position is not None and 0 <= position < len(tokens) else None
    if predictor is None or predictor.direction is Direction.BOTH:
        place = _place_of(encoded, position)
        return Query(encoded, (place,)), place
    if predictor.direction is Direction.CAUSAL:
        # It reads a token and says what comes next: what stands before a mask says what that is.
        asked = wanted + 1 if wanted is not None else masks[0] if masks else _own(encoded)[-1] + 1
        pieces = {}
        if any(mask < asked for mask in masks):
            read = guessed(predictor, encoded, context).tokens
            pieces = {mask: read[mask].id for mask in masks if mask < asked}
        return Query(encoded, (asked,), pieces), max(asked - 1, 0)
    queries = queries_of(predictor, encoded, context)
    chosen = next((one for one in queries if one.asked[0] == position), queries[0])
    return chosen, chosen.asked[0]


def _own(encoded: Encoded) -> list[int]:
    """Positions of the tokens of the text."""
    own = [n for n, one in enumerate(encoded.tokens) if not (one.special or one.reserved)]
    return own or [0]


def _place_of(encoded: Encoded, position: int | None) -> int:
    """The position that was chosen; else the first mask, else the first token of the text."""
    if position is not None and 0 <= position < len(encoded.tokens):
        return position
    return encoded.mask_positions[0] if encoded.mask_positions else _own(encoded)[0]


def words_of(model: LoadedModel, found: RecordedPass) -> tuple[PassWord, ...]:
    """The likeliest pieces with their logits, and what these are made of."""
    logits = found.logits.astype(np.float64)
    order = np.argsort(-logits, kind="stable")[:WORDS].tolist()
    most = float(logits.max())
    chances = np.exp(logits - most) / np.exp(logits - most).sum()
    rows = None if found.matrix_rows is None else found.matrix_rows(order)
    words = []
    for n, number in enumerate(order):
        told = prediction_of(model, number, float(chances[number]), n + 1)
        word = PassWord(
            told.word or told.token, number, float(logits[number]), float(chances[number])
        )
        if rows is not None and found.read is not None:
            own = np.ascontiguousarray(rows[n])
            word = replace(word, row=own, product=float(own.astype(np.float64) @ found.read))
        words.append(word)
    return tuple(words)


def roles_of(model: LoadedModel, found: RecordedPass) -> tuple[str, ...]:
    """What the weights of each step's module are for."""
    family = model.ports.get(Weights)
    if family is None:
        return ("",) * len(found.steps)
    return tuple(
        str(family.role_of(f"{one.module}.weight")) if one.module else "" for one in found.steps
    )


def readings_of(
    model: LoadedModel, query: Query, words: Sequence[PassWord], context: Context
) -> tuple[RowReading, ...]:
    """What the head reads in the state that leaves each layer, where it can (the logit lens)."""
    import torch

    readout: LayerReadout | None = model.ports.get(LayerReadout)
    if readout is None or not words:
        return ()
    (states,) = readout.states([query], context)
    with torch.no_grad():
        chances = readout.log_probabilities(states[:, 0]).exp().cpu()
    best = chances.max(dim=-1)
    names = row_names(len(states), readout.passes)
    return tuple(
        RowReading(
            name,
            (told := prediction_of(model, int(number), float(chance), 1)).word or told.token,
            float(chance),
            float(own[words[0].id]),
        )
        for name, number, chance, own in zip(names, best.indices, best.values, chances, strict=True)
    )
