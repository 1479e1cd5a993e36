"""What the heads of a loaded model can do, each ability a type.

A family puts a port to a loaded model only if every tensor that the port needs came from the
checkpoint's files: a freshly initialised head never answers. A question names the ports it needs;
where one is missing, the model says why in one line (`LoadedModel.refused`).

Arrays that a port gives are torch tensors on the model's device: they stay in the engine.
"""

import enum
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from explorer.api.context import Context
from explorer.api.encoded import Encoded


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


class PairClassifier(Protocol):
    """Tells classes of texts, or of pairs of texts, apart.

    Attributes:
        labels: Names of the classes, in the order of the scores.
        judges_pairs: Whether it says something of two texts only, as whether the second follows.
    """

    labels: tuple[str, ...]
    judges_pairs: bool

    def logits(self, encoded: Encoded, context: Context) -> Any:
        """One raw score a class: a tensor (classes), float32.

        Raises:
            MachineFault: They are not numbers.
            Cancelled: The run was cancelled; checked before every layer.
        """


class MultipleChoice(Protocol):
    """Chooses among texts, each of which is read in a sequence of its own and gets one score.

    Radford et al. 2018, section 3.3; Devlin et al. 2019, section 4.4.
    """

    def logits(self, sequences: Sequence[Encoded], context: Context) -> Any:
        """One raw score a sequence, of which a softmax over all makes the choices' probabilities.

        Returns:
            Tensor (sequences), float32.

        Raises:
            MachineFault: They are not numbers.
            Cancelled: The run was cancelled; checked before every layer.
        """


class TokenClassifier(Protocol):
    """Gives every token a label, as a name's begin or a part of speech.

    Attributes:
        labels: Names of the classes, in the order of the scores.
    """

    labels: tuple[str, ...]

    def logits(self, encoded: Encoded, context: Context) -> Any:
        """One raw score a class for every token: a tensor (tokens x classes), float32.

        Raises:
            MachineFault: They are not numbers.
            Cancelled: The run was cancelled; checked before every layer.
        """


@dataclass(frozen=True)
class SpanLogits:
    """Raw scores of where an answer begins and ends, float32.

    Attributes:
        starts: Of every token as the first one: a tensor (tokens).
        ends: Of every token as the last one: a tensor (tokens); or one for each start (tokens x
            tokens, a row for each start) where the head looks at where the answer begins.
        impossible: Above zero where the passage holds no answer; None for a head that says so
            with the scores of its null position.
    """

    starts: Any
    ends: Any
    impossible: float | None = None


class SpanExtractor(Protocol):
    """Finds the answer to a question (the first text) in a passage (the second)."""

    def logits(self, encoded: Encoded, context: Context) -> SpanLogits:
        """Scores of every token of the input, special ones included.

        Raises:
            MachineFault: They are not numbers.
            Cancelled: The run was cancelled; checked before every layer.
        """

    def null(self, encoded: Encoded) -> int | None:
        """The position whose scores stand for no answer; None where there is no such token."""
