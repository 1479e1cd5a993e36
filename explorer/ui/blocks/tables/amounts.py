"""Amounts as bars on one scale, with a line where each was before."""

from collections.abc import Sequence
from dataclasses import dataclass

from explorer.ui.blocks.tables.bar_table import BarTable
from explorer.ui.blocks.tables.rows import Bar, BarAxis, BarColumn, BarRow


@dataclass(frozen=True)
class ShownAmount:
    """One of them.

    Attributes:
        words: What it is.
        amount: How much.
        says: The amount as it is written.
        colour: Of its bar, by its name in the theme.
        was: How much it was before; None where there is no before.
    """

    words: str
    amount: int | float
    says: str
    colour: str = "bar"
    was: int | float | None = None


def amounts(shown: Sequence[ShownAmount], title: str) -> BarTable:
    """A table of them, with a title for a screen reader."""
    most = max((max(one.amount, one.was or 0) for one in shown), default=0)
    rows = [
        BarRow(
            one.words,
            (one.says,),
            (Bar(one.amount, one.colour),),
            mark=None if one.was is None else float(one.was),
        )
        for one in shown
    ]
    axis = BarAxis(max(float(most), 1e-9), titled=False)
    return BarTable(rows, (BarColumn(""),), axis, title, bold=False, track=True)
