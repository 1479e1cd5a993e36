"""Teacher and student beside the exact answer of the miniatures' world."""

from collections.abc import Iterator, Sequence

from explorer.questions.distillation.soft_targets.question import SoftTargetsResult
from explorer.questions.masking.exact_answers.beside import (
    exact_at,
    exact_blocks,
    exact_pairs,
    exact_said,
    wanted,
)
from explorer.text import _
from explorer.ui.blocks.block import Block
from explorer.ui.blocks.columns import Card, Columns
from explorer.ui.blocks.shown import Detail, Shown
from explorer.ui.blocks.text import Text

TEACHER, STUDENT = "exact-teacher", "exact-student"


def wants_exactly(shown: Shown) -> Sequence[Detail]:
    """The exact answers beside both models'."""
    result: SoftTargetsResult = shown.result
    if result.what == "classes":
        return ()
    return (
        *wanted(shown, model=result.model, lane=TEACHER),
        *wanted(shown, model=result.other, lane=STUDENT),
    )


def exactly_both(shown: Shown, position: int) -> Iterator[Block]:
    """Both models at a mask, each beside the exact answer.

    The student's place is that with the same number, where it cuts the text otherwise.
    """
    known = exact_at(shown, position, TEACHER)
    if known is None:
        yield from exact_said(shown, TEACHER)
        return
    cards = []
    for lane, title in ((TEACHER, _("Teacher")), (STUDENT, _("Student"))):
        place = exact_at(shown, position, lane)
        if place is not None:
            every = [pair for one in (known, place) for pair in exact_pairs(one)]
            cards.append(Card([Text(title, "strong"), *exact_blocks(place, every)]))
    yield Text(_("At temperature 1, beside the exact answer"), "strong", above=20)
    yield Columns(cards, narrowest=420.0)
