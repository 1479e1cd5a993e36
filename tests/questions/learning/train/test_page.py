"""A run of training on screen: its states, its buttons, what its frames say."""

from dataclasses import replace

import numpy as np
import pytest

from explorer.api.question import Compared, Detail, ModelStamp, Rows, Said
from explorer.api.question.parts.cards import every_part
from explorer.document import Document
from explorer.learning.curves.record import record_of
from explorer.learning.plan.plan import TrainingPlan
from explorer.questions.learning.run_parts import LearntRuleRow
from explorer.questions.learning.runs import (
    ExpectedCost,
    FollowedRun,
    ListedRun,
    MeasuredFrame,
    WatchedBlank,
)
from explorer.questions.learning.train.options import FRAME, NAME, SURE
from explorer.questions.learning.train.parts import ListedRunRow, parts
from explorer.questions.learning.train.question import TrainRequest, TrainResult
from explorer.questions.learning.watched import WatchedRow
from explorer.ui.blocks.chips import Chips
from explorer.ui.blocks.page.page import Load, Run
from tests.ui.pages import kind_of, words_on

PLAN = TrainingPlan(steps=100, seed=7)
STAMP = ModelStamp("masked", "", "f", "meta", "")
STEPS = np.arange(10.0, 101.0, 10.0)
CURVE = record_of(
    "masked",
    "masked",
    {"loss_mlm": (STEPS, 50 / STEPS), "mlm_accuracy": (STEPS, STEPS / 200)},
)
FRAMES = tuple(
    MeasuredFrame(
        step,
        loss,
        1.0,
        loss - 1.0,
        0.5,
        {"subject": loss - 1.0, "verb": 2.0},
        {"the [MASK] cooked": ((("chef", 0.5), ("cook", 0.25)),)},
        {"the [MASK] cooked": (WatchedBlank((("chef", 0.75, 1 / loss, 2),), loss / 10, True),)},
    )
    for step, loss in ((0, 5.0), (50, 2.0), (100, 1.25))
)


def result(status, *, looked=1, **changes):
    listed = ListedRun("masked", status, 50, 100, 7, PLAN.to_json())
    run = FollowedRun(listed, 2.0, record=CURVE, frames=FRAMES, **changes)
    return TrainResult(STAMP, ExpectedCost(1000, 100, 1e9), run, (listed,), looked)


NOT_BEGUN = TrainResult(STAMP, ExpectedCost(1000, 100, 1e9, 12.0))


@pytest.fixture
def view(shown):
    return shown(kind_of("train"))


def chips_on(view, now=None, **changes):
    shown = replace(view.shown(), **({} if now is None else {"now": now}), **changes)
    blocks = [one for one in view.declared.blocks(shown) if isinstance(one, Chips)]
    return {chip.words: chip.act for block in blocks for chip in block.chips}


def chips_on_parts(answer, view):
    view.show_result(answer, Document(""))
    return chips_on(view)


def test_before_it_begins_the_page_says_what_it_costs_and_has_one_button(view):
    view.show_result(NOT_BEGUN, Document(""))
    assert "Not trained yet." in words_on(view)
    (words,) = chips_on(view)
    assert words == "Train"
    assert isinstance(chips_on(view)["Train"], Run)
    assert not view.request_of(Document("")).train


@pytest.mark.parametrize(
    ("status", "buttons"),
    [
        ("waiting", ["Pause", "Cancel the training"]),
        ("training", ["Pause", "Cancel the training"]),
        ("paused", ["Take up again", "Delete…"]),
        ("stopped", ["Take up again", "Delete…"]),
        ("failed", ["Take up again", "Delete…"]),
        ("cancelled", ["Take up again", "Delete…"]),
    ],
)
def test_each_state_has_its_buttons(view, status, buttons):
    view.show_result(result(status), Document(""))
    assert list(chips_on(view)) == buttons
    assert "masked" in words_on(view)


def test_a_finished_run_opens_as_a_model(view):
    view.show_result(result("done", model="/runs/masked/checkpoint-100"), Document(""))
    chips = chips_on(view)
    assert chips["Open as model A"] == Load("/runs/masked/checkpoint-100", "A")
    assert chips["Open as model B"] == Load("/runs/masked/checkpoint-100", "B")


def test_with_three_seeds_there_is_a_band_and_one_alone_proves_nothing(view):
    one = result("done")
    assert chips_on_parts(one, view)["Train two more seeds"].request.act == "seeds"
    assert "One seed proves nothing" in words_on(view)
    more = tuple(
        replace(
            record_of(name, name, {"loss_mlm": (STEPS, factor * 50 / STEPS)}), seed=seed, plan="p"
        )
        for seed, name, factor in ((8, "eight", 1.1), (9, "nine", 1.2))
    )
    three = replace(one, others=more)
    cards = next(part for part in parts(three) if hasattr(part, "cards"))
    (curve,) = cards.cards[0].parts[0].panels[0].curves
    assert curve.values == pytest.approx(1.1 * 50 / STEPS)
    assert (curve.band[0] < curve.values).all()
    assert "Train another seed" in chips_on_parts(three, view)
    assert "Bands are 95 % intervals" in words_on(view)


