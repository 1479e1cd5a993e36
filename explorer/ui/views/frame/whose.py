"""Who gave an answer of the log, where another model is the active one."""

from collections.abc import Iterator
from typing import Any

from explorer.api import ModelCard, ModelStamp
from explorer.text import _
from explorer.ui.blocks.block import Block
from explorer.ui.blocks.shown import Origin
from explorer.ui.blocks.text import Text


def whose(result: Any, origin: Origin, asked: ModelCard | None) -> Iterator[Block]:
    """A line above the answer; nothing where the model that would be asked now gave it.

    Args:
        result: The answer.
        origin: How it came about.
        asked: The model that would play the first role now; None where there is none.
    """
    given = getattr(result, "model", None)
    if not origin.is_logged or asked is None or not isinstance(given, ModelStamp):
        return
    if asked.stamp.fingerprint != given.fingerprint:
        said = _(
            "This answer is from the log: {id} gave it, and {title} would be asked now.",
            id=given.id,
            title=asked.title,
        )
        yield Text(said, colour="warning", below=4.0)
