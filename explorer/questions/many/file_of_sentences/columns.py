"""The rows of a results file as a table has them, on screen and in pictures."""

from collections.abc import Callable, Collection, Iterator, Sequence

from explorer.api.question import Cell, ExplorerError
from explorer.files_of_sentences.compared import parted
from explorer.files_of_sentences.rows import FAILURE, NUMBER, PAIR, TEXT
from explorer.questions.many.file_of_sentences.ordering import FileSnapshot
from explorer.questions.many.file_of_sentences.titles import column_said, whose_said
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
    shown = (
        _column(
            found, name, column_said(parted(name)[0] if parted(name)[0] in same else name, question)
        )
        for name in _read(found, has_pairs=has_pairs, hidden=hidden)
    )
    return LongRows(tuple(shown), len(found.positions), _reading(found))


def tables_of(
    found: FileSnapshot | None, question: str, *, has_pairs: bool, hidden: Collection[str]
) -> Iterator[tuple[str, LongRows[Cells]]]:
    """The same for a picture, which is as wide as it is: of several models a table a column.

    Yields:
        What the models are compared in, "" for what is said of all at once, and its rows.
    """
    if found is None or len(found.reader.each) < 2:
        yield "", rows_of(found, question, has_pairs=has_pairs, hidden=hidden)
        return
    same = same_columns(found.spreads)
    names = _read(found, has_pairs=has_pairs, hidden=hidden)
    of_each = dict.fromkeys(
        column for column, whose in map(parted, names) if whose and column not in same
    )
    whole = [one for one in names if parted(one)[0] not in of_each]
    told = (_column(found, one, column_said(parted(one)[0], question)) for one in whole)
    yield "", LongRows(tuple(told), len(found.positions), _reading(found))
    for column in of_each:
        its = [one for one in names if parted(one)[0] == column]
        sentence = (_column(found, one, column_said(one, question)) for one in (NUMBER, TEXT))
        cells = (_column(found, one, whose_said(parted(one)[1])) for one in its)
        rows = LongRows((*sentence, *cells), len(found.positions), _reading(found))
        yield column_said(column, question), rows


def _read(found: FileSnapshot, *, has_pairs: bool, hidden: Collection[str]) -> Sequence[str]:
    """The columns that are for reading."""
    same = same_columns(found.spreads)
    left_out = {*hidden} if has_pairs else {*hidden, PAIR}
    if not found.failed:
        left_out.add(FAILURE)

    def is_shown(name: str) -> bool:
        column, whose = parted(name)
        # What is the same for all is told once.
        once = column in same and whose != found.reader.each[0][0]
        return column not in left_out and name not in found.lacking and not (whose and once)

    return [name for name in found.columns if is_shown(name)]


def _reading(found: FileSnapshot) -> Callable[[int, int], Sequence[Cells]]:
    def read(start: int, stop: int) -> Sequence[Cells]:
        try:
            return found.reader.rows(found.positions[start:stop])
        except ExplorerError:
            return ()  # the file is gone

    return read


def _column(found: FileSnapshot, name: str, title: str) -> LongColumn[Cells]:
    return LongColumn[Cells](
        title,
        _cell(found.columns.index(name)),
        name,
        number=name not in found.texts,
        wraps=name in found.texts,
        colour=COLOURS.get(name, "text"),
    )


def _cell(place: int) -> Callable[[Cells], str]:
    return lambda cells: written(cells[place]) if place < len(cells) else ""
