"""What a loaded model can do, each ability a type.

A family puts a port to a loaded model only if every tensor that the port needs came from the
checkpoint's files: a freshly initialised head never answers. A question names the ports it needs;
where one is missing, the model says why in one line (`LoadedModel.refused`).

Arrays that a port gives are torch tensors on the model's device: they stay in the engine.
"""

import enum
from collections.abc import Collection, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from typing import Any, Protocol, runtime_checkable

from explorer.api.blueprint import Blueprint
from explorer.api.checkpoint import Files
from explorer.api.context import Context
from explorer.api.encoded import Encoded
from explorer.api.tensors import Role
from explorer.text.phrase import Phrase


class Direction(enum.StrEnum):
    """What a model sees of a text when it predicts a token."""

    BOTH = "both"
    """What stands on both sides of it."""
    CAUSAL = "causal"
    """What stands before it."""
    SPANS = "spans"
    """Both sides, and a decoder writes a span of any length in its place."""


@dataclass(frozen=True)
class Query:
    """Where the distribution over the vocabulary is asked for, and what stands in the text.

    Attributes:
        encoded: The input.
        asked: Positions whose distributions are wanted.
        pieces: What stands at some positions in the place of what the input has there: a number
            of the vocabulary, or None for a mask. All other positions stay as they are encoded.
        written: For a model that fills spans: what it has written already in the place of some
            masks of the input. At an asked one the distribution is that of the piece that
            follows; those before it, in the order of the text, must be written.
    """

    encoded: Encoded
    asked: tuple[int, ...]
    pieces: Mapping[int, int | None] = field(default_factory=dict)
    written: Mapping[int, tuple[int, ...]] = field(default_factory=dict)


class Predictor(Protocol):
    """Predicts tokens of a text from the others.

    Attributes:
        direction: What it sees of the text.
        who: What a sentence calls the model: "GPT-2", "This model".
        reads_pairs: Whether it was trained with a second text beside the first.
    """

    direction: Direction
    who: str
    reads_pairs: bool

    def log_probabilities(self, queries: Sequence[Query], context: Context) -> list[Any]:
        """Whole distributions at the asked positions of many inputs, in as few passes as fit.

        Several positions asked of one query are predicted independently of each other.

        Returns:
            For every query a tensor (asked x vocabulary), float32 whatever the weights' own type:
            natural logarithms of the softmax over the whole vocabulary.

        Raises:
            UserMistake: The model can't see what it would have to go by, as a mask that stands
                before an asked position of a causal model.
            MachineFault: The logits are not numbers, or there is no memory for even one row.
            Cancelled: The run was cancelled; checked before every layer.
        """


class BidirectionalPredictor(Predictor, Protocol):
    """A predictor that was trained on hidden tokens and sees both sides of each.

    Attributes:
        mask_id: The number of what stands for a hidden token.
    """

    mask_id: int


@dataclass(frozen=True)
class SpanCandidate:
    """A span of pieces and how probable it is.

    Attributes:
        ids: Its pieces.
        log_probability: Of exactly these pieces and of the end after them, in nats.
    """

    ids: tuple[int, ...]
    log_probability: float


@dataclass(frozen=True)
class SpansFound:
    """The most probable spans at one mask.

    Attributes:
        spans: Most probable first.
        entropy: Of the first piece's distribution over the whole vocabulary, in nats.
    """

    spans: tuple[SpanCandidate, ...]
    entropy: float


class SpanPredictor(BidirectionalPredictor, Protocol):
    """A predictor whose decoder writes a span of any length in the place of each mask."""

    def best_spans(
        self,
        encoded: Encoded,
        written: Sequence[tuple[int, ...]],
        count: int,
        context: Context,
    ) -> SpansFound:
        """The most probable spans at one mask of an input.

        Args:
            encoded: The input.
            written: What stands at the masks before it; the next one is asked about.
            count: How many are wanted; fewer where the search finds no more.
            context: Can stop it.
        """

    def piece_rows(
        self,
        encoded: Encoded,
        written: Sequence[tuple[int, ...]],
        ids: tuple[int, ...],
        context: Context,
    ) -> tuple[Any, float]:
        """How probable one span is, piece by piece, at one mask of an input.

        Args:
            encoded: The input.
            written: What stands at the masks before it; the next one is asked about.
            ids: The span.
            context: Can stop it.

        Returns:
            Log-probabilities (pieces x vocabulary, float32), each after the pieces before it, and
            the logarithm of the probability that the span ends there.
        """


