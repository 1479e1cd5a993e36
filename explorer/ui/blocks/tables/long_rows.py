"""Very many rows as a block: a table to look into on screen, the first of them in a picture."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from PySide6.QtWidgets import QWidget

from explorer.ui.blocks.block import PlacedBlock
from explorer.ui.blocks.panel import LaidPart
from explorer.ui.blocks.spacing import Space
from explorer.ui.blocks.tables.bar_table import BarTable
from explorer.ui.blocks.tables.rows import BarColumn, BarRow
from explorer.ui.controls.rows.long_rows import LongRows

FIRST = 20
"""Rows that a picture has."""
LEAST = 300.0
"""Height of the table on screen, where other blocks leave less."""


def first_rows(rows: LongRows[Any], most: int = FIRST, title: str = "") -> BarTable:
    """The first rows as a table that is painted."""
    if not rows.columns:
        return BarTable(())
    label, *columns = (
        BarColumn(
            one.title,
            colour=one.colour,
            left=not one.number,
            mono=one.mono,
            wraps=one.wraps,
            words=one.words,
            dispensable=bool(one.goes),
        )
        for one in rows.columns
    )
    made = []
    for number, row in enumerate(rows.read(0, min(most, rows.count))):
        first, *rest = (one.cell(row) for one in rows.columns)
        made.append(
            BarRow(
                first,
                tuple(rest),
                words="" if rows.about is None else rows.about(row),
                muted=rows.is_muted is not None and rows.is_muted(row),
                key=("row", number),
            )
        )
    return BarTable(made, tuple(columns), title=title, label=label, bold=False)


@dataclass(frozen=True)
class LongRowsBlock:
    """The block on screen; a page that must be understood alone has `first_rows` in its place.

    Attributes:
        make: Makes the widget; its `show_content` is given the content.
        content: What the widget shows.
        name: For a screen reader.
        above: The room above it.
    """

    make: Callable[[QWidget], Any]
    content: Any
    name: str = ""
    above: Space = Space.NEAR

    @property
    def fills(self) -> bool:
        """It takes what height is left."""
        return True

    def filling(self, width: float, height: float) -> PlacedBlock:
        """As high as there is room."""
        return LaidPart(width, max(height, LEAST), self.make, self.content, self.name)

    def at(self, width: float) -> PlacedBlock:
        """As high as is of any use."""
        return self.filling(width, LEAST)
