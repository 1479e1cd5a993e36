"""How far a run is, as its folder says it."""

import dataclasses
import enum
from dataclasses import dataclass

from explorer.api.question import Failure


class RunStatus(enum.StrEnum):
    """What a run is doing."""

    WAITING = "waiting"
    """For others to be done, or for the process that trains."""
    TRAINING = "training"
    PAUSED = "paused"
    """By a person; it goes on when asked."""
    STOPPED = "stopped"
    """Its process was killed; it goes on when asked, from what was kept."""
    CANCELLED = "cancelled"
    """By a person, for good; what was kept is left, and can be taken up all the same."""
    DONE = "done"
    FAILED = "failed"

    @property
    def is_resting(self) -> bool:
        """Whether nothing happens by itself any more."""
        return self not in (RunStatus.WAITING, RunStatus.TRAINING)


@dataclass(frozen=True)
class RunState:
    """How far a run is.

    Attributes:
        status: What it is doing.
        step: Steps that were trained, as of the last row of its curve.
        steps: Of the whole run; 0 before it began.
        seconds: It was trained for, in all.
        queued: When it was put into the queue, nanoseconds since 1970: the first comes first.
        failure: Why it failed.
        program: The process that trains it; 0 for none.
        best: The step whose frame is its model where that is not the last one: training ended
            early, or its loss was no number any more.
    """

    status: RunStatus
    step: int = 0
    steps: int = 0
    seconds: float = 0.0
    queued: int = 0
    failure: Failure | None = None
    program: int = 0
    best: int | None = None

    def with_status(self, status: RunStatus, failure: Failure | None = None) -> "RunState":
        """The same, doing something else."""
        return dataclasses.replace(self, status=status, failure=failure, program=0)

    @property
    def seconds_left(self) -> float | None:
        """If it goes on as it went; None before the first step."""
        return self.seconds / self.step * (self.steps - self.step) if self.step else None
