"""A distillation on screen: its buttons, and what its folder says of it."""

from collections.abc import Sequence

from explorer.questions.learning.distil.options import RIVALS, SURE
from explorer.questions.learning.distil.question import QUESTION, DistilRequest, DistilResult
from explorer.questions.learning.run_page import RunButtons, page_of_run
from explorer.text import N_, _
from explorer.ui.blocks import Chip, Shown

TEACHERS = 3


def rivals(shown: Shown) -> Sequence[Chip]:
    """What has the students of all three teachers trained, while there are not all."""
    result: DistilResult = shown.result
    if len(result.rivals) + (result.run is not None) >= TEACHERS:
        return ()
    words = _("Train the students of all three teachers")
    return (Chip(words, BUTTONS.acts(shown, RIVALS), key=RIVALS),)


BUTTONS = RunButtons(DistilRequest, SURE, N_("Distil"), rivals)
PAGE = page_of_run(QUESTION, BUTTONS)
