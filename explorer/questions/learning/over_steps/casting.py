"""What is asked at every step, and which loaded models are asked."""

from collections.abc import Mapping
from typing import Any

from explorer.api.question import MODEL, ModelCard, Question
from explorer.api.question.roles import RoleBinding
from explorer.document import Document
from explorer.questions.learning.over_steps.options import ASKED_QUESTION


def question_asked(name: str) -> Question[Any, Any] | None:
    """The question of a name; None where there is none, or it is none to ask at every step."""
    from explorer.questions.former_names import question_named

    question = question_named(name)
    return question if question is not None and can_be_asked(question) else None


def can_be_asked(question: Question[Any, Any]) -> bool:
    """Whether a question's answer depends on a model's weights: it has one at every step."""
    return question.needs_model and question.delegates_to is None


def asked_of(document: Any) -> Question[Any, Any] | None:
    """The question that a document asks at every step; None where there is none."""
    return question_asked(ASKED_QUESTION.of(document))


def offered_by(cards: Mapping[str, ModelCard], active: str) -> tuple[str, ...]:
    """The names of the questions that the loaded models answer at every step."""
    from explorer.questions import all_questions

    card = cards.get(active)
    if card is None:
        return ()
    return tuple(
        name
        for name, one in all_questions().items()
        if can_be_asked(one) and name in card.operations
    )


def casting(cards: Mapping[str, ModelCard], active: str, document: Any) -> RoleBinding:
    """As the question itself has it."""
    question = asked_of(document)
    if question is None or not isinstance(document, Document):
        return {MODEL: active}
    return question.cast(cards, active, document)
