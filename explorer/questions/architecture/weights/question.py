"""What do the weights look like: positions, a head's matrices, circuits, norms by depth?"""

import enum
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from explorer.api.question import (
    MODEL,
    NOTHING_LOADED,
    Asks,
    AttentionModules,
    Choice,
    Condition,
    Entry,
    LeftOut,
    Listing,
    Loaded,
    ModelCard,
    ModelStamp,
    Optioned,
    Question,
    Topic,
    asked,
    layer_and_head,
)
from explorer.text import N_, Phrase

Floats = NDArray[np.float32]


class Drawn(enum.StrEnum):
    """What is drawn."""

    POSITIONS = "positions"
    HEAD = "head"
    CIRCUITS = "circuits"
    NORMS = "norms"
    RESIDUAL = "residual"


class WordSource(enum.StrEnum):
    """Which words go through the circuits."""

    SENTENCE = "sentence"
    COMMON = "common"


DRAWN = Choice(
    N_("Drawn"),
    Drawn.POSITIONS.value,
    entries=(
        Entry(
            Drawn.POSITIONS.value,
            N_("Positions"),
            N_("Vectors of positions and segments, and how alike positions are by distance."),
        ),
        Entry(
            Drawn.HEAD.value,
            N_("Head"),
            N_("A head's query, key, value and output matrices, and their singular values."),
        ),
        Entry(
            Drawn.CIRCUITS.value,
            N_("Circuits"),
            N_("Which word looks for which (QK), and which words a head writes (OV)."),
        ),
        Entry(Drawn.NORMS.value, N_("Norms by layer"), N_("How large each layer's weights are.")),
        Entry(
            Drawn.RESIDUAL.value,
            N_("Residual stream"),
            N_("How long the sentence's states are, layer by layer."),
        ),
    ),
    beside=True,
    in_sight=True,
    key="weights.drawn",
)
_OF_A_HEAD = (Drawn.HEAD, Drawn.CIRCUITS)


def _of_a_head(document: Optioned) -> bool:
    return DRAWN.of(document) in _OF_A_HEAD


def _of_a_stack(document: Optioned) -> bool:
    return DRAWN.of(document) in (*_OF_A_HEAD, Drawn.NORMS)


def _of_words(document: Optioned) -> bool:
    return bool(DRAWN.of(document) == Drawn.CIRCUITS)


KIND = Choice(
    N_("Stack"),
    "",
    entries=(
        Entry("", N_("The model's first")),
        Entry("encoder", N_("Encoder")),
        Entry("decoder", N_("Decoder")),
        Entry("cross", N_("Decoder to encoder")),
    ),
    when=_of_a_stack,
    key="weights.kind",
)
LAYER, HEAD = (replace(one, when=_of_a_head, in_sight=True) for one in layer_and_head("weights"))
WORDS = Choice(
    N_("Words"),
    WordSource.SENTENCE.value,
    tip=N_("Which words go through the circuits"),
    entries=(
        Entry(WordSource.SENTENCE.value, N_("Of the sentence")),
        Entry(
            WordSource.COMMON.value,
            N_("Commonest"),
            N_("The commonest words of the small world's texts."),
        ),
    ),
    when=_of_words,
    key="weights.words",
)


@dataclass(frozen=True)
class WeightsRequest(Asks):
    """Ask for a model's weights.

    Attributes:
        text: What the residual stream is of, and whose words go through the circuits.
        drawn: What is wanted.
        kind: Of the stack of layers; "" for the model's first.
    """

    text: str = ""
    drawn: Drawn = asked(DRAWN, made=Drawn)
    kind: str = asked(KIND)
    layer: int = asked(LAYER)
    head: int = asked(HEAD)
    words: WordSource = asked(WORDS, made=WordSource)

    @classmethod
    def fields_of(cls, document: Any, loaded: Loaded = NOTHING_LOADED) -> dict[str, Any]:
        """Without what the drawing does not depend on, so that nothing is asked anew for it."""
        found = super().fields_of(document, loaded)
        drawn, words = found["drawn"], found["words"]
        reads = drawn is Drawn.RESIDUAL or (drawn is Drawn.CIRCUITS and words is not COMMON)
        if not reads:
            found["text"] = ""
        if drawn not in _OF_A_HEAD:
            found |= {"layer": 0, "head": 0}
        if drawn not in (*_OF_A_HEAD, Drawn.NORMS):
            found["kind"] = ""
        if drawn is not Drawn.CIRCUITS:
            found["words"] = WordSource.SENTENCE
        return found

    def fitting(self, cards: Sequence[ModelCard]) -> Self:
        """With the last layer and head in the place of those that another model had."""
        stacks = cards[0].stacks
        if not stacks:
            return self
        same = (stack for stack in stacks if stack[0] == self.kind)
        _kind, layers, heads = next(same, stacks[0])
        return replace(self, layer=min(self.layer, layers - 1), head=min(self.head, heads - 1))


COMMON = WordSource.COMMON


