"""Comparisons of any question, and those that questions declare of themselves."""

from dataclasses import replace
from typing import Any

from explorer.api.question import Question, Situation, Template, TemplateEntry, Topic, UserMistake
from explorer.questions import all_questions
from explorer.text import N_, _


def templates() -> tuple[Template, ...]:
    """All of them; those of questions in the order in which these are listed."""
    listed = sorted(all_questions().values(), key=_place)
    return (*GENERAL, *(template for one in listed for template in one.templates))


def _place(question: Question[Any, Any]) -> tuple[tuple[int, str], int]:
    return Topic.place(question.listing.heading), question.listing.order


def two_models(at: Situation) -> list[TemplateEntry]:
    """The view that was used last, from A, from B, and the difference.

    Raises:
        UserMistake: There are no two models, or none that answer the same question.
    """
    first, second = at.both()
    every = (at.operation, *at.single) if at.operation in at.single else at.single
    both = set(first.operations) & set(second.operations)
    question = next((name for name in every if name in both), "")
    if not question:
        raise UserMistake(
            N_("These two models answer no question alike."),
            N_("Load another one as B from the model library."),
        )
    found = [
        TemplateEntry(question, at.document, "A", first.title),
        TemplateEntry(question, at.document, "B", second.title),
    ]
    label = _("{title} minus {first_title}", title=second.title, first_title=first.title)
    return [*found, TemplateEntry(question, at.document, "B", label, baseline=0)]


def with_and_without_masks(at: Situation) -> list[TemplateEntry]:
    """A question of the text as it is, and with nothing masked.

    Raises:
        UserMistake: Nothing is masked, or no model is loaded that reads it.
    """
    bare = at.document.without_masks()
    if bare == at.document:
        raise UserMistake(
            N_("Nothing is masked."), N_("Mask a word first, then take this template.")
        )
    candidates = sorted(at.sees_masks, key=lambda name: name != at.operation)
    question = next((name for name in candidates if _answered(name, at)), "")
    if not question:
        raise UserMistake(
            N_("No model is loaded that answers with and without a mask."),
            N_("Load one from the model library."),
        )
    return [
        TemplateEntry(question, at.document, label=_("With the mask")),
        TemplateEntry(question, bare, label=_("Without a mask")),
        TemplateEntry(question, bare, label=_("Without minus with"), baseline=0),
    ]


def _answered(question: str, at: Situation) -> bool:
    return any(question in card.operations for card in at.cards.values())


GENERAL = (
    Template(
        "two_models",
        N_("Two models on one text"),
        N_("What A and B answer to the same question, and the difference."),
        two_models,
    ),
    Template(
        "masks",
        N_("One text with and without a mask"),
        N_("What changes in the model when a word is hidden."),
        with_and_without_masks,
    ),
)


def without_label(question: TemplateEntry) -> TemplateEntry:
    """The same question, for telling whether two ask the same."""
    return replace(question, label="", baseline=None)
