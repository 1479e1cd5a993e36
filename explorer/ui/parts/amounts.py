"""A few named numbers in a line."""

from collections.abc import Iterator

from explorer.api.question.parts.amounts import Amounts
from explorer.text import _, said
from explorer.ui.blocks.block import Block
from explorer.ui.blocks.tables.numbers import Number, Numbers
from explorer.ui.parts.looking import Looking


def blocks(part: Amounts, _looking: Looking) -> Iterator[Block]:
    """Each large, with its name below and its unit behind it."""
    numbers = [
        Number(
            f"{one.said} {_(one.unit)}" if one.unit else one.said,
            said(one.title),
            said(one.words),
            one.colour,
        )
        for one in part.known
        if one.shown
    ]
    if numbers:
        yield Numbers(numbers)