class Discriminator(Protocol):
    """Tells replaced tokens from those that stood in the text."""

    def logits(self, encoded: Encoded, context: Context) -> Any:
        """Above zero where a token was replaced.

        Returns:
            Tensor (tokens), float32.

        Raises:
            MachineFault: They are not numbers.
            Cancelled: The run was cancelled; checked before every layer.
        """


class BoundaryPredictor(Protocol):
    """Predicts the tokens of a span from the two tokens beside it (SpanBERT, section 3.2).

    Attributes:
        longest: Tokens of the longest span whose places it tells apart.
    """

    longest: int

    def log_probabilities(
        self, encoded: Encoded, spans: Sequence[tuple[int, int]], context: Context
    ) -> list[Any]:
        """Distributions at every token between two positions.

        Args:
            encoded: The input.
            spans: Positions before and behind each span; none longer than `longest`.
            context: Can stop it.

        Returns:
            For every span a tensor (tokens of the span x vocabulary), float32.

        Raises:
            MachineFault: The logits are not numbers.
            Cancelled: The run was cancelled; checked before every layer.
        """


class NextSentence(Protocol):
    """Tells whether a second text follows the first (Devlin et al. 2019, section 3.1, task 2)."""

    labels: tuple[str, ...]

    def logits(self, encoded: Encoded, context: Context) -> Any:
        """One raw score a label: a tensor (labels), float32."""


class Classifier(Protocol):
    """Tells classes of texts or pairs of texts apart.

    Attributes:
        labels: Names of the classes, in the order of the scores.
    """

    labels: tuple[str, ...]

    def logits(self, encoded: Encoded, context: Context) -> Any:
        """One raw score a class: a tensor (classes), float32."""


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


class States(Protocol):
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


class Embeddings(Protocol):
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
            Discriminator: logits (copies x asked); of a NextSentence or Classifier: scores
            (copies x labels).

        Raises:
            UserMistake: As `Predictor.log_probabilities`; or vectors require gradients, and the
                model's number type is too coarse for them.
            MachineFault: The answers are not numbers.
            Cancelled: The run was cancelled; checked before every layer.
        """


class HiddenStates(Protocol):
    """What every layer makes of a text, beside the scores that its attention is made from."""

    def layers(self, encoded: Encoded, context: Context) -> Any:
        """Hidden states and attention scores of every layer, numpy float32."""


@dataclass(frozen=True)
class TakenApart:
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


class ScoreParts(Protocol):
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

    def take_apart(self, encoded: Encoded, layer: int, step: int, context: Context) -> TakenApart:
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


@runtime_checkable
class Weights(Protocol):
    """The model of any config, without its numbers. A family has this, not a loaded model."""

    def blueprint(self, config: Mapping[str, Any], heads: tuple[str, ...] = ()) -> Blueprint:
        """The architecture in numbers, for the picture.

        Args:
            config: All values, defaults included.
            heads: Names of the heads on top.
        """

    def skeleton(self, files: Files, heads: tuple[str, ...]) -> tuple[Any, Mapping[str, Any]]:
        """The torch module on the meta device, and its config with every default filled in."""

    def run_once(self, module: Any, ids: Any) -> None:
        """Let texts (batch x tokens, numbers of pieces) go through such a module and its heads."""

    def role_of(self, name: str) -> Role:
        """What a tensor is for, by its name."""

    def used_again(self, heads: tuple[str, ...]) -> Mapping[str, str]:
        """Uses of a weight that its module has no name for: a name for each, and the weight's."""

    def heads_named(self, config: Mapping[str, Any]) -> tuple[str, ...]:
        """The heads of the class that a config names, or of the one with most."""

    def companion_of(self, checkpoint_id: str) -> str:
        """The checkpoint that was trained together with another; "" for one trained alone."""

    def size_keys(self, config: Mapping[str, Any]) -> Mapping[str, tuple[str, ...]]:
        """The sizes that its classes take, and their keys in a config."""

    def layers_apart(self, config: Mapping[str, Any]) -> Mapping[str, Any]:
        """What a config must say so that every layer has weights of its own."""
