"""Results as comma-separated values, row by row."""

import csv
import io
from pathlib import Path

from explorer.files_of_sentences.rows import ResultsReader
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
