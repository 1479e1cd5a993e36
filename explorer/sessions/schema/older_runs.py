"""Runs of before requests named roles: who played what, and requests without slots.

Until the third schema a request said "teacher": "B", and beside a run stood its other models
without what they did in it. Whose answer a run is says who played the first role, whatever the
letters: a run that was asked again with the models exchanged is stored as it was answered.
"""

import json
import sqlite3
from typing import Any

from explorer.files.foreign import json_of

_TEACHING = ("soft_targets", "distillation", "cost")
_DETECTING = ("detect_replaced", "detect_many", "embedding_sharing")
_COMPARING = ("compare_fillings", "compare_anatomy")
_OF_TWO: dict[str, tuple[str, str]] = {
    **dict.fromkeys(_TEACHING, ("teacher", "student")),
    **dict.fromkeys(_DETECTING, ("discriminator", "generator")),
    **dict.fromkeys(_COMPARING, ("first", "second")),
}
_FIELDS = (*_OF_TWO["cost"], *_OF_TWO["detect_many"])
"""What held slots."""

_COLUMNS = "run_id, ordinal, fingerprint, model_id, family, device, dtype, role"


def _listed(names: tuple[str, ...]) -> str:
    return ", ".join(f"'{name}'" for name in names)


def _role(place: int, otherwise: str) -> str:
    """The role at a place, of each question, as SQL."""
    whens = " ".join(f"WHEN '{name}' THEN '{two[place]}'" for name, two in _OF_TWO.items())
    return f"CASE operation {whens} ELSE '{otherwise}' END"


# What was not loaded ("meta") played no role.
_FIRST = (
    f"INSERT INTO run_models ({_COLUMNS}) SELECT id, 0, model_fingerprint, model_id, family,"  # noqa: S608
    f" device, dtype, {_role(0, 'model')} FROM runs WHERE model_fingerprint IS NOT NULL"
    " AND device <> 'meta' AND NOT EXISTS"
    " (SELECT 1 FROM run_models WHERE run_id = runs.id AND ordinal = 0)"
)
_SECOND = (
    f"UPDATE run_models SET role = (SELECT {_role(1, 'second')} FROM runs"  # noqa: S608
    " WHERE runs.id = run_models.run_id) WHERE role = ''"
)
# Never looked into where it is no JSON: one damaged answer must not cost the whole database.
_OTHER = (
    "CASE WHEN json_valid(run_details.result)"
    " THEN json_extract(run_details.result, '$.other.{}') END"
)
_OTHERS = (
    f"FROM runs JOIN run_details ON run_details.run_id = runs.id WHERE operation IN"  # noqa: S608
    f" ({_listed((*_OF_TWO, 'over_file'))})"
    f" AND {_OTHER.format('fingerprint')} IS NOT NULL AND {_OTHER.format('device')} <> 'meta'"
    " AND NOT EXISTS (SELECT 1 FROM run_models WHERE run_id = runs.id"
    f" AND (ordinal = 1 OR role = {_role(1, 'second')}))"
)
_UNNAMED_MODELS = (
    "INSERT OR IGNORE INTO models (fingerprint, checkpoint_id, family, first_seen_at) SELECT"
    f" {_OTHER.format('fingerprint')}, {_OTHER.format('id')}, {_OTHER.format('family')},"
    f" runs.created_at {_OTHERS}"
)
_STAMP = ", ".join(
    _OTHER.format(name) for name in ("fingerprint", "id", "family", "device", "dtype")
)
_UNNAMED = (
    f"INSERT OR IGNORE INTO run_models ({_COLUMNS}) SELECT runs.id, 1, {_STAMP},"
    f" {_role(1, 'second')} {_OTHERS}"
)
_PATHS = ", ".join(f"'$.{name}'" for name in _FIELDS)
_WITHOUT_SLOTS = (
    f"UPDATE run_details SET request = json_remove(request, {_PATHS})"  # noqa: S608
    " WHERE json_valid(request) AND run_id IN"
    f" (SELECT id FROM runs WHERE operation IN ({_listed((*_TEACHING, *_DETECTING))}))"
)


