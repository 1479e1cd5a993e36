"""The process that trains: run after run, in the order in which they were asked for.

`python -m explorer.learning.runs.worker FOLDER ENGINE NICE`. There is one for a folder of runs, and
it ends when nothing waits any more. It trains with one thread, so that a plan comes to the same
losses to the digit on any number of cores, and so that the window has the others; where it has
none, others go before this one.
"""

import dataclasses
import importlib
import os
import sys
import traceback
from collections.abc import Container, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import filelock

from explorer.api.question import ExplorerError, Failure, UserMistake
from explorer.files.private import FILE
from explorer.learning.experiments.claim_folder import ClaimFolder, claims_in
from explorer.learning.runs import run_folder
from explorer.learning.runs.run_folder import RunFolder, runs_in
from explorer.learning.runs.run_state import RunStatus
from explorer.learning.runs.trainings import WORKER_LOCK, write_state
from explorer.processes.collector import collector_at_rest
from explorer.processes.detached import give_way

if TYPE_CHECKING:
    from explorer.learning.experiments.claim_work import ClaimWork
    from explorer.learning.runs.one_run import OneRun

PATIENCE = 2.0
"""Seconds to wait for a lock: who looks whether it is held holds it for a moment."""


def serve(folder: Path) -> None:
    """Train what waits in a folder, unless another process does so."""
    lock = filelock.FileLock(folder / WORKER_LOCK, mode=FILE)
    tried: set[str] = set()
    # What is put into the queue after the last look is seen when the lock is free again.
    while _next(folder, tried) is not None:
        try:
            with lock.acquire(timeout=PATIENCE):
                while (one := _next(folder, tried)) is not None:
                    _take(one, tried)
        except filelock.Timeout:
            return


def _next(folder: Path, tried: Container[str]) -> RunFolder | None:
    """The run that has waited longest, of those that can be written to."""
    every = (*runs_in(folder), *claims_in(folder))
    states = [(one.state, one) for one in every if one.name not in tried]
    waiting = [
        (state.queued, one.name, one) for state, one in states if state.status is RunStatus.WAITING
    ]
    return min(waiting)[2] if waiting else None


def _take(one: RunFolder, tried: set[str]) -> None:
    """Train a run until it rests, and write what became of it."""
    try:
        with one.lock().acquire(timeout=PATIENCE):
            state = one.state
            if state.status is RunStatus.WAITING:
                begun = state.with_status(RunStatus.TRAINING)
                write_state(one, dataclasses.replace(begun, program=os.getpid()))
                _train(one)
    except (OSError, ExplorerError):
        # Somebody else holds it, or its folder can't be written: the next one is trained.
        traceback.print_exc()
        tried.add(one.name)


def _train(one: RunFolder) -> None:
    with collector_at_rest():
        import torch

        from explorer.hf.loading.checkpoint import quiet_transformers
        from explorer.learning.runs.one_run import FolderGone

        quiet_transformers()
        # Every model of a plan needs this part; transformers would import it with the first.
        importlib.import_module("transformers.modeling_utils")
    torch.set_num_threads(1)
    failure, work = None, None
    try:
        work = _work_on(one)
        ended = work.train()
    except FolderGone:
        return
    except Exception as error:  # noqa: BLE001 - whatever it is, it is told, and the next is trained
        if not isinstance(error, UserMistake):
            traceback.print_exc()
        ended, failure = RunStatus.FAILED, Failure.of(error)
    if one.is_one:
        state = one.state if work is None else work.state
        write_state(one, state.with_status(ended, failure))
        (one.place / run_folder.ASKED).unlink(missing_ok=True)


def _work_on(one: RunFolder) -> "ClaimWork | OneRun":
    """What trains a run, or all runs of a claim."""
    if isinstance(one, ClaimFolder):
        from explorer.learning.experiments.claim_work import ClaimWork

        return ClaimWork(one)
    from explorer.learning.runs.one_run import OneRun

    return OneRun(one)


def main(arguments: Sequence[str]) -> int:
    """Be that process."""
    folder, engine = map(Path, arguments[:2])
    give_way(int(arguments[2]))
    from explorer.engine.environment.waiting import use_if_ready

    use_if_ready(engine)
    serve(folder)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
