"""What each state restores, as a matrix of layers and tokens, and one state's prediction."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from explorer.api import Detail, ModelCard
from explorer.api.question.operation import READS_ENTITIES
from explorer.document import Document
from explorer.questions.cause.patching.approximation import approximation
from explorer.questions.cause.patching.both_texts import both_texts
from explorer.questions.cause.patching.grids import matrix
from explorer.questions.cause.patching.question import (
    CELL,
    OPERATION,
    PatchingRequest,
    PatchingResult,
    strongest,
)
from explorer.questions.cause.patching.state_in_full import state_in_full
from explorer.questions.cause.patching.wording import (
    ABOUT,
    ENTITIES,
    both_said,
    cell_title,
    checked_said,
)
from explorer.text import N_, _
from explorer.ui.blocks.block import Block
from explorer.ui.blocks.columns import Card, Columns
from explorer.ui.blocks.page import Page
from explorer.ui.blocks.shown import Shown
from explorer.ui.blocks.spacing import CardWidth, Space
from explorer.ui.blocks.text import Text, heading, note

SMALL = 20_000_000
"""Parameters up to which a model is asked without the Run button."""


def blocks(shown: Shown) -> Iterator[Block]:
    """Both texts, the grids, and one state's prediction beside the approximation."""
    result: PatchingResult = shown.result
    yield from both_texts(shown)
    place = place_of(shown)
    yield Text(both_said(result), "strong")
    for stack, grid in enumerate(result.grids):
        yield from matrix(shown, stack, grid, place)
    yield note(checked_said(result))
    below = list(_below(shown, place))
    if below:
        yield Columns(below, CardWidth.WIDE, framed=False, shares=(1.0, 1.0)[: len(below)])
    yield note(_(ABOUT), above=Space.APART)
    cards = [card for card in shown.cards.values() if card.stamp == result.model]
    if any(READS_ENTITIES in card.operations for card in cards):
        yield note(_(ENTITIES))


def place_of(shown: Shown) -> tuple[int, int, int] | None:
    """The state that is looked at: the one chosen, else the one that restores most."""
    result: PatchingResult = shown.result
    chosen = CELL.of(shown.now)
    if chosen and chosen[0] < len(result.grids):
        rows, columns = result.grids[chosen[0]].effects.shape
        if chosen[1] < rows and chosen[2] < columns:
            return chosen[0], chosen[1], chosen[2]
    return strongest(result) if result.found == result.total else None


def _below(shown: Shown, place: tuple[int, int, int] | None) -> Iterator[Card]:
    result: PatchingResult = shown.result
    if place is not None:
        title = cell_title(result, place)
        yield Card([heading(title), *state_in_full(shown)], title)
    if result.found == result.total:
        title = _("One gradient instead of all these runs")
        yield Card([heading(title), *approximation(shown, place)], title)


def wanted(shown: Shown) -> Sequence[Detail]:
    """The prediction of the state that is looked at."""
    result: PatchingResult = shown.result
    place = place_of(shown)
    if place is None:
        return ()
    request = replace(PatchingRequest.of(shown.asked), cell=place, swap=result.swap)
    return (OPERATION.detail(request, shown.asked, result.model, "state"),)


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
