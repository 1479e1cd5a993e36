"""The rows of a results file as a table has them, on screen and in pictures."""

from collections.abc import Callable, Collection, Sequence

from explorer.api.question import Cell, ExplorerError
from explorer.files_of_sentences.compared import parted
from explorer.files_of_sentences.rows import FAILURE, NUMBER, PAIR
from explorer.questions.many.file_of_sentences.ordering import FileSnapshot
from explorer.questions.many.file_of_sentences.titles import column_said
from explorer.questions.many.file_of_sentences.wording import same_columns, written
from explorer.ui.blocks import LongColumn, LongRows

COLOURS = {FAILURE: "danger", NUMBER: "muted"}
Cells = tuple[Cell, ...]


def rows_of(
    found: FileSnapshot | None, question: str, *, has_pairs: bool, hidden: Collection[str]
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
    same = same_columns(found.spreads)
    left_out = {*hidden} if has_pairs else {*hidden, PAIR}
    if not found.failed:
        left_out.add(FAILURE)

    def read(start: int, stop: int) -> Sequence[Cells]:
        try:
            return found.reader.rows(found.positions[start:stop])
        except ExplorerError:
            return ()  # the file is gone

    def is_shown(name: str) -> bool:
        column, whose = parted(name)
        # What is the same for both is told once.
        once = column in same and whose != found.reader.each[0][0]
        return column not in left_out and not (whose and once)

    shown = (
        LongColumn[Cells](
            column_said(parted(name)[0] if parted(name)[0] in same else name, question),
            _cell(place),
            name,
            number=name not in found.texts,
            wraps=name in found.texts,
            colour=COLOURS.get(name, "text"),
        )
        for place, name in enumerate(found.columns)
        if is_shown(name)
    )
    return LongRows(tuple(shown), len(found.positions), read)


def _cell(place: int) -> Callable[[Cells], str]:
    return lambda cells: written(cells[place]) if place < len(cells) else ""
