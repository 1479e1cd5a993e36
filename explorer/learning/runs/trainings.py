"""The runs of a folder: begun, paused, taken up again, deleted, and who trains them.

Nothing here waits for the training: a process of its own does it, which is told what is wanted
through the run's folder, and which goes on when whoever began it is gone.
"""

import contextlib
import dataclasses
import os
import re
import shutil
import subprocess
import time
from collections.abc import Container, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

import filelock

from explorer import __version__
from explorer.api.question import MachineFault, UserMistake
from explorer.files.private import FILE, make_folder
from explorer.files.typed_paths import unwritable
from explorer.learning.plan.run_plan import RunPlan
from explorer.learning.runs import run_folder
from explorer.learning.runs.disk_room import check_room
from explorer.learning.runs.run_folder import RunFolder, gone, runs_in, runs_of, written_plan
from explorer.learning.runs.run_state import RunState, RunStatus
from explorer.paths import Paths
from explorer.processes.detached import NICE, detached
from explorer.serialise import to_json
from explorer.sessions.schema.atomic import write_atomically
from explorer.text import N_

WORKER = "explorer.learning.runs.worker"
LOG, WORKER_LOCK = ".worker.log", ".worker.lock"
PATIENCE = 0.3
"""Seconds to wait for a lock: who looks whether it is held holds it for a moment."""
BEGINNING = 5.0
"""Seconds that the process may take to be seen at work."""
LONGEST_NAME = 80
ENGINE = "engine"
"""Where the packages that train are, where the program came without them: beside the runs."""
_FORBIDDEN = re.compile(r'[\\/:*?"<>|\x00-\x1f\x7f]')


@dataclass(frozen=True)
class Begun:
    """A process that was started from here.

    Attributes:
        process: Itself.
        at: When, by the clock of `time.monotonic`.
    """

    process: "subprocess.Popen[bytes]"
    at: float


begun: dict[Path, list[Begun]] = {}
"""Those that were, by the folder that they train in; the last one is the latest."""


