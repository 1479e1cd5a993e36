"""What each state restores, as a matrix of layers and tokens, and one state's prediction."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from explorer.api.question import (
    READS_ENTITIES,
    Cards,
    Choices,
    Colours,
    Component,
    Gesture,
    Grid,
    Manner,
    ModelCard,
    OneCard,
    OneChoice,
    Plane,
    Points,
    Rows,
    Said,
    Sentence,
    Sets,
    Turns,
    Width,
    column,
    sets,
)
from explorer.api.question.parts.fetched import Fetched
from explorer.api.question.parts.matrices.grid import Side
from explorer.questions.cause.patching.question import (
    AT,
    CELL,
    DENOISE,
    SWAP,
    PatchGrid,
    PatchingRequest,
    PatchingResult,
    strongest,
)
from explorer.questions.cause.patching.swaps import WRITTEN, Swap
from explorer.questions.cause.patching.wording import (
    APPROXIMATION,
    approximation_said,
    both_said,
    cell_title,
    checked_said,
    column_label,
    column_said,
    component_title,
    in_cell,
    row_label,
    row_said,
    share,
)
from explorer.text import N_, Phrase, _, verbatim
from explorer.text.formatting.numbers import with_minus
from explorer.text.formatting.probabilities import in_digits
from explorer.text.pieces import readable, visible, word_or_piece

SLIGHT = 0.1
"""A share that has the strongest colour at most, so that noise looks like none."""
POINTS = 250
"""States that are drawn as points at most."""
State = tuple[int, int, int]
"""Stack, row and column."""

ABOUT = N_(
    "The model reads one text with a single state taken from its run on the other; everything "
    "after it is computed anew. The share is (F patched − F before) / (F of the other text − F "
    "before), with F the first word's logit minus the second's: 1 restores all of the difference, "
    "below 0 it grows. Shares of several states need not add up to 1 (Zhang and Nanda 2024)."
)
ENTITIES = N_(
    "Entities have states of their own besides those of the tokens, and keep what"
    " they read of the text before: so putting back every token's state after a "
    "layer that mixes both need not restore exactly 1 in sum. The first token "
    "counts as an entity even where none is on the text."
)
SWAPPED = N_(
    "There is no second text, so the program swapped “{old}” for “{new}”: of the words it tried, "
    "that one moves the prediction most."
)


@dataclass(frozen=True)
class PatchedWordRow:
    """A word in three predictions."""

    id: int = column(N_("id"), key=True, shown=False)
    word: str = column(N_("word"))
    clean: float = column(N_("first text"), written=in_digits)
    corrupt: float = column(N_("second text"), written=in_digits)
    patched: float = column(N_("patched"), written=in_digits)
    token: str = column(N_("piece"), shown=False)
    rank: int = column(N_("rank"), shown=False)
    is_measured: bool = column(N_("measured"), shown=False)


def parts(
    result: PatchingResult,
    cell: tuple[int, ...] = (),
    selected: int | None = None,
    card: ModelCard | None = None,
) -> Iterator[Sentence | Said | Choices | Grid | Cards | Fetched | Rows | Points]:
    """Both texts, the grids, and one state's prediction beside the approximation."""
    yield from _both_texts(result, selected)
    place = place_of(result, cell)
    yield Said(both_said(result), Manner.STRONG, near=True)
    for stack in range(len(result.grids)):
        yield _matrix(result, stack, place)
    yield Said(checked_said(result), near=True)
    cards = list(_below(result, place))
    if cards:
        yield Cards(tuple(cards), Width.WIDE, framed=False, shares=(1.0, 1.0)[: len(cards)])
    yield Said(ABOUT, Manner.ABOUT)
    if card is not None and READS_ENTITIES in card.operations:
        yield Said(ENTITIES, Manner.ABOUT, near=True)


