"""Rows of a title, a value and what is said of it."""

from collections.abc import Iterator

from explorer.api.question.parts.entries import Entries
from explorer.text import said
from explorer.ui.blocks.block import Block
from explorer.ui.blocks.tables import entries as drawn
from explorer.ui.parts.looking import Looking


def blocks(part: Entries, looking: Looking) -> Iterator[Block]:
    """As high as they need."""
    every = [
        drawn.Entry(
            said(one.title),
            one.value,
            said(one.text),
            tuple(map(said, one.notes)),
            one.muted,
            one.chosen,
            "\n".join(said(line) for line in one.words if line),
        )
        for one in part.entries
    ]
    yield drawn.Entries(every, said(part.title or looking.of.title))
