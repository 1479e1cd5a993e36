"""What each state restores, as a matrix of layers and tokens, and one state's prediction."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np

from explorer.api import Component, Failure, ModelCard
from explorer.document import Document
from explorer.questions.cause.patching.question import (
    AT,
    CELL,
    DENOISE,
    OPERATION,
    SWAP,
    PatchedCell,
    PatchGrid,
    PatchingRequest,
    PatchingResult,
    strongest,
)
from explorer.questions.cause.patching.swaps import Swap
from explorer.questions.cause.patching.wording import (
    ABOUT,
    approximation_said,
    both_said,
    cell_title,
    checked_said,
    column_label,
    column_said,
    component_title,
    in_cell,
    number,
    row_label,
    row_said,
    share,
)
from explorer.text import N_, _, said
from explorer.text.probabilities import in_digits, scale_for
from explorer.ui.blocks.block import Block
from explorer.ui.blocks.chips import Chip, Chips
from explorer.ui.blocks.columns import Card, Columns
from explorer.ui.blocks.page import Gesture, Page, Select
from explorer.ui.blocks.shown import Detail, Shown
from explorer.ui.blocks.tables.bar_table import BarTable
from explorer.ui.blocks.tables.rows import Axis as BarAxis
from explorer.ui.blocks.tables.rows import Bar, Column, Row
from explorer.ui.blocks.text import Text, heading, note, warning
from explorer.ui.blocks.tokens import Tokens
from explorer.ui.charts.block import ChartBlock
from explorer.ui.charts.description import Axis, Chart, Line, Points
from explorer.ui.document.gestures import set_options
from explorer.ui.matrices.block import CellSize, Matrix, MatrixBlock
from explorer.ui.matrices.heat_layout import HeatContent, Mark
from explorer.ui.matrices.scale import Scale
from explorer.ui.sentence.pieces import from_right, readable, visible

SMALL = 20_000_000
"""Parameters up to which a model is asked without the Run button."""
SIZE = CellSize(narrowest=9, widest=64, share=0.5, lowest=15, highest=27)
SMALL_SIZE = CellSize(narrowest=4, widest=40, share=0.5, lowest=12, highest=20)


def blocks(shown: Shown) -> Iterator[Block]:
    """Both texts, the grids, and one state's prediction beside the approximation."""
    result: PatchingResult = shown.result
    yield from _texts(shown)
    place = place_of(shown)
    yield Text(both_said(result), "strong", above=8)
    for stack, grid in enumerate(result.grids):
        yield _matrix(shown, stack, grid, place)
    yield note(checked_said(result), above=4)
    below = list(_below(shown, place))
    if below:
        yield Columns(below, 400, framed=False, shares=(1.0, 1.0)[: len(below)])
    yield note(_(ABOUT), above=12)


def place_of(shown: Shown) -> tuple[int, int, int] | None:
    """The state that is looked at: the one chosen, else the one that restores most."""
    result: PatchingResult = shown.result
    chosen = CELL.of(shown.now)
    if chosen and chosen[0] < len(result.grids):
        rows, columns = result.grids[chosen[0]].effects.shape
        if chosen[1] < rows and chosen[2] < columns:
            return chosen[0], chosen[1], chosen[2]
    return strongest(result) if result.found == result.total else None


