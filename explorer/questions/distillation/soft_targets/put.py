"""A mask of an answer in the text: what it is called, and what puts a word into it."""

from collections.abc import Callable

from explorer.document import MASK_LITERAL, Document, Mask, places_of
from explorer.text import _
from explorer.ui.blocks.mask_context import context_of
from explorer.ui.blocks.shown import Shown
from explorer.ui.document.gestures import Edit, put_words


def title_of(shown: Shown, number: int, position: int) -> str:
    """A mask by its number and the words around it."""
    if position < 0:
        return _("The whole text")
    context = context_of(shown.result.tokens, position, shown.asked, around=2)
    return _(
        "{number}: {before} [MASK] {after}",
        number=number + 1,
        before=context.before,
        after=context.after,
    ).strip()


def put_at(shown: Shown, position: int) -> Callable[[str], Edit] | None:
    """What puts a word into a mask; None where there is no place for one."""
    if position < 0:
        return None
    (place,) = places_of(shown.result.tokens, [position])
    asked = shown.asked
    if not (_is_typed(asked, place) or asked.is_masked(place.start, place.end, place.part)):
        return None
    # A range that the two vocabularies cut differently was one mask in either.
    if not shown.result.vocabulary.same:
        place = next((one for one in asked.masks if _is_in(place, one)), place)
    return lambda word: put_words(asked, (place, word))


def _is_typed(document: Document, place: Mask) -> bool:
    return document.part(place.part)[place.start : place.end] == MASK_LITERAL


def _is_in(place: Mask, mask: Mask) -> bool:
    return mask.part == place.part and mask.start <= place.start and place.end <= mask.end
