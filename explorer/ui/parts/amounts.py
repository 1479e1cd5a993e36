"""A few named numbers: in a line, as bars on one scale, or as the shares of a whole."""

from collections.abc import Iterator

from explorer.api.question.parts.amounts import Amount, Amounts, Look
from explorer.text import _, said
from explorer.ui.blocks.block import Block
from explorer.ui.blocks.tables import amounts as bars
from explorer.ui.blocks.tables.numbers import Number, Numbers
from explorer.ui.blocks.tables.shares import Shares
from explorer.ui.parts.looking import Looking
from explorer.ui.parts.pinned_part import pinned_part


def blocks(part: Amounts, looking: Looking) -> Iterator[Block]:
    """All that there are."""
    seen = [one for one in part.known if one.shown]
    if not seen:
        return
    if part.look is Look.NUMBERS:
        then = {one.name: one for one in _pinned(part, looking)}
        own = [_number(one, None if one.compared else then.get(one.name)) for one in seen]
        yield Numbers([*own, *(_number(one) for one in _changes(part, looking))])
    elif part.look is Look.BARS:
        title = said(part.title or looking.of.title)
        yield bars.amounts([_bar(one) for one in seen], title)
    else:
        yield Shares([_bar(one) for one in seen])


def _changes(part: Amounts, looking: Looking) -> list[Amount]:
    """Of what is compared with a pinned answer."""
    compared = [one for one in part.known if one.compared]
    pinned = pinned_part(part, looking) if compared else None
    before = {} if pinned is None else {one.name: one for one in pinned.known}
    return [one.since(before[one.name]) for one in compared if one.name in before]


def _pinned(part: Amounts, looking: Looking) -> Iterator[Amount]:
    """What the pinned answer has."""
    pinned = pinned_part(part, looking)
    return iter(() if pinned is None else pinned.known)


def _number(one: Amount, before: Amount | None = None) -> Number:
    """Large, with its name below, and what it was in the pinned answer."""
    name = said(one.title)
    if before is not None:
        name = _("{name}, pinned {before}", name=name, before=before.said)
    return Number(one.said, name, said(one.words), one.colour or "text")


def _bar(one: Amount) -> bars.Amount:
    value = one.value if isinstance(one.value, int | float) else 0
    return bars.Amount(said(one.title), value, one.said, one.colour or "bar", one.was)
