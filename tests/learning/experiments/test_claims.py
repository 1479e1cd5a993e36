"""Claims that are tried here: in the queue of runs, paused, killed, taken up again."""

from pathlib import Path
from types import SimpleNamespace

import pytest

from explorer.api.errors import UserMistake
from explorer.learning.distilling.teachers.teacher import trained_teacher
from explorer.learning.experiments import claim_work
from explorer.learning.experiments.claim_folder import ClaimFolder, claims_in
from explorer.learning.experiments.claim_work import ClaimWork
from explorer.learning.experiments.claims import Claims
from explorer.learning.experiments.definition_file import read_experiment
from explorer.learning.experiments.one_training import planned, train
from explorer.learning.experiments.results import ExperimentRun
from explorer.learning.experiments.running import wanted_runs
from explorer.learning.runs.run_state import RunStatus
from explorer.learning.runs.trainings import Trainings, begun
from explorer.learning.runs.worker import serve
from tests import warm_training
from tests.learning.experiments.small_claims import written
from tests.learning.runs.small_runs import idle, made, trainings_in, until


def waiting(trainings: Trainings, definition: Path) -> ClaimFolder:
    """A claim that waits, and that nobody tries."""
    with idle(trainings):
        return Claims(trainings).start(definition, short=True)


def worked(one: ClaimFolder) -> RunStatus:
    with one.lock().acquire(timeout=5):
        return ClaimWork(one).train()


def runs_of(one: ClaimFolder) -> tuple[ExperimentRun, ...]:
    assert one.results is not None
    return one.results.runs


def test_it_waits_in_the_queue_of_runs_and_is_tried_after_those_before(tmp_path: Path) -> None:
    trainings = trainings_in(tmp_path)
    before = made(trainings)
    one = waiting(trainings, written(tmp_path, control=True))
    # The list of runs has none of a claim.
    assert [run.name for run in trainings.list()] == [before.name]
    assert claims_in(trainings.folder) == (one,)
    assert one.state.status is RunStatus.WAITING
    trainings.cancel(before)
    serve(trainings.folder)
    state = one.state
    assert (state.status, state.step, state.steps) == (RunStatus.DONE, 6 * 2 + 6, 6 * 2 + 6)
    runs = runs_of(one)
    assert [(run.way, run.seed, run.control) for run in runs] == [
        (way, seed, control)
        for control in (False, True)
        for seed in range(3)
        for way in ("old", "new")
    ]
    assert not list(one.place.glob("*.pt"))
    assert before.state.status is RunStatus.CANCELLED


def test_paused_in_the_middle_of_a_run_it_comes_to_the_same_numbers(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    definition = written(tmp_path, measure='"excess"')
    whole = waiting(trainings_in(tmp_path / "whole"), definition)
    assert worked(whole) is RunStatus.DONE
    trainings = trainings_in(tmp_path / "parts")
    one = waiting(trainings, definition)
    looks = []

    def asked(self: ClaimFolder) -> RunStatus | None:
        looks.append(self)
        # In the second run, and then again in a later one.
        return RunStatus.PAUSED if len(looks) in (3, 6) else None

    monkeypatch.setattr(ClaimFolder, "asked_for", property(asked))
    assert worked(one) is RunStatus.PAUSED
    assert len(runs_of(one)) == 1
    assert [path.name for path in one.place.glob("*.pt")] == ["new-0.pt"]
    assert worked(one) is RunStatus.PAUSED
    assert worked(one) is RunStatus.DONE
    assert runs_of(one) == runs_of(whole)


def test_a_teacher_is_trained_first_and_can_be_paused_as_well(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    one = waiting(trainings_in(tmp_path), written(tmp_path, taught=True, measure='"excess"'))
    looks: list[ClaimFolder] = []

    def asked(self: ClaimFolder) -> RunStatus | None:
        looks.append(self)
        return RunStatus.PAUSED if len(looks) == 1 else None

    monkeypatch.setattr(ClaimFolder, "asked_for", property(asked))
    trained_teacher.cache_clear()
    assert worked(one) is RunStatus.PAUSED
    assert one.results is None
    assert not list(one.place.glob("*.pt"))
    assert worked(one) is RunStatus.DONE
    assert len(runs_of(one)) == 6
    # Two steps of a teacher for each seed and two of each student.
    assert len(looks) == 1 + 3 * (2 + 2 * 2)
    definition = read_experiment(one.definition)
    first = wanted_runs(definition, planned, short=True)[0]
    assert train(definition, first) == runs_of(one)[0]


def test_a_state_that_cannot_be_read_begins_that_run_anew(tmp_path: Path) -> None:
    one = waiting(trainings_in(tmp_path), written(tmp_path))
    one.kept_state("old", 0, control=False).write_bytes(b"nothing")
    assert worked(one) is RunStatus.DONE
    assert len(runs_of(one)) == 6


def test_its_process_is_killed_and_another_one_takes_it_up(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    warm_training.use(monkeypatch)
    trainings = trainings_in(tmp_path)
    one = Claims(trainings).start(written(tmp_path), short=True)
    try:
        until(lambda: one.results is not None)
        begun[trainings.folder][-1].process.kill()
        begun[trainings.folder][-1].process.wait(30)
        kept = runs_of(one)
        assert one.state.status is RunStatus.STOPPED
        with idle(trainings):
            again = Claims(trainings).start(tmp_path / "made.toml", short=True)
        assert again == one
        assert one.state.status is RunStatus.WAITING
        serve(trainings.folder)
        assert one.state.status is RunStatus.DONE
        assert runs_of(one)[: len(kept)] == kept
        assert len(runs_of(one)) == 6
    finally:
        for each in begun.pop(trainings.folder, ()):
            each.process.wait(30)


def test_it_is_deleted_and_another_definition_is_known(tmp_path: Path) -> None:
    trainings = trainings_in(tmp_path)
    definition = written(tmp_path)
    one = waiting(trainings, definition)
    assert one.is_of(definition)
    definition.write_text(definition.read_text("utf-8") + "\n", "utf-8")
    assert not one.is_of(definition)
    trainings.delete(one)
    assert Claims(trainings).of("made", short=True) is None
    with pytest.raises(UserMistake, match="There is no run"):
        trainings.delete(one)


def test_a_loss_that_is_no_number_ends_it_in_a_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    one = waiting(trainings_in(tmp_path), written(tmp_path))
    monkeypatch.setattr(claim_work, "math", SimpleNamespace(isfinite=lambda _loss: False))
    with pytest.raises(UserMistake, match="The loss of “old”, seed 0, is no number any more"):
        worked(one)
