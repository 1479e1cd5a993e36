"""Rows of any kind, sorted by their titles."""

from collections.abc import Iterator

from explorer.api.question.parts.rows import Rows
from explorer.text import _
from explorer.ui.blocks.block import Block
from explorer.ui.blocks.tables.rows_block import rows_block
from explorer.ui.parts.looking import Looking


def blocks(part: Rows, looking: Looking) -> Iterator[Block]:
    """The table."""
    name = f"{looking.of.name}.{part.kind.__name__}"
    title = _(part.title or looking.of.title)
    shades = part.shades
    yield rows_block(
        part.table(),
        looking.shown,
        name,
        title,
        bar=part.bar,
        most=part.most,
        shades=None if shades is None else lambda number: shades(part.rows[number]),
    )
