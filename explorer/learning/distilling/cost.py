"""What a distillation will take, told before it begins."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Final

from explorer.learning.distilling.choices import TaughtBy
from explorer.learning.distilling.plan import DistilPlan
from explorer.learning.plan.choices import Corpus
from explorer.learning.plan.cost import BACKWARDS, PlanCost, cost_of

SECONDS_A_PLACE: Final[Mapping[Corpus, float]] = {
    Corpus.SMALL: 0.001,
    Corpus.KOREAN: 0.001,
    Corpus.WORLD: 0.015,
}
"""That the exact distribution of one masked piece takes on one core, about."""


def distilling_cost(plan: DistilPlan) -> PlanCost:
    """What a plan's run takes: the student forwards and backwards, its teacher forwards alone."""
    student = cost_of(plan.with_pieces)
    if plan.targets is not TaughtBy.TEACHER:
        return student
    teacher = plan.outline
    assert teacher is not None
    taught = replace(plan.with_pieces, layers=max(1, teacher.layers), width=max(1, teacher.width))
    forwards = cost_of(taught).multiply_adds / BACKWARDS
    return replace(student, multiply_adds=student.multiply_adds + forwards)


def exact_seconds(plan: DistilPlan) -> float:
    """How long the exact answers of a run take, about; 0 where nobody asks for them."""
    if plan.targets is not TaughtBy.EXACT:
        return 0.0
    places = cost_of(plan.student_plan).tokens * plan.selected
    return places * SECONDS_A_PLACE[plan.corpus]
