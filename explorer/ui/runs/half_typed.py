"""Answers about what was typed on or taken back at once: shown, but not kept in the log."""

import time
from collections.abc import Callable
from dataclasses import replace

from explorer.document import Document
from explorer.sessions.change.marks import Drop
from explorer.sessions.records import LoggedRun
from explorer.ui.runs.recording import Recording

BRIEF = 3.0
"""Seconds; an answer that was looked at for longer is kept, whatever is typed then."""


class HalfTyped:
    """Keeps a view's answers; one of a half-typed text goes as the next one is kept.

    One of a click that was the first of a double click goes as that is taken back, and one that
    lists more predictions takes the place of the one before it, all of which is in it.

    Attributes:
        brief: See BRIEF.
    """

    def __init__(self, recording: Recording) -> None:
        self.brief = BRIEF
        self._recording = recording
        self._typed_run = ""
        self._shown_at = 0.0
        self._asked_at = 0.0
        self._latest: tuple[Document | None, str] = (None, "")
        self._taken_back: Document | None = None
        self._before: tuple[LoggedRun, str] | None = None

    def leave_the_log(self) -> None:
        """What was kept last is shown again from the log, and stays there."""
        self._before = None

    def take_back(self, document: Document) -> bool:
        """A document that was there for a moment only was not meant.

        Returns:
            Whether an answer about it was kept, or is about to be, and goes.
        """
        asked, run_id = self._latest
        if asked != document or time.monotonic() - self._asked_at >= self.brief:
            return False
        if run_id:
            self._recording.change(Drop(run_id))
        self._taken_back, self._latest = document, (None, "")
        return True

    def recorder(
        self, document: Document, *, typed: bool
    ) -> Callable[[LoggedRun, Callable[[str], None]], None]:
        """What keeps the answer to a question that is asked now.

        Args:
            document: It is asked of.
            typed: The question came by typing.
        """
        if document == self._taken_back:
            self._taken_back = None
        self._latest, self._asked_at = (document, ""), time.monotonic()
        goes_on = typed and time.monotonic() - self._shown_at < self.brief

        def record(run: LoggedRun, then: Callable[[str], None]) -> None:
            if not run.belongs_in_log:
                then("")
                return

            def kept(run_id: str) -> None:
                before = self._typed_run
                self._typed_run = run_id if typed else ""
                self._shown_at = time.monotonic()
                if goes_on and before and run_id:
                    self._recording.change(Drop(before))
                elif run_id and self._before is not None and _is_longer(self._before[0], run):
                    self._recording.change(Drop(self._before[1]))
                self._before = (run, run_id) if run_id else None
                if document == self._taken_back and run_id:
                    self._recording.change(Drop(run_id))
                elif document == self._latest[0]:
                    self._latest = (document, run_id)
                then(run_id)

            self._recording.record(run, kept)

        return record


def _is_longer(before: LoggedRun, now: LoggedRun) -> bool:
    """Whether it is the same answer with more predictions, in which the one before is whole."""
    one, other = before.document, now.document
    grows = one.top_k < other.top_k and replace(one, top_k=other.top_k) == other
    return grows and before.models == now.models and now.failure is None
