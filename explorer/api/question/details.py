"""Other questions that belong to an answer: its parts, and what is laid beside it."""

from dataclasses import dataclass
from typing import Any

from explorer.api.model import ModelStamp


@dataclass(frozen=True)
class Detail:
    """A part of an answer, to be asked for when it is looked at; `Operation.detail` makes it.

    Attributes:
        request: The operation's, as it is sent: it has the answer's own fields, entities among
            them, and says which part.
        model: Who gave the answer.
        lane: A newer detail in a lane takes the place of the older.
    """

    request: Any
    model: ModelStamp
    lane: str = ""
