"""The session log from Python: what the window, the command line and scripts asked."""

from collections.abc import Iterator, Sequence
from dataclasses import fields
from pathlib import Path
from typing import Any, overload

from explorer.api.question import Cell, MachineFault, UserMistake
from explorer.files.typed_paths import typed_path
from explorer.headless import AnsweredRun
from explorer.scripting.answer import ModelAnswer
from explorer.scripting.mistakes import advised
from explorer.scripting.notebook.frames import Library, frame_of
from explorer.scripting.process import Process, current
from explorer.sessions.read.listing import RunFilter
from explorer.sessions.read.reader import SessionReader
from explorer.sessions.records import LoggedRun, RunSummary, StoredRun
from explorer.text import N_, said

_ASKED = ("id", "created_at", "operation", "model_id", "text", "headline", "duration", "failed")


class LoggedRuns(Sequence[ModelAnswer]):
    """Runs of the log, the newest first, each read as a `ModelAnswer` when it is looked at.

    Attributes:
        summaries: What the list has of each: id, moment, question, model, text, headline.
    """

    def __init__(self, process: Process, summaries: Sequence[RunSummary]) -> None:
        self._process, self.summaries = process, tuple(summaries)

    def __len__(self) -> int:
        return len(self.summaries)

    @overload
    def __getitem__(self, which: int | str) -> ModelAnswer: ...
    @overload
    def __getitem__(self, which: slice) -> "LoggedRuns": ...
    def __getitem__(self, which: int | str | slice) -> "ModelAnswer | LoggedRuns":
        """One by its place or its id, or the beginning of that; or some of them.

        Raises:
            Mistake: There is none of this id, or it failed.
        """
        if isinstance(which, slice):
            return LoggedRuns(self._process, self.summaries[which])
        run_id = which if isinstance(which, str) else self.summaries[which].id
        with advised():
            return answer_of(SessionReader(self._process.program.paths.sessions).run(run_id))

    def frame(self, library: Library | None = None) -> Any:
        """A row a run: what was asked of whom, and the answer in a sentence."""
        names = [*_ASKED, *(one.name for one in fields(RunSummary) if one.name not in _ASKED)]
        rows = ([_cell(getattr(one, name)) for name in names] for one in self.summaries)
        with advised():
            return frame_of(names, rows, library)

    def rows(self, library: Library | None = None) -> Any:
        """A row for each row of their answers, as `sessions export` has them."""
        from explorer.sessions.export.bulk import rows_of

        reader = SessionReader(self._process.program.paths.sessions)
        with advised():
            columns, rows = rows_of(reader, [one.id for one in self.summaries])
            return frame_of(columns, ([row.get(name) for name in columns] for row in rows), library)

    def save(self, path: str | Path) -> None:
        """Write them, oldest first, as a notebook (.ipynb), a script (.py) or a document (.md).

        Raises:
            Mistake: The file's ending is another.
            Trouble: It can't be written.
        """
        from explorer.as_code.notebook import write_runs

        with advised():
            ids = sorted(one.id for one in self.summaries)
            write_runs(self._process.program.paths.sessions, ids, typed_path(path))

    def __iter__(self) -> Iterator[ModelAnswer]:
        """Those that have an answer and can be read."""
        reader = SessionReader(self._process.program.paths.sessions)
        for run in reader.stored(one.id for one in self.summaries if not one.failed):
            if not isinstance(run, MachineFault):
                yield answer_of(run)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, LoggedRuns) and self.summaries == other.summaries

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        lines = (
            f"{one.id}  {one.operation}  {one.model_id}  {said(one.headline)}"
            for one in self.summaries[:20]
        )
        return "\n".join((f"<{len(self)} runs>", *lines))


def log(
    search: str = "",
    *,
    question: str | None = None,
    model: str | None = None,
    since: str | None = None,
    until: str | None = None,
    starred: bool | None = None,
    failed: bool | None = None,
    limit: int = 200,
) -> LoggedRuns:
    """Look for runs in the session log.

    Args:
        search: Words, or beginnings of words, that stand in the text, the answer or the note.
        question: Of one question only.
        model: Of one model only.
        since: From this day on: "2026-01-31".
        until: Before this day.
        starred: Those with a star only, or those without.
        failed: Failures only, or answers only.
        limit: How many at most, the newest.

    Raises:
        Mistake: A limit below 1, or a day that can't be read.
    """
    from explorer.sessions.commands import found_runs

    process = current()
    wanted = RunFilter(
        search,
        operation=question,
        model_id=model,
        starred=starred,
        failed=failed,
        since=since,
        until=until,
    )
    with advised():
        return LoggedRuns(process, found_runs(process.program.paths.sessions, wanted, limit))


def answer_of(stored: StoredRun) -> ModelAnswer:
    """An answer that was read from the log.

    Raises:
        UserMistake: It failed, or its question is known no more.
    """
    from explorer.questions import all_questions

    summary = stored.summary
    operation = all_questions().get(summary.operation)
    if operation is None or (summary.failed and stored.failure is not None):
        raise UserMistake(
            N_("The run {id} failed and has no table: {headline}")
            if operation is not None
            else N_("The rows of the run {id} can't be made."),
            N_("Choose a run that succeeded."),
            id=summary.id,
            headline=summary.headline,
        )
    run = LoggedRun(
        operation,
        stored.document,
        stored.request,
        stored.result,
        stored.models,
        stored.seed,
        summary.duration,
        stored.versions,
        stored.failure,
    )
    return ModelAnswer(
        AnsweredRun(stored.result, run, summary.id), None, summary.created_at, stored.table
    )


def _cell(value: object) -> Cell:
    if isinstance(value, tuple):
        return ", ".join(map(str, value))
    return value if isinstance(value, int | float | bool) else str(value)
