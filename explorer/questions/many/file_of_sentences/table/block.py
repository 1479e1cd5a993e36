"""The rows of a file as a block: a table to look into on screen, the first rows in a picture."""

from dataclasses import dataclass

from explorer.files_of_sentences.rows import FAILURE, PAIR, TEXT, ResultsReader
from explorer.questions.many.file_of_sentences.table.ordering import Found
from explorer.questions.many.file_of_sentences.table.panel import FileRows, RowsPanel
from explorer.questions.many.file_of_sentences.titles import column_said
from explorer.questions.many.file_of_sentences.wording import written
from explorer.ui.blocks import BarColumn, BarRow, BarTable, Laid, LaidPart, Space

FIRST = 20
"""Rows that a picture has."""
LEAST = 260.0
"""Height of the table on screen, where other blocks leave less."""


@dataclass(frozen=True)
class RowsBlock:
    """The block.

    Attributes:
        rows: What the table on screen shows.
        found: What was found in the file; None for nothing yet.
        hidden: Columns that are not for reading.
        above: The room above it.
    """

    rows: FileRows
    found: Found | None
    hidden: tuple[str, ...] = ()
    above: Space = Space.APART

    @property
    def fills(self) -> bool:
        """It takes what height is left."""
        return True

    def filling(self, width: float, height: float) -> Laid:
        """The table on screen."""
        return LaidPart(width, max(height, LEAST), RowsPanel, self.rows)

    def at(self, width: float) -> Laid:
        """The first rows, in the order that is shown."""
        return self._first_rows().at(width)

    def _first_rows(self) -> BarTable:
        found = self.found
        if found is None:
            return BarTable(())
        reader = ResultsReader(found.path)
        left_out = {*self.hidden} if self.rows.has_pairs else {*self.hidden, PAIR}
        if not found.failed:
            left_out.add(FAILURE)
        places = [n for n, name in enumerate(found.columns) if name not in left_out]
        cells = [[row[n] for n in places] for row in reader.rows(found.positions[:FIRST])]
        names = [found.columns[n] for n in places]
        texts = [
            name in (TEXT, PAIR, FAILURE) or any(isinstance(row[n], str) for row in cells)
            for n, name in enumerate(names)
        ]
        label, *columns = (
            BarColumn(column_said(name, self.rows.operation), left=is_text, wraps=is_text)
            for name, is_text in zip(names, texts, strict=True)
        )
        rows = [BarRow(first, tuple(rest)) for first, *rest in (map(written, row) for row in cells)]
        return BarTable(rows, tuple(columns), label=label, bold=False)