def _texts(shown: Shown) -> Iterator[Block]:
    """The first text with the words of the second below, and words to swap."""
    result: PatchingResult = shown.result
    pairs = enumerate(zip(result.tokens, result.other_tokens, strict=True))
    notes = {n: readable(b.text) for n, (a, b) in pairs if a.id != b.id and not a.masked}
    notes[result.position] = _("measured")
    offers = {one.position: one for one in result.offers}
    words = dict.fromkeys(offers, _("Click to see what could stand in its place."))
    acts: dict[int, Gesture] = {position: Select(position) for position in offers}
    for place, token in enumerate(result.tokens):
        if token.masked and place != result.position:
            words[place] = _("Click to measure at this mask.")
            acts[place] = shown.setting(AT, (place,), _("measure at another mask"))
    if shown.alone:
        words, acts = {}, {}
    yield Tokens(result.tokens, shown.asked, notes, words, acts, above=4)
    if result.is_chosen:
        yield note(
            _(
                "There is no second text, so the program swapped “{old}” for “{new}”: of the words "
                "it tried, that one moves the prediction most.",
                **_parts(result.swap[0]),
            ),
            above=4,
        )
    if shown.alone or not result.offers:
        return
    differing = [n for n in notes if n != result.position]
    chosen = shown.selected if shown.selected in offers else next(iter(differing), None)
    offer = offers.get(-1 if chosen is None else chosen) or result.offers[0]
    chips = []
    for word in offer.others:
        written = Swap(offer.word, word).written()
        name = _("swap “{old}” for “{new}”", old=offer.word, new=word)
        chips.append(
            Chip(
                word,
                set_options(shown.now, {SWAP.key: SWAP.written((written,)), CELL.key: None}, name),
                chosen=result.swap == (written,),
                tip=_("Compare with the text that has “{word}” there", word=word),
                key=("swap", word),
            )
        )
    yield Chips(chips, above=6, title=_("Swap “{word}” for", word=offer.word))


def _parts(written: str) -> dict[str, str]:
    old, _arrow, new = written.partition(" > ")
    return {"old": old, "new": new}


def _scale(result: PatchingResult) -> Scale:
    """From -1 to 1, and further where a state restores more than everything does."""
    sizes = [abs(float(value)) for one in result.grids for value in one.effects.flat]
    return Scale(max([1.0, *(one for one in sizes if np.isfinite(one))]), diverging=True)


def _matrix(
    shown: Shown,
    stack: int,
    grid: PatchGrid,
    place: tuple[int, int, int] | None,
    *,
    about: bool = False,
) -> MatrixBlock:
    """A stack, the last layer on top; or its first-order approximation."""
    result: PatchingResult = shown.result
    last = len(grid.rows) - 1
    values = grid.first_order if about and grid.first_order is not None else grid.effects
    columns = tuple(column_label(grid, n) for n in range(values.shape[1]))

    def words(row: int, column: int) -> str:
        lines = [row_said(result, grid, last - row), column_said(grid, column)]
        exact = float(grid.effects[last - row, column])
        lines.append(
            _("Restored: {share}", share=share(exact))
            if result.direction == DENOISE
            else _("Taken away: {share}", share=share(exact))
        )
        if grid.first_order is not None:
            near = float(grid.first_order[last - row, column])
            lines.append(_("To first order: {share}", share=share(near)))
        return "\n".join(lines)

    def choose(row: int, column: int) -> object:
        if shown.alone:
            return None
        return shown.setting(CELL, (stack, last - row, column), _("look at a state"))

    marks: tuple[Mark, ...] = ()
    if place is not None and place[0] == stack:
        marks = (Mark(last - place[1], place[2], "chosen"),)
    content = HeatContent(
        values[::-1],
        tuple(row_label(name) for name in reversed(grid.rows)),
        columns,
        _scale(result),
        row_title=_("head") if result.component == Component.HEAD else _("layer"),
        column_title=_("token"),
        signed=True,
        written=in_cell,
        said=words,
        marks=marks,
        seams=True,
        named=frozenset(
            n
            for n in range(values.shape[1])
            if n == len(grid.tokens) or grid.tokens[n].id != grid.others[n].id
        ),
        with_bar=not about,
        from_right=from_right(result.tokens, shown.asked),
    )
    title = _("To first order (gradient x difference)") if about else component_title(result, grid)
    matrix = Matrix(
        content,
        title=title,
        key=lambda row, at: ("state", stack, last - row, at, about),
        act=choose,
    )
    return MatrixBlock(matrix, SMALL_SIZE if about else SIZE)


def _below(shown: Shown, place: tuple[int, int, int] | None) -> Iterator[Card]:
    result: PatchingResult = shown.result
    if place is not None:
        title = cell_title(result, place)
        yield Card([heading(title), *_in_full(shown)], title)
    if result.found == result.total:
        title = _("One gradient instead of all these runs")
        yield Card([heading(title), *_approximation(shown, place)], title)


