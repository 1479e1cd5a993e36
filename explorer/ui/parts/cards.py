"""Parts side by side in cards."""

from collections.abc import Iterator

from explorer.api.question import Cards, OneCard, Width
from explorer.text import said
from explorer.ui.blocks.block import Block
from explorer.ui.blocks.columns import Card, Columns
from explorer.ui.blocks.spacing import CardWidth
from explorer.ui.blocks.text import Text
from explorer.ui.parts.drawing import blocks_of
from explorer.ui.parts.looking import Looking

WIDTHS = {
    Width.NARROW: CardWidth.NARROW,
    Width.MEDIUM: CardWidth.MEDIUM,
    Width.WIDE: CardWidth.WIDE,
}


def blocks(part: Cards, looking: Looking) -> Iterator[Block]:
    """As many side by side as the width holds."""
    if part.cards:
        yield Columns(
            [card_of(one, looking) for one in part.cards],
            WIDTHS[part.width],
            framed=part.framed,
            shares=part.shares,
            filled=part.filled,
        )


def card_of(one: OneCard, looking: Looking) -> Card:
    """A card as it is drawn.

    Args:
        one: With its parts.
        looking: At them.
    """
    title = said(one.title) if one.model is None else looking.shown.title_of(one.model)
    first = [Text(title, "title", words=said(one.words))] if title else []
    inside = [block for part in one.parts for block in blocks_of(part, looking)]
    return Card(
        [*first, *inside],
        said(one.name) or title,
        one.position,
        looking.act(one.gesture),
        one.title,
        said(one.words) if one.gesture is not None else "",
        one.chosen,
    )
