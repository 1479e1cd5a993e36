"""Runs that are trained in a second or two, and what is looked at in them."""

import contextlib
import dataclasses
import json
import time
from pathlib import Path

import filelock
import torch

from explorer.learning.plan.presets import PRESETS
from explorer.learning.runs import run_folder
from explorer.learning.runs.one_run import OneRun
from explorer.learning.runs.trainings import Trainings

PLAN = dataclasses.replace(
    PRESETS["small"], layers=1, width=16, heads=1, batch=4, steps=40, vocabulary=200
)


def trainings_in(folder: Path) -> Trainings:
    """Runs in a folder that is made."""
    return Trainings(folder / "training", folder / "engine", nice=0)


def idle(trainings: Trainings) -> contextlib.AbstractContextManager[object]:
    """While nobody trains what is begun: as if the process that does were at work elsewhere."""
    trainings.folder.mkdir(parents=True, exist_ok=True)
    return filelock.FileLock(trainings.folder / ".worker.lock").acquire(timeout=5)


def made(trainings: Trainings, plan=PLAN, **options):
    """A run that waits, and that nobody trains."""
    with idle(trainings):
        return trainings.start(plan, **options)


def trained_here(one):
    """The same in this process."""
    with one.lock().acquire(timeout=5):
        work = OneRun(one)
        return work.train(), work


def until(found, seconds=120.0):
    """Wait for something to be so."""
    ends = time.monotonic() + seconds
    while not found():
        assert time.monotonic() < ends, "it did not happen"
        time.sleep(0.01)


def curve_of(one):
    """Its curve without what a clock says."""
    rows = [json.loads(line) for line in (one.place / run_folder.CURVE).read_text().splitlines()]
    return [{name: value for name, value in row.items() if name != "seconds"} for row in rows]


def weights_of(one, step):
    """The weights of a frame."""
    from safetensors.torch import load_file

    return load_file(one.frame(step) / "model.safetensors")


def same_run(one, other):
    """Fail unless curve, frames and state of two runs are the same to the digit."""
    assert curve_of(one) == curve_of(other)
    assert one.frames == other.frames
    assert one.measured() == other.measured()
    for step in one.frames:
        weights, others = weights_of(one, step), weights_of(other, step)
        assert weights.keys() == others.keys()
        assert all(torch.equal(weights[name], others[name]) for name in weights), step
    states = [torch.load(x.place / "state.pt", weights_only=True) for x in (one, other)]
    averages = [state["optimizer"]["state"] for state in states]
    for number, average in averages[0].items():
        assert torch.equal(average["exp_avg"], averages[1][number]["exp_avg"])
