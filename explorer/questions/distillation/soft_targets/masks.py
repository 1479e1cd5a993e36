"""Every mask of a text in a row, where there are several: one of them is looked at."""

from explorer.questions.distillation.roles import STUDENTS, TEACHERS
from explorer.questions.distillation.soft_targets.at_mask import likeliest
from explorer.questions.distillation.soft_targets.put import title_of
from explorer.questions.distillation.soft_targets.settings import MASK
from explorer.text import _
from explorer.text.formatting.numbers import percent
from explorer.text.formatting.probabilities import in_digits
from explorer.text.pieces import drawn
from explorer.ui.blocks.shown import Shown
from explorer.ui.blocks.spacing import Space
from explorer.ui.blocks.tables.bar_table import BarTable
from explorer.ui.blocks.tables.rows import Column, Row


def number_of(shown: Shown) -> int:
    """Which mask is looked at."""
    last = len(shown.result.masks) - 1
    wanted: int = shown.value(MASK)
    return min(wanted, last)


def masks_table(shown: Shown, chosen: int, temperature: float) -> BarTable:
    """A row a mask: what either puts first, and how far the two are apart."""
    rows = []
    for number, targets in enumerate(shown.result.masks):
        both = targets.at(temperature)
        first, second = likeliest(targets)
        rows.append(
            Row(
                title_of(shown, number, targets.position),
                (
                    drawn(first),
                    drawn(second),
                    in_digits(both.kl_teacher_student),
                    in_digits(both.kl_student_teacher),
                    percent(both.total_variation, 1),
                ),
                strong=number == chosen,
                ground="selection" if number == chosen else "",
                words="" if number == chosen else _("Click to look at this mask."),
                key=("mask", number),
                act=shown.setting(MASK, number, _("change mask")),
            )
        )
    return BarTable(
        rows,
        (
            Column(_("teacher's first"), title_colour=TEACHERS, left=True),
            Column(_("student's first"), title_colour=STUDENTS, left=True),
            Column("KL(t ‖ s)", words=_("Divergence of the student from the teacher, in nats.")),
            Column("KL(s ‖ t)", words=_("Divergence of the teacher from the student, in nats.")),
            Column(
                "elsewhere",
                words=_("Total variation: the share of the probability that lies on other words."),
            ),
        ),
        title=_("Masks"),
        bold=False,
        ruled=True,
        above=Space.APART,
    )
