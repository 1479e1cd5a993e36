"""Tables as files for spreadsheets and programs, with a caption that says where they come from."""

import csv
import io
import json
import math
import re
from collections.abc import Mapping
from pathlib import Path
from typing import get_args

from explorer.api import Cell, ModelStamp, Table
from explorer.document import Document, ranges_of
from explorer.export_choices import CaptionPlace
from explorer.questions import all_operations
from explorer.sessions.records import StoredRun
from explorer.sessions.schema.atomic import write_atomically
from explorer.text import _
from explorer.text.formatting import dates
from explorer.text.printable import shortened

__all__ = [
    "CAPTION_PLACES",
    "CaptionPlace",
    "caption",
    "caption_file",
    "caption_of",
    "safe_cell",
    "table_to_csv",
    "table_to_json",
    "write_atomically",
    "write_beside",
    "write_csv",
    "written_before",
]

CAPTION_PLACES: tuple[CaptionPlace, ...] = get_args(CaptionPlace)

BYTE_ORDER_MARK = "\ufeff"
CAPTION_TEXT = 500

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


def table_to_json(table: Table, caption: str = "") -> str:
    """One JSON object: caption, columns, and rows as lists; numbers that are none become null."""
    rows = ",\n    ".join(_json([_finite(value) for value in row]) for row in table.rows)
    body = f"[\n    {rows}\n  ]" if rows else "[]"
    return (
        f'{{\n  "caption": {_json(caption)},\n  "columns": {_json(table.columns)},\n'
        f'  "rows": {body}\n}}\n'
    )


def caption(
    operation: str,
    document: Document | None,
    model: ModelStamp | None,
    versions: Mapping[str, str],
    created_at: str,
    seed: int = 0,
    *,
    in_file: bool = True,
) -> str:
    """One paragraph that says what a table or a picture shows and how it came about.

    Args:
        operation: Name of the question.
        document: The one that asked; None to leave its text out.
        model: Who answered first, if anybody did.
        versions: Of the program and what it stands on.
        created_at: When it was answered, in ISO 8601.
        seed: What random numbers were drawn with.
        in_file: It goes into a file with rows, where moments stay in ISO 8601; else people read
            it, in their language and the time of their place.
    """
    known = all_operations().get(operation)
    english = operation if known is None else known.title
    title = operation if known is None else _(known.title)
    if english.lower().replace(" ", "_") != operation:
        title += f" ({operation})"
    sentences = [f"{title}.", _model_words(model)]
    if document is not None:
        sentences += _text_words(document)
    sentences.append(_("Seed {seed}.", seed=str(seed)))
    if versions:
        sentences.append(", ".join(f"{name} {number}" for name, number in versions.items()) + ".")
    sentences.append(f"{created_at if in_file else dates.in_full(created_at)}.")
    return " ".join(sentences)


def _text_words(document: Document) -> list[str]:
    sentences = [_ended(_("Text: {text}", text=_quoted(document.text)))]
    if document.pair is not None:
        sentences.append(_ended(_("Second text: {text}", text=_quoted(document.pair))))
    if document.masks:
        words = (_quoted(document.part(m.part)[m.start : m.end]) for m in ranges_of(document.masks))
        sentences.append(_("Masked: {words}.", words=", ".join(words)))
    return sentences


def _ended(sentence: str) -> str:
    """With its full stop, unless what it quotes last has one."""
    return sentence if sentence.endswith((".”", "!”", "?”", "…”")) else f"{sentence}."


def caption_of(run: StoredRun, *, in_file: bool = True) -> str:
    """The caption of a run that was read back; `in_file` as `caption` has it."""
    summary = run.summary
    return caption(
        summary.operation,
        run.document,
        run.model,
        run.versions,
        summary.created_at,
        run.seed,
        in_file=in_file,
    )


def _model_words(model: ModelStamp | None) -> str:
    if model is None:
        return _("No model.")
    return _(
        "Model: {model} (family {family}, fingerprint {fingerprint}, {dtype} on {device}).",
        model=model.id,
        family=model.family,
        fingerprint=model.fingerprint[:12],
        dtype=model.dtype,
        device=model.device,
    )


def _quoted(text: str) -> str:
    return f"“{shortened(text, CAPTION_TEXT)}”"


def _finite(value: Cell) -> Cell:
    return None if isinstance(value, float) and not math.isfinite(value) else value


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)
