"""What fine-tuning will take, told before it begins: tokens, multiply-adds, memory."""

from __future__ import annotations

import math
import re
from typing import Final

from explorer.learning.plan.cost import BACKWARDS, PlanCost
from explorer.learning.tuning.choices import ReadLayer, Tuned
from explorer.learning.tuning.forms.learnt import LabelledTexts
from explorer.learning.tuning.models import files_of, numbers_in
from explorer.learning.tuning.plan import TuningPlan

PIECES_A_WORD: Final = 1.3
"""On average, in texts like those that a vocabulary was made of."""
SPECIAL: Final = 2
FLOAT: Final = 4
_WORD: Final = re.compile(r"\w+|[^\w\s]")
_TABLES: Final = re.compile(r"embed|wte|wpe|shared\.weight|tokens_embed", re.IGNORECASE)
"""Tensors that are looked up and not multiplied."""
_READ: Final = {ReadLayer.FIRST: 0.3, ReadLayer.MIDDLE: 0.6, ReadLayer.LAST: 1.0}
"""About which share of the layers is there."""


def tuning_cost(plan: TuningPlan, texts: LabelledTexts) -> PlanCost:
    """Counted from the checkpoint's headers and the words of its texts, about.

    Args:
        plan: What is planned.
        texts: Its own.
    """
    chosen = texts.first(plan.examples, plan.seed)
    words = (len(_WORD.findall(" ".join(one.read))) for one in chosen)
    often = max((len(getattr(one, "choices", "1")) for one in chosen), default=1)
    most = often * plan.length
    tokens = plan.epochs * sum(min(most, PIECES_A_WORD * n + SPECIAL) for n in words)
    files = files_of(plan.model_folder)
    multiplied = sum(
        math.prod(one.shape) for name, one in files.tensors.items() if not _TABLES.search(name)
    )
    share = BACKWARDS if plan.tuned is Tuned.ALL else 1 + (plan.tuned is not Tuned.FEATURES)
    work = multiplied * tokens * share * _READ[plan.layer]
    return PlanCost(numbers_in(files), tokens, work, False)


def memory_of(plan: TuningPlan) -> int:
    """Bytes of weights, gradients, and the two means that Adam keeps of what is trained, about.

    States of layers, which are kept until gradients are known, are not counted.
    """
    weights = numbers_in(files_of(plan.model_folder))
    trained = weights if plan.tuned is Tuned.ALL else weights // 20
    return FLOAT * (weights + 3 * trained)
