"""Attention made easier to read: pieces merged into words, special tokens hidden."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from explorer.api.question import Context, Token, UserMistake, check_text
from explorer.hf.attention.cache import Captured, captured_for
from explorer.hf.attention.measures import measured
from explorer.hf.attention.weights import AttendingStack
from explorer.hf.kept import kept
from explorer.hf.text.vocabularies.pieces import written
from explorer.numerics.attention_patterns import NAMES
from explorer.questions.attention.attention.entity_stack import attending_said, entity_stack
from explorer.questions.attention.attention.question import (
    RENORMALISED,
    SHOWN,
    AttentionPlace,
    AttentionRequest,
    AttentionResult,
    block_of,
)
from explorer.questions.attention.stacks import ENTITIES
from explorer.text import N_, Phrase
from explorer.text.lists import all_of

Values = NDArray[np.floating[Any]]


def places_of(
    tokenizer: Any, tokens: Sequence[Token], *, words: bool, special: str
) -> tuple[AttentionPlace, ...]:
    """The rows or columns of tokens.

    Args:
        tokenizer: Whose tokens they are.
        tokens: In order.
        words: The pieces of a word are one place.
        special: SHOWN, HIDDEN or RENORMALISED; tokens are hidden only where others are left.
    """
    places: list[AttentionPlace] = []
    for position, token in enumerate(tokens):
        whole = token.special or token.masked or token.reserved
        label = token.text if whole else written(tokenizer, token.text)
        if words and token.joined and places:
            before = places[-1]
            places[-1] = AttentionPlace(
                before.label + label, before.first, position, before.special
            )
        else:
            joined = token.joined and not whole
            places.append(
                AttentionPlace(f"##{label}" if joined else label, position, position, token.special)
            )
    kept = [place for place in places if not place.special]
    return tuple(kept if special != SHOWN and kept else places)


def separators_of(tokenizer: Any, tokens: Sequence[Token]) -> tuple[int, ...]:
    """Positions of the tokens that end or divide texts: [SEP], </s>."""
    ends = {tokenizer.sep_token_id, tokenizer.eos_token_id} - {None}
    return tuple(position for position, token in enumerate(tokens) if token.id in ends)


def pooled(weights: Values, block: tuple[int, int]) -> Values:
    """The largest weight of every block of so many rows and columns of the last two axes."""
    import numpy as np

    for axis, size in zip((-2, -1), block, strict=True):
        if size > 1:
            starts = np.arange(0, weights.shape[axis], size)
            weights = np.maximum.reduceat(weights, starts, axis=axis)
    return weights


def read_as(
    weights: Values,
    queries: Sequence[AttentionPlace],
    keys: Sequence[AttentionPlace],
    *,
    renormalise: bool = False,
) -> Values:
    """Weights between places: float32, … x queries x keys.

    The weight to a word is the sum over its pieces, the weight from it the mean over them (Clark
    et al. 2019, section 4.1); so a row of words sums to one where a row of pieces does.

    Args:
        weights: … x query tokens x key tokens.
        queries: Rows, in order.
        keys: Columns, in order.
        renormalise: Divide every row by its sum; a row without any weight stays zero.
    """
    import numpy as np

    values = np.asarray(weights, dtype=np.float32)
    values = _grouped(values, keys, axis=-1)
    values = _grouped(values, queries, axis=-2)
    for index, place in enumerate(queries):
        if place.last > place.first:
            values[..., index, :] /= place.last - place.first + 1
    if renormalise:
        sums = values.sum(axis=-1, keepdims=True)
        values = np.divide(values, sums, out=np.zeros_like(values), where=sums > 0)
    return values


def _grouped(values: Values, places: Sequence[AttentionPlace], axis: int) -> Values:
    """Sums over the tokens of every place; a copy wherever anything changes."""
    import numpy as np

    first = [place.first for place in places]
    if all(place.first == place.last for place in places):
        if first == list(range(values.shape[axis])):
            return values.copy() if axis == -2 and not values.flags.owndata else values
        return np.take(values, first, axis=axis)
    # A place ends where its own tokens do, not where the next one begins: some may be left out.
    edges = [edge for place in places for edge in (place.first, place.last + 1)]
    if edges[-1] == values.shape[axis]:
        edges.pop()
    summed: Values = np.add.reduceat(values, edges, axis=axis)
    return np.take(summed, np.arange(0, len(edges), 2), axis=axis)


def run(model: Any, request: AttentionRequest, context: Context) -> AttentionResult:
    """Run the model once with plain attention, and keep it: other heads are then a look-up.

    Attention is softmax(q k / sqrt(d)) (Vaswani et al. 2017, equation 1), with whatever positions
    add to it, exactly as transformers computes it for this family.

    Raises:
        UserMistake: The text is empty, or there is no such attention, layer or head.
        MachineFault: The model's numbers overflow.
        Cancelled: The run was cancelled.
    """
    check_text(request.text)
    captured = captured_for(
        model, request.text, request.pair, request.masks, request.answer, context
    )
    stacks = {**captured.stacks, **entity_stack(model, captured, context)}
    kinds = tuple(stacks)
    if request.kind and request.kind not in kinds:
        raise UserMistake(
            N_("{model} has no {kind} attention."),
            N_("It has {kinds}."),
            model=model.title,
            kind=request.kind,
            kinds=all_of(kinds),
        )
    stack = stacks[request.kind or kinds[0]]
    queries, keys = (
        places_of(model.tokenizer, tokens, words=request.words, special=request.special)
        for tokens in (stack.queries, stack.keys)
    )
    separators = separators_of(model.tokenizer, stack.keys)
    block = block_of(stack.layers * stack.heads, len(queries), len(keys))
    empty = np.zeros((0, 0, 0, 0), dtype=np.float16)
    drawn = _Drawn(captured, stack, queries, keys, request)
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
        measures=kept(
            "measures of heads",
            lambda: measured(stack, separators),
            of=captured,
            asked=replace(request, heads=(), words=False, special=""),
        ),
        measure_names=NAMES,
        chosen=request.heads,
        weights=drawn.in_full(request.heads, context),
        half=bool(stack.weights[0].dtype == np.float16),
        left_out=captured.encoded.left_out,
        note=(
            attending_said(model, captured, stack, context)
            if stack.kind == ENTITIES
            else _note(model, request, captured, stack.kind)
        ),
    )


@dataclass(frozen=True)
class _Drawn:
    """The attention of one kind as it is asked for."""

    captured: Captured
    stack: AttendingStack
    queries: tuple[AttentionPlace, ...]
    keys: tuple[AttentionPlace, ...]
    request: AttentionRequest

    def small(self, block: tuple[int, int], context: Context) -> Values:
        """Every head, max-pooled: layers x heads x rows x columns, float16."""

        def make() -> Values:
            layers = []
            for layer in self.stack.weights:
                context.check()
                layers.append(pooled(self._read(layer, strongest=False), block))
            return np.stack(layers).astype(np.float16)

        return kept(
            "attention, small", make, of=self.captured, asked=replace(self.request, heads=())
        )

    def in_full(self, heads: tuple[str, ...], context: Context) -> Values:
        """The chosen heads: chosen x queries x keys, float32."""
        if not heads:
            return np.zeros((0, 0, 0), dtype=np.float32)
        from explorer.hf.attention.combined import MAX, HeadOrMean, combined

        found = []
        for one in heads:
            choice = HeadOrMean.of(one)

            def make(choice: HeadOrMean = choice) -> Values:
                return combined(self.stack, choice, context)

            asked = replace(self.request, heads=(str(choice),), words=False, special="")
            weights = (
                kept("attention of several heads", make, of=self.captured, asked=asked, most=64)
                if choice.over
                else make()
            )
            # The strongest of several heads are no distribution, and have no sum to divide by.
            found.append(self._read(weights, strongest=choice.over == MAX))
        return np.stack(found)

    def _read(self, weights: Values, *, strongest: bool) -> Values:
        renormalise = self.request.special == RENORMALISED and not strongest
        return read_as(weights, self.queries, self.keys, renormalise=renormalise)


def _note(model: Any, request: AttentionRequest, captured: Captured, kind: str) -> Phrase:
    said = []
    guesses = [t for t in captured.encoded.tokens if t.masked and kind == "decoder"]
    if guesses and len(captured.stacks) == 1:
        names = model.tokenizer.convert_ids_to_tokens([token.id for token in guesses])
        words = ", ".join(f"“{written(model.tokenizer, name)}”" for name in names)
        said.append(
            Phrase(
                N_("It has no mask token; every mask is replaced by its guess: {words}."),
                words=words,
            )
        )
    if kind in ("decoder", "cross") and "cross" in captured.stacks and not request.answer.strip():
        said.append(
            Phrase(N_("The decoder reads what it wrote itself, the most probable piece first."))
        )
    return Phrase.joined(said)
