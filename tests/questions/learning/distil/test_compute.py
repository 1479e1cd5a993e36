"""A distillation asked for: its teacher before it, its rivals beside it, who can teach."""

import dataclasses

import pytest

from explorer.api.question import Context, UserMistake
from explorer.learning.distilling.choices import TaughtBy
from explorer.learning.distilling.cost import SECONDS_A_PLACE, distilling_cost
from explorer.learning.plan.cost import cost_of
from explorer.learning.runs.run_state import RunStatus
from explorer.learning.runs.trainings import begun, write_state
from explorer.questions.learning.cost import USUAL
from explorer.questions.learning.distil.headline import headline
from explorer.questions.learning.distil.question import (
    QUESTION,
    DistilRequest,
    is_passing,
    only_look,
    summary,
    table,
)
from explorer.serialise import from_json, to_json
from tests.hf import tiny
from tests.learning.distilling.small_plans import TINY, planned
from tests.learning.runs.small_runs import idle, trained_here, trainings_in

ASKED = DistilRequest(**{one.name: getattr(TINY, one.name) for one in dataclasses.fields(TINY)})


@pytest.fixture
def trainings(tmp_path):
    found = trainings_in(tmp_path)
    yield found
    for one in begun.pop(found.folder, ()):
        one.process.wait(30)


def asked(trainings, **changes):
    request = dataclasses.replace(ASKED, **{"train": False, **changes})
    return tiny.ask(None, request, Context(training=trainings.folder))


def finish(one):
    status, work = trained_here(one)
    assert status is RunStatus.DONE
    with one.lock().acquire(timeout=5):
        write_state(one, work.state.with_status(status))


def test_the_request_is_the_plan_and_what_is_asked_beside_it():
    assert ASKED.plan == TINY
    assert dataclasses.replace(ASKED, name="mine", moment="1").plan == TINY
    assert not only_look(ASKED).train


def test_a_plan_that_was_never_begun_says_what_it_costs_and_who_can_teach(trainings):
    result = asked(trainings)
    assert result.run is None
    assert is_passing(result)
    cost = distilling_cost(TINY)
    assert cost.multiply_adds > cost_of(TINY.student_plan).multiply_adds
    # Its teacher, which is trained first, counts in the time alone.
    taught = cost_of(TINY.teacher_plan).multiply_adds
    assert result.cost.multiply_adds == cost.multiply_adds
    assert result.cost.seconds == pytest.approx((cost.multiply_adds + taught) / USUAL)
    names = {one.name for one in result.teachers}
    assert {"bert-miniature", "albert-miniature", "electra-miniature-generator"} <= names
    assert not names & {"gpt2-miniature", "t5-miniature", "bert-labels-miniature"}
    assert {"deberta-v1-miniature", "deberta-v3-miniature-generator", "xlm-miniature"} <= names
    assert not names & {"deberta-v3-miniature", "kagnet-miniature", "gpt3-175b"}
    other = {"bert-korean-miniature", "ernie-thu-miniature"}
    assert not names & other, "they were trained on other texts"
    exact = asked(trainings, targets=TaughtBy.EXACT)
    student = cost_of(TINY.student_plan)
    places = student.tokens * TINY.selected
    more = places * SECONDS_A_PLACE[TINY.corpus]
    assert exact.cost.seconds == pytest.approx(student.multiply_adds / USUAL + more)
    with pytest.raises(UserMistake, match="There is no model nobody"):
        asked(trainings, teacher="nobody")
    assert trainings.list() == ()


def test_all_three_students_are_begun_at_once_their_teacher_first(trainings):
    with idle(trainings):
        result = asked(trainings, act="rivals")
    queue = sorted(trainings.list(), key=lambda one: one.state.queued)
    assert [one.name for one in queue] == [
        "distil-exact",
        "masked",
        "distil-teacher",
        "distil-labels",
    ]
    assert result.run.listed.name == "distil-teacher"
    assert [one.targets for one in result.rivals] == ["exact", "labels"]
    assert [one.name for one in result.runs][-1] in ("distil-exact", "distil-teacher")
    assert "masked" not in {one.name for one in result.runs}
    assert any("Its teacher masked is trained first" in str(note) for note in result.notes)
    with idle(trainings):
        asked(trainings, act="rivals")
    assert len(trainings.list()) == 4


def test_of_a_file_nobody_knows_the_exact_answers_and_the_others_are_begun(trainings, tmp_path):
    text = tmp_path / "mine.txt"
    text.write_text("\n".join(f"the {one} cat sat on mat {one} ." for one in range(200)))
    with idle(trainings):
        result = asked(trainings, act="rivals", path=str(text))
    assert {one.name for one in trainings.list()} == {"masked", "distil-teacher", "distil-labels"}
    assert any("exact answers of a text file" in str(note) for note in result.notes)


def test_what_a_student_came_to_is_laid_beside_its_teacher_and_its_rivals(trainings):
    with idle(trainings):
        asked(trainings, act="rivals")
    for name in ("masked", "distil-exact", "distil-teacher"):
        finish(trainings.named(name))
    result = asked(trainings)
    assert not is_passing(result)
    last = result.run.frames[-1]
    assert last.teacher_excess > 0
    assert last.to_teacher > 0
    exact = next(one for one in result.rivals if one.targets == "exact")
    assert exact.status == "done"
    assert exact.steps == (0, 1, 2, 4, 5)
    assert min(exact.excess) > 0
    told = summary(result)
    assert (told["teacher_excess"], told["to_teacher"]) == (last.teacher_excess, last.to_teacher)
    rows = table(result)
    measured = {row[rows.columns.index("measured")] for row in rows.rows}
    assert {"kl", "targets_entropy", "soft_gradient", "to_teacher", "teacher_excess"} <= measured
    assert from_json(QUESTION.result, to_json(result)) is not None
    assert str(headline(result)) is not None
    # The run is a teacher of others now, and the first of those that can teach.
    assert result.teachers[0].name == "masked"
    other = asked(trainings, teacher="masked", seed=5)
    assert other.run is None
    assert other.cost.multiply_adds > 0


def test_a_finished_run_teaches_by_its_name(trainings):
    with idle(trainings):
        asked(trainings, act="rivals")
    finish(trainings.named("masked"))
    with idle(trainings):
        asked(trainings, teacher="masked", act="rivals")
    taught = trainings.of_plan(planned(teacher=str(trainings.named("masked").model)))
    assert taught is not None
    assert taught.plan.needs == ()
