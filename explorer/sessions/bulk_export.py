"""Many runs in one file: CSV, JSON or Parquet, a row for every row of every answer."""

import csv
import io
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from explorer.api import Cell, UserMistake
from explorer.sessions.atomic import write_atomically
from explorer.sessions.export import safe_cell
from explorer.sessions.listing import Wanted
from explorer.sessions.reader import SessionReader
from explorer.sessions.records import StoredRun

PAGE = 500
LEADING = (
    *("run", "created_at", "session", "operation", "model", "device", "dtype", "seed"),
    *("text", "pair", "headline", "starred", "note", "failed", "row"),
)
"""The columns that stand before those of the answers."""


def export_many(database: Path, wanted: Wanted, target: Path) -> dict[str, Any]:
    """Write every run that is wanted, oldest first, with the rows of its answer.

    A run that failed, or whose answer is empty, has one row without an answer. Columns of
    different questions stand side by side; what a row has no value for is empty.

    Returns:
        {"file", "runs", "rows"}.

    Raises:
        UserMistake: The file's ending is another than .csv, .json or .parquet, or writing
            Parquet needs a library that is not installed.
        MachineFault: The database can't be read or the file can't be written.
    """
    form = target.suffix.lower().removeprefix(".")
    writers = {"csv": _csv, "json": _json, "parquet": _parquet}
    if form not in writers:
        raise UserMistake(
            f"Runs can't be written as {form or 'a file without an ending'}.",
            "Choose a name that ends in .csv, .json or .parquet.",
        )
    runs, columns, rows = 0, dict.fromkeys(LEADING), []
    for run in _wanted_runs(database, wanted):
        runs += 1
        for row in _rows(run):
            columns.update(dict.fromkeys(row))
            rows.append(row)
    write_atomically(target, writers[form](tuple(columns), rows))
    return {"file": str(target), "runs": runs, "rows": len(rows)}


def _wanted_runs(database: Path, wanted: Wanted) -> Iterator[StoredRun]:
    reader = SessionReader(database)
    ids: list[str] = []
    before: str | None = None
    while page := reader.runs(wanted, PAGE, before):
        ids += [run.id for run in page]
        before = page[-1].id
    for run_id in reversed(ids):
        yield reader.run(run_id)


def _rows(run: StoredRun) -> Iterator[dict[str, Cell]]:
    summary = run.summary
    leading: dict[str, Cell] = {
        "run": summary.id,
        "created_at": summary.created_at,
        "session": run.session_name,
        "operation": summary.operation,
        "model": summary.model_id,
        "device": run.model.device if run.model is not None else "",
        "dtype": run.model.dtype if run.model is not None else "",
        "seed": run.seed,
        "text": run.document.text,
        "pair": run.document.pair,
        "headline": summary.headline,
        "starred": summary.starred,
        "note": summary.note,
        "failed": summary.failed,
    }
    if run.table is None or not run.table.rows:
        yield leading
        return
    # An answer's own column of the same name must not hide what is known of its run.
    names = [f"answer {n}" if n in LEADING else n for n in run.table.columns]
    for number, row in enumerate(run.table.rows):
        yield {**leading, "row": number, **dict(zip(names, row, strict=True))}


def _csv(columns: tuple[str, ...], rows: list[dict[str, Cell]]) -> bytes:
    text = io.StringIO()
    text.write("\ufeff")
    writer = csv.writer(text, lineterminator="\r\n")
    writer.writerow([safe_cell(name) for name in columns])
    writer.writerows([safe_cell(row.get(name)) for name in columns] for row in rows)
    return text.getvalue().encode("utf-8")


def _json(_columns: tuple[str, ...], rows: list[dict[str, Cell]]) -> bytes:
    import msgspec

    return msgspec.json.format(msgspec.json.encode({"rows": rows}), indent=2) + b"\n"


def _parquet(columns: tuple[str, ...], rows: list[dict[str, Cell]]) -> bytes:
    try:
        import pyarrow as pa
        from pyarrow import parquet
    except ImportError:
        raise UserMistake(
            "Parquet files are written by the library pyarrow, which is not installed.",
            "Install it (pip install pyarrow), or choose a name that ends in .csv.",
        ) from None
    arrays = {name: _column([row.get(name) for row in rows]) for name in columns}
    stream = io.BytesIO()
    parquet.write_table(pa.table(arrays), stream)
    return stream.getvalue()


def _column(cells: list[Cell]) -> list[Cell]:
    """Cells of one kind, as a column of Parquet has to have: texts where they are mixed."""
    kinds = {type(cell) for cell in cells if cell is not None}
    if kinds <= {int, float} and len(kinds) == 2:
        return [None if cell is None else float(cell) for cell in cells]
    if len(kinds) > 1:
        return [None if cell is None else str(cell) for cell in cells]
    return cells
