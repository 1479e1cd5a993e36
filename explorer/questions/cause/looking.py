"""Attention as an attribution, for comparison: where the place that predicts looks."""

import numpy as np

from explorer.api.question import Direction, Predictor
from explorer.hf.attention.combined import MEAN, ROLLOUT, HeadOrMean, combined
from explorer.questions.cause.explained import ExplainedAnswer, Units
from explorer.questions.cause.gradients import Scores
from explorer.questions.cause.method import AttributionMethod


def attention(explained: ExplainedAnswer, method: AttributionMethod, units: Units) -> Scores:
    """Attention from the place that predicts to each unit.

    That is the asked place; the one before it in a model that reads from the left; the first token
    where the whole text is judged. Of a model that writes, it is what its decoder gives the text's
    places where it writes what is asked.

    Raises:
        Unavailable: The model's attention can't be had.
        MachineFault: The weights are not numbers.
        Cancelled: The run was cancelled; checked before every layer.
    """
    query, context = explained.query, explained.context
    stacks = explained.attention()
    row = query.asked[0] if query.asked else 0
    if explained.port is Predictor and _reads_left(explained):
        row -= 1
    own = next(iter(stacks.values()))
    choices = {
        AttributionMethod.ATTENTION: HeadOrMean(over=MEAN),
        AttributionMethod.LAST_ATTENTION: HeadOrMean(own.layers - 1, over=MEAN),
        AttributionMethod.ROLLOUT: HeadOrMean(over=ROLLOUT),
    }
    cross = stacks.get("cross")
    at = None if cross is None else _written_at(cross.queries, query.encoded.tokens[row].id)
    if cross is None or at is None:
        weights = combined(own, choices[method], context)[row]
    elif method is AttributionMethod.ROLLOUT:
        looks = combined(cross, HeadOrMean(over=MEAN), context)[at]
        weights = looks @ combined(stacks["encoder"], choices[method], context)
    elif method is AttributionMethod.LAST_ATTENTION:
        weights = combined(cross, HeadOrMean(cross.layers - 1, over=MEAN), context)[at]
    else:
        weights = combined(cross, choices[method], context)[at]
    return np.array([float(weights[list(unit)].sum()) for unit in units])


def _reads_left(explained: ExplainedAnswer) -> bool:
    return explained.model.port(Predictor).direction is Direction.CAUSAL


def _written_at(written: tuple[object, ...], sentinel: int) -> int | None:
    """Where a decoder wrote a sentinel, behind which it writes the span."""
    numbers = [getattr(token, "id", None) for token in written]
    return numbers.index(sentinel) if sentinel in numbers else None
