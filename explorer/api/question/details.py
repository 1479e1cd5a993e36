"""Other questions that belong to an answer: its parts, and what is laid beside it."""

from dataclasses import dataclass
from typing import Any

from explorer.api.model import ModelStamp
from explorer.api.question.options.options import Switch
from explorer.text import N_


@dataclass(frozen=True)
class Detail:
    """A part of an answer, to be asked for when it is looked at; `Question.detail` makes it.

    Attributes:
        request: The question's, as it is sent: it has the answer's own fields, entities among
            them, and says which part.
        model: Who gave the answer.
        lane: A newer detail in a lane takes the place of the older.
    """

    request: Any
    model: ModelStamp
    lane: str = ""


BESIDE = Switch(
    N_("Exact answers"),
    default=False,
    tip=N_(
        "Show the exact answer of the miniatures' world next to the model's, with the"
        " divergence between the two and the words on which the model is most wrong"
    ),
    redraws=True,
    glyph="target",
    key="exact_answers.beside",
)
"""One switch for every page that shows what a model predicts."""
