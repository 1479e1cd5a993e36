"""Choices as boxes, as many in a line as there is room for."""

from collections.abc import Iterator

from explorer.api.question import Choices
from explorer.text import said
from explorer.ui.blocks.block import Block
from explorer.ui.blocks.chips import Chip, Chips
from explorer.ui.blocks.text import Text
from explorer.ui.document.gestures import Edit
from explorer.ui.parts.looking import Looking


def blocks(part: Choices, looking: Looking) -> Iterator[Block]:
    """A box each; nothing where there is nothing to choose."""
    now = looking.shown.now
    if part.begun and looking.shown.is_begun:
        yield Text(said(part.begun))
        return
    chips = []
    for one in part.choices:
        words, act = said(one.words), looking.act(one.gesture)
        if one.undoes and (not isinstance(act, Edit) or act.on(now) == now):
            continue
        key = one.key or ("chip", words)
        chips.append(Chip(words, act, one.chosen, said(one.tip), key, one.pressed))
    if chips:
        yield Chips(chips, title=said(part.label), on_paper=part.on_paper)