def give_roles(connection: sqlite3.Connection) -> None:
    """Name the role of every model, and take the slots out of the requests.

    Runs that have their roles stay as they are. The caller holds the transaction.
    """
    connection.execute("UPDATE run_models SET ordinal = ordinal + 1 WHERE role = ''")
    for statement in (_FIRST, _SECOND, _UNNAMED_MODELS, _UNNAMED, _WITHOUT_SLOTS):
        connection.execute(statement)
    files = connection.execute(
        "SELECT id, CAST(request AS BLOB) FROM runs JOIN run_details ON run_id = id"
        " WHERE operation = 'over_file'"
    ).fetchall()
    for run_id, written in files:
        request = _read(written)
        asked = _read(request.get("request"))
        roles = _OF_TWO.get(str(request.get("operation")))
        if roles is None or not asked:
            continue
        # A answered, whatever it did in the question.
        is_exchanged = asked.get(roles[0]) == "B"
        _give_roles_in_file(connection, run_id, roles, is_exchanged=is_exchanged)
        asked = {name: value for name, value in asked.items() if name not in _FIELDS}
        connection.execute(
            "UPDATE run_details SET request = ? WHERE run_id = ?",
            (_written({**request, "request": _written(asked)}), run_id),
        )


def _give_roles_in_file(
    connection: sqlite3.Connection, run_id: str, roles: tuple[str, str], *, is_exchanged: bool
) -> None:
    """As the question has them that was asked about every sentence."""
    played = connection.execute(
        "SELECT fingerprint, model_id, family, device, dtype, role FROM run_models"
        " WHERE run_id = ? ORDER BY ordinal",
        (run_id,),
    ).fetchall()
    if not {row[-1] for row in played} <= {"model", "second"}:
        return
    names = (roles[1], roles[0]) if is_exchanged else roles
    by_role = {role: row[:-1] for role, row in zip(names, played, strict=False)}
    connection.execute("DELETE FROM run_models WHERE run_id = ?", (run_id,))
    connection.executemany(
        f"INSERT INTO run_models ({_COLUMNS}) VALUES (?,?,?,?,?,?,?,?)",  # noqa: S608
        [
            (run_id, place, *by_role[role], role)
            for place, role in enumerate(role for role in roles if role in by_role)
        ],
    )


def _read(written: Any) -> dict[str, Any]:
    """A JSON object; empty where it is none."""
    try:
        found = json_of(written)
    except (ValueError, TypeError):
        return {}
    return found if isinstance(found, dict) else {}


def _written(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def has_roles(connection: sqlite3.Connection) -> bool:
    """Whether a database keeps roles, as from its third schema on."""
    return "role" in _columns(connection, "run_models")


def as_of_now(connection: sqlite3.Connection, run_id: str) -> sqlite3.Connection:
    """A run of an older database that may only be read, brought up to date in memory."""
    memory = sqlite3.connect(":memory:", isolation_level=None)
    memory.execute(
        "CREATE TABLE models (fingerprint PRIMARY KEY, checkpoint_id, family, first_seen_at)"
    )
    for table, key in (("runs", "id"), ("run_details", "run_id"), ("run_models", "run_id")):
        names = _columns(connection, table) or _COLUMNS.split(", ")[:-1]
        memory.execute(f"CREATE TABLE {table} ({', '.join(names)})")
        if _columns(connection, table):
            query = f"SELECT * FROM {table} WHERE {key} = ?"  # noqa: S608
            insert = f"INSERT INTO {table} VALUES ({','.join('?' * len(names))})"  # noqa: S608
            memory.executemany(insert, map(tuple, connection.execute(query, (run_id,))))
    memory.execute("ALTER TABLE run_models ADD COLUMN role TEXT NOT NULL DEFAULT ''")
    give_roles(memory)
    return memory


def _columns(connection: sqlite3.Connection, table: str) -> list[str]:
    found = connection.execute("SELECT name FROM pragma_table_info(?)", (table,))
    return [name for (name,) in map(tuple, found)]
