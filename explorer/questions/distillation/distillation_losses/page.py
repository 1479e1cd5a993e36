"""Every loss between a teacher and a student for this input, and their layers on each other."""

from explorer.questions.distillation.distillation_losses.losses import DistillationLossesResult
from explorer.questions.distillation.distillation_losses.question import QUESTION
from explorer.questions.distillation.distillation_losses.settings import MAP, MEASURE
from explorer.text import _
from explorer.ui.blocks import page_of_parts


def _without_layers(_document: object, result: DistillationLossesResult | None) -> dict[str, str]:
    if result is None or result.layers is not None:
        return {}
    why = _("The layers of these models can't be compared token by token.")
    return {MAP.key: why, MEASURE.key: why}


PAGE = page_of_parts(QUESTION, disabled=_without_layers)
