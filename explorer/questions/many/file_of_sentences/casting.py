"""Which loaded models answer a question about every sentence of a file."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from explorer.api.question import MODEL, READS_ENTITIES, ModelCard, Question, ReadsEntities
from explorer.api.question.roles import SECOND, RoleBinding, other_slot
from explorer.document import Document
from explorer.questions.many.file_of_sentences.options import ASKED_QUESTION, COMPARE, ENTITIES


def asked_of(cards: Mapping[str, ModelCard], active: str, document: Document) -> str:
    """The name of the question about a file: the chosen one, where the models answer it."""
    from explorer.questions.former_names import name_today

    chosen = name_today(ASKED_QUESTION.of(document))
    if document.option(ASKED_QUESTION.key, None) is not None:
        # What somebody chose stays: the page says why another model does not answer it.
        return chosen
    offered = offered_by(cards, active, document)
    if chosen in offered or not offered:
        return chosen
    return "tokens" if "tokens" in offered else offered[0]


def offered_by(cards: Mapping[str, ModelCard], active: str, document: Document) -> tuple[str, ...]:
    """The questions about a file that the loaded models answer."""
    from explorer.questions import all_questions

    found = []
    for name, one in all_questions().items():
        if one.summary is not None:
            first = one.cast(cards, active, blank(document)).get(one.first_role, active)
            card = cards.get(first) or cards.get(active)
            if card is not None and name in card.operations:
                found.append(name)
    return tuple(found)


def casting(cards: Mapping[str, ModelCard], active: str, document: Any) -> RoleBinding:
    """As the question itself has it."""
    from explorer.questions import all_questions

    question = all_questions().get(asked_of(cards, active, document))
    if question is None:
        return {MODEL: active}
    cast = question.cast(cards, active, blank(document))
    if not compares(question, document):
        return cast
    slot = cast.get(question.first_role, active)
    return {question.first_role: slot, SECOND: other_slot(slot)}


def compares(question: Question[Any, Any], document: Any) -> bool:
    """Whether a document lays the answers of two models side by side."""
    return COMPARE.of(document) and question.one_answers


def finds_entities(
    question: Question[Any, Any], document: Document, cards: Mapping[str, ModelCard], active: str
) -> bool:
    """Whether entities are found by name: that is on, and a model that is asked reads any."""
    if not ENTITIES.of(document) or not issubclass(question.request, ReadsEntities):
        return False
    slots = question.cast(cards, active, blank(document)).values()
    asked_cards = (cards.get(slot) for slot in slots)
    return any(card is not None and READS_ENTITIES in card.operations for card in asked_cards)


def blank(document: Document) -> Document:
    """The options alone."""
    return replace(document, text="", pair=None, masks=(), entities=())
