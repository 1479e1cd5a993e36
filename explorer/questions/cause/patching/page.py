"""What each state restores, as a matrix of layers and tokens, and one state's prediction."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np

from explorer.api import Failure, ModelCard
from explorer.document import Document
from explorer.questions.cause.patching.grids import matrix
from explorer.questions.cause.patching.question import (
    AT,
    CELL,
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
    number,
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
from explorer.ui.sentence.pieces import readable, visible

POINTS = 250
"""States that are drawn as points at most."""
SMALL = 20_000_000
"""Parameters up to which a model is asked without the Run button."""


def blocks(shown: Shown) -> Iterator[Block]:
    """Both texts, the grids, and one state's prediction beside the approximation."""
    result: PatchingResult = shown.result
    yield from _texts(shown)
    place = place_of(shown)
    yield Text(both_said(result), "strong", above=8)
    for stack, grid in enumerate(result.grids):
        yield from matrix(shown, stack, grid, place)
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
        yield from matrix(shown, stack, grid, place, about=True)
    yield ChartBlock((_scatter(result, known),), narrowest=300)


def _scatter(result: PatchingResult, known: Sequence[tuple[int, PatchGrid]]) -> Chart:
    """Each state by its share and by what the gradient says of it; the strongest of very many."""
    exact, near = (
        np.concatenate([one[:, :-1].ravel() for one in some if one is not None]).astype(np.float64)
        for some in zip(*((one.effects, one.first_order) for _n, one in known), strict=True)
    )
    places = [
        (number, row, column)
        for number, one in known
        for row in range(len(one.rows))
        for column in range(len(one.tokens))
    ]
    order = np.argsort(-np.maximum(abs(exact), abs(near)), kind="stable")[:POINTS]
    names = [cell_title(result, places[number]) for number in order]
    exact, near = exact[order], near[order]
    ends = np.array([min(exact.min(), near.min()), max(exact.max(), near.max())])
    about = _("On the line both agree.")
    if len(places) > POINTS:
        about = _("The {count} strongest states. On the line both agree.", count=POINTS)
    return Chart(
        _("Each state: patched, and to first order"),
        about,
        (
            Line(_("equal"), ends, ends, "muted", "dash", width=1.0, marked=False),
            Points(
                exact,
                near,
                ("",) * len(names),
                tuple(names),
                ("bar",) * len(names),
                radius=3.0,
            ),
        ),
        Axis(_("patched")),
        Axis(_("to first order"), grid=True),
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
