"""What a bundle holds of a run: all that another machine needs to ask the same again.

No path of the machine that wrote it is in it: of a file or a folder there is its name.
"""

import contextlib
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path, PurePosixPath, PureWindowsPath
from typing import Any

from explorer.api.question import MODEL, Cell, ModelStamp, Table
from explorer.document import Document
from explorer.files.foreign import json_of
from explorer.questions.former_names import question_named
from explorer.serialise import from_json, to_builtins
from explorer.sessions.records import RunSummary, StoredRun

KIND, VERSION = "plm-explorer bundle", 1
LIST = "bundle.json"
RUNS = "runs"
RUN = "run.json"
_TYPED = frozenset({"text", "pair"})
"""Fields in which a path is what somebody typed to be read by a model."""


@dataclass(frozen=True)
class BundledFile:
    """A file that a run was made from.

    Attributes:
        size: In bytes.
        is_inside: The bundle has it.
    """

    size: int
    is_inside: bool = False


@dataclass(frozen=True)
class BundledRun:
    """A run as a bundle has it.

    Attributes:
        id: Its ULID in the log that it was taken from.
        created_at: UTC, ISO 8601.
        operation: The question's name.
        headline: The answer in a few words.
        document: What it was asked of, as JSON has it.
        request: The question's request, likewise; None where it could not be read.
        models: Who played which role: names, fingerprints of their files, devices, precisions.
        versions: Of Python, torch, transformers, the program, and the plugin of the question.
        seed: The one used.
        columns: Of the answer's table; none where it has no table.
        rows: Its rows.
        summary: The answer as one row of named cells.
        failure: Why it failed; "" where it has an answer.
        caption: How the answer came about, for people.
        files: That its request names, by their names there.
    """

    id: str
    created_at: str
    operation: str
    headline: str
    document: dict[str, Any]
    request: dict[str, Any] | None
    models: dict[str, ModelStamp] = field(default_factory=dict)
    versions: dict[str, str] = field(default_factory=dict)
    seed: int = 0
    columns: tuple[str, ...] = ()
    rows: tuple[tuple[Cell, ...], ...] = ()
    summary: dict[str, Cell] = field(default_factory=dict)
    failure: str = ""
    caption: str = ""
    files: dict[str, BundledFile] = field(default_factory=dict)

    @classmethod
    def of(cls, run: StoredRun, caption: str) -> "BundledRun":
        """What is kept of a run of the log."""
        models = run.models or ({} if run.model is None else {MODEL: run.model})
        table = run.table
        plain = to_builtins(
            {
                "document": run.document,
                "request": run.request,
                "summary": dict(run.summary_row),
                "rows": () if table is None else table.rows,
            }
        )
        names = _Names()
        document, request = names.told(plain["document"]), names.told(plain["request"])
        stamps = {role: replace(one, id=names.told(one.id)) for role, one in models.items()}
        rows, summary = names.told(plain["rows"]), names.told(plain["summary"])
        return cls(
            id=run.summary.id,
            created_at=run.summary.created_at,
            operation=run.summary.operation,
            headline=names.within(str(run.summary.headline)),
            document=document,
            request=request,
            models=stamps,
            versions=dict(run.versions),
            seed=run.seed,
            columns=() if table is None else table.columns,
            rows=tuple(map(tuple, rows)),
            summary=summary,
            failure="" if run.failure is None else names.within(run.failure.message),
            caption=names.within(caption),
        )

    def stored_table(self) -> Table | None:
        """The answer's rows."""
        return Table(self.columns, self.rows) if self.columns else None

    def stored(self) -> StoredRun:
        """The run as the log would have it, without its result.

        Raises:
            ValueError: Document or request are none of today's program.
        """
        question = question_named(self.operation)
        document = from_json(Document, json.dumps(self.document))
        request = None
        if question is not None and self.request is not None:
            request = from_json(question.request, json.dumps(self.request))
        first = next(iter(self.models.values()), None)
        summary = RunSummary(
            id=self.id,
            session_id="",
            created_at=self.created_at,
            operation=self.operation,
            model_id="" if first is None else first.id,
            family="" if first is None else first.family,
            text=document.text[:200],
            masks=len(document.masks),
            headline=self.headline,
            duration=0.0,
            failed=bool(self.failure),
        )
        return StoredRun(
            summary,
            document,
            request,
            None,
            self.stored_table(),
            first,
            self.versions,
            self.seed,
            None,
            models=self.models,
            summary_row=self.summary,
        )


def name_of(path: str) -> str:
    """The last part of a path; every other text as it is."""
    return _name(path) if is_path(path) else path


def is_path(text: str) -> bool:
    """Whether a text is a whole path, on this system or another."""
    posix = PurePosixPath(text).is_absolute() and text.count("/") > 1
    return (posix or PureWindowsPath(text).is_absolute()) and "\n" not in text


def _name(path: str) -> str:
    return re.split(r"[/\\]", path.rstrip("/\\"))[-1]


class _Names:
    """Puts names in the place of paths, and knows which it met."""

    def __init__(self) -> None:
        home = str(Path.home())
        self._met = {home: "~"} if len(home) > 1 else {}

    def told(self, value: Any, field: str = "") -> Any:
        """A value of JSON without paths, but for what a model reads."""
        if isinstance(value, str):
            if field in _TYPED:
                return value
            if is_path(value):
                self._met[value] = _name(value)
                return self._met[value]
            return self._inside(value)
        if isinstance(value, Mapping):
            return {key: self.told(one, key) for key, one in value.items()}
        return [self.told(one) for one in value] if isinstance(value, list | tuple) else value

    def _inside(self, text: str) -> str:
        """A text that may be JSON itself, as the values of a document's options are."""
        if text[:1] in {'"', "[", "{"}:
            with contextlib.suppress(ValueError):
                held = json_of(text)
                told = self.told(held)
                return text if told == held else json.dumps(told, ensure_ascii=False)
        return self.within(text)

    def within(self, text: str) -> str:
        """A sentence in which none of the paths stands that were met."""
        for path in sorted(self._met, key=len, reverse=True):
            text = text.replace(path, self._met[path])
        return text
