"""Results as comma-separated values, row by row."""

import contextlib
import csv
import os
import secrets
from pathlib import Path

from explorer.api import MachineFault
from explorer.batch.rows import ResultsReader
from explorer.sessions.export import BYTE_ORDER_MARK, safe_cell


def write_rows(path: Path, reader: ResultsReader) -> None:
    """Write all rows in the order of the sentences, as `table_to_csv` writes a table.

    The file takes its name only when it is whole.

    Raises:
        MachineFault: It can't be written.
    """
    beside = path.with_name(f".{path.name}.{secrets.token_hex(6)}.part")
    try:
        with beside.open("x", encoding="utf-8", newline="") as file:
            file.write(BYTE_ORDER_MARK)
            writer = csv.writer(file, lineterminator="\r\n")
            writer.writerow([safe_cell(name) for name in reader.columns])
            writer.writerows([safe_cell(cell) for cell in row] for row in reader.every())
            file.flush()
            os.fsync(file.fileno())
        beside.replace(path)
    except OSError as error:
        raise MachineFault(
            f"{path.name} can't be written ({error.strerror or error}).", "Choose another folder."
        ) from error
    finally:
        with contextlib.suppress(OSError):
            beside.unlink()
