"""Where the place that predicts looks, in what a model attends to."""

from collections.abc import Callable, Mapping
from typing import Any

from explorer.api.attribution import Scores
from explorer.api.family import Direction, Predictor, Unavailable
from explorer.api.ports.inner import LayerReadout
from explorer.attribution.attending import AttendedLayer, chain_of
from explorer.attribution.explained import ExplainedAnswer
from explorer.hf.attention.layout import AttentionKind
from explorer.hf.attention.weights import AttendingStack
from explorer.text import N_

ONE_STACK = N_(
    "This method follows one stack of layers, and this model reads with one and writes with "
    "another."
)

Looks = Callable[[AttendingStack], Any]
"""From a stack to its attention as one matrix (queries x keys)."""


def row_of(explained: ExplainedAnswer) -> int:
    """The place whose attention counts, in what the model reads.

    That is the asked place; the one before it in a model that reads from the left; where the whole
    text is judged the first token, or the last one of such a model.
    """
    query = explained.query
    causal = _reads_left(explained)
    if query.asked:
        return query.asked[0] - (explained.port is Predictor and causal)
    return len(query.encoded.tokens) - 1 if causal else 0


def looked_at(explained: ExplainedAnswer, own: Looks, across: Looks, through: Looks | None) -> Any:
    """Attention from the place that predicts to each token, as a row of numbers.

    Of a model that writes, it is what its decoder gives the text's places where it writes what is
    asked.

    Args:
        explained: The number.
        own: How the one stack becomes a matrix.
        across: How the decoder's looks into the text do.
        through: What comes behind those, of the stack that reads; None for nothing.

    Raises:
        Unavailable: The model's attention can't be had.
        MachineFault: The weights are not numbers.
        Cancelled: The run was cancelled; checked before every layer.
    """
    stacks, row = explained.attention(), row_of(explained)
    cross = stacks.get("cross")
    tokens = explained.query.encoded.tokens
    at = None if cross is None else _written_at(cross.queries, tokens[row].id)
    if cross is None or at is None:
        return own(next(iter(stacks.values())))[row]
    looks = across(cross)[at]
    return looks if through is None else looks @ through(stacks["encoder"])


def one_stack(explained: ExplainedAnswer, layers: list[AttendedLayer]) -> list[AttendedLayer]:
    """The layers that a prediction goes through, of a model with one stack.

    Raises:
        Unavailable: It has two.
    """
    if any(one.kind is AttentionKind.CROSS for one in layers):
        raise Unavailable(ONE_STACK)
    return chain_of(layers, passes_of(explained))


def passes_of(explained: ExplainedAnswer) -> int:
    """How often a decoder runs the last layer again, in the place of its own run."""
    readout: Mapping[type, Any] = explained.model.ports
    return int(getattr(readout.get(LayerReadout), "passes", 0))


def _reads_left(explained: ExplainedAnswer) -> bool:
    if Predictor in explained.model.ports:
        return bool(explained.model.port(Predictor).direction is Direction.CAUSAL)
    return False


def _written_at(written: tuple[object, ...], sentinel: int) -> int | None:
    """Where a decoder wrote a sentinel, behind which it writes the span."""
    numbers = [getattr(token, "id", None) for token in written]
    return numbers.index(sentinel) if sentinel in numbers else None


def on_text(row: Any, length: int) -> Scores:
    """A row of attention as scores of the tokens that are read."""
    import numpy as np

    found: Scores = np.asarray(row, dtype=np.float64)[:length]
    return np.pad(found, (0, length - len(found)))
