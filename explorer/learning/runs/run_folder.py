"""A run of training as a folder: its plan, how far it is, its curve and its frames.

Whoever wants to know something of a run reads its folder; nobody asks the process that trains it.
"""

import contextlib
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any, ClassVar

import filelock

from explorer.api.question import UserMistake
from explorer.files.private import FILE
from explorer.learning.plan.kinds import KINDS
from explorer.learning.plan.run_plan import RunPlan
from explorer.learning.runs.json_rows import read_rows
from explorer.learning.runs.run_state import RunState, RunStatus
from explorer.serialise import from_json, to_json
from explorer.series.frame_folders import frame_folders
from explorer.text import N_

FORMAT = 1
"""Of what lies in the folder; another number is of another version of the program."""

PLAN, STATE, CURVE, MEASURED = "plan.json", "status.json", "curve.jsonl", "measured.jsonl"
OPTIMISER = "state.pt"
ASKED, WATCHED, LOCK = "asked", "watched.json", "lock"
CARD = "README.md"


@dataclass(frozen=True)
class PlanFile:
    """What `plan.json` holds.

    Attributes:
        format: Of the folder.
        program: The version of the program that made it.
        made: When, as ISO 8601 in UTC.
        plan: The plan, as it writes itself.
        kind: Whose plan it is, of `KINDS`.
    """

    format: int
    program: str
    made: str
    plan: str
    kind: str = "train"


@dataclass(frozen=True)
class RunFolder:
    """One run.

    Attributes:
        place: The folder.
    """

    written_in: ClassVar[str] = PLAN
    """The file that says what is trained."""

    place: Path

    @property
    def name(self) -> str:
        """Its name, which is the folder's."""
        return self.place.name

    @property
    def is_one(self) -> bool:
        """Whether this is a run at all: no link, and a plan of ours in it."""
        try:
            return not self.place.is_symlink() and self._plan_file().format > 0
        except (OSError, ValueError):
            return False

    @property
    def plan(self) -> RunPlan:
        """What is trained.

        Raises:
            UserMistake: It is gone, can't be read, or is of another version of the program.
        """
        found = self._readable_plan_file()
        if found.format != FORMAT or found.kind not in KINDS:
            raise UserMistake(
                N_("The run {name} was made by another version of the program ({version})."),
                N_("Take it up with that version, or train it anew."),
                name=self.name,
                version=found.program,
            )
        try:
            return KINDS[found.kind].from_json(found.plan)
        except ValueError as error:
            raise self._unreadable(error) from error

    @property
    def needs(self) -> Sequence[RunPlan]:
        """Plans of runs that must be done before it.

        Raises:
            UserMistake: It is gone, can't be read, or is of another version of the program.
        """
        return self.plan.needs

    @property
    def kind(self) -> str:
        """Whose plan it has, of `KINDS`; "" where that can't be read."""
        try:
            return self._plan_file().kind
        except (OSError, ValueError):
            return ""

    @property
    def made(self) -> datetime:
        """When it was made.

        Raises:
            UserMistake: It is gone or can't be read.
        """
        found = self._readable_plan_file()
        try:
            return datetime.fromisoformat(found.made)
        except ValueError as error:
            raise self._unreadable(error) from error

    @property
    def state(self) -> RunState:
        """How far it is. One that says it is being trained, and nobody does, was stopped."""
        try:
            found = from_json(RunState, (self.place / STATE).read_bytes())
        except (OSError, ValueError):
            found = RunState(RunStatus.STOPPED)
        if found.status is RunStatus.TRAINING and not self.at_work:
            # It may have come to its end just before the look at the lock.
            try:
                found = from_json(RunState, (self.place / STATE).read_bytes())
            except (OSError, ValueError):
                return RunState(RunStatus.STOPPED)
            if found.status is RunStatus.TRAINING:
                found = found.with_status(RunStatus.STOPPED)
        return found

    @property
    def at_work(self) -> bool:
        """Whether a process holds it, to train it or to write to it; one that died holds none."""
        if not (self.place / LOCK).exists():
            return False
        lock = self.lock()
        try:
            lock.acquire(timeout=0)
        except filelock.Timeout:
            return True
        except OSError:
            return False
        lock.release()
        return False

    @property
    def asked_for(self) -> RunStatus | None:
        """What somebody asked of who trains it: to pause, or to end; None for nothing."""
        asked = self.place / ASKED
        if not asked.exists():
            return None
        try:
            wanted = RunStatus(asked.read_text("ascii"))
        except (OSError, ValueError):
            return None
        return wanted if wanted in (RunStatus.PAUSED, RunStatus.CANCELLED) else None

    def lock(self) -> filelock.BaseFileLock:
        """Held by who writes to it."""
        return filelock.FileLock(self.place / LOCK, mode=FILE)

    def curve(self) -> list[dict[str, Any]]:
        """A row for every so many steps, as far as it was trained."""
        return read_rows(self.place / CURVE)

    def measured(self) -> list[dict[str, Any]]:
        """A row for each frame that was measured."""
        return read_rows(self.place / MEASURED)

    @property
    def frames(self) -> tuple[int, ...]:
        """The steps at which its weights were kept, in order."""
        return tuple(step for step, _ in frame_folders(self.place))

    def frame(self, step: int) -> Path:
        """The folder of a frame, there or not."""
        return self.place / f"checkpoint-{step}"

    @property
    def model(self) -> Path | None:
        """The finished model; None for a run that is under way or came to nothing."""
        step = self.model_step
        return None if step is None else self.frame(step)

    @property
    def model_step(self) -> int | None:
        """The step whose frame is the model: the best one where one was noted, else the last.

        A run whose loss was no number any more has the best one that was kept before.
        """
        state, frames = self.state, self.frames
        if state.best in frames and state.status in (RunStatus.DONE, RunStatus.FAILED):
            return state.best
        return frames[-1] if state.status is RunStatus.DONE and frames else None

    @property
    def watched(self) -> tuple[str, ...]:
        """Sentences with masks that are asked at every frame."""
        try:
            return from_json(tuple[str, ...], (self.place / WATCHED).read_bytes())
        except (OSError, ValueError):
            return ()

    def _plan_file(self) -> PlanFile:
        return from_json(PlanFile, (self.place / self.written_in).read_bytes())

    def _readable_plan_file(self) -> PlanFile:
        try:
            return self._plan_file()
        except OSError as error:
            raise gone(self.name) from error
        except ValueError as error:
            raise self._unreadable(error) from error

    def _unreadable(self, error: ValueError) -> UserMistake:
        return UserMistake(
            N_("The plan of the run {name} can't be read ({why})."),
            N_("Put plan.json back as it was, or delete the run and train it anew."),
            name=self.name,
            why=str(error),
        )


