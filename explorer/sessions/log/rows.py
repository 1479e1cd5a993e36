"""A run as the rows of the database: made without the database, written in one transaction."""

import json
import sqlite3
from dataclasses import dataclass, replace
from typing import Any

from explorer.api.question import Cell, Table
from explorer.files.foreign import json_of
from explorer.serialise import to_json
from explorer.sessions.log import arrays
from explorer.sessions.log.headline import LENGTH, headline_of
from explorer.sessions.log.identity import content_hash
from explorer.sessions.read.searching import answer_text, make_findable
from explorer.sessions.records import LoggedRun
from explorer.text import Phrase
from explorer.text.printable import shortened

Values = tuple[str | int | float | None, ...]

MOST_ROWS = 500
"""Rows of an answer that are kept one by one; more are made from the result when they are asked
for."""

_INSERT_DOCUMENT = (
    "INSERT OR IGNORE INTO documents (id, text, pair, masks, json) VALUES (?,?,?,?,?)"
)
_INSERT_MODEL = (
    "INSERT OR IGNORE INTO models (fingerprint, checkpoint_id, family, first_seen_at)"
    " VALUES (?,?,?,?)"
)
_INSERT_RUN = (
    "INSERT INTO runs (id, session_id, document_id, created_at, operation, headline,"
    " model_fingerprint, model_id, family, device, dtype, seed, duration, failed, said)"
    " VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)"
)
_INSERT_DETAILS = (
    "INSERT INTO run_details (run_id, request, result, columns, versions, failure, schema,"
    " row_count, summary) VALUES (?,?,?,?,?,?,?,?,?)"
)
_INSERT_PLAYED = (
    "INSERT INTO run_models (run_id, ordinal, fingerprint, model_id, family, device, dtype, role)"
    " VALUES (?,?,?,?,?,?,?,?)"
)
_INSERT_ROW = "INSERT INTO result_rows (run_id, ordinal, cells) VALUES (?,?,?)"


@dataclass(frozen=True)
class RunRows:
    """What one run adds to each table.

    Attributes:
        document: The documents row; stored once for the same content.
        models: The models rows; stored once a fingerprint.
        run: The runs row.
        details: The run_details row.
        rows: The result_rows, unless there are more than MOST_ROWS.
        arrays: The result_arrays.
        played: The run_models rows.
        found_by: The text and the answer that the search looks through.
        size_bytes: Roughly what it takes in memory.
    """

    document: Values
    models: tuple[Values, ...]
    run: Values
    details: Values
    rows: tuple[Values, ...]
    arrays: list[arrays.Packed]
    played: tuple[Values, ...]
    found_by: tuple[str, str]
    size_bytes: int

    def insert(self, connection: sqlite3.Connection) -> None:
        """Add them; the caller holds the transaction."""
        connection.execute(_INSERT_DOCUMENT, self.document)
        connection.executemany(_INSERT_MODEL, self.models)
        connection.execute(_INSERT_RUN, self.run)
        connection.execute(_INSERT_DETAILS, self.details)
        connection.executemany(_INSERT_ROW, self.rows)
        arrays.insert(connection, str(self.run[0]), self.arrays)
        connection.executemany(_INSERT_PLAYED, self.played)
        make_findable(connection, str(self.run[0]), *self.found_by)


def rows_of(run: LoggedRun, run_id: str, session_id: str, created_at: str) -> RunRows:
    """Turn a run into rows; one whose answer makes no table is kept as failed.

    Raises:
        Exception: Something in it can't be written as JSON or text; serialising may raise
            anything, since requests and results are whatever a question makes them.
    """
    if run.table is None and run.fault is not None:
        run = replace(run, result=None, duration=0.0, failure=run.fault)
    document = to_json(run.document)
    document_id = content_hash(document)
    model = run.model
    request = to_json(run.request)
    packing = arrays.Packing()
    result = None if run.result is None else to_json(run.result, packing)
    columns, rows = _table_rows(run, run_id)
    failure = None if run.failure is None else to_json(run.failure)
    told = headline_of(run)
    words = shortened(told, LENGTH)
    texts = (request, result, columns, to_json(run.versions), failure)
    summary = (
        to_json({name: _plain(cell) for name, cell in run.summary.items()}) if run.summary else None
    )
    row_count = None if run.table is None else len(run.table.rows)
    return RunRows(
        document=(
            document_id,
            run.document.text,
            run.document.pair,
            to_json(run.document.masks),
            document,
        ),
        models=tuple(
            (stamp.fingerprint, stamp.id, stamp.family, created_at)
            for stamp in dict.fromkeys((*([] if model is None else [model]), *run.models.values()))
        ),
        run=(
            run_id,
            session_id,
            document_id,
            created_at,
            run.operation,
            words,
            None if model is None else model.fingerprint,
            "" if model is None else model.id,
            "" if model is None else model.family,
            "" if model is None else model.device,
            "" if model is None else model.dtype,
            run.seed,
            run.duration,
            int(run.result is None or run.failure is not None),
            to_json(told) if told.is_worded else None,
        ),
        details=(run_id, *texts, run.question.schema, row_count, summary),
        rows=rows,
        arrays=packing.taken,
        played=tuple(
            (run_id, number, m.fingerprint, m.id, m.family, m.device, m.dtype, role)
            for number, (role, m) in enumerate(run.models.items())
        ),
        found_by=(
            run.document.text
            if run.document.pair is None
            else f"{run.document.text}\n{run.document.pair}",
            answer_text(words, run.table, shortened(told.said, LENGTH)),
        ),
        size_bytes=2 * len(document)
        + sum(len(value) for value in (*texts, summary) if value is not None)
        + packing.size_bytes
        + sum(len(cells) + 200 for _, _, cells in rows),
    )


def _table_rows(run: LoggedRun, run_id: str) -> tuple[str | None, tuple[tuple[str, int, str], ...]]:
    """Columns as a JSON list and each row that is kept as a JSON object.

    Numbers that are none become null.
    """
    table = run.table
    if table is None:
        return None, ()
    if len(set(table.columns)) != len(table.columns):
        raise ValueError(f"the table of {run.operation} has two columns of the same name")
    kept = table.rows if len(table.rows) <= MOST_ROWS else ()
    rows = tuple(
        (run_id, ordinal, to_json(dict(zip(table.columns, map(_plain, row), strict=True))))
        for ordinal, row in enumerate(kept)
    )
    return to_json(table.columns), rows


def _plain(cell: Cell) -> Cell:
    """A cell for programs: a phrase is its English sentence."""
    return str(cell) if isinstance(cell, Phrase) else cell


def as_stored(table: Table) -> Table:
    """A table as it comes out of the database: with null for a number that is none."""
    rows = [tuple(map(_plain, row)) for row in table.rows]
    return Table(table.columns, tuple(map(tuple, json.loads(to_json(rows)))))


def cells_of(columns: tuple[str, ...], cells: str) -> tuple[Any, ...]:
    """A stored row's cells in the order of the columns."""
    values: dict[str, Any] = json_of(cells)
    return tuple(values.get(column) for column in columns)
