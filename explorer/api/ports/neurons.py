"""What the parts of a layer that can be told apart do: feed-forward neurons and attention heads."""

import enum
from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager
from typing import Any, Protocol

from explorer.api.context import Context
from explorer.api.encoded import Encoded


class UnitKind(enum.StrEnum):
    """What of a layer is counted."""

    NEURON = "neuron"
    """A feed-forward neuron: one number that goes into the last matrix of the part."""
    HEAD = "head"
    """An attention head: its share of what goes into the projection that joins the heads."""


class Neurons(Protocol):
    """The neurons and heads of the stack that reads a text.

    Where a layer has several feed-forward networks (MobileBERT), their neurons are counted on.

    Attributes:
        sizes: How many there are in each layer, by kind; a kind that can't be told apart is not
            there.
    """

    sizes: Mapping[UnitKind, tuple[int, ...]]

    def activations(
        self, texts: Sequence[Encoded], kind: UnitKind, layer: int, context: Context
    ) -> list[Any]:
        """How active the units of a layer are at every token of many texts.

        A neuron's activation is the number that it hands on; a head's is the length of the vector
        that it adds to the stream.

        Returns:
            For every text a tensor (tokens x units), float32.

        Raises:
            Cancelled: The run was cancelled; checked before every layer.
        """

    def added(self, encoded: Encoded, layer: int, head: int, context: Context) -> Any:
        """What a head adds to the stream at every token.

        Returns:
            Tensor (tokens x width), float32.
        """

    def written(self, layer: int, neuron: int) -> Any:
        """What a neuron of activation 1 adds to the stream: its column of the last matrix.

        Returns:
            Tensor (width), float32.
        """

    def read(self, layer: int, neuron: int) -> Any:
        """What a neuron looks for: its row of the first matrix of its part.

        Returns:
            Tensor (width), float32; None where there is no such matrix, as in a gated part, whose
            neurons are products of two.
        """

    def scaled(
        self, kind: UnitKind, layer: int, number: int, factor: float
    ) -> AbstractContextManager[None]:
        """Multiply what a unit hands on, in every run inside the block.

        Args:
            kind: Neuron or head.
            layer: Counted from 0.
            number: Counted from 0.
            factor: 0 switches it off.

        Raises:
            UserMistake: There is no such unit.
        """
