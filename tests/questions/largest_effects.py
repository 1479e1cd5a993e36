"""What a recorded answer's page says first."""

from typing import Any

from explorer.api import Effect
from explorer.questions import operation_of
from tests.stored_runs.recorded import RECORDED


def recorded(name: str) -> Any:
    """The recorded result of a question."""
    return RECORDED[name].result


def effect_of(name: str, result: Any = None) -> Effect:
    """The largest effect of it, or of another result of the same question."""
    run = RECORDED[name]
    operation = operation_of(run.request)
    effect: Effect = operation.largest_effect(run.result if result is None else result)
    return effect


def said_of(name: str, result: Any = None) -> str:
    """The same in words."""
    return str(effect_of(name, result).sentence)
