"""What the session log keeps of a run."""

import contextlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from explorer.api.question import Blame, Cell, Failure, ModelStamp, Question, Table
from explorer.document import Document


@dataclass(frozen=True)
class LoggedRun:
    """One question asked and answered.

    Attributes:
        question: What was asked.
        document: What the user was looking at.
        request: The question's request.
        result: The question's result; None for a failure.
        models: Who played which role, in the order of the question's roles.
        seed: The one used.
        duration: Seconds in the engine.
        versions: Of Python, torch, transformers, the program, and the plugin of the question.
        failure: Why it failed, or None.
    """

    question: Question[Any, Any]
    document: Document
    request: Any
    result: Any
    models: Mapping[str, ModelStamp] = field(default_factory=dict)
    seed: int = 0
    duration: float = 0.0
    versions: dict[str, str] = field(default_factory=dict)
    failure: Failure | None = None

    @property
    def operation(self) -> str:
        """The question's name."""
        return self.question.name

    @property
    def table(self) -> Table | None:
        """The result's rows as its document looks at them; None for a failure, and for no rows.

        They are made when they are first asked for, by who asks. Thousands of them take longer
        than a window may stand still, so the log's thread comes first.
        """
        made = self._made
        return made if isinstance(made, Table) else None

    @property
    def fault(self) -> Failure | None:
        """Why the result's rows can't be made, once they were asked for."""
        made = vars(self).get("_made")
        return made if isinstance(made, Failure) else None

    @cached_property
    def _made(self) -> Table | Failure | None:
        if self.result is None:
            return None
        try:
            settings = self.question.table_settings_of(self.document)
            return self.question.table(self.result, **settings)
        except Exception as error:  # noqa: BLE001 - whatever a question may raise
            return Failure.of(error)

    @cached_property
    def summary(self) -> Mapping[str, Cell]:
        """The answer as one row of named cells; empty where the question has none."""
        if self.question.summary is not None and self.result is not None:
            # One that fails must not cost the run.
            with contextlib.suppress(Exception):
                return self.question.summary(self.result)
        return {}

    @property
    def belongs_in_log(self) -> bool:
        """Whether it is an answer, or what went wrong with one.

        A refusal of what was typed is neither, nor is what only says that nothing is there yet.
        """
        if self.failure is not None:
            return self.failure.blame is not Blame.USER
        passing = self.question.is_provisional
        return self.result is None or passing is None or not passing(self.result)

    @property
    def model(self) -> ModelStamp | None:
        """Whose answer it is; of a config that was not loaded too. None where it is nobody's."""
        stamp: ModelStamp | None = getattr(self.result, "model", None)
        return stamp or next(iter(self.models.values()), None)


@dataclass(frozen=True)
class RunSummary:
    """A row of the log.

    Attributes:
        id: ULID: sorts by time.
        session_id: The session it belongs to.
        created_at: UTC, ISO 8601 with milliseconds.
        operation: Its name.
        model_id: The checkpoint's id, "" without one.
        family: The plugin's id.
        text: The document's text, shortened to 200 characters.
        masks: Number of masks.
        headline: The result in a few words ("soup 0.31, meal 0.20"), in English; of what this
            program stored, a Phrase.
        duration: Seconds in the engine.
        failed: It has no result.
        starred: The user put a star on it.
        note: What the user wrote on it, "" for nothing.
        marked: The text with brackets around what is masked, shortened; with the second text where
            something in that one is.
        of_no_text: It was asked of sentences of its own, and not of the document's text.
        played: The ids of all models that played a role, in the order of the roles; none where
            that was not read.
    """

    id: str
    session_id: str
    created_at: str
    operation: str
    model_id: str
    family: str
    text: str
    masks: int
    headline: str
    duration: float
    failed: bool
    starred: bool = False
    note: str = ""
    marked: str = ""
    of_no_text: bool = False
    played: tuple[str, ...] = ()


@dataclass(frozen=True)
class StoredRun:
    """A run read back from the database.

    Attributes:
        summary: Its row of the log.
        document: What the user was looking at.
        request: The question's request; None where it can't be rebuilt.
        result: The question's result; None for a failure and where it can't be rebuilt.
        table: The result's rows, as they were stored or, of more than are stored, as the result
            has them; None for a failure, and where they can't be made.
        model: Whose answer it is; of a config that was not loaded too. None where it is nobody's.
        versions: Of Python, torch, transformers, the program, and the plugin of the question.
        seed: The one used.
        failure: Why it failed, or None.
        session_name: The session's name, "" without one.
        models: Who played which role; a config that was not loaded plays none.
        unreadable: One sentence: why request or result can't be rebuilt; "" when they are.
        summary_row: The answer as one row of named cells; empty where the question has none.
    """

    summary: RunSummary
    document: Document
    request: Any
    result: Any
    table: Table | None
    model: ModelStamp | None
    versions: dict[str, str]
    seed: int
    failure: Failure | None
    session_name: str = ""
    models: Mapping[str, ModelStamp] = field(default_factory=dict)
    unreadable: str = ""
    summary_row: Mapping[str, Cell] = field(default_factory=dict)

    @property
    def rows(self) -> tuple[tuple[str | int | float | bool | None, ...], ...]:
        """The stored rows, empty for a failure."""
        return () if self.table is None else self.table.rows


@dataclass(frozen=True)
class SessionSummary:
    """A session: one start of the program in which something was asked.

    Attributes:
        id: ULID: sorts by time.
        name: As the user called it, "" without one.
        started_at: UTC, ISO 8601 with milliseconds.
        program_version: Of this program.
        python: Its version.
        platform: Operating system and machine.
        runs: How many it holds.
    """

    id: str
    name: str
    started_at: str
    program_version: str
    python: str
    platform: str
    runs: int
