"""Which questions the loaded models can answer, and why not the others."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from explorer.api.question import Question
from explorer.api.question.roles import RoleBinding
from explorer.document import Document
from explorer.text import _
from explorer.ui.library.models import ModelSlots
from explorer.ui.runs.unable import why_not
from explorer.ui.views.frame.state_pages import Way
from explorer.ui.views.view import View

Ways = Callable[[Question[Any, Any], Any, RoleBinding], Sequence[Way]]
"""How to come by an answer: of a question, its request and its cast, the best way first."""


@dataclass(frozen=True)
class Availability:
    """Whether a question can be asked of the models that are loaded.

    Attributes:
        why: Why not, a sentence; "" where it can be, and where no model is loaded at all.
        elsewhere: The slot of the other loaded model, which can; "" for none.
    """

    why: str = ""
    elsewhere: str = ""


def availability(
    question: Question[Any, Any], models: ModelSlots, document: Document, ways: Ways
) -> Availability:
    """Whether a question can be asked; the text decides nothing."""
    cards = models.cards
    if not cards or not question.needs_model:
        return Availability()
    cast = question.cast(cards, models.active, document)
    if any(slot not in cards for slot in cast.values()):
        hint = question.second_model_hint or View.second_model_hint
        return Availability(_(hint) if len(cast) > 1 else "")
    why = why_not(question, cards[next(iter(cast.values()))])
    if why:
        others = (slot for slot, card in cards.items() if question.name in card.operations)
        return Availability(why, next(others, "") if len(cast) == 1 else "")
    if len(cast) > 1 and ways(question, None, cast):
        return Availability(_("Another pair of models answers this."))
    return Availability()


def ways_to(
    question: Question[Any, Any], models: ModelSlots, document: Document, ways: Ways
) -> Sequence[Way]:
    """What loads or chooses models that can answer a question, the best way first."""
    return ways(question, None, question.cast(models.cards, models.active, document))
