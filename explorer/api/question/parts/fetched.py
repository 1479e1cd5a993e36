"""A part of an answer that is asked for when it is looked at: one cell of many in full."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from explorer.api.model import ModelStamp
from explorer.api.question.parts.part import Part
from explorer.text import N_


@dataclass(frozen=True)
class Fetched(Part):
    """What stands here once it has come; what stood here before stays until then.

    The kinds of parts that it is made into are named beside it where a question says what it is
    made of: `Sequence[Grid | Fetched | Rows]`.

    Attributes:
        asks: From the request of the answer to that of the detail.
        model: Who gave the answer.
        makes: From the detail's result to parts.
        lane: A newer detail in a lane takes the place of the older; no two parts share one.
        waiting: What is said until it comes for the first time, marked for translation.
    """

    asks: Callable[[Any], Any]
    model: ModelStamp
    makes: Callable[[Any], Sequence[Part]]
    lane: str
    waiting: str = N_("The prediction is on its way.")
