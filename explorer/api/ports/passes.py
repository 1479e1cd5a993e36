"""One pass of a model, step by step, for one of its tokens: as a port.

What a step is, and what goes into it, is found by running the model and looking at what its modules
are given and give, so the order of norms and sublayers is the model's own.
"""

import enum
from dataclasses import dataclass, field
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from explorer.api.context import Context
from explorer.api.ports.heads import Query
from explorer.api.tokens import Token

Floats = NDArray[np.float32]

HEAD_ROW = "head"
"""What comes after the last layer is a row of its own: the final norm and the head."""


class StepKind(enum.StrEnum):
    """What a step does."""

    TABLE = "table"
    """A row of a table is looked up: of the piece, its place, its segment."""
    SUM = "sum"
    """Vectors that were there before are added."""
    NORM = "norm"
    """A vector is normed."""
    HEADS = "heads"
    """All heads of an attention look at tokens; what they take is put side by side."""
    OUTPUT = "output"
    """The matrix after the heads."""
    MATRIX = "matrix"
    """Any other matrix, with its bias."""
    ACTIVATION = "activation"
    """Each number goes through a function on its own."""
    PRODUCT = "product"
    """Two vectors are multiplied number by number, one as the gate of the other."""
    SCALED = "scaled"
    """A vector times one number."""
    JOINED = "joined"
    """A token's vector with those of its neighbours, side by side."""
    CONVOLUTION = "convolution"
    """A matrix over neighbouring tokens."""
    OTHER = "other"
    """Something that is done between two modules, or by a module of another kind."""


@dataclass(frozen=True)
class PassStep:
    """One step.

    Attributes:
        row: "emb." before the first layer, a layer's number, "decoder 1" for a pass of a decoder
            that applies a layer again, "head" after the last layer.
        kind: What is done.
        vector: What it gives at the token's place, float32.
        given: Numbers of the steps whose vectors go into it, the latest last.
        module: Path of the module; "" where no module does it.
        function: What the module's class is called, or the function: "LayerNorm", "gelu".
        call: Which of the module's calls, from 0: shared weights are used again and again.
        attention: Of HEADS: its number among the pass's attentions.
        factor: Of SCALED.
        ends_row: What it gives is the state that leaves the row.
    """

    row: str
    kind: StepKind
    vector: Floats
    given: tuple[int, ...] = ()
    module: str = ""
    function: str = ""
    call: int = 0
    attention: int | None = None
    factor: float = 1.0
    ends_row: bool = False


@dataclass(frozen=True)
class PassAttention:
    """How one token attends in one layer. All arrays but `hidden` are float32.

    Attributes:
        row: Of the steps.
        kind: "encoder", "decoder" or "cross".
        layer: Its number within the kind.
        head: Whose keys and values are kept.
        tokens: That can be looked at.
        queries: Of the token, as they are multiplied: heads x width of a head.
        products: Query times key, added up over dimensions: heads x tokens.
        scale: What products are multiplied with; 1 where they are not.
        positions: What is added to the scaled products for distances: heads x tokens; None
            where nothing is.
        hidden: Tokens that may not be looked at.
        weights: After the softmax: heads x tokens.
        results: Values times weights, added up over tokens: heads x width of a head.
        keys: Of the head that was asked for: tokens x width of a head.
        values: Of that head, likewise.
        added: How long the vector is that each head adds behind the output matrix: heads.
        sources: How long the vector is that comes from each token, of all heads together: tokens.
        turned: Queries and keys are turned by the places of their tokens (rotary positions).
        queries_before: As `queries`, before they are turned; None where they are not.
        keys_before: As `keys`, likewise.
        cap: Scaled products are bent below this number, cap * tanh(product / cap); 0 where they
            are not.
        sink: A score of each head beside those of the tokens, whose share no token gets: heads;
            None without.
    """

    row: str
    kind: str
    layer: int
    head: int
    tokens: tuple[Token, ...]
    queries: Floats
    products: Floats
    scale: float
    positions: Floats | None
    hidden: NDArray[np.bool_]
    weights: Floats
    results: Floats
    keys: Floats
    values: Floats
    added: Floats
    sources: Floats
    turned: bool = False
    queries_before: Floats | None = None
    keys_before: Floats | None = None
    cap: float = 0.0
    sink: Floats | None = None

    def scores(self) -> Floats:
        """Before the softmax: heads x tokens, minus infinity where a token is hidden."""
        scores = self.products * np.float32(self.scale)
        if self.cap:
            scores = np.float32(self.cap) * np.tanh(scores / np.float32(self.cap))
        if self.positions is not None:
            scores = scores + self.positions
        found: Floats = np.where(self.hidden, np.float32(-np.inf), scores)
        return found


@dataclass(frozen=True)
class RecordedPass:
    """All of a pass, for one token.

    Attributes:
        tokens: Of the stack that the token is in, as far as it was read.
        place: Of the token among them.
        kind: Of the stack: "encoder" or "decoder".
        steps: In the order in which they were done.
        attentions: In that order.
        logits: Of all pieces, float32; None for a model without a head that predicts.
        read: The vector that the last matrix of the head reads; None without logits, or where
            that is not known.
        matrix_rows: From numbers of pieces to the rows of that matrix (pieces x width, float32);
            None where they can't be had.
    """

    tokens: tuple[Token, ...]
    place: int
    kind: str
    steps: tuple[PassStep, ...]
    attentions: tuple[PassAttention, ...]
    logits: Any = None
    read: Floats | None = None
    matrix_rows: Any = field(default=None, compare=False)


class StepwisePass(Protocol):
    """Shows one pass of a model from within."""

    def record(
        self, query: Query, head: int, context: Context, read: int | None = None
    ) -> RecordedPass:
        """Run the model once, and keep what is made of the token that a prediction is read from.

        Args:
            query: The input, with one asked position. A model that reads from the left is read
                at the token before it.
            head: Whose keys and values are kept, of every layer.
            context: Can stop it between two layers.
            read: Of a model with an encoder and a decoder, the position of a token that is
                followed through the encoder; None for that of the prediction.

        Raises:
            UserMistake: As `Predictor.log_probabilities`.
            Cancelled: The run was cancelled; checked before every layer.
        """
