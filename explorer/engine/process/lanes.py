"""Who waits and who runs: one call a lane, the latest wins.

A lane is what a person looks at (one view, the library, one download). Whatever is newer in a
lane makes the older pointless: an older call that still waits is taken out, one that runs is
flagged to stop. Rooms are the threads that work; a lane may move from room to room.
"""

import threading
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field

from explorer.engine.messages import Call


@dataclass(eq=False)
class LaneJob:
    """A call that waits or runs.

    Attributes:
        call: What was asked.
        cancelled: Set when nobody wants the answer any more.
        rests: The job gave way and waits for its next turn, which comes when this is set; None
            while it waits for its first turn or has one.
        is_aside: It was cancelled while it rested, and ends beside the job that runs.
    """

    call: Call
    cancelled: threading.Event = field(default_factory=threading.Event)
    rests: threading.Event | None = None
    is_aside: bool = False


class Lanes:
    """The calls under way. Every method may be called from any thread."""

    def __init__(self) -> None:
        self._condition = threading.Condition()
        self._waiting: dict[str, deque[LaneJob]] = {}
        self._running: dict[LaneJob, str] = {}

    def put(self, room: str, call: Call) -> tuple[Call, ...]:
        """Let a call wait for a room's thread.

        It goes to the end, also when it replaces a call that waited further ahead: otherwise
        it would overtake a load that was asked for in between.

        Returns:
            The calls it replaced before they ran.
        """
        with self._condition:
            replaced = self._supersede(call.lane)
            self._waiting.setdefault(room, deque()).append(LaneJob(call))
            self._condition.notify_all()
        return replaced

    def begin(self, room: str, call: Call) -> tuple[LaneJob, tuple[Call, ...]]:
        """Run a call at once, on a thread of its own.

        Returns:
            Its job, and the calls it replaced before they ran.
        """
        with self._condition:
            replaced = self._supersede(call.lane)
            job = LaneJob(call)
            self._running[job] = room
        return job, replaced

    def take(self, room: str, timeout: float | None = None) -> LaneJob | None:
        """The next call for a room's thread; waits for one.

        Returns:
            The job, which runs from now on, or None when the time is up. One that rests has a
            thread of its own that goes on with it: `resume` wakes it.
        """
        with self._condition:
            if not self._condition.wait_for(lambda: self._next(room), timeout):
                return None
            job = self._next(room)
            if job is not None:
                self._waiting[room].remove(job)
                self._running[job] = room
        return job

    def give_way(
        self, room: str, job: LaneJob, before: Callable[[], None]
    ) -> threading.Event | None:
        """Put a job that runs behind those that wait in its room.

        Args:
            room: Where it runs.
            job: The job.
            before: Called first if any other waits.

        Returns:
            What is set when its turn comes; None where none waits, and it just goes on.
        """
        with self._condition:
            if not self._waiting.get(room):
                return None
        before()
        with self._condition:
            if job.cancelled.is_set():
                return None
            job.rests = threading.Event()
            self._waiting.setdefault(room, deque()).append(job)
            return job.rests

    def resume(self, job: LaneJob) -> None:
        """It is the turn of a job that rests."""
        with self._condition:
            rests, job.rests = job.rests, None
        if rests is not None:
            rests.set()

    def finish(self, job: LaneJob) -> None:
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

    def _next(self, room: str) -> LaneJob | None:
        """The first that waits; not beside one of its own lane that still ends."""
        ending = {job.call.lane for job in self._running if job.is_aside}
        return next((j for j in self._waiting.get(room, ()) if j.call.lane not in ending), None)

    def _supersede(self, lane: str) -> tuple[Call, ...]:
        for job in self._running:
            if job.call.lane == lane:
                job.cancelled.set()
        replaced: list[Call] = []
        for room, jobs in self._waiting.items():
            older = [job for job in jobs if job.call.lane == lane]
            if older:
                self._waiting[room] = deque(job for job in jobs if job.call.lane != lane)
            for job in older:
                if job.rests is None:
                    replaced.append(job.call)
                else:
                    # It has begun, so that it must end by itself, and need not wait for that.
                    job.is_aside = True
                    job.rests.set()
        return tuple(replaced)
