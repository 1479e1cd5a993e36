"""What the command line asks of the session log; every function returns plain data."""

from pathlib import Path
from typing import Any

from explorer.api import Table, UserMistake
from explorer.serialise import to_builtins
from explorer.sessions.atomic import write_atomically
from explorer.sessions.export import caption_of, table_to_csv, table_to_json
from explorer.sessions.listing import Wanted
from explorer.sessions.reader import SessionReader
from explorer.sessions.records import StoredRun

FORMATS = ("csv", "json")


def list_runs(
    database: Path, wanted: Wanted | None = None, limit: int = 20, before: str | None = None
) -> list[dict[str, Any]]:
    """The newest runs; keys are RunSummary's fields.

    Raises:
        UserMistake: A limit below 1, or a day that can't be read.
    """
    if limit < 1:
        raise UserMistake("At least one run must be asked for.", "Choose a limit from 1 on.")
    found = SessionReader(database).runs(wanted, limit, before)
    return [to_builtins(summary) for summary in found]


def list_sessions(database: Path, limit: int = 20) -> list[dict[str, Any]]:
    """The newest sessions; keys are SessionSummary's fields."""
    return [to_builtins(session) for session in SessionReader(database).sessions(limit)]


def show_run(database: Path, run_id: str) -> dict[str, Any]:
    """Everything stored of a run; keys are StoredRun's fields, and its caption.

    Raises:
        UserMistake: There is no such run.
    """
    run = SessionReader(database).run(run_id)
    shown: dict[str, Any] = to_builtins(run)
    return {**shown, "caption": caption_of(run)}


def render_run(database: Path, run_id: str, form: str = "csv") -> str:
    """A run's table as CSV or JSON text.

    Raises:
        UserMistake: There is no such run or form, or the run failed and has no table.
    """
    return _rendered(*_run_and_table(database, run_id), form)


def export_run(database: Path, run_id: str, target: Path) -> dict[str, Any]:
    """Write a run's table to a .csv or .json file; returns the run's id, the file and the rows.

    Raises:
        UserMistake: There is no such run, it has no table, or the file's ending is another.
        MachineFault: The file can't be written.
    """
    run, table = _run_and_table(database, run_id)
    text = _rendered(run, table, target.suffix.lower().removeprefix("."))
    write_atomically(target, text.encode("utf-8"))
    return {"id": run.summary.id, "file": str(target), "rows": len(table.rows)}


def _run_and_table(database: Path, run_id: str) -> tuple[StoredRun, Table]:
    run = SessionReader(database).run(run_id)
    if run.table is None:
        raise UserMistake(
            f"The run {run.summary.id} failed and has no table: {run.summary.headline}",
            "Choose a run that succeeded.",
        )
    return run, run.table


def _rendered(run: StoredRun, table: Table, form: str) -> str:
    if form == "csv":
        return table_to_csv(table, caption_of(run))
    if form == "json":
        return table_to_json(table, caption_of(run))
    raise UserMistake(
        f"A table can't be written as {form or 'a file without an ending'}.",
        "Choose a name that ends in .csv or .json.",
    )
