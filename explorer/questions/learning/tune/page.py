"""Fine-tuning on screen: its buttons, and what its folder says of it."""

from collections.abc import Sequence

from explorer.learning.tuning.plan import TuningPlan
from explorer.questions.learning.run_page import RunButtons, page_of_run
from explorer.questions.learning.run_parts import plan_of
from explorer.questions.learning.tune.options import SURE
from explorer.questions.learning.tune.question import QUESTION, TuneRequest, TuneResult
from explorer.text import N_, _
from explorer.ui.blocks import Chip, Load, Shown


def more(shown: Shown) -> Sequence[Chip]:
    """What measures a step before it begins; what opens the model next to what it was before."""
    result: TuneResult = shown.result
    if result.run is None:
        return (Chip(_("Measure a step"), BUTTONS.acts(shown, "measure"), key="measure"),)
    if not result.run.model:
        return ()
    plan = plan_of(result.run.listed, TuningPlan)
    base = TuneRequest.of(shown.asked).base if plan is None else plan.base
    tuned = Load(result.former or result.run.model, "B")
    words = _("Open before as A, after as B")
    return (Chip(words, Load(base, "A", tuned), key="before"),)


BUTTONS = RunButtons(TuneRequest, SURE, N_("Fine-tune"), more)
PAGE = page_of_run(QUESTION, BUTTONS)
