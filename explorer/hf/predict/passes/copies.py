"""Answers for several copies of one input in one pass, gradients included."""

from typing import Any, Protocol, runtime_checkable

from explorer.api.family import Encoded, Query


@runtime_checkable
class BatchedForward(Protocol):
    """A port that answers for copies of an input, whose vectors may differ."""

    def pieces_read(self, query: Query) -> tuple[int, ...]:
        """Numbers of the pieces that are read to answer."""

    def of_copies(self, query: Query, count: int) -> Any:
        """A tensor (copies x what the port answers to the query), float32.

        Runs as it is called, with gradients or without.
        """


def numbers_of(ids: Any) -> tuple[int, ...]:
    """Pieces of a tensor (1 x tokens)."""
    return tuple(ids[0].tolist())


def copied_inputs(encoded: Encoded, count: int) -> dict[str, Any]:
    """The inputs of a text, as many times as there are copies; no memory is taken for them.

    Args:
        encoded: The input, each tensor 1 x tokens.
        count: How many copies: each tensor is count x tokens.
    """
    return {name: one.expand(count, *one.shape[1:]) for name, one in encoded.inputs.items()}
