"""Which mask of a pinned answer hides the characters that a mask of now hides."""

from collections.abc import Sequence

from explorer.api import Token
from explorer.document import Document, Mask, carried
from explorer.text import _


def places_of(tokens: Sequence[Token], positions: Sequence[int]) -> tuple[Mask, ...]:
    """The characters under some tokens of an answer, one place a token."""
    return tuple(Mask(tokens[at].start, tokens[at].end, tokens[at].part) for at in positions)


def matched(
    places: Sequence[Mask], now: Document, pinned_places: Sequence[Mask], pinned: Document
) -> tuple[int | None, ...]:
    """For every place the number of the pinned place that holds the same characters.

    A place that was carried along by an edit of the text is still the same; so is one that holds
    the whole edit, as when another word is masked in the same sentence. Several masks over the
    same characters are told apart by their order.

    Args:
        places: Of the masks of now.
        now: The document they are of.
        pinned_places: Of the masks of the pinned answer.
        pinned: The document those are of.
    """
    known: dict[Mask, list[int]] = {}
    for number, place in enumerate(pinned_places):
        found = carried(_bare(place, pinned), pinned, now, rewritten=True)
        if found is not None:
            known.setdefault(_bare(found, now), []).append(number)
    left = {place: iter(numbers) for place, numbers in known.items()}
    return tuple(next(left.get(_bare(place, now), iter(())), None) for place in places)


def no_mask_said(now: Document, pinned: Document) -> str:
    """Why a mask is shown without a difference to the pinned answer."""
    if (now.text, now.pair) == (pinned.text, pinned.pair):
        return _("The pinned answer has no mask here, so no difference is shown.")
    return _(
        "The pinned answer is of another text and has no mask at this very place, so no "
        "difference is shown."
    )


def _bare(place: Mask, document: Document) -> Mask:
    """A place without the spaces around it, which some tokenizers count with a word."""
    words = document.part(place.part)[place.start : place.end]
    start = place.start + len(words) - len(words.lstrip())
    return Mask(start, max(start, place.end - len(words) + len(words.rstrip())), place.part)
