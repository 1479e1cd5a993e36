"""What a model pays attention to: ports to its maps, and to the modules that make them."""

from collections.abc import Collection, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Any, Protocol

from explorer.api.context import Context
from explorer.api.encoded import Encoded


class Attentions(Protocol):
    """Who attends to whom, in every layer and head."""

    def capture(
        self, encoded: Encoded, context: Context, answer: Sequence[int] | None = None
    ) -> Mapping[str, Any]:
        """Every attention of the model for one input, by kind ("encoder", "decoder", "cross").

        Args:
            encoded: What it reads.
            context: Can stop it.
            answer: What the decoder of a model with two stacks reads, without the token that
                starts it; None for what it writes itself.
        """


@dataclass(frozen=True)
class HeadPlace:
    """One attention head.

    Attributes:
        kind: "encoder", "decoder" or "cross".
        layer: Counted from 0, within the kind.
        head: Counted from 0.
    """

    kind: str
    layer: int
    head: int


class AttentionModules(Protocol):
    """Where attention is made: queries and keys can be read, and heads taken out."""

    def modules(self) -> tuple[Any, ...]:
        """The attentions in the order of the layers."""

    def stacks(self) -> tuple[tuple[str, int, int], ...]:
        """Kind, layers and heads of each stack that the model has."""

    def ablated(self, places: Collection[HeadPlace]) -> AbstractContextManager[None]:
        """Let some heads contribute nothing to whatever the model runs inside the block.

        Raises:
            UserMistake: A head is not there.
        """

    def captured(self, layers: Collection[int] | None = None) -> AbstractContextManager[list[Any]]:
        """Collect queries and keys of whatever the model runs inside the block."""

    def queries_and_keys(
        self,
        encoded: Encoded,
        context: Context,
        *,
        layers: Collection[int] | None = None,
        answer: Sequence[int] | None = None,
    ) -> list[Any]:
        """Queries and keys as the model multiplies them, a layer each, of one run.

        Args:
            encoded: What it reads.
            context: Can stop it.
            layers: Which are wanted, by their number within their kind; None for all.
            answer: As for `Attentions.capture`.
        """
