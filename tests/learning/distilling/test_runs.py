"""A distillation as a run: its folder, its teacher's before it, its frames and its card."""

import dataclasses

import pytest
import torch

from explorer.api.question import UserMistake
from explorer.learning.distilling.choices import TaughtBy
from explorer.learning.runs.run_folder import finished_run
from explorer.learning.runs.run_state import RunStatus
from explorer.learning.runs.trainings import write_state
from tests.learning.distilling.small_plans import TINY, planned
from tests.learning.runs.small_runs import made, same_run, trained_here, trainings_in, weights_of

SENTENCE = "the [MASK] cooked the soup"


@pytest.fixture(scope="module")
def trained(tmp_path_factory):
    """A teacher and its student, both done."""
    trainings = trainings_in(tmp_path_factory.mktemp("distilled"))
    one = made(trainings, TINY, watched=(SENTENCE,))
    teacher = trainings.named("masked")
    assert trained_here_and_kept(teacher) is RunStatus.DONE
    assert trained_here_and_kept(one) is RunStatus.DONE
    return trainings, one


def trained_here_and_kept(one):
    status, work = trained_here(one)
    write_state(one, work.state.with_status(status))
    return status


def test_its_teacher_is_trained_before_it(trained):
    trainings, one = trained
    assert [(each.name, each.kind) for each in trainings.list()] == [
        ("distil-teacher", "distil"),
        ("masked", "train"),
    ]
    teacher = trainings.named("masked")
    assert teacher.state.queued < one.state.queued
    assert teacher.plan == TINY.teacher_plan
    assert one.plan == TINY
    assert finished_run(trainings.folder, TINY.teacher_plan) == teacher
    # Another student of the same teacher has it taught by the same run.
    made(trainings, dataclasses.replace(TINY, temperature=4.0))
    assert [each.name for each in trainings.list()] == [
        "distil-teacher",
        "distil-teacher-2",
        "masked",
    ]
    trainings.delete(trainings.named("distil-teacher-2"))


def test_its_frames_say_how_far_it_is_from_its_teacher(trained):
    _, one = trained
    frames = one.measured()
    assert [row["step"] for row in frames] == [0, 1, 2, 4, 5]
    assert {row["teacher"]["excess"] for row in frames} == {frames[0]["teacher"]["excess"]}
    assert frames[-1]["to_teacher"] != frames[0]["to_teacher"]
    assert all(SENTENCE in row["watched_teacher"] for row in frames)
    curve = one.curve()[-1]
    assert {"loss_soft", "kl", "targets_entropy", "soft_gradient", "agreement"} <= set(curve)


def test_the_model_is_one_that_transformers_opens_with_its_teachers_pieces(trained):
    from transformers import AutoModelForMaskedLM, AutoTokenizer

    trainings, one = trained
    model = AutoModelForMaskedLM.from_pretrained(one.model)
    assert model.config.num_hidden_layers == 1
    own, taught = (
        AutoTokenizer.from_pretrained(each.model).get_vocab()
        for each in (one, trainings.named("masked"))
    )
    assert own == taught
    card = (one.model / "README.md").read_text()
    assert "| Teacher | teacher |" in card
    assert "| Temperature | 1.0 |" in card


def test_taken_up_again_it_goes_on_to_the_digit(trained, tmp_path):
    trainings, whole = trained
    one = made(trainings, TINY, name="halved", watched=(SENTENCE,))
    with one.lock().acquire(timeout=5):
        from explorer.learning.runs.one_run import OneRun

        work = OneRun(one)
        work._take_up()
        work._keep_frame()
        work.advance(2)
        work._save()
    assert trained_here_and_kept(one) is RunStatus.DONE
    same_run(one, whole)
    assert weights_of(one, 5).keys() == weights_of(whole, 5).keys()
    trainings.delete(one)


def test_without_its_teacher_it_says_so(tmp_path):
    trainings = trainings_in(tmp_path)
    one = made(trainings, TINY)
    with pytest.raises(UserMistake, match="teacher was not trained to its end"):
        trained_here(one)
    trainings.cancel(trainings.named("masked"))
    assert trainings.named("masked").state.status is RunStatus.CANCELLED
    # Asked for again, the teacher goes before it.
    write_state(one, one.state.with_status(RunStatus.FAILED))
    from tests.learning.runs.small_runs import idle

    with idle(trainings):
        trainings.resume(one)
    assert trainings.named("masked").state.status is RunStatus.WAITING
    assert trainings.named("masked").state.queued < one.state.queued


def test_the_exact_answers_need_no_teacher(tmp_path):
    trainings = trainings_in(tmp_path)
    one = made(trainings, planned(targets=TaughtBy.EXACT))
    assert [each.name for each in trainings.list()] == ["distil-exact"]
    assert trained_here_and_kept(one) is RunStatus.DONE
    assert "teacher" not in one.measured()[-1]
    assert torch.isfinite(weights_of(one, 5)["bert.embeddings.word_embeddings.weight"]).all()
