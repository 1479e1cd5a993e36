"""What a recorded answer's page says first."""

from typing import Any

from explorer.api.question import Headline
from explorer.questions import question_of
from tests.stored_runs.recorded import RECORDED


def recorded(name: str) -> Any:
    """The recorded result of a question."""
    return RECORDED[name].result


def headline_of(name: str, result: Any = None) -> Headline:
    """The largest effect of it, or of another result of the same question."""
    run = RECORDED[name]
    question = question_of(run.request)
    effect: Headline = question.headline(run.result if result is None else result)
    return effect


def said_of(name: str, result: Any = None) -> str:
    """The same in words."""
    return str(headline_of(name, result).sentence)
