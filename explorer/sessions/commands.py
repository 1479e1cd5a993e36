"""What the command line asks of the session log; every function returns plain data."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from explorer.api.question import Table, UserMistake
from explorer.serialise import to_builtins
from explorer.sessions.export.provenance import Provenance
from explorer.sessions.export.tables import (
    CaptionPlace,
    table_to_csv,
    table_to_json,
    write_csv,
)
from explorer.sessions.read.asked_otherwise import asked_otherwise
from explorer.sessions.read.comparing import (
    difference,
    reasons,
    side_by_side,
    verdict,
)
from explorer.sessions.read.listing import RunFilter
from explorer.sessions.read.reader import SessionReader
from explorer.sessions.records import RunSummary, StoredRun
from explorer.sessions.schema.atomic import write_atomically
from explorer.text import N_

FORMATS = ("csv", "json")


def list_runs(
    database: Path, wanted: RunFilter | None = None, limit: int = 20, before: str | None = None
) -> list[dict[str, Any]]:
    """The newest runs for programs; keys are RunSummary's fields.

    Raises:
        UserMistake: As of `found_runs`.
    """
    found = found_runs(database, wanted, limit, before)
    return [{**to_builtins(one), "played": list(one.played)} for one in found]


def found_runs(
    database: Path, wanted: RunFilter | None = None, limit: int = 20, before: str | None = None
) -> list[RunSummary]:
    """The newest runs.

    Raises:
        UserMistake: A limit below 1, or a day that can't be read.
    """
    if limit < 1:
        raise UserMistake(
            N_("At least one run must be asked for."), N_("Choose a limit from 1 on.")
        )
    return SessionReader(database).runs(wanted, limit, before)


def show_run(database: Path, run_id: str, *, in_file: bool = True) -> dict[str, Any]:
    """Everything stored of a run; keys are StoredRun's fields, and its caption.

    Args:
        database: The session database.
        run_id: Which run.
        in_file: Its caption has its moment in ISO 8601, else as people read it.

    Raises:
        UserMistake: There is no such run.
    """
    run = SessionReader(database).run(run_id)
    shown: dict[str, Any] = to_builtins(run)
    return {**shown, "caption": Provenance.of_stored(run).said(in_file=in_file)}


@dataclass(frozen=True)
class ComparedRuns:
    """Two runs of one question.

    Attributes:
        first: The one.
        second: The other.
        same: They say the same.
        sentence: How they differ, and in what they were asked otherwise.
        table: Row by row, each number beside the other's.
    """

    first: StoredRun
    second: StoredRun
    same: bool
    sentence: str
    table: Table

    def plain(self) -> dict[str, Any]:
        """As JSON has it."""
        return {
            "first": to_builtins(self.first.summary),
            "second": to_builtins(self.second.summary),
            "same": self.same,
            "sentence": self.sentence,
            "table": to_builtins(self.table),
        }


def compare_runs(database: Path, first: str, second: str) -> ComparedRuns:
    """Put the answers of two runs side by side.

    Raises:
        UserMistake: There is no such run, one of them failed, or they asked other questions.
    """
    one, table = _run_and_table(database, first)
    two, other = _run_and_table(database, second)
    if one.summary.operation != two.summary.operation or table.columns != other.columns:
        raise UserMistake(
            N_("A run of {operation} can't be compared with one of {summary_operation}."),
            N_("Choose two runs of the same question."),
            operation=one.summary.operation,
            summary_operation=two.summary.operation,
        )
    found = difference(table, other)
    sentence = verdict(found, (*asked_otherwise(one, two), *reasons(one, two)))
    names = _names(one, two)
    return ComparedRuns(one, two, found.same, sentence, side_by_side(table, other, names))


def _names(one: StoredRun, two: StoredRun) -> tuple[str, str]:
    """What the two are called in a table: their models where those differ, else their ids."""
    if one.summary.model_id != two.summary.model_id:
        return one.summary.model_id, two.summary.model_id
    return one.summary.id[-6:], two.summary.id[-6:]


def export_run(
    database: Path, run_id: str, target: Path, place: CaptionPlace = "none"
) -> dict[str, Any]:
    """Write a run's table to a .csv or .json file; returns the run's id, the file and the rows.

    Args:
        database: The log.
        run_id: The run's id, or the beginning of it.
        target: The file.
        place: Where the caption of a CSV table goes; JSON has it inside.

    Raises:
        UserMistake: There is no such run, it has no table, or the file's ending is another.
        MachineFault: The file can't be written.
    """
    run, table = _run_and_table(database, run_id)
    form = target.suffix.lower().removeprefix(".")
    if form == "csv":
        write_csv(target, table, Provenance.of_stored(run).said(), place)
    else:
        write_atomically(target, _rendered(run, table, form).encode("utf-8"))
    return {"id": run.summary.id, "file": str(target), "rows": len(table.rows)}


def _run_and_table(database: Path, run_id: str) -> tuple[StoredRun, Table]:
    run = SessionReader(database).run(run_id)
    if run.table is None and not run.summary.failed:
        raise UserMistake(
            N_("The rows of the run {id} can't be made. {why}")
            if run.unreadable
            else N_("The rows of the run {id} can't be made."),
            N_("Its summary can be shown."),
            id=run.summary.id,
            why=run.unreadable,
        )
    if run.table is None:
        raise UserMistake(
            N_("The run {id} failed and has no table: {headline}"),
            N_("Choose a run that succeeded."),
            id=run.summary.id,
            headline=run.summary.headline,
        )
    return run, run.table


def _rendered(run: StoredRun, table: Table, form: str) -> str:
    if form == "csv":
        return table_to_csv(table)
    if form == "json":
        provenance = Provenance.of_stored(run)
        return table_to_json(table, provenance.said(), provenance.as_fields())
    raise UserMistake(
        N_("A table can't be written as {form}."),
        N_("Choose a name that ends in .csv or .json."),
        form=form or "a file without an ending",
    )
