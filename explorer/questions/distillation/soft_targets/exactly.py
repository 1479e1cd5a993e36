"""Teacher and student beside the exact answer of the miniatures' world."""

from collections.abc import Iterator

from explorer.questions.distillation.soft_targets.question import EXACT_STUDENT, EXACT_TEACHER
from explorer.questions.masking.exact_answers.beside import (
    exact_at,
    exact_blocks,
    exact_pairs,
    exact_said,
)
from explorer.text import _
from explorer.ui.blocks.block import Block
from explorer.ui.blocks.columns import Card, Columns
from explorer.ui.blocks.shown import Shown
from explorer.ui.blocks.spacing import CardWidth, Space
from explorer.ui.blocks.text import Text


def exactly_both(shown: Shown, position: int) -> Iterator[Block]:
    """Both models at a mask, each beside the exact answer.

    The student's place is that with the same number, where it cuts the text otherwise.
    """
    known = exact_at(shown, position, EXACT_TEACHER)
    if known is None:
        yield from exact_said(shown, EXACT_TEACHER)
        return
    cards = []
    for lane, title in ((EXACT_TEACHER, _("Teacher")), (EXACT_STUDENT, _("Student"))):
        place = exact_at(shown, position, lane)
        if place is not None:
            every = [pair for one in (known, place) for pair in exact_pairs(one)]
            cards.append(Card([Text(title, "strong"), *exact_blocks(place, every)]))
    yield Text(_("At temperature 1, beside the exact answer"), "strong", above=Space.SECTION)
    yield Columns(cards, narrowest=CardWidth.WIDE)
