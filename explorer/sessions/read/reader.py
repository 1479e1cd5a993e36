"""Reading the log back: lists, searches, and whole runs."""

import sqlite3
from collections.abc import Iterable, Iterator, Mapping
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import Any

import msgspec

from explorer.api.question import Failure, LayersFrom0, MachineFault, ModelStamp, Table, UserMistake
from explorer.document import Document, Mask
from explorer.files.foreign import json_of
from explorer.questions.former_names import (
    absorbed,
    document_asking,
    name_today,
    question_named,
    role_today,
)
from explorer.serialise import from_json, to_json
from explorer.sessions.log.arrays import Unpacking
from explorer.sessions.log.headline import marked
from explorer.sessions.log.identity import ULID_LENGTH
from explorer.sessions.log.rows import cells_of
from explorer.sessions.read.listing import (
    MARKS,
    MARKS_JOIN,
    NO_MARKS,
    NOT_SAID,
    RunFilter,
    has_said,
    has_search,
    listing,
    played_in,
)
from explorer.sessions.read.rebuilding import Rebuilt, has_arrays, is_reshaped, rebuild
from explorer.sessions.records import RunSummary, SessionSummary, StoredRun
from explorer.sessions.schema.database import connect_for_reading, explain, primary_code
from explorer.sessions.schema.older_runs import as_of_now, has_roles
from explorer.text import N_, Phrase
from explorer.text.printable import shortened

FILE_OF_SENTENCES = "file_of_sentences"
"""The question that asks another one."""

TEXT_LENGTH = 200
# Twice as much is read: white space is taken out before the text is shortened.

_ONE_RUN = (
    "SELECT r.*, d.json AS document, d.text, d.pair, d.masks AS mask_ranges, s.name,"
    " x.request, x.result, x.columns, x.versions, x.failure{marks}{kept}{said}"
    " FROM runs r JOIN documents d ON d.id = r.document_id JOIN sessions s ON s.id = r.session_id"
    " JOIN run_details x ON x.run_id = r.id{join} WHERE r.id = ?"
)
_KEPT = ", x.schema, x.row_count, x.summary"
_NOT_KEPT = ", 1 AS schema, NULL AS row_count, NULL AS summary"
_COLUMNS = (
    "SELECT columns, (SELECT operation FROM runs WHERE id = x.run_id), {schema} FROM run_details x"
    " WHERE run_id = ? AND json_valid(columns) AND "
)
_HAS_ROWS = "EXISTS (SELECT 1 FROM result_rows WHERE run_id = x.run_id)"
_COLUMNS_KEPT = _COLUMNS.format(schema=1) + _HAS_ROWS
_COLUMNS_MADE = _COLUMNS.format(schema="x.schema") + f"(x.row_count > 0 OR {_HAS_ROWS})"
_PLAYED = (
    "SELECT role, model_id, family, fingerprint, device, dtype FROM run_models WHERE run_id = ?"
    " ORDER BY ordinal"
)


