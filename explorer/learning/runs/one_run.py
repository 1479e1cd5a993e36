"""One run trained to its end, or until somebody wants it to rest."""

from __future__ import annotations

import contextlib
import dataclasses
import math
import time
from collections.abc import Iterator, Mapping
from typing import Any, Final

from explorer.api.question import MachineFault, UserMistake
from explorer.learning.runs import run_folder
from explorer.learning.runs.beginning import begun
from explorer.learning.runs.disk_room import bytes_needed, refuse_without_room
from explorer.learning.runs.frame_steps import frame_steps
from explorer.learning.runs.frames import delete_frame, write_frame
from explorer.learning.runs.json_rows import add_row, read_rows, write_rows
from explorer.learning.runs.measuring import MeasuresFrames
from explorer.learning.runs.run_folder import RunFolder
from explorer.learning.runs.run_state import RunState, RunStatus
from explorer.learning.runs.step_work import StepWork, tokens_read
from explorer.learning.runs.trainings import write_state
from explorer.learning.training import CheckpointError, TrainingRun, rate
from explorer.text import N_

SAVE_EVERY: Final = 5.0
"""Seconds between two states that are kept."""
ROWS: Final = 200
"""Of the curve of a whole run."""


class FolderGone(Exception):
    """The folder of the run was moved away or deleted: there is nobody left to tell."""


