"""What a gesture in an answer does to the document, which may have gone on since that was asked."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from explorer.api.question import Option
from explorer.document import MASK_LITERAL, Document, Mask, by_place, carried
from explorer.text import _
from explorer.text.printable import shortened

QUOTED = 20
"""Characters of the user's text in a step's name."""

Where = Callable[[Mask], Mask]
"""Where characters of the document that was seen stand in the document of now."""


class _PlaceIsGoneError(Exception):
    """The text was changed where a gesture points at."""


@dataclass(frozen=True)
class Edit:
    """One gesture: one step of the history, however much it changes.

    Attributes:
        name: What the Edit menu says after "Undo ".
        against: The document that the user saw; its places are the gesture's.
        change: Makes the new document from the one of now. It asks for every place it was given
            where that is now.
    """

    name: str
    against: Document
    change: Callable[[Document, Where], Document]

    def on(self, now: Document) -> Document | None:
        """The document of now with the change; None where the text has changed at its place."""

        def where(place: Mask) -> Mask:
            found = carried(place, self.against, now, rewritten=True)
            if found is None:
                raise _PlaceIsGoneError
            return found

        try:
            return self.change(now, where)
        except _PlaceIsGoneError:
            return None


def quoted(text: str) -> str:
    """A text as a step's name has it: 'cooked'."""
    return f"'{shortened(text, QUOTED)}'"


def put_words(seen: Document, *puts: tuple[Mask, str]) -> Edit:
    """Put words in the place of some characters.

    Args:
        seen: The document that the places are of.
        puts: Places, apart from each other, and what comes there.
    """

    def change(now: Document, where: Where) -> Document:
        places = [(where(place), words) for place, words in puts]
        # The last first, so that no place moves.
        for place, words in sorted(places, key=lambda one: -one[0].start):
            now = now.with_words(place.start, place.end, words, place.part)
        return now

    return Edit(_name_of(seen, puts), seen, change)


def _name_of(seen: Document, puts: tuple[tuple[Mask, str], ...]) -> str:
    if len(puts) != 1:
        return _("put {words}", words=quoted(" … ".join(words.strip() for _place, words in puts)))
    ((place, words),) = puts
    old = seen.part(place.part)[place.start : place.end]
    if not words:
        return _("delete {old}", old=quoted(old))
    if old == MASK_LITERAL or seen.is_masked(place.start, place.end, place.part):
        return _("put {words}", words=quoted(words))
    return _("replace {old} by {words}", old=quoted(old), words=quoted(words))


def toggle_mask(seen: Document, place: Mask) -> Edit:
    """Mask some characters, or unmask them where any of them is masked.

    Args:
        seen: The document that the gesture was made in.
        place: Characters of one of its texts.
    """

    def change(now: Document, where: Where) -> Document:
        at = where(place)
        return now.toggle_mask(at.start, at.end, at.part, at.nth)

    masked = seen.is_masked(place.start, place.end, place.part, place.nth)
    words = quoted(seen.part(place.part)[place.start : place.end])
    name = _("unmask {words}", words=words) if masked else _("mask {words}", words=words)
    return Edit(name, seen, change)


def mask(seen: Document, place: Mask) -> Edit:
    """Mask some characters as one."""

    def change(now: Document, where: Where) -> Document:
        at = where(place)
        return now.with_mask(at.start, at.end, at.part, at.nth)

    words = quoted(seen.part(place.part)[place.start : place.end])
    return Edit(_("mask {words}", words=words), seen, change)


def take_texts(seen: Document, text: str, pair: str | None, name: str) -> Edit:
    """Go to another text and second text, whatever stands there now.

    Args:
        seen: The document that the gesture was made in.
        text: The first text.
        pair: The second one; None for none.
        name: The step's name in the history.
    """

    def change(now: Document, _where: Where) -> Document:
        return replace(now, text=text, pair=pair, masks=(), entities=())

    return Edit(name, seen, change)


def swap_texts(seen: Document) -> Edit:
    """Let the second text stand first, as both are now."""

    def change(now: Document, _where: Where) -> Document:
        masks = tuple(sorted(replace(one, part=1 - one.part) for one in now.masks))
        entities = tuple(sorted((replace(m, part=1 - m.part) for m in now.entities), key=by_place))
        return replace(now, text=now.pair or "", pair=now.text, masks=masks, entities=entities)

    return Edit(_("swap both texts"), seen, change)


def set_options(seen: Document, values: Mapping[str, object], name: str) -> Edit:
    """Change several of a view's options ("joint_decoding.method"); None takes one away.

    Args:
        seen: The document that the gesture was made in.
        values: By the option's key.
        name: The step's name in the history.
    """

    def change(now: Document, _where: Where) -> Document:
        for key, value in values.items():
            now = now.with_option(key, value)
        return now

    return Edit(name, seen, change)


def toggle_in(
    seen: Document, option: Option[tuple[Any, ...]], these: Sequence[Any], name: str
) -> Edit:
    """Take these out of an option's list where all of them are in it; else put them there.

    Args:
        seen: The document that the gesture was made in.
        option: A list.
        these: Its items, as heads.
        name: The step's name in the history.
    """

    def change(now: Document, _where: Where) -> Document:
        # The list of now: several may be clicked before an answer comes.
        held = option.of(now)
        new = tuple(one for one in these if one not in held)
        left = tuple(one for one in held if one not in these)
        return now.with_option(option.key, option.written((*held, *new) if new else left))

    return Edit(name, seen, change)
