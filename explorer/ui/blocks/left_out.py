"""What must be known of any answer first: what the model never saw, and what was noted."""

from collections.abc import Iterator
from typing import Any

from explorer.api import LeftOut
from explorer.text import _, ngettext, said
from explorer.ui.blocks.spacing import Space
from explorer.ui.blocks.text import Text, note, warning


def left_out(lost: LeftOut | None, above: Space = Space.NEAR) -> Iterator[Text]:
    """A warning of what the model did not see; nothing where it saw all."""
    if lost is None:
        return
    places = {
        "limit": lost.limit,
        "some": ngettext("{count} token", "{count} tokens", lost.tokens),
        "masks": ngettext("{count} mask", "{count} masks", lost.masks),
    }
    seen = (
        _(
            "The model takes {limit} tokens and did not see the last {some}, with {masks} among "
            "them.",
            **places,
        )
        if lost.masks
        else _("The model takes {limit} tokens and did not see the last {some}.", **places)
    )
    yield warning(seen, above)


def known_first(result: Any) -> Iterator[Text]:
    """What did not fit into the model, and the notes of an answer that has any."""
    lost = getattr(result, "left_out", None)
    yield from left_out(lost if isinstance(lost, LeftOut) else None)
    for one in getattr(result, "notes", ()):
        yield note(said(one))
