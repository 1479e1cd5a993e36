"""Results as comma-separated values or as Parquet, row by row."""

import csv
import io
from collections.abc import Iterator, Mapping
from pathlib import Path

from explorer.api.question import Cell
from explorer.files_of_sentences.rows import ResultsReader
from explorer.sessions.export.parquet import write_parquet
from explorer.sessions.export.tables import (
    BYTE_ORDER_MARK,
    CaptionPlace,
    safe_cell,
    with_guard,
    write_beside,
    written_before,
)
from explorer.sessions.schema.atomic import written_atomically


def write_rows(
    path: Path, reader: ResultsReader, caption: str = "", place: CaptionPlace = "none"
) -> None:
    """Write all rows in the order of the sentences, as `write_csv` writes a table.

    The file takes its name only when it is whole.

    Raises:
        MachineFault: It can't be written.
    """
    if place != "none":
        caption = with_guard(caption, (reader.columns, *reader.every()))
    with written_atomically(path) as file:
        text = io.TextIOWrapper(file, encoding="utf-8", newline="")
        text.write(BYTE_ORDER_MARK)
        if place == "comment":
            text.write(written_before(caption))
        writer = csv.writer(text, lineterminator="\r\n")
        writer.writerow([safe_cell(name) for name in reader.columns])
        writer.writerows([safe_cell(cell) for cell in row] for row in reader.every())
        text.detach()
    if place == "file":
        write_beside(path, caption)


class _NamedRows:
    """Rows by the names of their columns, as often as they are gone through."""

    def __init__(self, reader: ResultsReader) -> None:
        self.columns = reader.columns
        self._reader = reader

    def __iter__(self) -> Iterator[Mapping[str, Cell]]:
        return (dict(zip(self.columns, row, strict=True)) for row in self._reader.every())


def write_parquet_rows(path: Path, reader: ResultsReader, caption: str = "") -> None:
    """Write all rows in the order of the sentences, under the names of their columns.

    Args:
        path: The file, which takes its name only when it is whole.
        reader: Reads the rows.
        caption: How they came about, in the file's metadata.

    Raises:
        UserMistake: The library that writes Parquet is not installed.
        MachineFault: It can't be written.
    """
    rows = _NamedRows(reader)
    with written_atomically(path) as file:
        write_parquet(file, rows.columns, rows, {"caption": caption} if caption else None)