def place_of(result: PatchingResult, chosen: tuple[int, ...]) -> State | None:
    """The state that is looked at: the one chosen, else the one that restores most."""
    if chosen and chosen[0] < len(result.grids):
        rows, columns = result.grids[chosen[0]].effects.shape
        if chosen[1] < rows and chosen[2] < columns:
            return chosen[0], chosen[1], chosen[2]
    return strongest(result) if result.found == result.total else None


def _both_texts(
    result: PatchingResult, selected: int | None
) -> Iterator[Sentence | Said | Choices]:
    """The first text with the words of the second below, and words to swap."""
    pairs = enumerate(zip(result.tokens, result.other_tokens, strict=True))
    notes: dict[int, str] = {
        n: verbatim(readable(b.text)) for n, (a, b) in pairs if a.id != b.id and not a.masked
    }
    differing = [n for n in notes if n != result.position]
    notes[result.position] = N_("measured")
    offers = {one.position: one for one in result.offers}
    words = dict.fromkeys(offers, N_("Click to see what could be in its place."))
    gestures: dict[int, Gesture] = {position: Turns(position) for position in offers}
    for place, token in enumerate(result.tokens):
        if token.masked and place != result.position:
            words[place] = N_("Click to measure at this mask.")
            gestures[place] = sets(AT, (place,), N_("measure at another mask"))
    yield Sentence(result.tokens, notes, words, gestures)
    if result.is_chosen:
        old, _arrow, new = result.swap[0].partition(WRITTEN)
        yield Said(Phrase(SWAPPED, old=old, new=new), near=True)
    if not result.offers:
        return
    chosen = selected if selected in offers else next(iter(differing), None)
    offer = offers.get(-1 if chosen is None else chosen) or result.offers[0]

    def choice(word: str) -> OneChoice:
        written = (Swap(offer.word, word).written(),)
        step = Phrase(N_("swap “{old}” for “{new}”"), old=offer.word, new=word)
        return OneChoice(
            verbatim(word),
            Sets({SWAP.key: SWAP.written(written), CELL.key: None}, step),
            chosen=result.swap == written,
            tip=Phrase(N_("Compare with the text that has “{word}” there"), word=word),
            key=("swap", word),
        )

    yield Choices(
        tuple(map(choice, offer.others)), Phrase(N_("Swap “{word}” for"), word=offer.word)
    )


def _matrix(
    result: PatchingResult, stack: int, place: State | None, *, about: bool = False
) -> Grid:
    """What the states of a stack restore, the last layer on top.

    Args:
        result: The answer.
        stack: Its number.
        place: The state that is looked at.
        about: Its first-order approximation instead.
    """
    grid = result.grids[stack]
    first_order = grid.first_order
    values = first_order if about and first_order is not None else grid.effects

    def said(row: int, column: int) -> str:
        lines = [row_said(result, grid, row).said, column_said(grid, column).said]
        exact = share(float(grid.effects[row, column]))
        restores = result.direction == DENOISE
        lines.append(
            _("Restored: {share}", share=exact)
            if restores
            else _("Taken away: {share}", share=exact)
        )
        if first_order is not None:
            near = float(first_order[row, column])
            lines.append(_("To first order: {share}", share=share(near)))
        return "\n".join(lines)

    differing = (n for n, one in enumerate(grid.tokens) if one.id != grid.others[n].id)
    is_head = result.component == Component.HEAD
    return Grid(
        f"{'first_order' if about else 'effect'} {stack}",
        values,
        Side(N_("layer.head") if is_head else N_("layer"), tuple(map(row_label, grid.rows))),
        Side(
            N_("token"),
            tuple(column_label(grid, n) for n in range(values.shape[1])),
            frozenset({*differing, len(grid.tokens)}),
            result.tokens,
        ),
        N_("To first order (gradient × difference)") if about else component_title(result, grid),
        said,
        in_cell,
        Colours(_strongest_share(result), diverging=True, with_bar=not about),
        N_("not there yet"),
        [place[1:]] if place is not None and place[0] == stack else (),
        lambda row, column: sets(CELL, (stack, row, column), N_("look at a state")),
        rises=True,
        small=about,
    )


