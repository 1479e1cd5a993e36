"""Many runs in one file: CSV, JSON or Parquet, a row for every row of every answer."""

import csv
import io
import json
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Any

from explorer.api.question import Cell, MachineFault, UserMistake
from explorer.sessions.export.parquet import write_parquet
from explorer.sessions.export.provenance import Provenance
from explorer.sessions.export.tables import BYTE_ORDER_MARK, safe_cell
from explorer.sessions.read.listing import RunFilter
from explorer.sessions.read.reader import SessionReader
from explorer.sessions.records import StoredRun
from explorer.sessions.schema.atomic import written_atomically
from explorer.text import N_

PAGE = 500

OF_A_MODEL = ("role", "fingerprint", "family", "device", "dtype")
"""What is told of each model beside its name."""
SECOND_MODEL = ("second_model", *(f"second_{name}" for name in OF_A_MODEL))
LEADING = (
    *("run", "created_at", "session", "operation", "model", *OF_A_MODEL, *SECOND_MODEL),
    *("options", "seed", "versions", "text", "pair", "masks"),
    *("headline", "starred", "note", "failed", "row"),
)
"""The columns that stand before those of the answers."""


def export_many(database: Path, wanted: RunFilter, target: Path) -> dict[str, Any]:
    """Write every run that is wanted, oldest first, with the rows of its answer.

    A run that failed, or whose answer is empty, has one row without an answer. Columns of
    different questions stand side by side; what a row has no value for is empty.

    How each came about stands in its rows: who played which role, with which weights, and in
    `options` what the question was set to, as JSON has it. The same settings are the same text
    there, so that runs can be grouped by it.

    Returns:
        {"file", "runs", "rows", "skipped"}: the runs that are damaged in the database are
        skipped.

    Raises:
        UserMistake: The file's ending is another than .csv, .json or .parquet, or writing
            Parquet needs a library that is not installed.
        MachineFault: The database can't be read or the file can't be written.
    """
    form = target.suffix.lower().removeprefix(".")
    writers = {"csv": _csv, "json": _json, "parquet": _parquet}
    if form not in writers:
        raise UserMistake(
            N_("Runs can't be written as {form}."),
            N_("Choose a name that ends in .csv, .json or .parquet."),
            form=form or "a file without an ending",
        )
    reader = SessionReader(database)
    runs = _Runs(reader, ids_of(database, wanted))
    with written_atomically(target) as file:
        writers[form](file, runs)
    written = {"file": str(target), "runs": runs.read, "rows": runs.rows}
    return {**written, "skipped": runs.skipped}


def rows_of(
    reader: SessionReader, ids: list[str]
) -> tuple[tuple[str, ...], Iterator[dict[str, Cell]]]:
    """The columns of some runs and every row of their answers, by the names of those."""
    runs = _Runs(reader, ids)
    return runs.columns(), iter(runs)


def ids_of(database: Path, wanted: RunFilter) -> list[str]:
    """The runs that are wanted, oldest first."""
    reader = SessionReader(database)
    ids: list[str] = []
    before: str | None = None
    while page := reader.runs(wanted, PAGE, before):
        ids += [run.id for run in page]
        before = page[-1].id
    return ids[::-1]


class _Runs:
    """The rows of runs, one run in memory at a time.

    Attributes:
        read: How many runs were read the last time.
        skipped: How many could not be.
        rows: How many rows they had.
    """

    def __init__(self, reader: SessionReader, ids: list[str]) -> None:
        self._reader = reader
        self._ids = ids
        self.read = self.skipped = self.rows = 0

    def columns(self) -> tuple[str, ...]:
        """Those that every run has, then those of the answers as they come."""
        found = dict.fromkeys(LEADING)
        for names in self._reader.columns(self._ids):
            found.update(dict.fromkeys(map(_own_name, names)))
        return tuple(found)

    def __iter__(self) -> Iterator[dict[str, Cell]]:
        """Each row by the names of its columns."""
        self.read = self.skipped = self.rows = 0
        for run in self._reader.stored(self._ids):
            if isinstance(run, MachineFault):
                self.skipped += 1
                continue
            self.read += 1
            for row in _rows(run):
                self.rows += 1
                yield row


def _rows(run: StoredRun) -> Iterator[dict[str, Cell]]:
    summary = run.summary
    told = Provenance.of_stored(run).as_fields()
    leading: dict[str, Cell] = {
        "run": summary.id,
        "created_at": summary.created_at,
        "session": run.session_name,
        "operation": summary.operation,
        **_models(told["models"]),
        "options": _as_text(told["options"]),
        "seed": run.seed,
        "versions": _as_text(told["versions"]),
        "text": run.document.text,
        "pair": run.document.pair,
        "masks": _as_text(told["masks"]),
        "headline": str(summary.headline),
        "starred": summary.starred,
        "note": summary.note,
        "failed": summary.failed,
    }
    if run.table is None or not run.table.rows:
        yield leading
        return
    names = [_own_name(name) for name in run.table.columns]
    for number, row in enumerate(run.table.rows):
        yield {**leading, "row": number, **dict(zip(names, row, strict=True))}


def _models(models: list[dict[str, str]]) -> dict[str, Cell]:
    """The first one, and the second one beside it; "" where there is none."""
    first, second = (*models, {}, {})[:2]
    return {
        "model": first.get("id", ""),
        **{name: first.get(name, "") for name in OF_A_MODEL},
        "second_model": second.get("id", ""),
        **{f"second_{name}": second.get(name, "") for name in OF_A_MODEL},
    }


def _as_text(value: Any) -> str:
    """JSON that is the same text for the same value."""
    return json.dumps(value, ensure_ascii=False, sort_keys=True)


def _own_name(column: str) -> str:
    """An answer's own column of the same name must not hide what is known of its run."""
    return f"answer {column}" if column in LEADING else column


def _csv(file: IO[bytes], runs: _Runs) -> None:
    text = io.TextIOWrapper(file, encoding="utf-8", newline="")
    text.write(BYTE_ORDER_MARK)
    writer = csv.writer(text, lineterminator="\r\n")
    columns = runs.columns()
    writer.writerow([safe_cell(name) for name in columns])
    writer.writerows([safe_cell(row.get(name)) for name in columns] for row in runs)
    text.detach()


def _json(file: IO[bytes], runs: _Runs) -> None:
    import msgspec

    file.write(b'{"rows": [')
    for number, row in enumerate(runs):
        file.write((b",\n" if number else b"\n") + msgspec.json.encode(row))
    file.write(b"\n]}\n")


def _parquet(file: IO[bytes], runs: _Runs) -> None:
    write_parquet(file, runs.columns(), runs)
