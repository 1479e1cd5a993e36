"""A picture of a question's own, where its parts have a place for it."""

from collections.abc import Iterator

from explorer.api.question import OwnPicture
from explorer.ui.blocks.block import Block
from explorer.ui.parts.looking import Looking


def blocks(part: OwnPicture, looking: Looking) -> Iterator[Block]:
    """What the page draws of that name."""
    yield from looking.pictures[part.name](looking.shown)
