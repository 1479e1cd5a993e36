"""The first text with the words of the second below, and words to swap."""

from collections.abc import Iterator

from explorer.questions.cause.patching.question import (
    AT,
    CELL,
    SWAP,
    PatchingResult,
)
from explorer.questions.cause.patching.swaps import Swap
from explorer.text import _
from explorer.text.pieces import readable
from explorer.ui.blocks.block import Block
from explorer.ui.blocks.chips import Chip, Chips
from explorer.ui.blocks.page import Gesture, Select
from explorer.ui.blocks.shown import Shown
from explorer.ui.blocks.text import note
from explorer.ui.blocks.tokens import Tokens
from explorer.ui.document.gestures import set_options


def both_texts(shown: Shown) -> Iterator[Block]:
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
    yield Tokens(result.tokens, shown.asked, notes, words, acts)
    if result.is_chosen:
        yield note(
            _(
                "There is no second text, so the program swapped “{old}” for “{new}”: of the words "
                "it tried, that one moves the prediction most.",
                **_parts(result.swap[0]),
            ),
        )
    if not result.offers:
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
    yield Chips(chips, title=_("Swap “{word}” for", word=offer.word))


def _parts(written: str) -> dict[str, str]:
    old, _arrow, new = written.partition(" > ")
    return {"old": old, "new": new}
