"""Which questions the overview asks of a document and the models that are loaded, and which not."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from explorer.api.question import ModelCard, Question
from explorer.api.question.roles import RoleBinding
from explorer.document import Document
from explorer.text import _
from explorer.ui.runs.answers import AnswerKey
from explorer.ui.runs.unable import why_not
from explorer.ui.views import listed


@dataclass(frozen=True)
class Planned:
    """A question that is asked.

    Attributes:
        of: Which one.
        cast: The slot of each role.
        question: What decides the answer, as the question's page has it.
    """

    of: Question[Any, Any]
    cast: RoleBinding
    question: AnswerKey


@dataclass(frozen=True)
class LeftAside:
    """A question that is not asked.

    Attributes:
        of: Which one.
        cast: The slot of each role.
        why: A sentence in the reader's language; "" where a model is missing.
    """

    of: Question[Any, Any]
    cast: RoleBinding
    why: str = ""


@dataclass(frozen=True)
class Plan:
    """What becomes of each question that says it is one for the overview, in the pages' order.

    Attributes:
        document: What they are asked of.
        asked: The ones that are asked.
        lacking: Those for which something must be put in first, as a mask or a second text.
        unable: Those that the models of now can't answer.
        dear: Those that take so long here that their page waits for the Run button.
    """

    document: Document
    asked: tuple[Planned, ...] = ()
    lacking: tuple[LeftAside, ...] = ()
    unable: tuple[LeftAside, ...] = ()
    dear: tuple[LeftAside, ...] = ()


def questions() -> tuple[Question[Any, Any], ...]:
    """Those that say that they are for the overview, the quickest first."""
    found = (one.of for one in listed() if one.of.listing.in_overview)
    return tuple(sorted(found, key=lambda one: (one.listing.in_overview, one.listing.order)))


def plan_of(document: Document, cards: Mapping[str, ModelCard], active: str) -> Plan:
    """What is asked of a document.

    Args:
        document: The user's.
        cards: The loaded models by slot.
        active: The slot that is asked where one model is enough.
    """
    asked: list[Planned] = []
    lacking: list[LeftAside] = []
    unable: list[LeftAside] = []
    dear: list[LeftAside] = []
    for of in questions():
        cast = of.cast(cards, active, document)
        card = cards.get(next(iter(cast.values()), ""))
        if card is None or not all(slot in cards for slot in cast.values()):
            unable.append(LeftAside(of, cast))
            continue
        if why := why_not(of, card):
            unable.append(LeftAside(of, cast, why))
            continue
        request = of.request_among(document, cards, active)
        if request is None:
            playing = [cards[slot] for slot in cast.values()]
            lacking.append(LeftAside(of, cast, _(of.hint(document, playing))))
        elif of.is_expensive is not None and of.is_expensive(document, card, None):
            dear.append(LeftAside(of, cast))
        else:
            models = tuple((role, cards[slot].stamp) for role, slot in cast.items())
            asked.append(Planned(of, cast, AnswerKey(request, models)))
    return Plan(document, tuple(asked), tuple(lacking), tuple(unable), tuple(dear))
