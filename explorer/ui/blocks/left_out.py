"""Tokens that did not fit into a model, so that it never saw them."""

from collections.abc import Iterator

from explorer.api import LeftOut
from explorer.text import _, ngettext
from explorer.ui.blocks.spacing import Space
from explorer.ui.blocks.text import Text, warning


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
