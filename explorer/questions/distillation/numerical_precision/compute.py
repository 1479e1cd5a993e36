"""Asks both models about every token, and compares whole distributions: a block at a time."""

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from explorer.api.question import (
    ROUNDED,
    Context,
    Encoded,
    LoadedModel,
    Predictor,
    Query,
    UserMistake,
)
from explorer.hf.predict.predictions import prediction_of
from explorer.hf.predict.rows import in_blocks, part_of
from explorer.numerics.distributions.divergence import kl
from explorer.questions.distillation.numerical_precision.question import (
    NumericalPrecisionRequest,
    NumericalPrecisionResult,
    TokenPrecision,
)
from explorer.questions.masking.hidden_in_turn import (
    TextToScore,
    encoded_to_score,
    method_of,
    queries_of,
)
from explorer.text import N_


def run(
    model: LoadedModel, request: NumericalPrecisionRequest, context: Context
) -> NumericalPrecisionResult:
    """Ask both models about every token of a text.

    Raises:
        Unavailable: A model has no head that predicts tokens.
        UserMistake: There is nothing to ask about, or both models read other pieces.
        MachineFault: The numbers of one overflow.
        Cancelled: The run was cancelled; checked before every layer.
    """
    other = context.model(ROUNDED)
    predictor, second = model.port(Predictor), other.port(Predictor)
    method = method_of(predictor, request.method)
    text = TextToScore(request.text, request.pair, method)
    encoded = encoded_to_score(model, predictor, text)
    _must_read_alike(model, other, encoded, encoded_to_score(other, second, text))
    if second.direction is not predictor.direction:
        raise UserMistake(
            N_("One of these models reads from the left and the other from both sides."),
            N_("Load the same model as A and B, in two number types."),
        )
    queries = list(queries_of(encoded, method))
    places: list[TokenPrecision] = []
    for block in in_blocks([len(one.asked) for one in queries], model, context):
        part = part_of(context, N_("masking every token"), block.start, len(queries))
        some = queries[block]
        answers = (one.log_probabilities(some, part) for one in (predictor, second))
        places += _compared(model, encoded, some, *answers)
    places.sort(key=lambda one: one.position)
    return NumericalPrecisionResult(
        model.stamp, other.stamp, encoded.tokens, tuple(places), encoded.left_out
    )


def _must_read_alike(
    model: LoadedModel, other: LoadedModel, read: Encoded, other_read: Encoded
) -> None:
    """Refuse models whose distributions are over other pieces, or of other places.

    Raises:
        UserMistake: They are.
    """
    ids = [[token.id for token in one.tokens] for one in (read, other_read)]
    if len(model.tokenizer) != len(other.tokenizer) or ids[0] != ids[1]:
        raise UserMistake(
            N_("{model} and {other} split this text into different pieces."),
            N_("Load the same model as A and B, in two number types."),
            model=model.title,
            other=other.title,
        )


def _compared(
    model: LoadedModel,
    encoded: Encoded,
    queries: Sequence[Query],
    answers: Sequence[Any],
    others: Sequence[Any],
) -> Iterator[TokenPrecision]:
    for query, rows, coarse in zip(queries, answers, others, strict=True):
        exact, rounded = (one.cpu().double().numpy() for one in (rows, coarse))
        # A vocabulary may be padded to more rows in one file than in the other.
        width = min(exact.shape[1], rounded.shape[1])
        exact, rounded = exact[:, :width], rounded[:, :width]
        divergences = kl(exact, rounded)
        apart = np.abs(np.subtract(exact, rounded, where=exact > -np.inf, out=np.zeros_like(exact)))
        for n, position in enumerate(query.asked):
            piece = int(apart[n].argmax())
            firsts = [int(one[n].argmax()) for one in (exact, rounded)]
            token = encoded.tokens[position]
            words = [_word(model, one, exact[n]) for one in (piece, *firsts)]
            yield TokenPrecision(
                position,
                float(divergences[n]),
                float(apart[n, piece]),
                words[0],
                float(exact[n, token.id]),
                float(rounded[n, token.id]),
                words[1],
                words[2],
                firsts[0] != firsts[1],
            )


def _word(model: LoadedModel, piece: int, row: Any) -> str:
    return prediction_of(model, piece, float(np.exp(row[piece])), 1).word
