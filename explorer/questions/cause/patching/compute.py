"""States of one sentence put into runs on another, one by one, and what each restores."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from explorer.api.question import (
    ActivationPatching,
    Component,
    Context,
    LoadedModel,
    Patch,
    PatchedRuns,
    PatchStack,
    StatePlace,
    Token,
    Unavailable,
    UserMistake,
    check_text,
)
from explorer.document import MASK_LITERAL
from explorer.hf.predict.masked_text import check_masked
from explorer.hf.predict.predictions import prediction_of, rank_of
from explorer.hf.predict.rows import rows_at_once
from explorer.hf.text.vocabularies.pieces import written
from explorer.questions.cause.patching.question import (
    DENOISE,
    NOISE,
    PatchedCell,
    PatchedWord,
    PatchGrid,
    PatchingRequest,
    PatchingResult,
)
from explorer.questions.cause.patching.texts import PatchingPair, offers_of, pair_of
from explorer.questions.layers.reading import pieces_of
from explorer.text import N_, Phrase

SMALLEST = 0.01
"""Nats between the two texts below which nothing is there to be restored."""
SHOWN = 5
"""Words of each prediction that are shown in full."""


@dataclass(frozen=True)
class MeasuredPatch:
    """Runs between the two texts, and what is measured.

    Attributes:
        runs: Them.
        words: The two words.
        ids: Their numbers.
        before: The measure where nothing is put back.
        whole: How far it moves with everything.
    """

    runs: PatchedRuns
    words: tuple[str, str]
    ids: tuple[int, int]
    before: float
    whole: float

    def difference(self, rows: Any) -> Any:
        """The logit of the first word minus that of the second: the rows' last dimension goes."""
        first, second = self.ids
        return rows[..., first] - rows[..., second]

    def shares(self, patches: Sequence[Patch]) -> Any:
        """(F(patched) - F(before)) / (F(source) - F(before)) of each patch, float32."""
        moved = self.difference(self.runs.log_probabilities(patches)).cpu().numpy()
        return ((moved.astype(np.float64) - self.before) / self.whole).astype(np.float32)


def run(model: Any, request: PatchingRequest, context: Context) -> PatchingResult:
    """Put every state of one text into runs on the other, and measure.

    Raises:
        UserMistake: The texts differ in length or in nothing that the measure sees; a word is no
            single piece; or what is to be swapped is not there.
        MachineFault: The model's numbers overflow.
        Cancelled: The run was cancelled; checked before every layer.
    """
    check_text(request.text)
    context.check()
    pair = pair_of(model, request, context)
    place = _place(pair, request.position)
    measured, clean, corrupt = _measured(model, pair, place, request, context)
    stacks = _stacks(model, request.component)
    result = PatchingResult(
        model=model.stamp,
        tokens=pair.clean.encoded.tokens,
        other_tokens=pair.corrupt.encoded.tokens,
        other_text=pair.other_text,
        position=place,
        words=measured.words,
        clean=clean,
        corrupt=corrupt,
        component=request.component,
        direction=request.direction,
        window=request.window,
        swap=pair.swap,
        is_chosen=pair.is_chosen,
    )
    if request.cell is not None:
        return replace(result, cell=_cell(model, measured, stacks, request))
    result = replace(result, offers=offers_of(model, pair))
    return _filled(model, request, result, measured, context)


def _place(pair: PatchingPair, position: int | None) -> int:
    check_masked(pair.clean.encoded)
    masks = pair.clean.encoded.mask_positions
    return position if position in masks else masks[0]


def _measured(
    model: LoadedModel, pair: PatchingPair, place: int, request: PatchingRequest, context: Context
) -> tuple[MeasuredPatch, float, float]:
    """Both runs, the words, and the measure with either text.

    Raises:
        UserMistake: The measure is the same with both.
    """
    port = model.port(ActivationPatching)
    clean, corrupt = pair.clean.query(place), pair.corrupt.query(place)
    into, source = (corrupt, clean) if request.direction == DENOISE else (clean, corrupt)
    runs = port.between(into, source, context)
    first = runs.source if request.direction == DENOISE else runs.into
    second = runs.into if request.direction == DENOISE else runs.source
    ids, words = _words(model, request.words, first, second)
    before, after = (float(row[ids[0]] - row[ids[1]]) for row in (runs.into, runs.source))
    measured = MeasuredPatch(runs, words, ids, before, after - before)
    if abs(measured.whole) < SMALLEST:
        raise UserMistake(
            N_(
                "Both texts give “{first}” against “{second}” the same measure ({value} nats), so "
                "there is nothing that could be restored."
            ),
            N_("Swap another word, or measure other words."),
            first=words[0],
            second=words[1],
            value=f"{before:.3f}",
        )
    ends = (after, before) if request.direction == DENOISE else (before, after)
    return measured, *ends


