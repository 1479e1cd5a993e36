"""Whether what a step claims holds in the answer on screen; judged on a thread of its own."""

from __future__ import annotations

import enum
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from explorer.api import UserMistake
from explorer.lectures import Step
from explorer.questions.former_names import operation_named
from explorer.text import _

Answered = tuple[Step, Any | None]
"""A step and its answer; None where it was not seen."""


class Verdict(enum.StrEnum):
    """What is known of a claim."""

    NONE = "none"
    WAITING = "waiting"
    HOLDS = "holds"
    FAILS = "fails"
    UNKNOWN = "unknown"


@dataclass(frozen=True)
class Told:
    """A verdict, and what is said with it.

    Attributes:
        verdict: What is known.
        why: The values that were found where it does not hold, or why nothing can be said.
        values: What was compared.
    """

    verdict: Verdict
    why: str = ""
    values: str = ""


def told_of(step: Step, result: Any, before: Sequence[Answered]) -> Told:
    """Whether all that a step claims holds in an answer to it.

    Args:
        step: The step.
        result: The answer.
        before: The steps before it, in order.
    """
    # Only here: what plays scenes without a window is read when something is judged.
    from explorer.lectures.claim import Judged, judge
    from explorer.lectures.playing import cells_of_result, names_of

    def cells(of: Step, answer: Any) -> Any:
        operation = operation_named(of.question)
        return cells_of_result(operation, answer) if operation is not None else {}

    earlier = [cells(one, answer) if answer is not None else {} for one, answer in before]
    names = names_of(cells(step, result), earlier)
    judged: list[Judged] = []
    for claim in step.claims:
        try:
            judged.append(judge(claim, names))
        except UserMistake as error:
            if any(answer is None for _step, answer in before):
                return Told(
                    Verdict.UNKNOWN,
                    _("It is compared with the steps before: go through them first."),
                )
            return Told(Verdict.UNKNOWN, error.said)
    failed = [one for one in judged if not one.holds]
    values = _values(judged)
    if failed:
        return Told(Verdict.FAILS, _values(failed) or failed[0].claim, values)
    return Told(Verdict.HOLDS, values=values)


def _values(judged: Sequence[Any]) -> str:
    sides = {side.source: side.value for one in judged for side in one.sides}
    return "\n".join(f"{source} = {value}" for source, value in sides.items())
