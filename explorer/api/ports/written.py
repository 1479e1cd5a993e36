"""What wrote a prediction: a logit as the sum of what was added to the stream, as a port.

Direct logit attribution (Elhage et al. 2021, "A mathematical framework for transformer circuits";
nostalgebraist 2020), with the norms' scales and the head's activation held as they are in the run.
"""

import enum
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from explorer.api.context import Context
from explorer.api.ports.heads import Query
from explorer.api.tokens import Token


class WrittenBy(enum.StrEnum):
    """What adds to the stream, or to what is read of it."""

    EMBEDDINGS = "embeddings"
    """What the first layer is given at the token that is read."""
    HEAD = "head"
    """One attention head: its part of what goes into the projection behind its layer's heads."""
    ATTENTION = "attention"
    """A layer's attention whole, where its heads are not known apart."""
    FEED_FORWARD = "feed_forward"
    """A layer's feed-forward part, with the bias of its last matrix."""
    CONVOLUTION = "convolution"
    """What a convolution over neighbouring tokens adds behind the first layer (DeBERTa v2)."""
    POSITIONS = "positions"
    """Vectors of places that are added behind the first layer (DeBERTa's decoder)."""
    ATTENTION_BIAS = "attention_bias"
    """Of the projection behind a layer's heads."""
    NORM_BIAS = "norm_bias"
    """Of a norm that the stream goes through."""
    OTHER_BIAS = "other_bias"
    """Of another module between the layers (MobileBERT's bottlenecks)."""
    HEAD_BIAS = "prediction_bias"
    """Of the head that predicts, behind all layers."""


@dataclass(frozen=True)
class LogitPart:
    """What one of them adds to the difference of two logits.

    Attributes:
        by: What it is.
        kind: "encoder", "decoder" or "cross", as attention's stacks are called; "" for a bias.
        row: As `PatchStack.rows` has it: "3", of a head "3.0"; of a bias the parameter's name.
        value: In nats, as logits are.
    """

    by: WrittenBy
    kind: str
    row: str
    value: float


@dataclass(frozen=True)
class LogitSum:
    """A difference of two logits and what it is the sum of.

    Attributes:
        difference: The first word's logit minus the second's, as the model has it.
        parts: In the order in which a run passes through them; biases come last.
    """

    difference: float
    parts: tuple[LogitPart, ...]

    @property
    def missing(self) -> float:
        """How far the parts' sum is from the difference."""
        return sum(one.value for one in self.parts) - self.difference


@dataclass(frozen=True)
class HeadTokens:
    """What a head brought, token by token.

    Attributes:
        tokens: Those that it looks at.
        weights: How much it looks at each; torch, float32.
        values: What each adds to the difference: they sum to the head's part; torch, float32.
    """

    tokens: tuple[Token, ...]
    weights: Any
    values: Any


@dataclass(frozen=True)
class PartNeurons:
    """What the neurons of a feed-forward part add.

    Attributes:
        activations: How active each is, of one network after the other; torch, float32.
        values: What each adds to the difference; torch, float32.
        sizes: How many neurons each network in the layer has.
        bias: What the biases of their last matrices add: with the values it is the part.
    """

    activations: Any
    values: Any
    sizes: tuple[int, ...]
    bias: float


class LogitParts(Protocol):
    """Says what the difference between two words' logits is the sum of.

    Each part is counted on the direct path alone: what it adds to the stream, read by the head as
    it was. What later layers make of it is theirs.
    """

    def split(self, query: Query, words: tuple[int, int], context: Context) -> LogitSum:
        """All parts.

        Args:
            query: With one asked position.
            words: Numbers of the two pieces.
            context: Can stop it.

        Raises:
            Unavailable: The model gives no gradients, or its parts do not add up.
            UserMistake: As `Predictor.log_probabilities`.
            Cancelled: The run was cancelled; checked before every layer.
        """

    def tokens(
        self, query: Query, words: tuple[int, int], kind: str, row: str, context: Context
    ) -> HeadTokens:
        """What one head brought from each token: attention times value times what is read.

        Raises:
            Unavailable: There is no such head, or attention can't be taken apart.
        """

    def neurons(
        self, query: Query, words: tuple[int, int], kind: str, row: str, context: Context
    ) -> PartNeurons:
        """What each neuron of a layer's feed-forward part adds.

        Raises:
            Unavailable: There is no such layer, or nobody knows its neurons.
        """

    def without(
        self,
        query: Query,
        words: tuple[int, int],
        parts: Sequence[LogitPart],
        context: Context,
    ) -> list[float]:
        """The difference when a part adds nothing where it is read, each alone.

        Everything after it is computed anew: against `difference` this is the part's total effect
        (zero ablation), of which its own value is the direct one.

        Args:
            query: With one asked position.
            words: Numbers of the two pieces.
            parts: Embeddings, heads, attention and feed-forward parts, of the same query.
            context: Can stop it.
        """
