"""One word alone beside soft labels: each a bar of length 1, cut into the words it is made of."""

from collections.abc import Sequence

from explorer.api.question import ComparedWord
from explorer.questions.distillation.soft_targets.parts import HARD_LABEL
from explorer.text import N_, _
from explorer.ui.blocks import FIRST_BAR, SECOND_BAR, BarShare, StackedBar, StackedBars

OTHERS = N_("others")


def hard_label(rows: Sequence[ComparedWord]) -> str:
    """The word that really stands there, where it is among the rows; "" where nobody knows it."""
    return next((row.word for row in rows if row.tag == HARD_LABEL), "")


def shares_of(rows: Sequence[ComparedWord], *, teacher: bool) -> tuple[BarShare, ...]:
    """The words of one model's distribution in the order of the rows, and the rest."""
    shares = [BarShare(row.word, row.chances[0 if teacher else 1] or 0.0) for row in rows]
    rest = 1.0 - sum(one.share for one in shares)
    return (*shares, BarShare(_(OTHERS), rest, is_rest=True)) if rest > 0.0005 else tuple(shares)


def label_bars(rows: Sequence[ComparedWord]) -> StackedBars:
    """One word alone, the teacher's soft label, the student's.

    The word is the hard label, the one that really stands there (Hinton et al. 2015: the true
    label); where nobody knows it, it is the teacher's first, and is not called a label.
    """
    known = hard_label(rows)
    first = max(rows, key=lambda row: row.chances[0] or 0.0).word
    name = _(HARD_LABEL) if known else _("the teacher's first word alone")
    return StackedBars(
        (
            StackedBar(name, (BarShare(known or first, 1.0),), "bar_original"),
            StackedBar(_("soft label, teacher"), shares_of(rows, teacher=True), FIRST_BAR),
            StackedBar(_("soft label, student"), shares_of(rows, teacher=False), SECOND_BAR),
        )
    )
