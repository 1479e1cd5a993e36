"""Gestures that put entities on words of the document, and take them away."""

from collections.abc import Sequence
from dataclasses import replace

from explorer.document import Document, Mask, Mention
from explorer.text import _
from explorer.ui.document.gestures import Edit, Where, quoted


def put_entities(seen: Document, mentions: Sequence[Mention]) -> Edit:
    """Say which entities some words name.

    Args:
        seen: The document that their places are of.
        mentions: Places and ids.
    """

    def change(now: Document, where: Where) -> Document:
        for one in mentions:
            place = where(Mask(one.start, one.end, one.part))
            now = now.with_entity(replace(one, start=place.start, end=place.end))
        return now

    if len(mentions) == 1:
        (only,) = mentions
        words = quoted(seen.part(only.part)[only.start : only.end])
        name = _("put {entity} on {words}", entity=only.entity, words=words)
    else:
        name = _("put entities on the text")
    return Edit(name, seen, change)


def take_entity(seen: Document, mention: Mention) -> Edit:
    """Let some words name no entity any more."""

    def change(now: Document, where: Where) -> Document:
        place = where(Mask(mention.start, mention.end, mention.part))
        return now.without_entity(place.start, place.end, place.part)

    words = quoted(seen.part(mention.part)[mention.start : mention.end])
    return Edit(_("take the entity from {words}", words=words), seen, change)