class SessionReader:
    """Reads the database; may be used from any thread, and while programs write.

    Every call opens the database and closes it again, so nothing is held between calls. A
    database that does not exist yet reads as empty. Every method raises MachineFault where the
    database can't be read.
    """

    def __init__(self, path: Path) -> None:
        self.path = Path(path)

    def runs(
        self, wanted: RunFilter | None = None, limit: int = 200, before: str | None = None
    ) -> list[RunSummary]:
        """The log, newest first.

        Args:
            wanted: Which runs; None for all.
            limit: How many at most.
            before: Only runs older than this id: the last one of the page before.

        Raises:
            UserMistake: A day that can't be read.
        """
        with self._open() as connection:
            if connection is None:
                return []
            query, values = listing(
                wanted or RunFilter(),
                limit,
                before,
                searchable=has_search(connection),
                worded=has_said(connection),
                has_schemas=has_arrays(connection),
            )
            rows = connection.execute(query, values).fetchall()
            ids = [row["id"] for row in rows]
            played = played_in(connection, ids) if has_search(connection) else {}
            return [_summary(row, played.get(row["id"], ())) for row in rows]

    def run(self, run_id: str) -> StoredRun:
        """A run with everything that was stored of it.

        Args:
            run_id: Its id, or the beginning of it where only one run begins so.

        Raises:
            UserMistake: There is no such run, or several.
            MachineFault: What is stored of it is damaged.
        """
        with self._open() as connection:
            if connection is None:
                raise _no_such_run(run_id)
            return stored_run(connection, _whole_id(connection, run_id))

    def stored(self, run_ids: Iterable[str]) -> Iterator[StoredRun | MachineFault]:
        """Runs with everything that was stored of them; the fault where one can't be read."""
        with self._open() as connection:
            if connection is None:
                return
            for run_id in run_ids:
                try:
                    yield stored_run(connection, run_id)
                except MachineFault as fault:
                    yield fault

    def columns(self, run_ids: Iterable[str]) -> Iterator[tuple[str, ...]]:
        """The names of the columns of runs whose answers have rows."""
        with self._open() as connection:
            if connection is None:
                return
            query = _COLUMNS_MADE if has_arrays(connection) else _COLUMNS_KEPT
            for run_id in run_ids:
                found = connection.execute(query, (run_id,)).fetchone()
                if found is None:
                    continue
                if not is_reshaped(found[1], question_named(found[1]), found[2]):
                    names = json_of(found[0])
                    # A run with anything else is damaged, and told where it is read.
                    yield tuple(map(str, names)) if isinstance(names, list) else ()
                    continue
                # Rows of another question, or with other columns since, are made anew.
                with suppress(MachineFault):
                    table = stored_run(connection, run_id).table
                    yield () if table is None else table.columns

    def sessions(self, limit: int = 200) -> list[SessionSummary]:
        """The sessions, newest first, with the number of their runs."""
        query = (
            "SELECT s.id, s.name, s.started_at, s.program_version, s.python, s.platform,"
            " (SELECT count(*) FROM runs r WHERE r.session_id = s.id)"
            " FROM sessions s ORDER BY s.id DESC LIMIT ?"
        )
        with self._open() as connection:
            rows = [] if connection is None else connection.execute(query, (limit,)).fetchall()
        return [SessionSummary(*row) for row in rows]

    def operations(self) -> list[str]:
        """Names of the questions that were asked, as they are called today, sorted."""
        return sorted({name_today(name) for name in self._distinct("operation")})

    def model_ids(self) -> list[str]:
        """Ids of the checkpoints that answered, sorted."""
        return [model_id for model_id in self._distinct("model_id") if model_id]

    def _distinct(self, column: str) -> list[str]:
        """The values of an indexed column: one look into the index for each, not for each run."""
        query = (
            f"WITH RECURSIVE found(value) AS (SELECT min({column}) FROM runs UNION ALL"  # noqa: S608
            f" SELECT (SELECT min({column}) FROM runs WHERE {column} > found.value) FROM found"
            " WHERE found.value IS NOT NULL) SELECT value FROM found WHERE value IS NOT NULL"
        )
        with self._open() as connection:
            rows = [] if connection is None else connection.execute(query).fetchall()
        return [value for (value,) in rows]

    @contextmanager
    def _open(self) -> Iterator[sqlite3.Connection | None]:
        connection = connect_for_reading(self.path)
        if connection is None:
            yield None
            return
        connection.row_factory = sqlite3.Row
        try:
            yield connection
        except sqlite3.Error as error:
            raise explain(error, self.path, reading=True) from error
        finally:
            connection.close()


def stored_run(connection: sqlite3.Connection, run_id: str) -> StoredRun:
    """A run with everything that was stored of it, by its whole id.

    Args:
        connection: Its rows are sqlite3.Row.
        run_id: In the database.

    Raises:
        MachineFault: What is stored of it is damaged, or is another program's.
        sqlite3.Error: The database can't be read.
    """
    marked = has_search(connection)
    query = _ONE_RUN.format(
        marks=MARKS if marked else NO_MARKS,
        join=MARKS_JOIN if marked else "",
        kept=_KEPT if has_arrays(connection) else _NOT_KEPT,
        said="" if has_said(connection) else NOT_SAID,
    )
    try:
        row = connection.execute(query, (run_id,)).fetchone()
        request, played = ("", []) if row is None else _asked_of(connection, row)
        cells = connection.execute(
            "SELECT cells FROM result_rows WHERE run_id = ? ORDER BY ordinal", (run_id,)
        ).fetchall()
        if row is None:
            raise ValueError("its text, its session or its details are missing")
        asked = _name_asked(row["operation"], request)
        models = {role_today(asked, role): ModelStamp(*stamp) for role, *stamp in played}
        rebuilt = rebuild(row, request, Unpacking(connection, run_id))
        return _stored(row, [cell for (cell,) in cells], rebuilt, models)
    except (ValueError, TypeError, AttributeError, KeyError, RecursionError) as error:
        raise _damaged(run_id, error) from error
    except sqlite3.OperationalError as error:
        # Python's own complaint, that a text is no UTF-8, has no code of SQLite.
        if primary_code(error) == -1:
            raise _damaged(run_id, error) from error
        raise


def _damaged(run_id: str, error: Exception) -> MachineFault:
    return MachineFault(
        N_("What is stored of the run {run_id} is damaged ({error})."),
        N_("The other runs can be read all the same."),
        run_id=run_id,
        error=error,
    )


def _whole_id(connection: sqlite3.Connection, begun: str) -> str:
    wanted = begun.strip().upper()
    if not wanted or not wanted.isascii() or not wanted.isalnum():
        raise _no_such_run(begun)
    # A range instead of LIKE, which would not use the primary key.
    last = wanted.ljust(ULID_LENGTH, "Z")
    found = connection.execute(
        "SELECT id FROM runs WHERE id BETWEEN ? AND ? ORDER BY id LIMIT 2", (wanted, last)
    ).fetchall()
    if not found:
        raise _no_such_run(begun)
    if len(found) > 1:
        raise UserMistake(
            N_("Several runs begin with {begun}."), N_("Give more letters of the id."), begun=begun
        )
    return str(found[0][0])


