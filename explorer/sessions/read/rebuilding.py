"""A stored request and result as dataclasses again, whichever program stored them."""

import json
import sqlite3
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from explorer.api.question import Cell, LayersFrom0, Question, Table, rows_changed
from explorer.files.foreign import json_of
from explorer.questions.brought import plugin_among
from explorer.questions.former_names import absorbed, become, question_named
from explorer.serialise import Found, from_json, to_builtins
from explorer.sessions.log.arrays import LostArray
from explorer.sessions.log.rows import as_stored


@dataclass(frozen=True)
class Rebuilt:
    """What could be rebuilt of a run.

    Attributes:
        question: What was asked; None where this program does not know it.
        request: Its request, or None.
        result: Its result, or None.
        summary: The answer as one row of named cells, as it was stored or as the result has it.
        unreadable: One sentence: why request or result can't be rebuilt; "" when they are.
    """

    question: Question[Any, Any] | None
    request: Any
    result: Any
    summary: Mapping[str, Cell]
    unreadable: str

    def table(self) -> Table | None:
        """The result's rows; None where there is no result, or it makes none."""
        if self.question is None or self.result is None:
            return None
        try:
            return as_stored(self.question.table(self.result))
        except Exception:  # noqa: BLE001 - whatever a question may raise; its summary is there
            return None


def rebuild(row: sqlite3.Row, asked: str, found: Found) -> Rebuilt:
    """Request and result of a run.

    Args:
        row: Its question, result, schema, summary and versions.
        asked: Its request, brought up to date with the database.
        found: Where the result's arrays are.

    Raises:
        ValueError: What is stored of the summary is damaged.
        TypeError: The same.
    """
    summary: dict[str, Cell] = (
        {} if row["summary"] is None else from_json(dict[str, Cell], row["summary"])
    )
    question = question_named(row["operation"])
    if question is None:
        plugin = plugin_among(from_json(dict[str, str], row["versions"]))
        why = (
            f"The plugin {plugin}, which brought the question {row['operation']}, is not here: put"
            " it back to see the whole answer."
            if plugin
            else f"This version of the program has no question {row['operation']}."
        )
        return Rebuilt(None, None, None, summary, why)
    if row["schema"] < 1:
        raise ValueError(f"its schema is {row['schema']}")
    gone = absorbed(row["operation"])
    newest = question.schema if gone is None else 1 + len(gone.upgrades)
    if row["schema"] > newest:
        why = (
            f"This run was stored by a newer version of the program (schema {row['schema']} of"
            f" {row['operation']}; this one knows {newest}): update it to see the whole answer."
        )
        return Rebuilt(question, None, None, summary, why)
    try:
        if gone is None:
            schema, kept = row["schema"], (asked, row["result"])
        else:
            schema, kept = gone.schema, become(gone, row["schema"], asked, row["result"])
            # The words of the question that it was.
            summary = {}
        request_text, result_text = _brought_up(question, schema, *kept)
        request = from_json(question.request, request_text)
        result = None if result_text is None else from_json(question.result, result_text, found)
    except (ValueError, KeyError, TypeError) as error:
        lost = error if isinstance(error, LostArray) else error.__cause__
        why = (
            f"What is stored of this answer is damaged: {lost}."
            if isinstance(lost, LostArray)
            else f"This run was stored by another version of the program ({error})."
        )
        return Rebuilt(question, None, None, summary, why)
    if is_reshaped(row["operation"], question, row["schema"]):
        summary = {}
    if not summary and question.summary is not None and result is not None:
        summary = _summary(question, result)
    return Rebuilt(question, request, result, summary, "")


def is_reshaped(name: str, question: Question[Any, Any] | None, schema: int) -> bool:
    """Whether the rows of a question had other columns when a run of a schema was stored."""
    since = () if question is None else question.upgrades[max(0, schema - 1) :]
    renamed = any(isinstance(one, LayersFrom0) for one in since)
    return absorbed(name) is not None or rows_changed in since or renamed


def _brought_up(
    question: Question[Any, Any], schema: int, request: str, result: str | None
) -> tuple[str, str | None]:
    """Both as JSON of the question's schema today.

    Raises:
        ValueError: A step can't be taken.
    """
    if schema == question.schema:
        return request, result
    asked, answered = json_of(request), None if result is None else json_of(result)
    for number, upgrade in enumerate(question.upgrades[schema - 1 :], start=schema):
        try:
            upgrade(asked, answered)
        except Exception as error:
            raise ValueError(
                f"schema {number} can't be brought to {number + 1}: {error}"
            ) from error
    return json.dumps(asked), None if answered is None else json.dumps(answered)


def _summary(question: Question[Any, Any], result: Any) -> dict[str, Cell]:
    """Of a run of before summaries were kept."""
    assert question.summary is not None
    try:
        return dict(to_builtins(question.summary(result)))
    except Exception:  # noqa: BLE001 - one that fails costs only itself
        return {}


def has_arrays(connection: sqlite3.Connection) -> bool:
    """Whether a database keeps arrays, schemas and summaries, as from its fourth schema on."""
    query = "SELECT 1 FROM sqlite_master WHERE name = 'result_arrays'"
    return connection.execute(query).fetchone() is not None
