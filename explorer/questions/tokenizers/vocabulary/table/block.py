"""The table of pieces as a block: all of them on screen, the first rows in a picture."""

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtGui import QPainter

from explorer.questions.tokenizers.vocabulary.question import PieceRow
from explorer.questions.tokenizers.vocabulary.table.model import columns
from explorer.questions.tokenizers.vocabulary.table.panel import PiecesPanel, PieceTable
from explorer.questions.tokenizers.vocabulary.wording import about
from explorer.text import _
from explorer.ui.blocks import BarColumn, BarRow, BarTable, Laid, LaidPart, Space, Theme

FIRST = 20
"""Rows that a picture has."""
LEAST = 300.0
"""Height of the table on screen, where other blocks leave less."""


def first_rows(first: Sequence[PieceRow], *, in_bytes: bool, compared: bool) -> BarTable:
    """The first pieces as a table that is painted."""
    every = columns(in_bytes=in_bytes, compared=compared)
    shown = [
        BarColumn(
            one.title,
            left=not one.number,
            mono=number == 1,
            words=one.words,
            dispensable=number > 4,
        )
        for number, one in enumerate(every)
    ]
    made = [
        BarRow(
            every[0].cell(row),
            tuple(one.cell(row) for one in every[1:]),
            words=about(row),
            muted=not row.script,
            key=("piece", row.id),
        )
        for row in first
    ]
    return BarTable(made, tuple(shown[1:]), title=_("Pieces"), bold=False, label=shown[0])


@dataclass(frozen=True)
class PiecesBlock:
    """The block.

    Attributes:
        table: What the table on screen shows.
        first: The first rows, for pictures.
        above: The room above it.
    """

    table: PieceTable
    first: tuple[PieceRow, ...]
    above: Space = Space.NEAR

    @property
    def fills(self) -> bool:
        """It takes what height is left."""
        return True

    def filling(self, width: float, height: float) -> Laid:
        """The table on screen."""
        return LaidPieces(self, width, max(height, LEAST))

    def at(self, width: float) -> Laid:
        """As high as the first rows."""
        return LaidPieces(self, width, max(self.painted(width).height, LEAST))

    def painted(self, width: float) -> Laid:
        """The first rows at a width."""
        table = first_rows(
            self.first[:FIRST], in_bytes=self.table.in_bytes, compared=self.table.compared
        )
        return table.at(width)


class LaidPieces(LaidPart):
    """The table at a size."""

    def __init__(self, block: PiecesBlock, width: float, height: float) -> None:
        super().__init__(width, height, PiecesPanel, block.table, _("Pieces"))
        self._block = block

    def paint(self, painter: QPainter, theme: Theme) -> None:
        """The first rows."""
        self._block.painted(self.width).paint(painter, theme)
