"""What does each attention head look at?"""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from explorer.api import (
    MODEL,
    Attentions,
    Cell,
    Context,
    LeftOut,
    ModelStamp,
    Operation,
    Table,
    Token,
    UserMistake,
)
from explorer.document import Document, Mask
from explorer.numerics.attention_patterns import NAMES

if TYPE_CHECKING:
    from explorer.hf.attention.cache import Captured
    from explorer.hf.attention.weights import Stack

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


def run(model: Any, request: Attention, context: Context) -> AttentionResult:
    """Run the model once with plain attention, and keep it: other heads are then a look-up.

    Attention is softmax(q k / sqrt(d)) (Vaswani et al. 2017, equation 1), with whatever positions
    add to it, exactly as transformers computes it for this family.

    Raises:
        UserMistake: The text is empty, or there is no such layer or head.
        MachineFault: The model's numbers overflow.
        Cancelled: The run was cancelled.
    """
    from explorer.hf.attention.cache import captured_for
    from explorer.hf.attention.measures import measured
    from explorer.questions.attention.attention.compute import places_of, separators_of

    if not request.text.strip():
        raise UserMistake("There is no text yet.", "Type a sentence.")
    captured = captured_for(
        model, request.text, request.pair, request.masks, request.answer, context
    )
    kinds = tuple(captured.stacks)
    stack = captured.stacks[request.kind if request.kind in kinds else kinds[0]]
    queries, keys = (
        places_of(model.tokenizer, tokens, words=request.words, special=request.special)
        for tokens in (stack.queries, stack.keys)
    )
    separators = separators_of(model.tokenizer, stack.keys)
    block = block_of(stack.layers * stack.heads, len(queries), len(keys))
    empty = np.zeros((0, 0, 0, 0), dtype=np.float16)
    drawn = _Drawn(captured, stack, queries, keys, request.special)
    return AttentionResult(
        model=model.stamp,
        tokens=captured.encoded.tokens,
        kind=stack.kind,
        kinds=kinds,
        layers=stack.layers,
        heads=stack.heads,
        queries=queries,
        keys=keys,
        causal=stack.causal,
        block=block,
        overview=empty if request.heads else drawn.small(block, context),
        measures=captured.remember(("measures", stack.kind), lambda: measured(stack, separators)),
        measure_names=NAMES,
        chosen=request.heads,
        weights=drawn.in_full(request.heads, context),
        half=bool(stack.weights[0].dtype == np.float16),
        left_out=captured.encoded.left_out,
        note=_note(model, request, captured, stack.kind),
    )


@dataclass(frozen=True)
class _Drawn:
    """The attention of one kind as it is asked for."""

    captured: "Captured"
    stack: "Stack"
    queries: tuple[Place, ...]
    keys: tuple[Place, ...]
    special: str

    def small(self, block: tuple[int, int], context: Context) -> Values:
        """Every head, max-pooled: layers x heads x rows x columns, float16."""
        from explorer.questions.attention.attention.compute import pooled

        def make() -> Values:
            layers = []
            for layer in self.stack.weights:
                context.check()
                layers.append(pooled(self._read(layer, strongest=False), block))
            return np.stack(layers).astype(np.float16)

        key = ("overview", self.stack.kind, len(self.queries), len(self.keys), self.special)
        overview: Values = self.captured.remember(key, make)
        return overview

    def in_full(self, heads: tuple[str, ...], context: Context) -> Values:
        """The chosen heads: chosen x queries x keys, float32."""
        if not heads:
            return np.zeros((0, 0, 0), dtype=np.float32)
        from explorer.hf.attention.combined import MAX, Choice, combined

        found = []
        for written in heads:
            choice = Choice.of(written)

            def make(choice: Choice = choice) -> Values:
                return combined(self.stack, choice, context)

            key = ("combined", self.stack.kind, str(choice))
            weights = self.captured.remember(key, make) if choice.over else make()
            # The strongest of several heads are no distribution, and have no sum to divide by.
            found.append(self._read(weights, strongest=choice.over == MAX))
        return np.stack(found)

    def _read(self, weights: Values, *, strongest: bool) -> Values:
        from explorer.questions.attention.attention.compute import RENORMALISED, read_as

        renormalise = self.special == RENORMALISED and not strongest
        return read_as(weights, self.queries, self.keys, renormalise=renormalise)


def block_of(heads: int, rows: int, columns: int) -> tuple[int, int]:
    """Rows and columns that one cell of the overview stands for."""
    side = min(max(math.isqrt(CELLS // max(heads, 1)), SMALLEST), LARGEST)
    return max(1, math.ceil(rows / side)), max(1, math.ceil(columns / side))


def _note(model: Any, request: Attention, captured: "Captured", kind: str) -> str:
    from explorer.hf.text.pieces import written

    said = []
    if request.kind and kind != request.kind:
        said.append(f"This model has no {request.kind} attention; this is its {kind}'s.")
    guesses = [t for t in captured.encoded.tokens if t.masked and kind == "decoder"]
    if guesses and len(captured.stacks) == 1:
        names = model.tokenizer.convert_ids_to_tokens([token.id for token in guesses])
        words = ", ".join(f"“{written(model.tokenizer, name)}”" for name in names)
        said.append(f"It has no mask token; in the place of every mask stands its guess: {words}.")
    if kind in ("decoder", "cross") and "cross" in captured.stacks and not request.answer.strip():
        said.append("The decoder reads what it wrote itself, the most probable piece first.")
    return " ".join(said)


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
    run=run,
    table=table,
    summary=summary,
    roles={MODEL: (Attentions,)},
)
