"""Runs what is missing of an experiment, and keeps each run until all are there."""

from __future__ import annotations

import datetime as dt
import platform
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Any, Final, Protocol

from explorer import __version__
from explorer.api.errors import UserMistake
from explorer.learning.experiments.definition import (
    LEAST_SEEDS,
    Experiment,
    ExperimentWay,
    command_of,
)
from explorer.learning.experiments.results import (
    ExperimentResults,
    ExperimentRun,
    read_results,
    write_results,
)
from explorer.text import N_

PACKAGES: Final = ("torch", "transformers", "tokenizers", "numpy")


@dataclass(frozen=True, slots=True)
class WantedRun:
    """A run that an experiment asks for.

    Attributes:
        way: The way's name.
        seed: Of weights, order and masks.
        plan: The training plan, whole, as JSON.
        control: It is of the control, in which the claim must fail.
    """

    way: str
    seed: int
    plan: Mapping[str, Any]
    control: bool = False

    @property
    def key(self) -> tuple[str, int, bool]:
        """Which of all runs it is."""
        return self.way, self.seed, self.control


class PlansRuns(Protocol):
    """From a way and a seed to the whole plan."""

    def __call__(
        self, experiment: Experiment, way: ExperimentWay, seed: int, *, short: bool, control: bool
    ) -> Mapping[str, Any]:
        """The plan as JSON; `control` asks for that of the control."""


Trained = Callable[[Experiment, WantedRun], ExperimentRun]
"""Trains and measures one run."""
Told = Callable[[WantedRun, int, int], None]
"""Is told which run begins, its number from 1 on, and how many there are."""


def wanted_runs(experiment: Experiment, planned: PlansRuns, *, short: bool) -> list[WantedRun]:
    """All runs, seed by seed, so that a part of them is a whole comparison; then the control's."""
    parts = [(experiment.form(short=short).seeds, False)]
    if experiment.control is not None:
        parts.append((LEAST_SEEDS, True))
    return [
        WantedRun(
            way.name, seed, planned(experiment, way, seed, short=short, control=control), control
        )
        for seeds, control in parts
        for seed in range(seeds)
        for way in experiment.ways
    ]


def begun(experiment: Experiment, path: Path, *, short: bool) -> ExperimentResults:
    """What is in the file of results, or an empty one.

    Raises:
        UserMistake: The file is of another experiment or form, or is none.
    """
    if path.is_file():
        found = read_results(path)
        if (found.experiment, found.short) != (experiment.name, short):
            raise UserMistake(
                N_("{file} holds another experiment or another form of it."),
                N_("Name another file."),
                file=path.name,
            )
        return found
    command = command_of(experiment.name, short=short)
    return ExperimentResults(experiment.name, command, short, _today(), versions())


def run_missing(
    wanted: list[WantedRun],
    results: ExperimentResults,
    path: Path,
    train: Callable[[WantedRun], ExperimentRun],
    told: Told = lambda run, number, count: None,  # noqa: ARG005
) -> ExperimentResults:
    """Train what is not there yet, and write the file after each run.

    Raises:
        UserMistake: The file holds a run of another plan.
        OSError: The file can't be written.
    """
    plans = {one.key: one.plan for one in wanted}
    for run in results.runs:
        if plans.get((run.way, run.seed, run.control)) != run.plan:
            raise UserMistake(
                N_("{file} holds a run of another plan: “{way}”, seed {seed}."),
                N_("Name another file, or delete it to run the experiment anew."),
                file=path.name,
                way=run.way,
                seed=str(run.seed),
            )
    done = {(run.way, run.seed, run.control) for run in results.runs}
    for number, one in enumerate(wanted, 1):
        if one.key in done:
            continue
        told(one, number, len(wanted))
        results = results.with_run(train(one), _today())
        write_results(results, path)
    return results


def versions() -> dict[str, str]:
    """Of the program, Python and what trains."""
    found = {name: version(name) for name in PACKAGES}
    return {"plm-explorer": __version__, "python": platform.python_version(), **found}


def _today() -> str:
    return dt.datetime.now(tz=dt.UTC).date().isoformat()
