"""Who is who: a colour, what the model does, where it is loaded, and its name."""

from collections.abc import Iterator

from explorer.api.question import Models
from explorer.api.question.roles import cast_of
from explorer.text import _
from explorer.ui.blocks.block import Block
from explorer.ui.blocks.legend import Legend
from explorer.ui.blocks.text import Text
from explorer.ui.parts.looking import Looking
from explorer.ui.parts.pinned_part import pinned_part


def blocks(part: Models, looking: Looking) -> Iterator[Block]:
    """Those of the answer, and those of a pinned one where they are others."""
    cards = looking.shown.cards
    slots = cast_of({one.role: one.model for one in part.players}, cards)
    entries = []
    for one in part.players:
        slot = slots.get(one.role, "")
        name = cards[slot].title if slot else one.model.id
        entries.append(
            (f"{_(one.title)} ({slot}): {name}" if slot else f"{_(one.title)}: {name}", one.colour)
        )
    yield Legend(entries)
    then = pinned_part(part, looking)
    if then is not None and then != part:
        said = ", ".join(f"{_(one.title)}: {one.model.name}" for one in then.players)
        yield Text(_("Pinned: {models}", models=said), colour="mask")
