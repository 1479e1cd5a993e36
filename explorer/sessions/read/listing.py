"""The query behind the list of runs: filters, full-text search, pages."""

import json
import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from explorer.api.question import UserMistake
from explorer.questions.former_names import names_of
from explorer.sessions.read.searching import first_id, query_of, storable
from explorer.text import N_

_COLUMNS = (
    "SELECT r.id, r.session_id, r.created_at, r.operation, r.model_id, r.family,"
    " substr(d.text, 1, 400) AS text, substr(d.pair, 1, 400) AS pair,"
    " CASE WHEN json_valid(d.masks) THEN d.masks ELSE '[]' END AS mask_ranges,"
    " CASE WHEN json_valid(d.masks) THEN json_array_length(d.masks) ELSE 0 END AS masks,"
    " r.headline, r.duration, r.failed,"
    # Where a question may be asked of a text of its own, the user's was left out of its request.
    " CASE WHEN json_valid(x.request) THEN json_extract(x.request, '$.text') = ''"
    " AND coalesce(json_extract(x.request, '$.pair'), '') = '' ELSE 0 END AS of_no_text"
)
SAID, NOT_SAID = ", r.said", ", NULL AS said"
MARKS = ", coalesce(k.starred, 0) AS starred, coalesce(k.note, '') AS note"
NO_MARKS = ", 0 AS starred, '' AS note"
MARKS_JOIN = " LEFT JOIN marks k ON k.run_id = r.id"
_NAMED = "SELECT * FROM runs r WHERE r.operation = ?"
_NUMBERED = "f.rowid < (SELECT number FROM run_numbers WHERE run_id = ?)"
_STARRED = "r.id IN (SELECT run_id FROM marks WHERE starred = 1)"
_WORD = (
    "(r.document_id IN (SELECT id FROM documents WHERE text LIKE ? ESCAPE '\\'"
    " OR pair LIKE ? ESCAPE '\\') OR r.headline LIKE ? ESCAPE '\\')"
)


@dataclass(frozen=True)
class RunFilter:
    """Which runs are listed.

    Attributes:
        search: Words, or beginnings of words, that must all be found in the texts, the answer or
            the note.
        operation: Only this question, by any name that it has or had.
        model_id: Only this checkpoint.
        session_id: Only this session.
        failed: Only failures, or only successes.
        starred: Only runs with a star, or only those without.
        since: Only runs from this day or moment on, UTC, ISO 8601 ("2026-01-31").
        until: Only runs before this day or moment.
    """

    search: str = ""
    operation: str | None = None
    model_id: str | None = None
    session_id: str | None = None
    failed: bool | None = None
    starred: bool | None = None
    since: str | None = None
    until: str | None = None


def listing(
    wanted: RunFilter,
    limit: int = 200,
    before: str | None = None,
    *,
    searchable: bool = True,
    worded: bool = True,
    has_schemas: bool = True,
) -> tuple[str, list[str | int]]:
    """The query behind SessionReader.runs and its values.

    Args:
        wanted: Which runs.
        limit: How many at most.
        before: Only runs older than this id.
        searchable: The database has the full-text search; one of the first schema, opened
            read-only, has not, and its words are looked for one run after the other.
        worded: It keeps what headlines are worded from, as from its fifth schema on.
        has_schemas: It keeps which schema of its question a run has, as from its fourth on.
    """
    conditions: list[str] = []
    values: list[str | int] = []
    tables, order = "runs r", "r.id"
    found = query_of(wanted.search)
    if found and searchable:
        tables = (
            "run_search f JOIN run_numbers n ON n.number = f.rowid JOIN runs r ON r.id = n.run_id"
        )
        order = "f.rowid"
        conditions.append("run_search MATCH ?")
        values.append(found)
    elif found:
        patterns = [_pattern(word) for word in storable(wanted.search).split()]
        conditions += [_WORD] * len(patterns)
        values += [pattern for pattern in patterns for _ in range(3)]
    names = [] if wanted.operation is None else list(map(storable, names_of(wanted.operation)))
    if names and order == "r.id":
        # Not as a list of names, whose runs SQLite would all sort before it has the newest.
        tables = f"({' UNION ALL '.join([_NAMED] * len(names))}) r"
        values = [*names, *values]
    elif names:
        conditions.append(f"r.operation IN ({', '.join('?' * len(names))})")
        values += names
    chosen = {"model_id": wanted.model_id, "session_id": wanted.session_id}
    for column, value in chosen.items():
        if value is not None:
            conditions.append(f"r.{column} = ?")
            values.append(storable(value))
    if wanted.failed is not None:
        # Written out, since SQLite uses a partial index only for a condition it can see.
        conditions.append(f"r.failed = {int(wanted.failed)}")
    if wanted.starred is not None and searchable:
        conditions.append(_STARRED if wanted.starred else f"NOT ({_STARRED})")
    for moment, comparison in ((wanted.since, ">="), (wanted.until, "<")):
        if moment is not None:
            conditions.append(f"r.id {comparison} ?")
            values.append(first_id(_milliseconds(moment)))
    older = [] if before is None else ["r.id < ?", _NUMBERED][: 1 + (order == "f.rowid")]
    conditions += older
    values += [str(before).upper()] * len(older)
    join = MARKS_JOIN if searchable else ""
    where = f" WHERE {' AND '.join(conditions)}" if conditions else ""
    columns = _COLUMNS + (SAID if worded else NOT_SAID) + (MARKS if searchable else NO_MARKS)
    columns += ", x.schema" if has_schemas else ", 1 AS schema"
    query = (
        f"{columns} FROM {tables} JOIN documents d ON d.id = r.document_id"
        f" LEFT JOIN run_details x ON x.run_id = r.id{join}{where}"
        f" ORDER BY {order} DESC LIMIT ?"
    )
    return query, [*values, limit]


def _pattern(word: str) -> str:
    escaped = word.replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_")
    return f"%{escaped}%"


def _milliseconds(moment: str) -> int:
    try:
        read = datetime.fromisoformat(moment)
    except ValueError:
        raise UserMistake(
            N_("{moment} is not a day."),
            N_("Write it as year-month-day: 2026-01-31."),
            moment=repr(moment),
        ) from None
    return round((read if read.tzinfo else read.replace(tzinfo=UTC)).timestamp() * 1000)


def played_in(connection: sqlite3.Connection, run_ids: Sequence[str]) -> dict[str, list[str]]:
    """The ids of the models that played a role in runs, in the order of the roles.

    Args:
        connection: Of a database from the second schema on.
        run_ids: As many as were asked for: a statement takes fewer values than a log may have runs.
    """
    query = (
        "SELECT run_id, model_id FROM run_models"
        " WHERE run_id IN (SELECT value FROM json_each(?)) ORDER BY 1, ordinal"
    )
    found: dict[str, list[str]] = {}
    for run_id, model_id in map(tuple, connection.execute(query, [json.dumps(run_ids)])):
        found.setdefault(run_id, []).append(str(model_id))
    return found


def has_search(connection: sqlite3.Connection) -> bool:
    """Whether a database has the full-text search and the marks, as from its second schema on."""
    query = "SELECT 1 FROM sqlite_master WHERE name = 'run_search'"
    return connection.execute(query).fetchone() is not None


def has_said(connection: sqlite3.Connection) -> bool:
    """Whether a database keeps what headlines are worded from, as from its fifth schema on."""
    query = "SELECT 1 FROM pragma_table_info('runs') WHERE name = 'said'"
    return connection.execute(query).fetchone() is not None
