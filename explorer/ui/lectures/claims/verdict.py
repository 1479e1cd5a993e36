"""Whether what a step claims holds in the answer on screen; judged on a thread of its own."""

from __future__ import annotations

import enum
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from explorer.api.question import UserMistake
from explorer.lectures import Step
from explorer.questions.former_names import question_named
from explorer.text import _

if TYPE_CHECKING:
    from explorer.lectures.claims.cells import Beside, LazyCells
    from explorer.lectures.claims.claim import JudgedClaim


@dataclass(frozen=True)
class SeenStep:
    """A step, and what was on screen of it.

    Attributes:
        step: The step.
        result: Its answer; None where it was not seen.
        beside: The exact answers laid beside it; None where they are not wanted.
    """

    step: Step
    result: Any | None = None
    beside: Beside | None = None


class Verdict(enum.StrEnum):
    """What is known of a claim."""

    NONE = "none"
    WAITING = "waiting"
    HOLDS = "holds"
    FAILS = "fails"
    UNKNOWN = "unknown"


@dataclass(frozen=True)
class Judgement:
    """A verdict, and what is said with it.

    Attributes:
        verdict: What is known.
        why: The values that were found where it does not hold, or why nothing can be said.
        values: What was compared.
    """

    verdict: Verdict
    why: str = ""
    values: str = ""


def told_of(seen: SeenStep, before: Sequence[SeenStep]) -> Judgement:
    """Whether all that a step claims holds in an answer to it.

    Args:
        seen: The step with its answer.
        before: The steps before it, in order.
    """
    # Only here: what plays scenes without a window is read when something is judged.
    from explorer.lectures.claims.claim import judge

    names = names_in(seen, before)
    judged: list[JudgedClaim] = []
    for claim in seen.step.claims:
        try:
            judged.append(judge(claim, names))
        except UserMistake as error:
            if any(one.result is None for one in before):
                return Judgement(
                    Verdict.UNKNOWN,
                    _("It is compared with the steps before: go through them first."),
                )
            return Judgement(Verdict.UNKNOWN, error.said)
    failed = [one for one in judged if not one.holds]
    values = values_said(judged)
    if failed:
        return Judgement(Verdict.FAILS, values_said(failed) or failed[0].claim, values)
    return Judgement(Verdict.HOLDS, values=values)


def names_in(seen: SeenStep, before: Sequence[SeenStep]) -> LazyCells:
    """What an expression can name at a step, with the answers to those before it.

    Args:
        seen: The step with its answer.
        before: The steps before it, in order.
    """
    from explorer.lectures.claims.cells import cells_of, names_of

    def cells(of: SeenStep) -> Any:
        question = question_named(of.step.question)
        if question is None or of.result is None:
            return {}
        return cells_of(question, of.result, of.beside)

    return names_of(cells(seen), [cells(one) for one in before])


def values_said(judged: Sequence[JudgedClaim]) -> str:
    """What claims compare, a line each."""
    sides = {side.source: side.value for one in judged for side in one.sides}
    return "\n".join(f"{source} = {value}" for source, value in sides.items())