def _no_such_run(run_id: str) -> UserMistake:
    return UserMistake(
        N_("There is no run {run_id}."), N_("List the runs to see their ids."), run_id=repr(run_id)
    )


def _summary(row: sqlite3.Row, played: Iterable[str]) -> RunSummary:
    """A row of the list; of what somebody else put there instead of a text, some text."""
    text, pair = _words(row["text"]), None if row["pair"] is None else _words(row["pair"])
    return RunSummary(
        id=row["id"],
        session_id=row["session_id"],
        created_at=row["created_at"],
        operation=name_today(row["operation"]),
        model_id=row["model_id"],
        family=row["family"],
        text=shortened(text, TEXT_LENGTH),
        masks=row["masks"],
        headline=_headline(row),
        duration=row["duration"],
        failed=bool(row["failed"]),
        starred=bool(row["starred"]),
        note=row["note"],
        marked=shortened(marked(text, pair, row["mask_ranges"]), TEXT_LENGTH),
        of_no_text=bool(row["of_no_text"]),
        played=tuple(played),
    )


def _words(value: object) -> str:
    """A text that may be stored as bytes, or be a number."""
    return value.decode("utf-8", "replace") if isinstance(value, bytes) else str(value)


def _headline(row: sqlite3.Row) -> str:
    """What can be worded in any language; of an older run its words alone."""
    told = str(row["headline"])
    if row["said"] is not None:
        with suppress(ValueError, KeyError, TypeError, AttributeError):
            told = from_json(Phrase, row["said"])
    name, schema = row["operation"], row["schema"]
    question = question_named(name)
    if question is None or absorbed(name) is not None or not isinstance(schema, int):
        return told
    for one in question.upgrades[max(0, schema - 1) :]:
        told = one.headline(told) if isinstance(one, LayersFrom0) else told
    return told


def _asked_of(connection: sqlite3.Connection, row: sqlite3.Row) -> tuple[str, list[Any]]:
    """A run's request, and who played which role; of an older database as they are today."""
    if has_roles(connection):
        return row["request"], connection.execute(_PLAYED, (row["id"],)).fetchall()
    with closing(as_of_now(connection, row["id"])) as memory:
        (request,) = memory.execute("SELECT request FROM run_details").fetchone()
        return request, memory.execute(_PLAYED, (row["id"],)).fetchall()


def _name_asked(question: str, request: str) -> str:
    """The question whose roles the models of a run play: about a file, the one that it asks."""
    if name_today(question) != FILE_OF_SENTENCES:
        return question
    try:
        return str(msgspec.json.decode(request)["operation"])
    except (msgspec.MsgspecError, KeyError, TypeError):
        return question


def _stored(
    row: sqlite3.Row, cells: list[str], rebuilt: Rebuilt, models: Mapping[str, ModelStamp]
) -> StoredRun:
    document = _document(row)
    fingerprint = row["model_fingerprint"]
    return StoredRun(
        summary=RunSummary(
            id=row["id"],
            session_id=row["session_id"],
            created_at=row["created_at"],
            operation=name_today(row["operation"]),
            model_id=row["model_id"],
            family=row["family"],
            text=shortened(document.text, TEXT_LENGTH),
            masks=len(document.masks),
            headline=_headline(row),
            duration=row["duration"],
            failed=bool(row["failed"]),
            starred=bool(row["starred"]),
            note=row["note"],
            marked=shortened(
                marked(document.text, document.pair, to_json(document.masks)), TEXT_LENGTH
            ),
            played=tuple(one.id for one in models.values()),
        ),
        document=document,
        request=rebuilt.request,
        result=rebuilt.result,
        table=_table(row, cells, rebuilt),
        model=None
        if fingerprint is None
        else ModelStamp(row["model_id"], row["family"], fingerprint, row["device"], row["dtype"]),
        versions=from_json(dict[str, str], row["versions"]),
        seed=row["seed"],
        failure=None if row["failure"] is None else from_json(Failure, row["failure"]),
        session_name=row["name"],
        models=models,
        unreadable=rebuilt.unreadable,
        summary_row=rebuilt.summary,
    )


def _table(row: sqlite3.Row, cells: list[str], rebuilt: Rebuilt) -> Table | None:
    """The stored rows; the result's where not all are stored, or they are of another time."""
    if row["columns"] is None:
        return None
    names = tuple(from_json(list[str], row["columns"]))
    is_of_then = is_reshaped(row["operation"], rebuilt.question, row["schema"])
    if is_of_then and rebuilt.result is not None:
        # Its rows had other columns then: runs are compared by those of today.
        return rebuilt.table()
    if row["row_count"] is not None and len(cells) < row["row_count"]:
        made = rebuilt.table()
        if made is not None or not cells:
            return made
    return Table(names, tuple(cells_of(names, text) for text in cells))


def _document(row: sqlite3.Row) -> Document:
    """The document; from its columns where the program has changed too much for its JSON."""
    try:
        return document_asking(row["operation"], from_json(Document, row["document"]))
    except msgspec.ValidationError:
        masks = tuple(from_json(list[Mask], row["mask_ranges"]))
        return document_asking(row["operation"], Document(row["text"], row["pair"], masks))
