"""Why nobody can answer a question now, in words for its page and for the overview."""

from typing import Any

from explorer.api.question import ModelCard, Question
from explorer.questions import brought
from explorer.text import N_, _, said

NO_MODEL = N_("Load a model from the library to ask it.")


def why_not(of: Question[Any, Any], card: ModelCard) -> str:
    """Why a model can't answer a question; "" where it can."""
    if of.name in card.operations:
        return ""
    why = said(card.unavailable.get(of.name, ""))
    one = brought().get(of.name)
    if one is not None and not why:
        return _(
            "The engine doesn't know this question: the plugin {title}, which brings it, is "
            "switched off or does not work.",
            title=one.title,
        )
    why = why or _("{title} can't answer this: it has no head for it.", title=card.title)
    return f"{why} {_(of.elsewhere)}".rstrip()