@dataclass(frozen=True)
class Trainings:
    """The runs in a folder.

    Attributes:
        folder: Where each has a folder of its own; need not exist.
        engine: Where the packages that train are, where the program came without them.
        worker: The module of the process that trains.
        nice: How far others go before it.
    """

    folder: Path
    engine: Path
    worker: str = WORKER
    nice: int = NICE

    @staticmethod
    def of(paths: Paths) -> "Trainings":
        """The user's."""
        return Trainings.beside(paths.training)

    @staticmethod
    def beside(folder: Path) -> "Trainings":
        """Those of a folder, with the packages that train beside it."""
        return Trainings(folder, folder.with_name(ENGINE))

    def list(self) -> Sequence[RunFolder]:
        """All of them, by name."""
        return runs_in(self.folder)

    def named(self, name: str) -> RunFolder:
        """One by its name.

        Raises:
            UserMistake: There is none.
        """
        one = RunFolder(self.folder / name)
        if not _is_name(name) or not one.is_one:
            raise gone(name)
        return one

    def model_named(self, name: str) -> Path | None:
        """The model of a finished run; None where no run has the name, or it is not finished."""
        try:
            return self.named(name).model
        except UserMistake:
            return None

    def of_plan(self, plan: RunPlan) -> RunFolder | None:
        """The latest run of a plan; None where it was never begun."""
        return max(runs_of(self.folder, plan), key=lambda one: one.made, default=None)

    def start(self, plan: RunPlan, name: str = "", watched: Iterable[str] = ()) -> RunFolder:
        """Make a run and have it trained, after those that wait.

        Args:
            plan: What is trained.
            name: Of the run; "" for one made of its plan.
            watched: Sentences with masks that are asked at every frame.

        Raises:
            UserMistake: The plan contradicts itself, or the name is taken or none.
            MachineFault: There is no room for it, or no process can be started.
        """
        plan.check()
        # Its process works in another folder: a file is named by its whole path.
        plan = plan.anchored()
        check_room(self.folder, plan)
        for needed in plan.needs:
            self._have_done(needed)
        one = self.made(plan, name, watched)
        self.work()
        return one

    def _have_done(self, plan: RunPlan) -> None:
        """Put a run that another one needs into the queue before it, unless it is there or done."""
        one = self.of_plan(plan)
        if one is None:
            check_room(self.folder, plan)
            self.made(plan, "")
        elif one.state.status is not RunStatus.DONE and one.state.status.is_resting:
            self.resume(one)

    def resume(self, one: RunFolder) -> None:
        """Have it go on from what was kept, after those that wait; a finished one stays finished.

        What it needs goes before it.

        Raises:
            UserMistake: It is gone, or is of another version.
            MachineFault: No process can be started.
        """
        for needed in one.needs:
            self._have_done(needed)
        with contextlib.suppress(filelock.Timeout), self._writing(one):
            state = one.state
            if state.status not in (RunStatus.WAITING, RunStatus.DONE):
                (one.place / run_folder.ASKED).unlink(missing_ok=True)
                state = state.with_status(RunStatus.WAITING)
                write_state(one, dataclasses.replace(state, queued=time.time_ns()))
        self.work()

    def pause(self, one: RunFolder) -> None:
        """Have it keep everything and rest, until it is taken up again.

        Raises:
            UserMistake: It is gone.
        """
        under_way = (RunStatus.WAITING, RunStatus.TRAINING, RunStatus.STOPPED)
        self._ask(one, RunStatus.PAUSED, under_way)

    def cancel(self, one: RunFolder) -> None:
        """Have it end at once, with the frames that it has.

        Raises:
            UserMistake: It is gone.
        """
        self._ask(one, RunStatus.CANCELLED, set(RunStatus) - {RunStatus.DONE, RunStatus.FAILED})

    def watch(self, one: RunFolder, sentences: Iterable[str]) -> None:
        """Have other sentences with masks asked, from the next frame on.

        Raises:
            UserMistake: It is gone.
            MachineFault: They can't be written.
        """
        if not one.is_one:
            raise gone(one.name)
        content = to_json(tuple(sentences)).encode()
        write_atomically(one.place / run_folder.WATCHED, content, private=True)

    def delete(self, one: RunFolder) -> None:
        """Delete all of it, its frames and its model too.

        Raises:
            UserMistake: It is no run, or is being trained.
            MachineFault: The system does not let us.
        """
        self._refuse_at_work(one)
        # What is deleted halfway is no run any more.
        aside = self.folder / f".{one.name}.{os.urandom(4).hex()}.deleted"
        try:
            one.place.rename(aside)
            shutil.rmtree(aside)
        except OSError as error:
            raise MachineFault(
                N_("The run {name} can't be deleted ({strerror})."),
                N_("Close what uses its files, and try again."),
                name=one.name,
                strerror=error.strerror or error,
            ) from error

    def rename(self, one: RunFolder, name: str) -> RunFolder:
        """Give it another name.

        Raises:
            UserMistake: It is no run, is being trained, or the name is taken or none.
            MachineFault: The system does not let us.
        """
        self._refuse_at_work(one)
        new = self._free(name)
        try:
            one.place.rename(new)
        except OSError as error:
            raise unwritable(new, error) from error
        return RunFolder(new)

    @property
    def is_at_work(self) -> bool:
        """Whether the process that trains is there."""
        lock = filelock.FileLock(self.folder / WORKER_LOCK, mode=FILE)
        if not (self.folder / WORKER_LOCK).exists():
            return False
        try:
            lock.acquire(timeout=0)
        except filelock.Timeout:
            return True
        lock.release()
        return False

    def work(self) -> None:
        """Start the process that trains whatever waits, unless it is there.

        Two that are started at once settle it among themselves.

        Raises:
            MachineFault: The system starts no further process.
        """
        if not self.folder.is_dir() or self.is_at_work:
            return
        try:
            with (self.folder / LOG).open("wb") as log:
                process = detached(
                    self.worker,
                    log,
                    str(self.folder.resolve()),
                    str(self.engine.absolute()),
                    str(self.nice),
                    folder=self.folder,
                    OMP_NUM_THREADS="1",
                )
        except OSError as error:
            raise MachineFault(
                N_("No process could be started to train in ({why})."),
                N_("Close other programs and try again."),
                why=error.strerror or error,
            ) from error
        before = [one for one in begun.get(self.folder, ()) if one.process.poll() is None]
        begun[self.folder] = [*before, Begun(process, time.monotonic())]

    def tend(self) -> None:
        """Look after a run that waits, now and then: who was to train it may have been killed.

        Raises:
            MachineFault: The process that trains ended by itself, or none can be started.
        """
        last = begun.get(self.folder, [])[-1:]
        # One that was killed says nothing against another one.
        if last and (last[0].process.poll() or 0) > 0:
            raise MachineFault(
                N_("The process that trains ended before it was done ({why})."),
                N_("Try again, or with less text."),
                why=self._last_words() or last[0].process.returncode,
            )
        if not last or time.monotonic() - last[0].at > BEGINNING:
            self.work()

    def _last_words(self) -> str:
        """The last line of what the process that trains wrote; "" for none."""
        try:
            lines = (self.folder / LOG).read_text("utf-8", "replace").strip().splitlines()
        except OSError:
            return ""
        return lines[-1] if lines else ""

    def made(self, plan: RunPlan, name: str, watched: Iterable[str] = ()) -> RunFolder:
        """A run that waits. It comes into being whole, and never over what is there.

        Raises:
            UserMistake: The name is taken or none.
            MachineFault: It can't be written.
        """
        sentences = tuple(watched)
        place = self._free(name) if name else self._unused(plan.stem)
        part = self.folder / f".{place.name}.{os.urandom(4).hex()}.part"
        try:
            make_folder(part)
            made = datetime.now(UTC)
            (part / run_folder.PLAN).write_bytes(written_plan(plan, __version__, made))
            state = RunState(RunStatus.WAITING, steps=plan.steps, queued=time.time_ns())
            (part / run_folder.STATE).write_text(to_json(state), "utf-8")
            if sentences:
                (part / run_folder.WATCHED).write_text(to_json(sentences), "utf-8")
            part.rename(place)
        except OSError as error:
            shutil.rmtree(part, ignore_errors=True)
            raise unwritable(place, error) from error
        return RunFolder(place)

    def _unused(self, stem: str) -> Path:
        """A name that nothing in the folder has: "masked", "masked-2"."""
        number = 1
        while os.path.lexists(self.folder / _numbered(stem, number)):
            number += 1
        return self.folder / _numbered(stem, number)

    def _free(self, name: str) -> Path:
        """The folder of a name that is not taken.

        Raises:
            UserMistake: It is taken, or is none.
        """
        if not _is_name(name):
            raise UserMistake(
                N_('"{name}" is no name for a run.'),
                N_("Choose up to {most} letters, digits, spaces, - and _."),
                name=name,
                most=LONGEST_NAME,
            )
        place = self.folder / name
        if os.path.lexists(place):
            raise UserMistake(
                N_("There is a run {name} already, and nothing is written over."),
                N_("Choose another name."),
                name=name,
            )
        return place

    def _refuse_at_work(self, one: RunFolder) -> None:
        if self.folder not in one.place.parents or not one.is_one:
            raise gone(one.name)
        if one.state.status is RunStatus.TRAINING:
            raise UserMistake(
                N_("The run {name} is being trained."), N_("Pause it first."), name=one.name
            )

    @contextlib.contextmanager
    def _writing(self, one: RunFolder) -> Iterator[None]:
        """While something is written that the process which trains writes too.

        Raises:
            UserMistake: It is gone.
            Timeout: That process holds it.
            MachineFault: It can't be written.
        """
        if not one.is_one:
            raise gone(one.name)
        try:
            with one.lock().acquire(timeout=PATIENCE):
                yield
        except filelock.Timeout:
            raise
        except OSError as error:
            raise unwritable(one.place, error) from error

    def _ask(self, one: RunFolder, wanted: RunStatus, of: Container[RunStatus]) -> None:
        """Have a run that is one of these become another one."""
        try:
            with self._writing(one):
                # It may say that it is being trained; nobody does, for the lock is free.
                if (state := one.state).status in of:
                    write_state(one, state.with_status(wanted))
        except filelock.Timeout:
            asked = one.place / run_folder.ASKED
            write_atomically(asked, wanted.encode("ascii"), private=True)


def _is_name(name: str) -> bool:
    """Whether a folder may be called so, on any system."""
    fits = 0 < len(name) <= LONGEST_NAME and name.strip(" .") == name
    return fits and not _FORBIDDEN.search(name)


def _numbered(stem: str, number: int) -> str:
    return stem if number == 1 else f"{stem}-{number}"


def write_state(one: RunFolder, state: RunState) -> None:
    """Write how far a run is; held is its lock.

    Raises:
        MachineFault: It can't be written.
    """
    write_atomically(one.place / run_folder.STATE, to_json(state).encode(), private=True)
