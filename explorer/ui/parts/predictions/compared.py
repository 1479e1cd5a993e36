"""Two distributions beside each other: a table of words a place, two bars each."""

from collections.abc import Iterator, Mapping

from explorer.api.question import Compared, ComparedPlace, ComparedWord
from explorer.document import MASK_LITERAL, Document, Mask, matched, places_of
from explorer.text import _, said
from explorer.ui.blocks.block import Block
from explorer.ui.blocks.columns import Card, Columns
from explorer.ui.blocks.mask_context import ContextLine, context_of
from explorer.ui.blocks.page.beside import Beside
from explorer.ui.blocks.page.shown import Pinned
from explorer.ui.blocks.spacing import CardWidth, Space
from explorer.ui.blocks.tables.bar_table import BarTable
from explorer.ui.blocks.tables.rows import FIRST_BAR, SECOND_BAR, BarAxis, BarColumn, BarRow
from explorer.ui.blocks.text import Text, explanation, heading, note
from explorer.ui.blocks.tokens import Tokens
from explorer.ui.document.gestures import Edit, put_words
from explorer.ui.parts.drawing import blocks_of
from explorer.ui.parts.looking import Looking
from explorer.ui.parts.pinned_part import pinned_part
from explorer.ui.parts.predictions.compared_words import (
    axis_of,
    bars_of,
    drawn,
    row_of,
    words_table,
)
from explorer.ui.parts.predictions.pinned_masks import no_mask_said

SHARES = (1.7, 1.0)
"""Of the bars, and of what is beside them."""
Befores = Mapping[int | None, ComparedPlace]
"""The pinned answer's places by the position of the one that is shown."""


def blocks(part: Compared, looking: Looking) -> Iterator[Block]:
    """The text with what is told of its tokens, then the places, and the exact answer of each."""
    shown = looking.shown
    if part.brief:
        yield _brief(part)
        return
    yield Beside()
    if part.notes or shown.alone:
        notes = {position: said(one) for position, one in part.notes.items()}
        yield Tokens(part.tokens, shown.asked, notes)
    if part.choose is not None and len(part.places) > 1:
        yield _places(part, looking)
    yield from _laid(part, looking)


def _laid(part: Compared, looking: Looking) -> Iterator[Block]:
    """The places: one with something at its side, one of the whole text, else in cards."""
    shown, then = looking.shown, pinned_part(part, looking)
    befores = _befores(part, then, shown.asked, shown.pinned)
    tables = [(place, _rows(part, place, looking, befores)) for place in part.drawn]
    every = [row for _place, some in tables for row in some]
    top = max((one.top for one in (part, then) if one is not None and one.top), default=0.0)
    axis = BarAxis(top) if top else axis_of(every)
    cards = []
    for place, words in tables:
        inside = [
            *(note(said(one), Space.TIGHT) for one in place.said),
            *(() if then is None else _on_pinned(part, place, looking, befores)),
            words_table(words, _names(part), axis, (*every, *_among(part))),
            *(explanation(said(one), of_page=True) for one in place.below),
        ]
        if place.beside:
            side = [block for one in place.beside for block in blocks_of(one, looking)]
            both = [Card([*inside, Beside(place.position)]), Card(side)]
            yield Columns(both, CardWidth.WIDE, shares=SHARES)
        elif place.position is None:
            if place.title:
                yield heading(said(place.title))
            yield from inside
        else:
            title = said(place.title) or _("Mask at position {position}", position=place.position)
            context = ContextLine(context_of(part.tokens, place.position, shown.asked))
            own = [context, *inside, Beside(place.position)]
            cards.append(Card(own, title, place.position))
    if cards:
        yield Columns(cards, CardWidth.WIDE)


def place_blocks(part: Compared) -> Iterator[Block]:
    """The words of its places alone, as they are laid beside another answer."""
    names, among = _names(part), _among(part)
    for place in part.drawn:
        words = [row_of(one, names) for one in place.words]
        yield from (note(said(one), Space.TIGHT) for one in place.said)
        yield words_table(words, names, axis_of((*words, *among)), (*words, *among))
        yield from (explanation(said(one)) for one in place.below)


def _names(part: Compared) -> tuple[str, str]:
    first, second = (_(side.title) for side in part.sides)
    return first, second


def _among(part: Compared) -> list[BarRow]:
    return [row_of(one, _names(part)) for one in part.among]


def _brief(part: Compared) -> BarTable:
    """Bars alone."""
    rows = [BarRow(one.word, bars=bars_of(one)) for place in part.drawn for one in place.words]
    axis = BarAxis(part.top) if part.top else axis_of(rows)
    return BarTable(rows, axis=axis, bold=False, peers=[BarRow(drawn(one)) for one in part.among])