def test_what_is_asked_of_a_run_at_work_can_be_asked_again_later(view):
    view.show_result(result("training"), Document(""))
    act = chips_on(view)["Pause"]
    assert isinstance(act, Detail)
    assert (act.request.act, act.request.train) == ("pause", False)
    view.show_result(result("training", looked=2), Document(""))
    assert chips_on(view)["Pause"] != act


def test_the_page_shows_what_the_last_deed_left(view):
    view.show_result(result("training"), Document(""))
    detail = chips_on(view)["Pause"]
    details = {detail: result("paused", looked=5)}
    assert list(chips_on(view, details=details)) == ["Take up again", "Delete…"]
    assert next(iter(chips_on(view, details={detail: result("paused", looked=0)}))) == "Pause"


def test_a_run_is_deleted_in_two_steps(view):
    view.show_result(result("paused"), Document(""))
    now = chips_on(view)["Delete…"].on(Document(""))
    assert SURE.of(now) == "masked"
    chips = chips_on(view, now)
    assert chips["Delete masked for good"].request.act == "delete"
    assert SURE.of(chips["Keep it"].on(now)) == ""


def test_what_is_learnt_first_stands_first_and_the_sentence_is_asked_at_every_frame():
    found = [one for one in every_part(parts(result("done"))) if isinstance(one, Rows)]
    rules, watched, runs = found
    assert rules.rows == (
        LearntRuleRow("subject", 50, 4.0, 0.25),
        LearntRuleRow("verb", None, 2.0, 2.0),
    )
    assert [row.step for row in watched.rows] == [0, 50, 100]
    assert all(isinstance(row, WatchedRow) for row in watched.rows)
    assert watched.rows[0].words == "chef 50 %, cook 25 %"
    assert runs.rows == (ListedRunRow("masked", "done", "masked words", 50, 100, 7),)


def test_a_frame_is_laid_next_to_the_exact_answers_and_another_one_by_a_click(view):
    def compared(frame):
        found = every_part(parts(result("done"), frame=frame))
        (one,) = (one for one in found if isinstance(one, Compared))
        return one.places[0].words[0].chances

    assert compared(-1) == compared(7) == (0.75, 1 / 1.25)
    assert compared(50) == (0.75, 1 / 2.0)
    _rules, watched, _runs = (
        one for one in every_part(parts(result("done"), frame=50)) if isinstance(one, Rows)
    )
    assert [watched.chosen(row) for row in watched.rows] == [False, True, False]
    assert [row.excess for row in watched.rows] == [0.5, 0.2, 0.125]
    assert watched.gesture(watched.rows[0]).values == {FRAME.key: 0}
    view.show_result(result("done"), Document(""))
    assert "Step 100" in words_on(view)
    assert "Excess loss here: 0.125 nats." in words_on(view)


def test_a_sentence_of_no_text_of_the_world_has_no_exact_answer():
    outside = replace(FRAMES[-1], exact={"the [MASK] cooked": (WatchedBlank(),)})
    told = result("done")
    told = replace(told, run=replace(told.run, frames=(*FRAMES[:-1], outside)))
    assert any(
        isinstance(one, Said) and str(one.text).startswith("No text of this world")
        for one in every_part(parts(told))
    )


def test_a_run_of_the_list_is_looked_at_with_its_plan():
    *_others, runs = (one for one in every_part(parts(result("done"))) if isinstance(one, Rows))
    gesture = runs.gesture(runs.rows[0])
    document = Document("")
    for key, value in gesture.values.items():
        document = document.with_option(key, value)
    assert NAME.of(document) == "masked"
    request = TrainRequest.of(document)
    assert request.plan == PLAN


def test_losses_have_charts_of_their_own_and_the_floor_is_dashed(view):
    cards = next(one for one in parts(result("done")) if hasattr(one, "cards"))
    titles = [str(card.title) for card in cards.cards]
    assert titles == [
        "Loss: masked words",
        "Accuracy: masked words",
        "Loss above the exact floor",
        "Excess loss, rule by rule",
    ]
    (panel,) = cards.cards[2].parts[0].panels
    loss, floor = panel.curves
    assert loss.values.tolist() == [5.0, 2.0, 1.25]
    assert floor.values.tolist() == [1.0, 1.0, 1.0]
    assert floor.dash == "dash"
    view.show_result(result("done"), Document(""))
    assert "masked is trained" in words_on(view)