def _words(
    model: LoadedModel, chosen: Sequence[str], clean: Any, corrupt: Any
) -> tuple[tuple[int, int], tuple[str, str]]:
    """The two words that are measured.

    Where none are chosen, those whose probabilities are furthest apart: the one that is more
    probable with the first text, and the one that is with the second.

    Raises:
        UserMistake: There are not two, or one is no single piece.
    """
    if chosen:
        if len(chosen) != 2 or chosen[0] == chosen[1]:
            raise UserMistake(
                N_("Two words are compared, and {count} are given."),
                N_("Give two, with a comma between them: trowel, excavator."),
                count=len(set(chosen)),
            )
        known, missing = pieces_of(model, chosen)
        if missing:
            raise UserMistake(
                N_("“{word}” is no single piece of this model's vocabulary."),
                N_("Measure another word."),
                word=missing[0],
            )
        return (known[chosen[0]], known[chosen[1]]), (chosen[0], chosen[1])
    apart = clean.exp() - corrupt.exp()
    ids = [int(apart.argmax()), int(apart.argmin())]
    named = [prediction_of(model, one, 0.0, 0) for one in ids]
    first, second = (one.word or one.token for one in named)
    return (ids[0], ids[1]), (first, second)


def _stacks(model: LoadedModel, component: str) -> list[PatchStack]:
    """What can be put back of the kind that is asked for.

    Raises:
        Unavailable: Nothing.
    """
    port = model.port(ActivationPatching)
    found = [one for one in port.stacks() if one.component == component]
    if not found:
        only = N_("Of this model only the residual stream can be put back.")
        raise Unavailable(
            Phrase.joined([only, getattr(port, "why", "")]), N_("Choose the residual stream.")
        )
    return found


