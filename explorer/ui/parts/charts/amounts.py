"""A few named numbers: in a line, as bars on one scale, or as the shares of a whole."""

from collections.abc import Iterator

from explorer.api.question import Amount, Amounts, Look
from explorer.text import _, said
from explorer.ui.blocks.block import Block
from explorer.ui.blocks.tables import amounts as bars
from explorer.ui.blocks.tables.numbers import NumbersBlock, ShownNumber
from explorer.ui.blocks.tables.shares import Shares
from explorer.ui.parts.looking import Looking
from explorer.ui.parts.pinned_part import pinned_part


def blocks(part: Amounts, looking: Looking) -> Iterator[Block]:
    """All that there are."""
    seen = [one for one in part.known if one.shown]
    if not seen:
        return
    if part.look is Look.NUMBERS:
        then = pinned_part(part, looking)
        before = {} if then is None else {one.name: one for one in then.known}
        yield NumbersBlock([_number(one, before.get(one.name)) for one in seen])
    elif part.look is Look.BARS:
        title = said(part.title or looking.of.title)
        yield bars.amounts([_bar(one) for one in seen], title)
    else:
        yield Shares([_bar(one) for one in seen])


def _number(one: Amount, before: Amount | None) -> ShownNumber:
    """Large, with its name below, and what it was in the pinned answer."""
    name, words = said(one.title), said(one.words)
    if before is not None:
        name = _("{name}, pinned {before}", name=name, before=before.said)
        if change := one.change_since(before):
            against = _("Against the pinned answer: {change}", change=change)
            words = f"{words}\n{against}".strip()
    return ShownNumber(one.said, name, words, one.colour or "text")


def _bar(one: Amount) -> bars.ShownAmount:
    value = one.value if isinstance(one.value, int | float) else 0
    return bars.ShownAmount(said(one.title), value, one.said, one.colour or "bar", one.was)
