"""Fine-tuning on screen: its buttons, and what its folder says of it."""

from collections.abc import Sequence

from explorer.questions.learning.run_page import RunButtons, page_of_run
from explorer.questions.learning.tune.options import SURE
from explorer.questions.learning.tune.question import QUESTION, TuneRequest, TuneResult
from explorer.text import N_, _
from explorer.ui.blocks import Chip, Load, Shown


def before(shown: Shown) -> Sequence[Chip]:
    """What opens the model as it was before, to be laid next to the tuned one."""
    result: TuneResult = shown.result
    if result.run is None or not result.run.model:
        return ()
    base = TuneRequest.of(shown.asked).base
    words = _("Open {name} as model B", name=base)
    return (Chip(words, Load(base, "B"), key="before"),)


BUTTONS = RunButtons(TuneRequest, SURE, N_("Fine-tune"), before)
PAGE = page_of_run(QUESTION, BUTTONS)