def patch_of(stack: PatchStack, row: int, positions: tuple[int, ...] | None, window: int) -> Patch:
    """A row's states, with those of the rows about it; a head's with the same head's.

    Args:
        stack: Where.
        row: The one in the middle; of an even number, the one before the middle.
        positions: Of tokens; None for all.
        window: How many layers.
    """
    step = 1
    if stack.component is Component.HEAD:
        step = sum(name.rpartition(".")[0] == _layer(stack, 0) for name in stack.rows)
    rows = (row + step * (n - (window - 1) // 2) for n in range(window))
    return tuple(
        StatePlace(stack.component, stack.kind, one, positions)
        for one in rows
        if 0 <= one < len(stack.rows)
    )


def _layer(stack: PatchStack, row: int) -> str:
    return stack.rows[row].rpartition(".")[0]


def _filled(
    model: LoadedModel,
    request: PatchingRequest,
    result: PatchingResult,
    measured: MeasuredPatch,
    context: Context,
) -> PatchingResult:
    """All grids, row by row."""
    stacks, runs = _stacks(model, request.component), measured.runs
    everything = tuple(
        StatePlace(stack.component, stack.kind, row)
        for stack in model.port(ActivationPatching).stacks()
        for row in range(len(stack.rows))
    )
    nothing, whole = measured.shares([(), everything]).tolist()
    slopes, why = _first_order(measured, stacks, request.window)
    grids = []
    for number, stack in enumerate(stacks):
        tokens = runs.tokens(stack.kind)
        others = _others(result, request, tokens)
        effects = np.full((len(stack.rows), len(tokens) + 1), np.nan, np.float32)
        names = tuple(
            (_name(model, other), _name(model, own))
            for other, own in zip(others, tokens, strict=True)
        )
        slope = slopes.get(number)
        grids.append(PatchGrid(stack.kind, stack.rows, tokens, others, names, effects, slope))
    result = replace(result, nothing=nothing, everything=whole, note=why)
    block, total, done = rows_at_once(model), sum(one.effects.size for one in grids), 0
    for number, row, columns in _blocks(grids, block):
        context.give_way()
        stack, grid = stacks[number], grids[number]
        size = len(grid.tokens)
        patches = [
            patch_of(stack, row, (column,) if column < size else None, request.window)
            for column in columns
        ]
        grid.effects[row, columns] = measured.shares(patches)
        done += len(columns)
        context.progress(N_("putting states back"), float(done), float(total))
        context.show(lambda: replace(result, grids=_copied(grids)))
    return replace(result, grids=tuple(grids), correlation=_correlation(grids))


def _blocks(grids: Sequence[PatchGrid], most: int) -> Iterator[tuple[int, int, list[int]]]:
    """Grid, row and columns of what is computed together; all tokens at once come first."""
    for number, grid in enumerate(grids):
        columns = [len(grid.tokens), *range(len(grid.tokens))]
        for row in range(len(grid.rows)):
            for start in range(0, len(columns), most):
                yield number, row, columns[start : start + most]


def _copied(grids: Sequence[PatchGrid]) -> tuple[PatchGrid, ...]:
    return tuple(replace(one, effects=one.effects.copy()) for one in grids)


def _name(model: LoadedModel, token: Token) -> str:
    """What a person reads of a token."""
    if token.masked:
        return MASK_LITERAL
    return token.text if token.special else written(model.tokenizer, token.text) or token.text


def _others(result: PatchingResult, request: PatchingRequest, tokens: Any) -> Any:
    """The tokens that states come from, beside those that they are put into."""
    into = result.other_tokens if request.direction == DENOISE else result.tokens
    source = result.tokens if request.direction == DENOISE else result.other_tokens
    return source[: len(tokens)] if into[: len(tokens)] == tokens else tokens


def _first_order(
    measured: MeasuredPatch, stacks: Sequence[PatchStack], window: int
) -> tuple[dict[int, Any], Any]:
    """Shares from one gradient by the number of the stack, and why there are none."""
    if window > 1:
        return {}, N_("The first-order approximation is of single layers.")
    try:
        found = measured.runs.first_order(measured.difference)
    except Unavailable as error:
        return {}, error.message
    shares = {}
    for number, stack in enumerate(stacks):
        moved = found[stack.component, stack.kind].cpu().double().numpy() / measured.whole
        if not np.isfinite(moved).all():
            return {}, N_("This model's gradients overflow in its type of numbers.")
        whole = np.concatenate([moved, moved.sum(axis=1, keepdims=True)], axis=1)
        shares[number] = whole.astype(np.float32)
    return shares, ""


def _correlation(grids: Sequence[PatchGrid]) -> float | None:
    """Pearson's, over the states of single tokens."""
    pairs = [
        (one.effects[:, :-1].ravel(), one.first_order[:, :-1].ravel())
        for one in grids
        if one.first_order is not None
    ]
    if not pairs:
        return None
    exact, about = (np.concatenate(one).astype(np.float64) for one in zip(*pairs, strict=True))
    if len(exact) < 2 or not exact.std() or not about.std():
        return None
    return float(np.corrcoef(exact, about)[0, 1])


def _cell(
    model: LoadedModel,
    measured: MeasuredPatch,
    stacks: Sequence[PatchStack],
    request: PatchingRequest,
) -> PatchedCell:
    """One state's prediction in full.

    Raises:
        UserMistake: There is no such state.
    """
    assert request.cell is not None
    number, row, column = request.cell
    runs = measured.runs
    if number < len(stacks) and row < len(stacks[number].rows):
        stack = stacks[number]
        size = len(runs.tokens(stack.kind))
        if column <= size:
            positions = (column,) if column < size else None
            patched = runs.log_probabilities([patch_of(stack, row, positions, request.window)])[0]
            return _in_full(model, measured, request, patched)
    raise UserMistake(N_("There is no such state."), N_("Choose one in the picture."))


def _in_full(
    model: LoadedModel, measured: MeasuredPatch, request: PatchingRequest, patched: Any
) -> PatchedCell:
    runs = measured.runs
    clean, corrupt = runs.source, runs.into
    if request.direction == NOISE:
        clean, corrupt = corrupt, clean
    rows = (patched, clean, corrupt)
    best = [number for row in rows for number in row.topk(min(SHOWN, len(row))).indices.tolist()]
    words = []
    for number in dict.fromkeys([*best, *measured.ids]):
        named = prediction_of(model, number, 0.0, 0)
        chances = [float(row[number].exp()) for row in (clean, corrupt, patched)]
        words.append(
            PatchedWord(
                word=named.word or named.token,
                token=named.token,
                id=number,
                clean=chances[0],
                corrupt=chances[1],
                patched=chances[2],
                rank=rank_of(patched, number),
            )
        )
    words.sort(key=lambda one: one.rank)
    difference = float(measured.difference(patched))
    return PatchedCell(difference, (difference - measured.before) / measured.whole, tuple(words))
