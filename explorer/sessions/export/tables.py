"""Tables as files for spreadsheets and programs, with a caption that says where they come from."""

import csv
import io
import json
import math
import re
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, get_args

from explorer.api.question import Cell, Table
from explorer.export_choices import CaptionPlace
from explorer.sessions.schema.atomic import write_atomically
from explorer.text import _

__all__ = [
    "CAPTION_PLACES",
    "CaptionPlace",
    "caption_file",
    "safe_cell",
    "table_to_csv",
    "table_to_json",
    "with_guard",
    "write_atomically",
    "write_beside",
    "write_csv",
    "written_before",
]

CAPTION_PLACES: tuple[CaptionPlace, ...] = get_args(CaptionPlace)

BYTE_ORDER_MARK = "\ufeff"

# The full-width forms count as well: spreadsheets in East Asian locales take them for formulas.
_STARTS_FORMULA = frozenset("=+-@\t\r\n＝＋－＠")
_OPENS_A_CELL = re.compile(r"[,;\t]\s*[\"=+\-@＝＋－＠]")
_NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?")


def safe_cell(value: Cell) -> str:
    """A cell's text, so written that no spreadsheet runs it as a formula.

    Text that could start one gets an apostrophe before it (OWASP, "CSV Injection"). Numbers stay
    numbers, negative ones too, and so does text that is nothing but a number.
    """
    if value is None:
        return ""
    if isinstance(value, bool):
        return "TRUE" if value else "FALSE"
    if isinstance(value, int | float):
        return repr(value)
    begins = value[:1] in _STARTS_FORMULA or value.lstrip()[:1] in _STARTS_FORMULA
    return "'" + value if value and begins and not _NUMBER.fullmatch(value) else value


def with_guard(caption: str, rows: Iterable[Iterable[Cell]]) -> str:
    """A caption that says so where `safe_cell` changes a text of the rows; "" stays empty."""
    return " ".join(filter(None, (caption, guard_said(rows)))) if caption else ""


def guard_said(rows: Iterable[Iterable[Cell]]) -> str:
    """What `safe_cell` does to texts of some rows; "" where it changes none."""
    texts = (cell for row in rows for cell in row if isinstance(cell, str))
    if all(safe_cell(text) == text for text in texts):
        return ""
    return _("Text that begins like a formula has an apostrophe (') before it here.")


def table_to_csv(table: Table, caption: str = "") -> str:
    """Comma-separated values (RFC 4180) for spreadsheets: byte order mark first, CRLF line ends.

    It is a table and nothing else: a line of names, then a line a row, all with as many cells.

    Args:
        table: The rows.
        caption: Stands in one line before the table, behind a number sign; "" for none.
    """
    text = io.StringIO()
    text.write(BYTE_ORDER_MARK)
    writer = csv.writer(text, lineterminator="\r\n")
    text.write(written_before(caption) if caption else "")
    writer.writerow([safe_cell(name) for name in table.columns])
    writer.writerows([safe_cell(value) for value in row] for row in table.rows)
    return text.getvalue()


def written_before(caption: str) -> str:
    """A caption as the first line of a table."""
    said = f"# {' '.join(caption.split())}"
    if _OPENS_A_CELL.search(said):
        # Cut at its commas, a part of it could be run as a formula.
        quoted = said.replace('"', '""')
        said = f'"{quoted}"'
    return f"{said}\r\n"


def caption_file(path: Path) -> Path:
    """Where the caption of a table stands that is alone in its file."""
    return path.with_name(f"{path.stem}.caption.txt")


def write_csv(path: Path, table: Table, caption: str = "", place: CaptionPlace = "none") -> None:
    """Write a table, and what says where it comes from.

    Args:
        path: The table's.
        table: The rows.
        caption: How they came about.
        place: Where that is written.

    Raises:
        MachineFault: A file can't be written.
    """
    caption = with_guard(caption, (table.columns, *table.rows))
    inside = caption if place == "comment" else ""
    write_atomically(path, table_to_csv(table, inside).encode("utf-8"))
    if place == "file":
        write_beside(path, caption)


def write_beside(path: Path, caption: str) -> None:
    """Write the caption of a table into a file of its own.

    Raises:
        MachineFault: It can't be written.
    """
    write_atomically(caption_file(path), f"{caption}\n".encode())


def table_to_json(
    table: Table, caption: str = "", provenance: Mapping[str, Any] | None = None
) -> str:
    """One JSON object: caption, columns, and rows as lists; numbers that are none become null.

    Args:
        table: The rows.
        caption: How they came about, for people.
        provenance: The same field by field, for programs; None leaves it out.
    """
    told = "" if provenance is None else f'  "provenance": {_json(provenance)},\n'
    rows = ",\n    ".join(_json([_finite(value) for value in row]) for row in table.rows)
    body = f"[\n    {rows}\n  ]" if rows else "[]"
    return (
        f'{{\n  "caption": {_json(caption)},\n{told}  "columns": {_json(table.columns)},\n'
        f'  "rows": {body}\n}}\n'
    )


def _finite(value: Cell) -> Cell:
    return None if isinstance(value, float) and not math.isfinite(value) else value


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)