def wanted(shown: Shown) -> Sequence[Detail]:
    """The prediction of the state that is looked at."""
    result: PatchingResult = shown.result
    place = place_of(shown)
    if place is None:
        return ()
    request = replace(PatchingRequest.of(shown.asked), cell=place, swap=result.swap)
    return (Detail(request, result.model, "state"),)


def _in_full(shown: Shown) -> Iterator[Block]:
    """What is predicted with the first text, the second, and with the state put back."""
    found = [shown.details.get(one.request, shown.details.get(one)) for one in shown.complete]
    if not found or found[0] is None:
        yield note(_("The prediction is on its way."))
        return
    if isinstance(found[0], Failure):
        yield warning(said(found[0].message))
        return
    cell: PatchedCell = found[0].cell
    result: PatchingResult = shown.result
    first, second = result.words
    yield note(
        _(
            "“{first}” against “{second}”: {nats} nats with the state put back; {share} of the "
            "difference.",
            first=visible(first),
            second=visible(second),
            nats=number(cell.difference, 2),
            share=share(cell.effect),
        )
    )
    top = max(max(one.clean, one.corrupt, one.patched) for one in cell.words)
    rows = [
        Row(
            visible(one.word) or one.token,
            tuple(in_digits(value) for value in (one.clean, one.corrupt, one.patched)),
            (
                Bar(one.clean, "muted"),
                Bar(one.corrupt, "bar_second"),
                Bar(one.patched, "bar"),
            ),
            strong=one.word in result.words,
            words=_("Piece: {token}\nRank, patched: {rank}", token=one.token, rank=one.rank),
            key=("word", one.id),
        )
        for one in cell.words
    ]
    yield BarTable(
        rows,
        (
            Column(_("first text"), title_colour="muted"),
            Column(_("second text"), title_colour="bar_second"),
            Column(_("patched"), title_colour="bar"),
        ),
        BarAxis(scale_for(top)),
        _("Predictions with the first text, the second, and patched"),
        first=1,
        bold=False,
        track=True,
    )


def _approximation(shown: Shown, place: tuple[int, int, int] | None) -> Iterator[Block]:
    """The same cells from one gradient, and how well they agree."""
    result: PatchingResult = shown.result
    yield note(approximation_said(result))
    known = [(n, one) for n, one in enumerate(result.grids) if one.first_order is not None]
    if not known:
        return
    for stack, grid in known:
        yield _matrix(shown, stack, grid, place, about=True)
    exact = np.concatenate([one.effects[:, :-1].ravel() for _n, one in known]).astype(np.float64)
    near = np.concatenate(
        [one.first_order[:, :-1].ravel() for _n, one in known if one.first_order is not None]
    ).astype(np.float64)
    names = [
        f"{row_said(result, one, row)}, {column_said(one, column)}"
        for _n, one in known
        for row in range(len(one.rows))
        for column in range(len(one.tokens))
    ]
    low, high = (float(f(np.concatenate([exact, near]))) for f in (np.min, np.max))
    ends = np.array([low, high])
    yield ChartBlock(
        (
            Chart(
                _("Each state: patched, and to first order"),
                _("On the line both agree."),
                (
                    Line(_("equal"), ends, ends, "muted", "dash", width=1.0, marked=False),
                    Points(
                        exact,
                        near,
                        ("",) * len(exact),
                        tuple(names),
                        ("bar",) * len(exact),
                        radius=3.0,
                    ),
                ),
                Axis(_("patched")),
                Axis(_("to first order"), grid=True),
            ),
        ),
        narrowest=300,
    )


def waits(document: Document, card: ModelCard, shown: Shown | None) -> bool:
    """A large model is run hundreds of times: when the user says so."""
    return card.parameters > SMALL and (
        shown is None
        or shown.result.model != card.stamp
        or PatchingRequest.of(shown.asked) != PatchingRequest.of(document)
    )


PAGE = Page(
    OPERATION,
    blocks,
    follows=True,
    waits=waits,
    waiting_hint=N_(
        "Every state is put back alone, which takes this model a while. Press Run to see what each "
        "of them restores."
    ),
    wants=wanted,
    is_live=True,
)
