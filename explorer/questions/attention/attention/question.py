"""What does each attention head look at?"""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from explorer.api import (
    MODEL,
    Attentions,
    Cell,
    LeftOut,
    ModelStamp,
    Operation,
    Table,
    Token,
    computed,
)
from explorer.document import Document, Mask

Values = NDArray[np.floating[Any]]

CELLS = 600_000
"""Cells of an overview at most, all heads together."""

SMALLEST, LARGEST = 16, 96
"""Rows or columns of one head in the overview."""

SPECIAL = ("shown", "hidden", "renormalised")


@dataclass(frozen=True)
class Attention:
    """Ask for attention: of all heads small, or of a few in full.

    Attributes:
        text: The sentence; a literal [MASK] in it counts as a mask.
        pair: The second sentence, or None.
        masks: Masked ranges of characters.
        kind: "encoder", "decoder" or "cross"; "" for the first that the model has.
        answer: What the decoder of a model with two stacks reads; "" for what it writes itself.
        words: Merge the pieces of a word.
        special: "shown", "hidden", or "renormalised": hidden, and rows divided by their sums.
        heads: Empty for all heads small. Else these in full: "3.5" is layer 3, head 5, both from
            0 on; "3.mean" and "3.max" are over a layer's heads, "mean" and "max" over all heads of
            all layers, "rollout" follows all layers, "rollout.3" those up to 3.
    """

    text: str
    pair: str | None = None
    masks: tuple[Mask, ...] = ()
    kind: str = ""
    answer: str = ""
    words: bool = False
    special: str = "shown"
    heads: tuple[str, ...] = ()

    @staticmethod
    def of(document: Document) -> "Attention":
        """The question a document asks."""
        special = document.option("attention.special", "shown")
        return Attention(
            document.text,
            document.pair,
            document.masks,
            kind=str(document.option("attention.kind", "")),
            answer=str(document.option("attention.answer", "")),
            words=bool(document.option("attention.words", False)),
            special=special if special in SPECIAL else "shown",
        )


@dataclass(frozen=True)
class Place:
    """A row or a column of the attention: a token, or the tokens of a word.

    Attributes:
        label: As a person reads it; a piece inside a word begins with "##".
        first: Position of its first token in its text.
        last: Position of its last token; another than the first for a word of several pieces.
        special: Added by the model.
    """

    label: str
    first: int
    last: int
    special: bool = False


@dataclass(frozen=True)
class AttentionResult:
    """Attention of one kind.

    Attributes:
        model: Whose it is.
        tokens: What the model read; the rows of "encoder" and "decoder", the columns of "cross".
        kind: "encoder", "decoder" or "cross".
        kinds: Those the model has.
        layers: How many.
        heads: In a layer.
        queries: The rows: who looks.
        keys: The columns: what is looked at.
        causal: Nothing may look at what comes later.
        block: Rows and columns that a cell of the overview stands for.
        overview: layers x heads x rows x columns, float16; each cell the largest weight of those
            it stands for. Empty where heads were asked for in full.
        undefined: Fields in which "not a number" says that there is none.
        measures: measures x layers x heads, float32, in the order of `measure_names`; not a
            number where a head can't have it. Of the model's own tokens, nothing merged or hidden.
        measure_names: See explorer.numerics.attention_patterns.
        chosen: The heads in full, as they were asked for.
        weights: chosen x queries x keys, float32; empty where none were asked for.
        half: The weights were kept as float16 (11 bits), as all of them would be very large.
        left_out: What did not fit, or None.
        note: What must be known; "" where there is nothing to say.
    """

    undefined: ClassVar = frozenset({"measures"})

    model: ModelStamp
    tokens: tuple[Token, ...]
    kind: str
    kinds: tuple[str, ...]
    layers: int
    heads: int
    queries: tuple[Place, ...]
    keys: tuple[Place, ...]
    causal: bool
    block: tuple[int, int]
    overview: NDArray[np.float16]
    measures: NDArray[np.float32]
    measure_names: tuple[str, ...]
    chosen: tuple[str, ...]
    weights: NDArray[np.float32]
    half: bool = False
    left_out: LeftOut | None = None
    note: str = ""


def block_of(heads: int, rows: int, columns: int) -> tuple[int, int]:
    """Rows and columns that one cell of the overview stands for."""
    side = min(max(math.isqrt(CELLS // max(heads, 1)), SMALLEST), LARGEST)
    return max(1, math.ceil(rows / side)), max(1, math.ceil(columns / side))


def table(result: AttentionResult) -> Table:
    """One row a head with its measures; of heads in full, one row a weight."""
    if result.chosen:
        return Table(
            ("head", "from", "from_position", "to", "to_position", "weight"),
            tuple(
                (chosen, query.label, query.first, key.label, key.first, weight)
                for chosen, rows in zip(result.chosen, result.weights.tolist(), strict=True)
                for query, row in zip(result.queries, rows, strict=True)
                for key, weight in zip(result.keys, row, strict=True)
            ),
        )
    return Table(
        ("layer", "head", *result.measure_names),
        tuple(
            (layer, head, *(_cell(one) for one in result.measures[:, layer, head].tolist()))
            for layer in range(result.layers)
            for head in range(result.heads)
        ),
    )


def _cell(value: float) -> float | None:
    return value if math.isfinite(value) else None


def summary(result: AttentionResult) -> Mapping[str, Cell]:
    """The mean spread of all heads, and for every pattern the head that has most of it."""
    found: dict[str, Cell] = {"tokens": len(result.tokens), "kind": result.kind}
    for name, of_heads in zip(result.measure_names, result.measures, strict=True):
        flat = [(-1.0 if not math.isfinite(v) else v) for v in of_heads.ravel().tolist()]
        best = max(range(len(flat)), key=flat.__getitem__)
        if name == "entropy":
            found["mean entropy"] = sum(flat) / len(flat)
        elif flat[best] >= 0:
            found[name] = flat[best]
            found[f"{name} head"] = f"{best // result.heads}.{best % result.heads}"
    return found


OPERATION = Operation(
    name="attention",
    title="Attention",
    question="What does each attention head look at?",
    request=Attention,
    result=AttentionResult,
    run=computed(__name__),
    table=table,
    summary=summary,
    roles={MODEL: (Attentions,)},
)
