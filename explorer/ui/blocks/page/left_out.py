"""What must be known of any answer first: what the model never saw, and what was noted."""

from collections.abc import Iterator
from typing import Any

from explorer.api.question import LeftOut
from explorer.text import said
from explorer.ui.blocks.spacing import Space
from explorer.ui.blocks.text import Text, note, warning


def left_out(lost: LeftOut | None, above: Space = Space.NEAR) -> Iterator[Text]:
    """A warning of what the model did not see; nothing where it saw all."""
    if lost is None:
        return
    yield warning(said(lost.said), above)


def known_first(result: Any) -> Iterator[Text]:
    """What did not fit into the model, and the notes of an answer that has any."""
    lost = getattr(result, "left_out", None)
    yield from left_out(lost if isinstance(lost, LeftOut) else None)
    for one in getattr(result, "notes", ()):
        yield note(said(one))