class OneRun:
    """A run at work; whoever makes one holds its lock.

    Args:
        folder: The run's.

    Attributes:
        due: The steps at which a frame is kept.
    """

    def __init__(self, folder: RunFolder) -> None:
        self.folder = folder
        self._ended = RunStatus.DONE
        plan = folder.plan
        self.run: TrainingRun[Any] = begun(plan, folder.place.parent)
        self.run.curve.every = max(1, plan.steps // ROWS)
        self.run.checkpoint = folder.place / run_folder.OPTIMISER
        self._planned = self.due = frozenset(frame_steps(plan.steps))
        self._best: int | None = None
        weights = sum(one.numel() for one in self.run.model.parameters())
        if not self.run.checkpoint.is_file():
            refuse_without_room(folder.place, bytes_needed(plan.steps, weights))
        self._work = StepWork.of(self.run)
        self._measures: MeasuresFrames = self.run.recipe.measures(self.run)
        self._measured: set[int] = set()
        self._saved = time.monotonic()

    def train(self) -> RunStatus:
        """Train it; returns what it is now.

        Raises:
            FolderGone: Its folder is not where it was.
            ExplorerError: It can't go on.
        """
        run = self.run
        self._take_up()
        self._keep_frame()
        self.advance(run.steps - run.step)
        if self._ended is RunStatus.DONE:
            self._finish()
        return self._ended

    def advance(self, steps: int) -> None:
        """Train so many steps, or until somebody wants it to rest."""
        if steps > 0:
            run = self.run
            run.train(run.step + steps, save_every=run.steps + 1, between=self._between)

    @property
    def state(self) -> RunState:
        """How far it is."""
        run = self.run
        noted = run.totals.get("best_step")
        best = self._best if noted is None or self._best is not None else int(noted)
        return dataclasses.replace(
            self.folder.state, step=run.step, steps=run.steps, seconds=run.seconds, best=best
        )

    def _take_up(self) -> None:
        """Go on from the state that was kept; what was written after it is taken back."""
        run, place = self.run, self.folder.place
        assert run.checkpoint is not None
        if run.checkpoint.is_file():
            try:
                run.resume()
            except CheckpointError as error:
                raise UserMistake(
                    N_("The run {name} can't go on: its text or its plan is another one now."),
                    N_("Put them back as they were, or train it anew."),
                    name=self.folder.name,
                ) from error
            except Exception as error:
                raise MachineFault(
                    N_("The state of the run {name} can't be read ({why})."),
                    N_("Its frames are still there. To go on, train it anew."),
                    name=self.folder.name,
                    why=_first_line(error),
                ) from error
        with self._writing():
            write_rows(place / run_folder.CURVE, run.curve.rows)
            measured = read_rows(place / run_folder.MEASURED)
            kept = [row for row in measured if row.get("step", 0) <= run.step]
            write_rows(place / run_folder.MEASURED, kept)
            self._measured = {row["step"] for row in kept}
            for step in self.folder.frames:
                if step > run.step:
                    delete_frame(self.folder.frame(step))

    def _between(self, run: TrainingRun[Any], row: Mapping[str, float] | None) -> bool:
        """After a step: write what is due, and look what is wanted."""
        totals = run.totals
        totals["tokens"] = totals.get("tokens", 0.0) + tokens_read(run.batch)
        reckoned = self._work.multiply_adds(run.batch)
        totals["multiply_adds"] = totals.get("multiply_adds", 0.0) + reckoned
        self._refuse_nonsense()
        if row is not None:
            self._complete(run.curve.rows[-1])
            with self._writing():
                add_row(self.folder.place / run_folder.CURVE, run.curve.rows[-1])
        is_over = run.recipe.is_over(run)
        is_best = totals.get("best_step") == run.step
        if is_over or is_best:
            self.due |= {run.step}
        self._keep_frame()
        if is_best:
            self._delete_former_best()
        wanted = RunStatus.DONE if is_over else self._wanted()
        if wanted is not None:
            self._ended = wanted
        if wanted is RunStatus.CANCELLED:
            return False
        is_due = run.step in self.due or time.monotonic() - self._saved >= SAVE_EVERY
        if is_due or wanted is not None:
            self._save()
        return wanted is None

    def _complete(self, row: dict[str, float]) -> None:
        """What a row says beside the means of its steps."""
        run = self.run
        row["tokens"] = run.totals["tokens"]
        row["multiply_adds"] = run.totals["multiply_adds"]
        row["seconds"] = round(run.seconds, 3)
        row["rate"] = rate(run.recipe.schedule, run.steps, run.step - 1)
        row["gradient_norm"] = round(run.gradient_norm, 4)

    def _refuse_nonsense(self) -> None:
        if math.isfinite(self.run.loss):
            return
        self._best = best = self._best_frame()
        with self._writing():
            self.run.recipe.write_more(self.folder.frame(best))
        raise UserMistake(
            N_(
                "The loss is no number any more after step {step}; the frame of step {best}, the"
                " best one, is kept."
            ),
            N_("Train anew with a lower peak rate or a longer warm-up."),
            step=self.run.step,
            best=best,
        )

    def _best_frame(self) -> int:
        """The frame with the least left to learn; by the curve where nothing is measured."""
        left = {
            row["step"]: row.get("excess", row["loss"])
            for row in self.folder.measured()
            if row.get("loss") is not None and self.folder.frame(row["step"]).is_dir()
        }
        if left:
            return int(min(left, key=lambda step: (left[step], -step)))
        rows = [
            (sum(value for name, value in row.items() if name.startswith("loss")), row["step"])
            for row in self.run.curve.rows
        ]

        def loss_at(step: int) -> float:
            return next((loss for loss, end in rows if end >= step and math.isfinite(loss)), 1e30)

        return min(self.folder.frames, key=lambda step: (loss_at(step), -step), default=0)

    def _keep_frame(self) -> None:
        step = self.run.step
        if step not in self.due:
            return
        with self._writing():
            if not self.folder.frame(step).is_dir():
                write_frame(self.run, self.folder.frame(step))
            # The last row of the curve may be some steps ago.
            write_state(self.folder, self.state)
        if step not in self._measured:
            row = self._measures.row(self.folder.watched)
            with self._writing():
                add_row(self.folder.place / run_folder.MEASURED, row)
            self._measured.add(step)

    def _delete_former_best(self) -> None:
        """Of frames that were kept for being the best, the newest is enough."""
        with self._writing():
            for step in self.folder.frames:
                if step < self.run.step and step not in self._planned:
                    delete_frame(self.folder.frame(step))

    def _save(self) -> None:
        with self._writing():
            self.run.save()
            write_state(self.folder, self.state)
        self._saved = time.monotonic()

    def _wanted(self) -> RunStatus | None:
        """What somebody asked for meanwhile."""
        return self.folder.asked_for

    def _finish(self) -> None:
        from explorer.learning.runs.model_card import card_of

        with self._writing():
            best = self.state.best
            model = self.folder.frame(self.run.step if best is None else best)
            (model / run_folder.CARD).write_text(card_of(self.folder, self.run), "utf-8")
            self.run.recipe.write_more(model)

    @contextlib.contextmanager
    def _writing(self) -> Iterator[None]:
        """While something is written to the folder.

        Raises:
            FolderGone: It is not where it was.
            MachineFault: The system does not let us.
        """
        from safetensors import SafetensorError

        try:
            yield
        except (OSError, RuntimeError, SafetensorError, MachineFault) as error:
            if not (self.folder.place / run_folder.PLAN).exists():
                raise FolderGone from error
            raise MachineFault(
                N_("What came of step {step} can't be kept ({why})."),
                N_("Make room on the disk, and take it up again: what was kept before is whole."),
                step=self.run.step,
                why=_reason(error),
            ) from error


def _reason(error: Exception) -> str:
    """Why something can't be written, as the system says it."""
    found: BaseException | None = error
    while found is not None:
        if isinstance(found, OSError) and found.strerror:
            return found.strerror
        found = found.__cause__ or found.__context__
    return _first_line(error)


def _first_line(error: Exception) -> str:
    return str(error).strip().partition("\n")[0] or type(error).__name__
