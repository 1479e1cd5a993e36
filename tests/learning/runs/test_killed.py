"""Processes that are killed in the midst of a run, and what comes of it when it is taken up.

Those that a watcher begins, and one that does not start, begin as the program's do; the others are
forked with torch imported.
"""

import dataclasses
import os
import signal
import subprocess
import sys

import pytest

from explorer.api.question import MachineFault
from explorer.learning.runs.following import follow
from explorer.learning.runs.run_state import RunStatus
from explorer.learning.runs.trainings import Trainings, begun
from explorer.processes.own_processes import environment
from tests import warm_training
from tests.learning.runs.small_runs import (
    PLAN,
    curve_of,
    made,
    same_run,
    trainings_in,
    until,
)

PLANNED = dataclasses.replace(PLAN, steps=240)
"""Long enough to be in the midst of it for a second and more."""

pytestmark = pytest.mark.skipif(os.name == "nt", reason="signals of POSIX")

WATCHER = """
import dataclasses, pathlib, sys
from explorer.learning.plan.plan import TrainingPlan
from explorer.learning.runs.following import follow
from explorer.learning.runs.trainings import Trainings

folder, plan = map(str, sys.argv[1:])
trainings = Trainings(pathlib.Path(folder), pathlib.Path(folder) / "engine", nice=0)
one = trainings.start(TrainingPlan.from_json(plan), "one")
follow(trainings, one, lambda state, row: None)
"""


@pytest.fixture(scope="module", autouse=True)
def _ended():
    with pytest.MonkeyPatch.context() as patch:
        warm_training.use(patch)
        yield
    for one in (one for some in begun.values() for one in some):
        one.process.kill()
        one.process.wait()


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    """A run that was never stopped, trained by a process as the others are.

    In this one the tests of learning make their vocabularies of less text.
    """
    trainings = trainings_in(tmp_path_factory.mktemp("whole"))
    one = made(trainings, PLANNED)
    assert follow(trainings, one, lambda *_: None).status is RunStatus.DONE
    return one


def in_the_midst(one):
    """Stop it when it has trained for a while and is not done, however busy the machine is."""
    until(lambda: len(one.curve()) > 20)
    state = one.state
    os.kill(state.program, signal.SIGSTOP)
    assert state.status is RunStatus.TRAINING
    assert one.state.step < PLANNED.steps
    return state


def go_on(state):
    """Let what was stopped go on."""
    os.kill(state.program, signal.SIGCONT)


@pytest.mark.parametrize("watcher_too", [False, True])
def test_a_killed_process_loses_nothing_nor_do_a_pause_and_both_killed(
    whole, tmp_path, watcher_too
):
    trainings = trainings_in(tmp_path)
    trainings.folder.mkdir()
    watcher = subprocess.Popen(
        [sys.executable, "-c", WATCHER, str(trainings.folder), PLANNED.to_json()],
        env=environment(),
        stderr=subprocess.PIPE,
    )
    until((trainings.folder / "one").is_dir)
    one = trainings.named("one")
    state = in_the_midst(one)
    if watcher_too:
        watcher.kill()
        watcher.wait()
        rows = len(one.curve())
        go_on(state)
        until(lambda: len(one.curve()) > rows + 10)
        assert one.state.program == state.program, "nothing ends with who watches"
        # Paused by another one, and taken up again, before all of it is killed.
        trainings.pause(one)
        until(lambda: one.state.status is RunStatus.PAUSED)
        kept = one.state.step
        trainings.resume(one)
        until(lambda: one.state.status is RunStatus.TRAINING and len(one.curve()) > kept)
        assert one.state.program != state.program
        state = one.state
    os.kill(state.program, signal.SIGKILL)
    until(lambda: one.state.status is RunStatus.STOPPED)
    assert one.state.step < PLANNED.steps
    assert not trainings.is_at_work
    if not watcher_too:
        assert watcher.wait() == 0, watcher.stderr.read()
    watcher.stderr.close()
    trainings.resume(one)
    state = follow(trainings, one, lambda _state, _row: None)
    assert state.status is RunStatus.DONE, state
    same_run(whole, one)


def test_it_pauses_goes_on_and_ends_when_asked(whole, tmp_path):
    trainings = trainings_in(tmp_path)
    trainings.folder.mkdir()
    first = trainings.start(PLANNED, "first")
    second = trainings.start(PLAN)
    assert second.name == "masked"
    stopped = in_the_midst(first)
    assert second.state.status is RunStatus.WAITING, "one is at work, others wait"

    trainings.pause(first)
    go_on(stopped)
    until(lambda: first.state.status is RunStatus.PAUSED)
    assert 0 < first.state.step < PLANNED.steps
    assert follow(trainings, second, lambda *_: None).status is RunStatus.DONE
    assert first.state.status is RunStatus.PAUSED
    assert first.model is None
    assert second.model == second.frame(PLAN.steps)

    trainings.resume(first)
    until(lambda: first.state.status is RunStatus.TRAINING)
    state = follow(trainings, first, lambda *_: None)
    assert state.status is RunStatus.DONE
    same_run(whole, first)


def test_a_cancelled_run_ends_with_what_it_has(tmp_path):
    trainings = trainings_in(tmp_path)
    trainings.folder.mkdir()
    one = trainings.start(PLANNED)
    stopped = in_the_midst(one)
    trainings.cancel(one)
    go_on(stopped)
    assert follow(trainings, one, lambda *_: None).status is RunStatus.CANCELLED
    assert 0 in one.frames
    assert one.model is None
    trainings.delete(one)
    assert trainings.list() == ()


def test_what_waited_when_all_were_killed_is_taken_up_in_its_order(tmp_path):
    trainings = trainings_in(tmp_path)
    later = made(trainings, name="a later one")
    sooner = made(trainings, name="sooner")
    trainings.cancel(later)
    trainings.resume(later)
    ended = []
    follow(trainings, sooner, lambda state, _row: ended.append(later.state.status))
    assert RunStatus.DONE not in ended
    assert follow(trainings, later, lambda *_: None).status is RunStatus.DONE
    assert curve_of(later) == curve_of(sooner)


def test_a_process_that_does_not_start_is_told_of(tmp_path):
    trainings = trainings_in(tmp_path)
    one = made(trainings)
    broken = Trainings(trainings.folder, trainings.engine, worker="explorer.learning.none")
    with pytest.raises(MachineFault, match="No module named"):
        follow(broken, one, lambda *_: None)
