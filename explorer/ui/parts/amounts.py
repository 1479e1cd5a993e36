"""A few named numbers: in a line, as bars on one scale, or as the shares of a whole."""

from collections.abc import Iterator

from explorer.api.question.parts.amounts import Amount, Amounts, Look
from explorer.text import _, said
from explorer.ui.blocks.block import Block
from explorer.ui.blocks.tables import amounts as bars
from explorer.ui.blocks.tables.numbers import Number, Numbers
from explorer.ui.blocks.tables.shares import Shares
from explorer.ui.parts.looking import Looking


def blocks(part: Amounts, looking: Looking) -> Iterator[Block]:
    """All that there are."""
    seen = [one for one in part.known if one.shown]
    if not seen:
        return
    if part.look is Look.NUMBERS:
        yield Numbers([_number(one) for one in seen])
    elif part.look is Look.BARS:
        title = said(part.title or looking.of.title)
        yield bars.amounts([_bar(one) for one in seen], title)
    else:
        yield Shares([_bar(one) for one in seen])


def _written(one: Amount) -> str:
    return f"{one.said} {_(one.unit)}" if one.unit else one.said


def _number(one: Amount) -> Number:
    """Large, with its name below and its unit behind it."""
    return Number(_written(one), said(one.title), said(one.words), one.colour or "text")


def _bar(one: Amount) -> bars.Amount:
    value = one.value if isinstance(one.value, int | float) else 0
    return bars.Amount(said(one.title), value, _written(one), one.colour or "bar", one.was)
