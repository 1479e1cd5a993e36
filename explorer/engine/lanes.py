"""Who waits and who runs: one call a lane, the latest wins.

A lane is what a person looks at (one view, the library, one download). Whatever is newer in a
lane makes the older pointless: an older call that still waits is taken out, one that runs is
flagged to stop. Rooms are the threads that work; a lane may move from room to room.
"""

import threading
from collections import deque
from dataclasses import dataclass, field

from explorer.engine.messages import Call


@dataclass(eq=False)
class Job:
    """A call that waits or runs.

    Attributes:
        call: What was asked.
        cancelled: Set when nobody wants the answer any more.
    """

    call: Call
    cancelled: threading.Event = field(default_factory=threading.Event)


class Lanes:
    """The calls under way. Every method may be called from any thread."""

    def __init__(self) -> None:
        self._condition = threading.Condition()
        self._waiting: dict[str, deque[Job]] = {}
        self._running: dict[Job, str] = {}

    def put(self, room: str, call: Call) -> tuple[Call, ...]:
        """Let a call wait for a room's thread.

        It goes to the end, also when it replaces a call that waited further ahead: otherwise
        it would overtake a load that was asked for in between.

        Returns:
            The calls it replaced before they ran.
        """
        with self._condition:
            replaced = self._supersede(call.lane)
            self._waiting.setdefault(room, deque()).append(Job(call))
            self._condition.notify_all()
        return replaced

    def begin(self, room: str, call: Call) -> tuple[Job, tuple[Call, ...]]:
        """Run a call at once, on a thread of its own.

        Returns:
            Its job, and the calls it replaced before they ran.
        """
        with self._condition:
            replaced = self._supersede(call.lane)
            job = Job(call)
            self._running[job] = room
        return job, replaced

    def take(self, room: str, timeout: float | None = None) -> Job | None:
        """The next call for a room's thread; waits for one.

        Returns:
            The job, which runs from now on, or None when the time is up.
        """
        with self._condition:
            if not self._condition.wait_for(lambda: self._waiting.get(room), timeout):
                return None
            job = self._waiting[room].popleft()
            self._running[job] = room
        return job

    def finish(self, job: Job) -> None:
        """The job no longer runs."""
        with self._condition:
            self._running.pop(job, None)
            self._condition.notify_all()

    def cancel(self, lane: str) -> tuple[Call, ...]:
        """Stop what runs or waits in a lane.

        Returns:
            The calls that had not run yet and now never will.
        """
        with self._condition:
            return self._supersede(lane)

    def wait_until_idle(self, room: str, timeout: float) -> bool:
        """Wait until nothing waits or runs in a room; False when the time is up first."""
        with self._condition:
            return self._condition.wait_for(
                lambda: not self._waiting.get(room) and room not in self._running.values(), timeout
            )

    def _supersede(self, lane: str) -> tuple[Call, ...]:
        for job in self._running:
            if job.call.lane == lane:
                job.cancelled.set()
        replaced: list[Call] = []
        for room, jobs in self._waiting.items():
            older = [job.call for job in jobs if job.call.lane == lane]
            if older:
                replaced += older
                self._waiting[room] = deque(job for job in jobs if job.call.lane != lane)
        return tuple(replaced)
