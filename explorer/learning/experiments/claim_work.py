"""A claim tried to its end, or until somebody wants it to rest."""

from __future__ import annotations

import dataclasses
import math
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from explorer.api.question import MachineFault, UserMistake
from explorer.learning.experiments.claim_folder import RESULTS, ClaimFolder
from explorer.learning.experiments.measuring import BegunTraining, begun
from explorer.learning.experiments.one_training import measured, plan_wanted, planned
from explorer.learning.experiments.results import ExperimentRun
from explorer.learning.experiments.running import (
    WantedRun,
    run_missing,
    wanted_runs,
)
from explorer.learning.experiments.running import begun as results_begun
from explorer.learning.runs.run_state import RunState, RunStatus
from explorer.learning.runs.trainings import write_state
from explorer.learning.training import TrainingRun
from explorer.text import N_, Phrase

SAVE_EVERY: Final = 5.0
"""Seconds between two states that are kept."""
SAY_EVERY: Final = 0.5
"""Seconds between two times that it is said how far it is."""


class _Rests(Exception):
    """Somebody wants it to rest."""

    def __init__(self, status: RunStatus) -> None:
        super().__init__(status.value)
        self.status = status


class ClaimWork:
    """A claim's runs at work; whoever makes one holds the folder's lock.

    Args:
        folder: Where they are kept.
    """

    def __init__(self, folder: ClaimFolder) -> None:
        self.folder = folder
        self.experiment = folder.experiment
        self.wanted = wanted_runs(self.experiment, planned, short=folder.is_short)
        self.results = results_begun(self.experiment, folder.place / RESULTS, short=folder.is_short)
        self._steps = {one.key: plan_wanted(self.experiment, one).steps for one in self.wanted}
        done = [self._steps.get((one.way, one.seed, one.control), 0) for one in self.results.runs]
        self._done = self._step = sum(done)
        self._seconds = folder.state.seconds
        self._saved = self._said = time.monotonic()

    def train(self) -> RunStatus:
        """Train what is missing; returns what it is now.

        Raises:
            ExplorerError: It can't go on.
        """
        try:
            run_missing(self.wanted, self.results, self.folder.place / RESULTS, self._train)
            self._forget()
        except _Rests as rests:
            return rests.status
        except OSError as error:
            raise MachineFault(
                N_("The results of {name} can't be kept ({why})."),
                N_("Make room on the disk, and take it up again: what was kept before is whole."),
                name=self.folder.claim,
                why=error.strerror or error,
            ) from error
        return RunStatus.DONE

    @property
    def state(self) -> RunState:
        """How far it is."""
        return dataclasses.replace(
            self.folder.state,
            step=self._step,
            steps=sum(self._steps.values()),
            seconds=self._seconds,
        )

    def _train(self, wanted: WantedRun) -> ExperimentRun:
        before = time.perf_counter()
        one = self._begun(wanted)
        run = one.run

        def between(run: TrainingRun[Any], row: Mapping[str, float] | None) -> bool:
            nonlocal before
            del row
            now = time.perf_counter()
            self._seconds, before = self._seconds + now - before, now
            self._step = self._done + run.step
            self._look(run, wanted)
            return True

        run.train(save_every=run.steps + 1, between=between)
        found = measured(self.experiment, wanted, one)
        self._done += run.steps
        return found

    def _begun(self, wanted: WantedRun) -> BegunTraining:
        """A run as far as it was kept; states of others, which are done, are forgotten."""
        kept = self.folder.kept_state(wanted.way, wanted.seed, control=wanted.control)
        self._forget(kept)
        plan = plan_wanted(self.experiment, wanted)
        one = begun(plan, self._teaches)
        one.run.checkpoint = kept
        if kept.is_file():
            try:
                one.run.resume()
            except Exception:  # noqa: BLE001 - whatever is wrong with it, the run begins anew
                one = begun(plan, self._teaches)
                one.run.checkpoint = kept
        return one

    def _teaches(self, _run: TrainingRun[Any], _row: Mapping[str, float] | None) -> bool:
        """A teacher is trained first, of which nothing is kept."""
        asked = self.folder.asked_for
        if asked is not None:
            raise _Rests(asked)
        return True

    def _forget(self, kept: Path | None = None) -> None:
        for state in self.folder.place.glob("*.pt"):
            if state != kept:
                state.unlink(missing_ok=True)

    def _look(self, run: TrainingRun[Any], wanted: WantedRun) -> None:
        """Keep what is due, and look what is wanted."""
        if not math.isfinite(run.loss):
            raise UserMistake(
                N_("The loss of “{way}”, seed {seed}, is no number any more after step {step}."),
                N_("That is what this definition comes to: a lower rate would be another one."),
                way=Phrase(self.experiment.way(wanted.way).title),
                seed=wanted.seed,
                step=run.step,
            )
        asked, now = self.folder.asked_for, time.monotonic()
        if asked is RunStatus.CANCELLED:
            raise _Rests(asked)
        if asked is not None or now - self._saved >= SAVE_EVERY:
            run.save()
            self._saved = time.monotonic()
        if asked is not None:
            raise _Rests(asked)
        if now - self._said >= SAY_EVERY:
            write_state(self.folder, self.state)
            self._said = now
