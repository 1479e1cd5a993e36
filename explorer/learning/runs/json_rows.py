"""Files with a row a line as JSON, which a process that was killed may have left half written."""

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from explorer.files.foreign import json_of
from explorer.sessions.schema.atomic import write_atomically


def read_rows(path: Path) -> list[dict[str, Any]]:
    """The rows that are whole; none of a file that is not there."""
    try:
        lines = path.read_bytes().split(b"\n")
    except OSError:
        return []
    rows = []
    # What stands after the last line's end was cut off.
    for line in lines[:-1]:
        try:
            row = json_of(line)
        except ValueError:
            break
        if not isinstance(row, dict):
            break
        rows.append(row)
    return rows


def add_row(path: Path, row: Mapping[str, Any]) -> None:
    """Write a row at the end.

    Raises:
        OSError: It can't be written.
    """
    with path.open("ab") as file:
        file.write(_line(row))


def write_rows(path: Path, rows: Iterable[Mapping[str, Any]]) -> None:
    """Write these rows and no others, all or none.

    Raises:
        MachineFault: They can't be written.
    """
    write_atomically(path, b"".join(map(_line, rows)), private=True)


def _line(row: Mapping[str, Any]) -> bytes:
    return json.dumps(row, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"
