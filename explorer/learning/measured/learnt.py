"""What is learnt first: when each rule's excess loss has fallen to a share of what it was.

A rule counts as learnt at the first step from which on its excess stays at or below the share: a
dip that does not last does not count. Only measured steps are told, so a rule was learnt after the
one before, and at the latest at this one. Over runs of several seeds the steps are averaged on a
logarithmic scale, as frames are spaced, with Student's interval; a rule that one of them never
learnt has no such mean.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from explorer.numerics.evaluation.student_t import mean_interval

SHARE: Final = 0.1
"""Of the excess at the start, at which a rule counts as learnt."""

Steps = Sequence[int]
Excess = Mapping[str, Sequence[float]]
"""By rule, at each measured step."""


@dataclass(frozen=True, slots=True)
class LearntRule:
    """When a rule was learnt.

    Attributes:
        rule: Its name.
        steps: In each run; None where it never was.
        step: The mean, on a logarithmic scale; None where a run never learnt it.
        low: Where its interval begins; None of a single run.
        high: Where that ends.
    """

    rule: str
    steps: tuple[int | None, ...]
    step: float | None
    low: float | None
    high: float | None


def step_learnt(steps: Steps, excess: Sequence[float], share: float = SHARE) -> int | None:
    """The first measured step from which on a loss stays at a share of its first value or below.

    Args:
        steps: The measured ones, ascending.
        excess: In nats, at each of them.
        share: Of the first value.

    Returns:
        None where it is above the share at the last step, or where it began at nothing.

    Raises:
        ValueError: There are not as many values as steps, or none.
    """
    if not steps or len(steps) != len(excess):
        raise ValueError("A value is needed at each of one or more steps.")
    if excess[0] <= 0.0:
        return None
    found: int | None = None
    for step, value in zip(reversed(steps), reversed(excess), strict=True):
        if value > share * excess[0]:
            break
        found = step
    return found


def learnt_first(runs: Sequence[tuple[Steps, Excess]], share: float = SHARE) -> list[LearntRule]:
    """All rules, the first learnt first; those that a run never learnt come last.

    Args:
        runs: Steps and excess by rule of each run, of one plan but for the seed.
        share: Of the excess at the start.
    """
    rules = dict.fromkeys(rule for _, excess in runs for rule in excess)
    found = [
        over_runs(rule, [step_learnt(steps, excess[rule], share) for steps, excess in runs])
        for rule in rules
    ]
    return sorted(found, key=lambda one: math.inf if one.step is None else one.step)


def over_runs(rule: str, steps: Sequence[int | None]) -> LearntRule:
    """A rule by the step at which each run had learnt it; None for one that never did."""
    known = [math.log(max(1, step)) for step in steps if step is not None]
    if len(known) < len(steps):
        return LearntRule(rule, tuple(steps), None, None, None)
    mean = mean_interval(known)
    low, high = (None if one is None else math.exp(one) for one in (mean.low, mean.high))
    return LearntRule(rule, tuple(steps), math.exp(mean.mean), low, high)