def gone(name: str) -> UserMistake:
    """What is said of a run that is not where it was."""
    return UserMistake(
        N_("There is no run {name} here."),
        N_("It was deleted, moved or renamed: look at the list of runs."),
        name=name,
    )


def written_plan(plan: RunPlan, program: str, made: datetime) -> bytes:
    """What `plan.json` holds."""
    isoformat = made.isoformat(timespec="seconds")
    return to_json(PlanFile(FORMAT, program, isoformat, plan.to_json(), plan.kind)).encode()


def runs_in(folder: Path) -> Sequence[RunFolder]:
    """The runs in a folder, by name; what is none is passed over."""
    try:
        places = sorted(folder.iterdir())
    except OSError:
        return ()
    found = (RunFolder(place) for place in places if not place.name.startswith("."))
    return tuple(one for one in found if one.is_one)


def runs_of(folder: Path, plan: RunPlan) -> Sequence[RunFolder]:
    """The runs in a folder that are of a plan, by name."""
    found = []
    for one in runs_in(folder):
        with contextlib.suppress(UserMistake):
            if one.plan.fingerprint == plan.fingerprint:
                found.append(one)
    return found


def finished_run(folder: Path, plan: RunPlan) -> RunFolder | None:
    """The latest run of a plan that came to its end."""
    ended = (one for one in runs_of(folder, plan) if one.state.status is RunStatus.DONE)
    done = [one for one in ended if one.model is not None]
    return max(done, key=lambda one: one.made, default=None)
