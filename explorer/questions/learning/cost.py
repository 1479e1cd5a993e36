"""How long a plan will take: by what it will cost, and by how fast runs went here before."""

from collections.abc import Sequence

from explorer.learning.plan.cost import PlanCost
from explorer.learning.runs.run_folder import RunFolder
from explorer.questions.learning.runs import ExpectedCost

USUAL = 1e10
"""Multiply-adds a second of one core with models of some hundred thousand numbers, where no run was
made here yet."""
LOOKED_AT = 8
"""Runs that are looked at for how fast they went."""


def expected(
    found: PlanCost,
    runs: Sequence[RunFolder],
    more: float = 0.0,
    before: Sequence[PlanCost] = (),
) -> ExpectedCost:
    """The cost of a plan, about.

    Args:
        found: What was counted.
        runs: Those there are, the newest first.
        more: Seconds that pass besides.
        before: Of what else is done, as runs that are made first; they count in the time alone.
    """
    work = sum(one.multiply_adds for one in (found, *before))
    seconds = work / _speed(runs) + more
    return ExpectedCost(found.parameters, found.tokens, found.multiply_adds, seconds, found.is_most)


def _speed(runs: Sequence[RunFolder]) -> float:
    """Multiply-adds a second of the newest run that counted them, or the usual ones."""
    for one in runs[:LOOKED_AT]:
        last = next(iter(one.curve()[-1:]), {})
        seconds, spent = last.get("seconds"), last.get("multiply_adds")
        if isinstance(seconds, int | float) and isinstance(spent, int | float) and seconds > 0:
            return float(spent) / float(seconds)
    return USUAL
