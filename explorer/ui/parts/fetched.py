"""What is asked for when it is looked at, once it has come."""

from collections.abc import Iterable, Iterator

from explorer.api.question import Detail, Failure, Part
from explorer.api.question.parts.cards import every_part
from explorer.api.question.parts.fetched import Fetched
from explorer.text import said
from explorer.ui.blocks.block import Block
from explorer.ui.blocks.text import note, warning
from explorer.ui.parts.drawing import blocks_of
from explorer.ui.parts.looking import Looking


def blocks(part: Fetched, looking: Looking) -> Iterator[Block]:
    """The parts that it is made into; that it is on its way, or why it could not be had."""
    shown = looking.shown
    known = next((one for one in shown.complete if one.lane == part.lane), None)
    found = None if known is None else shown.details.get(known)
    if found is None:
        yield note(said(part.waiting))
    elif isinstance(found, Failure):
        yield warning(said(found.message))
    else:
        for one in part.makes(found):
            yield from blocks_of(one, looking)


def wanted_by(parts: Iterable[Part], looking: Looking) -> Iterator[Detail]:
    """What the parts of a page wait for, those in cards too."""
    for one in every_part(parts):
        if isinstance(one, Fetched):
            of, asked = looking.of, looking.shown.asked
            yield of.detail(one.asks(of.request.of(asked)), asked, one.model, one.lane)
