"""Rows of any kind, sorted by their titles."""

from collections.abc import Callable, Iterator
from typing import Any

from explorer.api.question.parts.rows import Rows
from explorer.text import said
from explorer.ui.blocks.block import Block
from explorer.ui.blocks.tables.rows_block import rows_block
from explorer.ui.parts.looking import Looking


def blocks(part: Rows, looking: Looking) -> Iterator[Block]:
    """The table."""
    chosen = part.chosen
    stand_out = [n for n, row in enumerate(part.rows) if chosen is not None and chosen(row)]
    yield rows_block(
        part.seen(),
        looking.shown,
        f"{looking.of.name}.{part.kind.__name__}",
        said(part.title or looking.of.title),
        bar=part.bar,
        second_bar=part.second_bar,
        bars=part.bars,
        scale=part.scale,
        group=part.group,
        act=_by_number(part, part.gesture, looking.act),
        words=_by_number(part, part.words, said),
        chosen=stand_out,
        drawn=_by_number(part, part.drawn, bool),
        most=part.most,
        shades=_by_number(part, part.shades, tuple),
    )


def _by_number(
    part: Rows, tell: Callable[[Any], Any] | None, then: Callable[[Any], Any]
) -> Callable[[int], Any] | None:
    """What is told of a row, from the number of the row."""
    return None if tell is None else lambda number: then(tell(part.rows[number]))
