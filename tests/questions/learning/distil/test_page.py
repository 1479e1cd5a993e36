"""A distillation on screen: three students beside the exact answers, and the soft loss apart."""

from dataclasses import replace

import numpy as np
import pytest

from explorer.api.question import Cards, Detail, ModelStamp, Rows
from explorer.api.question.parts.cards import every_part
from explorer.api.question.parts.charts.curves import Curves
from explorer.api.question.parts.predictions.compared import Compared
from explorer.document import Document
from explorer.learning.curves.record import record_of
from explorer.learning.distilling.options import TARGETS, TEACHER
from explorer.learning.distilling.plan import DistilPlan
from explorer.questions.learning.distil.headline import headline
from explorer.questions.learning.distil.options import NAME
from explorer.questions.learning.distil.parts import ListedDistilRow, TeacherRow, parts
from explorer.questions.learning.distil.question import (
    DistilResult,
    PossibleTeacher,
    RivalStudent,
)
from explorer.questions.learning.runs import (
    ExpectedCost,
    FollowedRun,
    ListedRun,
    MeasuredFrame,
    WatchedBlank,
)
from explorer.ui.blocks.chips import Chips
from tests.ui.pages import kind_of, words_on

PLAN = DistilPlan(steps=100, seed=7, temperature=2.0)
STAMP = ModelStamp("distil-teacher", "", "f", "meta", "")
STEPS = np.arange(10.0, 101.0, 10.0)
CURVE = record_of(
    "distil-teacher",
    "distil-teacher",
    {
        "loss_soft": (STEPS, 40 / STEPS),
        "kl": (STEPS, 10 / STEPS),
        "targets_entropy": (STEPS, np.full(10, 1.5)),
        "soft_gradient": (STEPS, 1 / STEPS),
        "agreement": (STEPS, STEPS / 200),
    },
)
BLANK = WatchedBlank((("chef", 0.6, 0.3, 1), ("cook", 0.4, 0.2, 2)), 0.5, taught=(0.55, 0.35))
FRAMES = tuple(
    MeasuredFrame(
        step, excess + 1, 1.0, excess, 0.5, {"subject": excess},
        {"the [MASK] cooked": ((("chef", 0.3),),)}, {"the [MASK] cooked": (BLANK,)},
        0.7, excess / 2,
    )
    for step, excess in ((0, 5.0), (50, 2.0), (100, 1.25))
)  # fmt: skip
RIVALS = (
    RivalStudent("exact", "distil-exact", "done", (0, 50, 100), (5.0, 1.5, 1.0)),
    RivalStudent("labels", "distil-labels", "training", (0, 50), (5.0, 3.0)),
)
TEACHERS = (PossibleTeacher("bert-miniature", "bert", 4, 128, "world"),)


def result(status, *, looked=1, rivals=RIVALS):
    listed = ListedRun("distil-teacher", status, 50, 100, 7, PLAN.to_json())
    run = FollowedRun(listed, 2.0, record=CURVE, frames=FRAMES)
    return DistilResult(
        STAMP,
        ExpectedCost(1000, 100, 1e9),
        run,
        (listed,),
        looked,
        targets="teacher",
        temperature=2.0,
        rivals=rivals,
        teachers=TEACHERS,
    )


@pytest.fixture
def view(shown):
    return shown(kind_of("distil"))


def chips_on(view):
    blocks = [one for one in view.declared.blocks(view.shown()) if isinstance(one, Chips)]
    return {chip.words: chip.act for block in blocks for chip in block.chips}


def panels(found):
    cards = next(one for one in parts(found) if isinstance(one, Cards))
    return {
        panel.name: panel
        for one in every_part([cards])
        if isinstance(one, Curves)
        for panel in one.panels
    }


def rows_of(found, kind):
    every = every_part(parts(found))
    return next(one for one in every if isinstance(one, Rows) and one.kind is kind)


def test_three_students_and_their_teacher_are_laid_on_one_axis():
    drawn = panels(result("done"))["excess"]
    assert {str(one.name): one.values[-1] for one in drawn.curves} == {
        "the teacher itself": 0.7,
        "student of the exact answers": 1.0,
        "student of hard labels": 3.0,
        "student of the model": 1.25,
    }
    alone = panels(result("done", rivals=()))["excess"]
    assert len(alone.curves) == 2


def test_the_parts_of_the_soft_loss_are_told_apart():
    drawn = panels(result("done"))
    crossed, entropy, kl = drawn["soft_loss"].curves
    assert (crossed.values == kl.values + entropy.values).all()
    assert set(entropy.values) == {1.5}
    assert "T = 2" in str(drawn["soft_loss"].words)
    assert list(drawn["soft_gradient"].curves[0].values) == list(1 / STEPS)
    assert list(drawn["to_teacher"].curves[0].values) == [2.5, 1.0, 0.625]


def test_a_watched_sentence_has_both_bars_and_the_exact_answer_beneath():
    compared = next(one for one in every_part(parts(result("done"))) if isinstance(one, Compared))
    assert [str(one.title) for one in compared.sides] == ["teacher", "student"]
    (place,) = compared.places
    assert [(one.word, one.chances, one.beneath) for one in place.words] == [
        ("chef", (0.55, 0.3), (0.6, 0.6)),
        ("cook", (0.35, 0.2), (0.4, 0.4)),
    ]


def test_a_run_is_looked_at_again_and_a_model_is_had_to_teach():
    listed = rows_of(result("done"), ListedDistilRow)
    assert listed.rows[0].targets == "a model"
    values = listed.gesture(listed.rows[0]).values
    assert values[NAME.key] == "distil-teacher"
    assert values["distil.temperature"] == 2.0
    teachers = rows_of(result("done"), TeacherRow)
    chosen = teachers.gesture(teachers.rows[0]).values
    assert chosen == {
        TEACHER.key: "bert-miniature",
        TARGETS.key: None,
        "distil.corpus": "world",
    }


def test_the_students_of_all_three_are_trained_by_one_click(view):
    view.show_result(result("done", rivals=()), Document(""))
    act = chips_on(view)["Train the students of all three teachers"]
    assert isinstance(act, Detail)
    assert (act.request.act, act.request.train) == ("rivals", False)
    view.show_result(result("done"), Document(""))
    assert "Train the students of all three teachers" not in chips_on(view)


def test_before_it_begins_the_page_says_what_it_costs(view):
    blank = DistilResult(STAMP, ExpectedCost(1000, 100, 1e9, 12.0), teachers=TEACHERS)
    view.show_result(blank, Document(""))
    assert "Not trained yet." in words_on(view)
    assert list(chips_on(view)) == ["Distil", "Train the students of all three teachers"]


def test_the_headline_has_student_and_teacher():
    told = str(headline(result("done")).sentence)
    assert "1.25 nats left" in told
    assert "its teacher has 0.70" in told
    still = replace(result("done"), run=replace(result("done").run, frames=FRAMES[:1]))
    assert not headline(still).sentence
