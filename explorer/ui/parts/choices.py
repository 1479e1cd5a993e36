"""Choices as boxes, as many in a line as there is room for."""

from collections.abc import Iterator

from explorer.api.question.parts.choices import Choices
from explorer.text import said
from explorer.ui.blocks.block import Block
from explorer.ui.blocks.chips import Chip, Chips
from explorer.ui.blocks.text import Text
from explorer.ui.parts.looking import Looking


def blocks(part: Choices, looking: Looking) -> Iterator[Block]:
    """A box each; nothing where there is nothing to choose."""
    if part.begun and looking.shown.is_begun:
        yield Text(said(part.begun))
        return
    chips = [
        Chip(
            words := said(one.words),
            looking.act(one.gesture),
            one.chosen,
            said(one.tip),
            one.key or ("chip", words),
            one.pressed,
        )
        for one in part.choices
    ]
    if chips:
        yield Chips(chips, title=said(part.label), on_paper=part.on_paper)
