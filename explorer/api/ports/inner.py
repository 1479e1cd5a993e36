"""What a model is inside: ports to its layers' states, and to the vectors that it reads.

As those of its heads, they are put to a loaded model where its checkpoint has all that they need,
and what they give are torch tensors on the model's device, if not said otherwise.
"""

from collections.abc import Collection, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Any, Protocol

from explorer.api.context import Context
from explorer.api.encoded import Encoded
from explorer.api.ports.heads import Query
from explorer.text.phrase import Phrase


class HiddenStates(Protocol):
    """What every layer makes of a text: no head is needed.

    The first row is the embeddings' output; of a model with two stacks, the layers are those of
    the one that reads.
    """

    def states(self, texts: Sequence[Encoded], context: Context) -> list[Any]:
        """Hidden states of every token of many texts, in as few passes as fit.

        Returns:
            For every text a tensor (rows x tokens x width), float32.

        Raises:
            Cancelled: The run was cancelled; checked before every layer.
        """


class LayerReadout(Protocol):
    """What the model's own head reads in every layer's states (the logit lens).

    The first row is the embeddings' output; then come all layers that a prediction goes through.
    The last row is what the head was trained on.

    Attributes:
        passes: How many rows at the end are those of a decoder that applies a layer again.
    """

    passes: int

    def states(self, queries: Sequence[Query], context: Context) -> list[Any]:
        """The states that predictions at the asked positions are made from.

        Returns:
            For every query a tensor (rows x asked x width), float32, before the final norm where
            a model has one.

        Raises:
            UserMistake: As `Predictor.log_probabilities`.
            Cancelled: The run was cancelled; checked before every layer.
        """

    def log_probabilities(self, states: Any) -> Any:
        """What the head reads in states, through the final norm where a model has one.

        Gradients flow back to states that require them.

        Args:
            states: Tensor (n x width), of any row.

        Returns:
            Tensor (n x vocabulary), float32: natural logarithms of the softmax over the whole
            vocabulary. Of the last row it is what the Predictor gives.
        """


class InputEmbeddings(Protocol):
    """The vectors that a model reads in the place of pieces, and what it answers for any others.

    Attributes:
        answered: The ports whose answers can be had for vectors.
        no_gradients: Why answers have no gradients, in a sentence; "" where they have.
    """

    answered: frozenset[type]
    no_gradients: str

    def vectors(self, pieces: Sequence[int]) -> Any:
        """What the model reads for pieces, before anything is added for their places.

        Returns:
            Tensor (pieces x width), float32.
        """

    def pieces(self, port: type, query: Query) -> tuple[int, ...]:
        """Numbers of the pieces that are read to answer a query: those of the first tokens.

        A model that reads from the left needs none behind the last asked position.
        """

    def answers(self, port: type, query: Query, vectors: Any, context: Context) -> Any:
        """What one of the model's ports answers when it reads other vectors.

        Gradients flow back to vectors that require them. The pieces' numbers stay as they are for
        whatever else a model makes of them, as positions that are counted from padding.

        Args:
            port: One of `answered`.
            query: The input, and which positions are asked for.
            vectors: Copies of the input (copies x pieces x width), float32. All go through the
                model at once.
            context: Can stop it.

        Returns:
            Tensor, float32. Of a Predictor: log-probabilities (copies x asked x vocabulary); of a
            Discriminator: logits (copies x asked); of a PairClassifier: scores (copies x labels);
            of a TokenClassifier: scores (copies x asked x labels); of a SpanExtractor: scores of
            starts and ends (copies x 2 x tokens), the ends of an answer that begins at the asked
            position where they depend on that.

        Raises:
            UserMistake: As `Predictor.log_probabilities`; or vectors require gradients, and the
                model's number type is too coarse for them.
            MachineFault: The answers are not numbers.
            Cancelled: The run was cancelled; checked before every layer.
        """


class EmbeddingMatrices(Protocol):
    """The tables of a model's vectors, one row a piece: no head is needed.

    Attributes:
        sides: "input" for the table that is read; "output" too, where a head that came with the
            checkpoint scores pieces against a table of its own.
        states_width: Of the layers' states: a narrower table is read through a projection, which
            these vectors stand before.
    """

    sides: tuple[str, ...]
    states_width: int

    def shape(self, side: str) -> tuple[int, int]:
        """Rows and width of a table; it may have more rows than there are pieces."""

    def rows(self, side: str, start: int, stop: int) -> Any:
        """Some rows as they are in the checkpoint: numpy, float32, owned."""


class LayerTrace(Protocol):
    """What every layer makes of a text, beside the scores that its attention is made from."""

    def layers(self, encoded: Encoded, context: Context) -> Any:
        """Hidden states and attention scores of every layer, numpy float32."""


@dataclass(frozen=True)
class DecomposedAttention:
    """What one pass says of the parts that attention scores are the sum of; torch tensors.

    Attributes:
        parts: Of the chosen layer, by name: heads x tokens x tokens, scaled as in the model.
        shares: Of every layer and head, by name (layers x heads): a part's size, as the root of
            the mean square of what differs between the keys of a row, divided by the sum of all
            parts' sizes. The steps of a decoder follow the layers.
        scores: The model's own in the chosen layer, heads x tokens x tokens.
        attention: Behind the softmax, of the same shape.
        errors: By layer and step: the largest difference between the sum of the parts and the
            model's own scores, of every head.
        largest: The largest score there is.
        distances: What the chosen layer tells apart: a key's place minus a query's.
        buckets: Which row of the table of positions stands for each distance.
        biases: By name: mean and deviation of what a part adds at each distance, over the tokens
            as the content (heads x distances).
    """

    parts: Mapping[str, Any]
    shares: Mapping[str, Any]
    scores: Any
    attention: Any
    errors: Mapping[tuple[int, int], Any]
    largest: float
    distances: Any
    buckets: Any
    biases: Mapping[str, tuple[Any, Any]]


class AttentionDecomposition(Protocol):
    """Attention scores that are sums: content and position apart (He et al. 2021, section 3.1).

    Attributes:
        layers: How many there are.
        heads: In each of them.
        steps: Of a decoder that applies the last layer again; 0 without one.
        note: What must be known of this checkpoint's parts; "" where there is nothing to say.
    """

    layers: int
    heads: int
    steps: int
    note: Phrase

    def take_apart(
        self, encoded: Encoded, layer: int, step: int, context: Context
    ) -> DecomposedAttention:
        """Read an input once, and keep what its scores are made of.

        Args:
            encoded: The input.
            layer: Whose parts are wanted whole; the last one where a step is chosen.
            step: Of the decoder, counted from 1; 0 for the layer itself.
            context: Can stop it before every layer.
        """

    def attention(self, encoded: Encoded, layer: int, step: int, context: Context) -> Any:
        """The attention of a layer's heads (heads x tokens x tokens), in a pass of its own."""

    def without(
        self, gone: Mapping[tuple[str, int], Collection[int]], *, absolute: bool
    ) -> AbstractContextManager[None]:
        """Take parts out of the scores, before the softmax, while the block runs.

        Args:
            gone: By a part's name and a layer: the heads that go without it.
            absolute: Without the absolute positions that a decoder adds, too.
        """


class LayerProjection(Protocol):
    """A student's own projection of its hidden states to its teacher's width (TinyBERT's W_h).

    Attributes:
        width: The teacher's.
    """

    width: int

    def project(self, states: Any, layer: int) -> Any:
        """From a layer's states (tokens x student's width) to (tokens x width); numpy, float32.

        Args:
            states: Hidden states.
            layer: Which; 0 for the embeddings.
        """
