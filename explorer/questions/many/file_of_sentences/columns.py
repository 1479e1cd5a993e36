"""The rows of a results file as a table has them, on screen and in pictures."""

from collections.abc import Callable, Collection, Sequence

from explorer.api.question import Cell, ExplorerError
from explorer.files_of_sentences.rows import FAILURE, NUMBER, PAIR, ResultsReader
from explorer.questions.many.file_of_sentences.ordering import Found
from explorer.questions.many.file_of_sentences.titles import column_said
from explorer.questions.many.file_of_sentences.wording import written
from explorer.ui.blocks import LongColumn, LongRows

COLOURS = {FAILURE: "danger", NUMBER: "muted"}
Cells = tuple[Cell, ...]


def rows_of(
    found: Found | None, question: str, *, has_pairs: bool, hidden: Collection[str]
) -> LongRows[Cells]:
    """What was found, as rows.

    Args:
        found: What the file holds; None for nothing.
        question: The name of the one that was asked.
        has_pairs: There are second sentences.
        hidden: Columns that are not for reading.
    """
    if found is None:
        return LongRows()
    left_out = {*hidden} if has_pairs else {*hidden, PAIR}
    if not found.failed:
        left_out.add(FAILURE)

    def read(start: int, stop: int) -> Sequence[Cells]:
        try:
            return ResultsReader(found.path).rows(found.positions[start:stop])
        except ExplorerError:
            return ()  # the file is gone

    shown = (
        LongColumn[Cells](
            column_said(name, question),
            _cell(place),
            name,
            number=name not in found.texts,
            wraps=name in found.texts,
            colour=COLOURS.get(name, "text"),
        )
        for place, name in enumerate(found.columns)
        if name not in left_out
    )
    return LongRows(tuple(shown), len(found.positions), read)


def _cell(place: int) -> Callable[[Cells], str]:
    return lambda cells: written(cells[place]) if place < len(cells) else ""
