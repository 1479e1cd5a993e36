"""Answers about texts that were typed on at once: shown, but not kept in the log for long."""

import time
from collections.abc import Callable

from explorer.sessions.change.marks import Drop
from explorer.sessions.records import Run
from explorer.ui.runs.recording import Recording

BRIEF = 3.0
"""Seconds; an answer that was looked at for longer is kept, whatever is typed then."""


class HalfTyped:
    """Keeps a view's answers; one of a half-typed text goes as the next one is kept.

    Attributes:
        brief: See BRIEF.
    """

    def __init__(self, recording: Recording) -> None:
        self.brief = BRIEF
        self._recording = recording
        self._typed_run = ""
        self._shown_at = 0.0

    def recorder(self, *, typed: bool) -> Callable[[Run, Callable[[str], None]], None]:
        """What keeps the answer to a question that is asked now.

        Args:
            typed: The question came by typing.
        """
        goes_on = typed and time.monotonic() - self._shown_at < self.brief

        def record(run: Run, then: Callable[[str], None]) -> None:
            def kept(run_id: str) -> None:
                before = self._typed_run
                self._typed_run = run_id if typed else ""
                self._shown_at = time.monotonic()
                if goes_on and before and run_id:
                    self._recording.change(Drop(before))
                then(run_id)

            self._recording.record(run, kept)

        return record