@dataclass(frozen=True)
class DrawnMatrix:
    """A matrix of weights, or as much of it as is drawn.

    Attributes:
        name: "positions", "segments", "distances", "bias", "query", "key", "value", "output",
            "qk" or "ov".
        values: Shape [drawn rows, drawn columns], float32.
        rows: A name each.
        columns: A name each.
        shape: Rows and columns of the whole.
    """

    name: str
    values: Floats
    rows: tuple[str, ...]
    columns: tuple[str, ...]
    shape: tuple[int, int]

    @property
    def is_whole(self) -> bool:
        """Whether nothing of it is left out."""
        return self.values.shape == self.shape


@dataclass(frozen=True)
class WeightCurve:
    """Numbers over distances, ranks or layers.

    Attributes:
        panel: Which chart it is in: "cosine", "spectrum", "norm", "size", "residual" or "initial".
        name: Of what: a matrix, a kind of weight, or "scaled" and "unscaled".
        at: Where the values are: a distance, a rank, a layer (-1 the embeddings).
        values: Means, where there are several.
        low: Below them, as far as most lie; None for no band.
        high: Likewise, above.
    """

    panel: str
    name: str
    at: Floats
    values: Floats
    low: Floats | None = None
    high: Floats | None = None


@dataclass(frozen=True)
class WrittenPieces:
    """What a head writes where it sees a word.

    Attributes:
        word: That it sees.
        pieces: Those that it raises most, the first most.
        scores: By how much, before any norm.
        rank: Of the word itself among all pieces, from 1.
    """

    word: str
    pieces: tuple[str, ...]
    scores: tuple[float, ...]
    rank: int


@dataclass(frozen=True)
class ResidualScaling:
    """How the output projections were scaled at initialisation.

    Attributes:
        layers: N; two projections a layer are added to the stream.
        measured: Deviation of a fresh model's output projections over that of its others.
        trained: The same of this checkpoint's weights.
        seed: Of the fresh model's random weights.
    """

    layers: int
    measured: float
    trained: float
    seed: int

    @property
    def stated(self) -> float:
        """1 / sqrt(2 N) (Radford et al. 2019, section 2.3, with two additions a layer)."""
        return float((2 * self.layers) ** -0.5)


@dataclass(frozen=True)
class WeightsResult:
    """What is drawn of a model.

    Attributes:
        model: Whose.
        drawn: What it is.
        kind: Of the stack that a head or norms are of; "" elsewhere.
        layer: Of the head, from 0.
        head: From 0.
        stacks: Kind, layers and heads of each stack that the model has.
        matrices: In the order in which they are drawn.
        curves: Likewise.
        written: What the head writes, a word each.
        vocabulary: Pieces that are scored for that; 0 for none.
        scaling: How a fresh model's residual weights are scaled; None where they are not.
        initial: The deviation that the config initialises with; None where it says none.
        left_out: What did not fit, or None.
        notes: What must be known of it.
    """

    model: ModelStamp
    drawn: Drawn
    kind: str
    layer: int
    head: int
    stacks: tuple[tuple[str, int, int], ...]
    matrices: tuple[DrawnMatrix, ...] = ()
    curves: tuple[WeightCurve, ...] = ()
    written: tuple[WrittenPieces, ...] = ()
    vocabulary: int = 0
    scaling: ResidualScaling | None = None
    initial: float | None = None
    left_out: LeftOut | None = None
    notes: tuple[Phrase, ...] = ()

    def of_panel(self, panel: str) -> tuple[WeightCurve, ...]:
        """The curves of one chart."""
        return tuple(one for one in self.curves if one.panel == panel)


def derived(result: WeightsResult) -> Mapping[str, Any]:
    """How many times as long a state is at the end as at the embeddings, None where not drawn."""
    own = {one.name: one for one in result.curves if one.panel in ("residual", "initial")}
    growth = {
        name: float(own[name].values[-1] / own[name].values[0]) if name in own else None
        for name in ("checkpoint", "scaled", "unscaled")
    }
    return {"growth": growth}


def _has_text(document: Any) -> bool:
    return DRAWN.of(document) != Drawn.RESIDUAL or bool(document.text.strip())


QUESTION = Question(
    name="weights",
    title=N_("Weights"),
    asks=N_("What do the weights look like: positions, a head's matrices, circuits, norms?"),
    listing=Listing(Topic.LOOK_INSIDE, 11, "table-large"),
    found_by=(
        "OV circuit",
        "QK circuit",
        "position embeddings",
        "segment embeddings",
        "weight matrices",
        "singular values",
        "SVD",
        "spectrum",
        "residual stream norm",
        "가중치",
        "위치 임베딩",
        "특잇값",
    ),
    request=WeightsRequest,
    result=WeightsResult,
    derived=derived,
    roles={MODEL: (AttentionModules,)},
    leaves_out_entities=N_(
        "The entities on the text are left out: weights that read them are not drawn."
    ),
    conditions=(
        Condition(_has_text, N_("Type a sentence to see how long its states are in each layer.")),
    ),
)