def _strongest_share(result: PatchingResult) -> float:
    """As far as the shares go; of the stream 1 at least."""
    values = np.concatenate([one.effects.ravel() for one in result.grids])
    sizes = np.abs(values[np.isfinite(values)])
    least = 1.0 if result.component == Component.RESIDUAL else SLIGHT
    return max(least, float(sizes.max(initial=0.0)))


def _below(result: PatchingResult, place: State | None) -> Iterator[OneCard]:
    if place is not None:

        def asks(request: PatchingRequest) -> PatchingRequest:
            return replace(request, cell=place, swap=result.swap)

        in_full = Fetched(asks, result.model, lambda found: _in_full(result, found), "state")
        yield OneCard(cell_title(result, place), (in_full,))
    if result.found == result.total:
        title = N_("One gradient instead of all these runs")
        yield OneCard(title, tuple(_approximation(result, place)))


def _in_full(result: PatchingResult, found: PatchingResult) -> Sequence[Said | Rows]:
    """What is predicted with the first text, the second, and with the state put back."""
    cell = found.cell
    if cell is None:
        return ()
    first, second = result.words
    told = Phrase(
        N_(
            "“{first}” against “{second}”: {nats} nats with the state put back; {share} of the "
            "difference."
        ),
        first=visible(first),
        second=visible(second),
        nats=with_minus(cell.difference, 2),
        share=share(cell.effect),
    )
    rows = tuple(
        PatchedWordRow(
            one.id,
            word_or_piece(one),
            one.clean,
            one.corrupt,
            one.patched,
            one.token,
            one.rank,
            one.word in result.words,
        )
        for one in cell.words
    )
    words = N_("Piece: {token}\nRank, patched: {rank}")
    return Said(told, near=True), Rows(
        PatchedWordRow,
        rows,
        title=N_("Predictions with the first text, the second, and patched"),
        bars={"clean": "muted", "corrupt": "bar_second", "patched": "bar"},
        words=lambda row: Phrase(words, token=row.token, rank=row.rank),
        chosen=lambda row: row.is_measured,
        in_files=False,
    )


def _approximation(result: PatchingResult, place: State | None) -> Iterator[Said | Grid | Points]:
    """The same cells from one gradient, and how well they agree."""
    yield Said(APPROXIMATION, Manner.EXPLANATION, near=True)
    yield Said(approximation_said(result), near=True)
    known = [n for n, one in enumerate(result.grids) if one.first_order is not None]
    for stack in known:
        yield _matrix(result, stack, place, about=True)
    if known:
        yield _scatter(result, [(n, result.grids[n]) for n in known])


def _scatter(result: PatchingResult, known: Sequence[tuple[int, PatchGrid]]) -> Points:
    """Each state by its share and by what the gradient says of it; the strongest of very many."""
    every: Any = [(one.effects, one.first_order) for _n, one in known]
    exact, near = (
        np.concatenate([one[:, :-1].ravel() for one in some]).astype(np.float64)
        for some in zip(*every, strict=True)
    )
    places = [
        (number, row, at)
        for number, one in known
        for row in range(len(one.rows))
        for at in range(len(one.tokens))
    ]
    order = np.argsort(-np.maximum(abs(exact), abs(near)), kind="stable")[:POINTS]
    about = Phrase(N_("On the line both agree."))
    if len(places) > POINTS:
        strongest_ones = N_("The {count} strongest states. On the line both agree.")
        about = Phrase(strongest_ones, count=POINTS)
    plane = Plane(
        "patched",
        N_("Each state: patched, and to first order"),
        exact[order],
        near[order],
        N_("patched"),
        N_("to first order"),
        about,
    )
    return Points(
        (plane,),
        ("",) * len(order),
        lambda number: cell_title(result, places[order[number]]).said,
        equal=N_("equal"),
    )