def _rows(part: Compared, place: ComparedPlace, looking: Looking, befores: Befores) -> list[BarRow]:
    before = befores.get(place.position)
    given = {} if before is None else {drawn(one): one.chances[1] for one in before.words}
    return [
        row_of(
            one,
            _names(part),
            ("word", place.position, drawn(one)),
            _put(part, place, one, looking.shown.asked),
            given.get(drawn(one)),
        )
        for one in place.words
    ]


def _put(part: Compared, place: ComparedPlace, one: ComparedWord, asked: Document) -> Edit | None:
    """What puts a word into its mask; None where there is no place for one."""
    if not one.put or place.position is None:
        return None
    (where,) = places_of(part.tokens, [place.position])
    is_typed = asked.part(where.part)[where.start : where.end] == MASK_LITERAL
    if not (is_typed or asked.is_masked(where.start, where.end, where.part)):
        return None
    # A range that two vocabularies cut differently was one mask in either.
    around = next((mask for mask in asked.masks if _is_in(where, mask)), where)
    pieces = [one for one in part.tokens if one.masked and one.part == around.part]
    alone = sum(around.start <= one.start and one.end <= around.end for one in pieces) == 1
    return put_words(asked, (around if alone else where, one.put))


def _is_in(place: Mask, mask: Mask) -> bool:
    return mask.part == place.part and mask.start <= place.start and place.end <= mask.end


def _befores(
    part: Compared, then: Compared | None, asked: Document, pinned: Pinned | None
) -> Befores:
    if then is None or pinned is None:
        return {}
    whole = [[one for one in c.places if one.position is None] for c in (part, then)]
    found: dict[int | None, ComparedPlace] = {}
    if [len(some) for some in whole] == [1, 1]:
        found[None] = whole[1][0]
    now, before = ([p for p in c.places if p.position is not None] for c in (part, then))
    numbers = matched(
        places_of(part.tokens, [one.position for one in now if one.position is not None]),
        asked,
        places_of(then.tokens, [one.position for one in before if one.position is not None]),
        pinned.document,
    )
    for place, number in zip(now, numbers, strict=True):
        if number is not None:
            found[place.position] = before[number]
    return found


def _on_pinned(
    part: Compared, place: ComparedPlace, looking: Looking, befores: Befores
) -> Iterator[Block]:
    """How much nearer both are to each other, or farther, than in the pinned answer."""
    shown, before = looking.shown, befores.get(place.position)
    if shown.pinned is None or shown.before is shown.result:
        return
    if before is None:
        yield Text(no_mask_said(shown.asked, shown.pinned.document), colour="mask")
        return
    then = {one.name: one for one in before.measures}
    moved = [
        _("{title} {then} → {now}", title=said(one.title), then=then[one.name].said, now=one.said)
        for one in place.measures
        if one.name in then
    ]
    line = _(
        "A line across the bars marks where {side} ended in the pinned answer.",
        side=_(part.sides[1].title),
    )
    if moved:
        line = _("Pinned → now: {measures}. {line}", measures=", ".join(moved), line=line)
    yield Text(line, colour="mask")


def _places(part: Compared, looking: Looking) -> BarTable:
    """A row a place: what either puts first, and how far the two are apart."""
    chosen = part.only[0] if part.only else 0
    rows = []
    for number, place in enumerate(part.places):
        gesture = None if part.choose is None else part.choose(number)
        rows.append(
            BarRow(
                _place_said(part, number, looking),
                (*_firsts(place), *(one.said for one in place.measures)),
                strong=number == chosen,
                ground="selection" if number == chosen else "",
                words="" if number == chosen else _("Click to look at this mask."),
                key=("mask", number),
                act=looking.act(gesture),
            )
        )
    firsts = (
        BarColumn(_("{side}: first", side=_(side.title)), title_colour=colour, left=True)
        for side, colour in zip(part.sides, (FIRST_BAR, SECOND_BAR), strict=True)
    )
    measures = (
        BarColumn(said(one.title), words=said(one.words)) for one in part.places[0].measures
    )
    return BarTable(
        rows,
        (*firsts, *measures),
        title=_("Masks"),
        bold=False,
        ruled=True,
        above=Space.APART,
    )


def _firsts(place: ComparedPlace) -> Iterator[str]:
    """The word that either has for the likeliest."""
    for side in (0, 1):
        best = max(place.words, key=lambda one: one.chances[side] or 0.0, default=None)
        yield "" if best is None else drawn(best)


def _place_said(part: Compared, number: int, looking: Looking) -> str:
    """A place by its number and the words around it."""
    position = part.places[number].position
    if position is None:
        return _("The whole text")
    context = context_of(part.tokens, position, looking.shown.asked, around=2)
    return _(
        "{number}: {before} [MASK] {after}",
        number=number + 1,
        before=context.before,
        after=context.after,
    ).strip()
