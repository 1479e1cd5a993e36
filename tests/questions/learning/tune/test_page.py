"""Fine-tuning on screen: how held-out texts are judged, what is confused, which ways there are."""

import dataclasses

import numpy as np
import pytest

from explorer.api.question import Cards, Grid, ModelStamp, Rows, Said
from explorer.api.question.parts.cards import every_part
from explorer.api.question.parts.charts.curves import Curves
from explorer.document import Document
from explorer.learning.tuning.choices import ReadLayer
from explorer.learning.tuning.measured_step import MeasuredStep
from explorer.learning.tuning.options import BASE, EXAMPLES, TUNED
from explorer.learning.tuning.plan import TuningPlan
from explorer.numerics.evaluation.calibration import reliability
from explorer.questions.learning.runs import ExpectedCost, FollowedRun, ListedRun, MeasuredFrame
from explorer.questions.learning.tune.options import NAME
from explorer.questions.learning.tune.parts import (
    LearningModelRow,
    ListedTuningRow,
    MisjudgedTextRow,
    TunedWayRow,
    parts,
)
from explorer.questions.learning.tune.question import (
    JudgedTexts,
    LearningModel,
    MisjudgedText,
    TunedWay,
    TuneResult,
)
from explorer.ui.blocks import Load
from explorer.ui.blocks.chips import Chips
from tests.ui.pages import kind_of, words_on

PLAN = TuningPlan(examples=48, seed=3)
STAMP = ModelStamp("sentiment", "", "f", "meta", "")
FRAMES = tuple(
    MeasuredFrame(step, loss, 0.1, loss - 0.1, accuracy)
    for step, loss, accuracy in ((0, 0.7, 0.5), (8, 0.3, 0.9))
)
JUDGED = JudgedTexts(
    ("negative", "positive"),
    ((40, 10), (0, 50)),
    (MisjudgedText("It was happy.", "negative", "positive", 0.8),),
    10,
    reliability(np.array([0.9, 0.6]), np.array([1.0, 0.0])),
)
WAYS = (
    TunedWay("all", "last", 16, (0.7, 0.8, 0.9), (1.0, 1.0, 1.0)),
    TunedWay("all", "last", 64, (0.95, 0.96, 0.97), (4.0, 4.0, 4.0)),
    TunedWay("features", "last", 16, (0.6,), (0.5,)),
    TunedWay("features", "last", 64, (0.65,), (0.5,)),
)


def result(status="done", *, model="/there/checkpoint-8"):
    listed = ListedRun("sentiment", status, 8, 8, 3, PLAN.to_json())
    run = FollowedRun(listed, 2.0, frames=FRAMES, model=model)
    return TuneResult(
        STAMP,
        ExpectedCost(1000, 100, 1e9),
        run,
        (listed,),
        1,
        held_out=100,
        best=0.97,
        memory=16_000,
        judged=JUDGED,
        ways=WAYS,
        models=(LearningModel("gpt2-miniature", "gpt2", 900),),
    )


@pytest.fixture
def view(shown):
    return shown(kind_of("tune"))


def rows_of(kind):
    every = every_part(parts(result()))
    return next(one for one in every if isinstance(one, Rows) and one.kind is kind)


def panels():
    cards = [one for one in parts(result()) if isinstance(one, Cards)]
    return {
        panel.name: panel
        for one in every_part(cards)
        if isinstance(one, Curves)
        for panel in one.panels
    }


def test_accuracy_has_the_best_reader_and_loss_its_floor():
    drawn = panels()
    assert drawn["held_out_accuracy"].floors == (0.97,)
    assert list(drawn["held_out_accuracy"].curves[0].values) == [0.5, 0.9]
    assert drawn["held_out_loss"].floors == (0.1,)


def test_what_is_confused_is_counted():
    grid = next(one for one in every_part(parts(result())) if isinstance(one, Grid))
    assert grid.said(0, 1) == "negative → positive: 10"
    # 40 and 10 of 50, and 50 of 50: each row is of the texts with that label.
    assert grid.values.tolist() == [[pytest.approx(0.8), pytest.approx(0.2)], [0.0, 1.0]]
    assert grid.written(0.8) == "80 %"
    errors = rows_of(MisjudgedTextRow)
    assert str(errors.title) == "10 errors"
    assert errors.rows[0].text == "It was happy."


def test_one_seed_has_no_interval_and_no_curve():
    rows = {(one.tuned, one.examples): one for one in rows_of(TunedWayRow).rows}
    several, alone = rows["everything", 16], rows["the head alone", 16]
    assert several.accuracy == pytest.approx(0.8)
    # Student's t of two degrees of freedom: 4.303 standard errors; no accuracy is above 1.
    assert several.low == pytest.approx(0.8 - 4.3027 * 0.1 / np.sqrt(3), abs=1e-4)
    assert several.high == 1.0
    assert alone.low is None
    (curve,) = panels()["accuracy"].curves
    assert list(curve.at) == [16.0, 64.0]


def test_a_way_is_planned_by_a_click_and_a_run_is_looked_at_again():
    ways = rows_of(TunedWayRow)
    values = ways.gesture(ways.rows[-1]).values
    assert values[TUNED.key] == "features"
    assert values[EXAMPLES.key] == 64
    listed = rows_of(ListedTuningRow)
    taken = listed.gesture(listed.rows[0]).values
    assert taken[NAME.key] == "sentiment"
    assert taken[EXAMPLES.key] == 48
    models = rows_of(LearningModelRow)
    assert models.gesture(models.rows[0]).values == {BASE.key: "gpt2-miniature"}


def test_the_tuned_model_and_the_one_before_are_opened_next_to_each_other(view):
    view.show_result(result(), Document(""))
    blocks = [one for one in view.declared.blocks(view.shown()) if isinstance(one, Chips)]
    loads = {
        chip.words: [(one.checkpoint, one.slot) for one in chip.act.each]
        for block in blocks
        for chip in block.chips
        if isinstance(chip.act, Load)
    }
    assert loads["Open as model A"] == [("/there/checkpoint-8", "A")]
    assert "no copy with the heads that the model had before was written" in words_on(view)
    lower = dataclasses.replace(PLAN, layer=ReadLayer.FIRST).to_json()
    run = result().run
    first = dataclasses.replace(run, listed=dataclasses.replace(run.listed, plan=lower))
    told = parts(dataclasses.replace(result(), run=first))
    assert any("can’t read what is left" in str(one.text) for one in told if isinstance(one, Said))
    both = [("bert-miniature", "A"), ("/there/checkpoint-8", "B")]
    assert loads["Open before as A, after as B"] == both
    asked = []
    view.load_requested.connect(lambda *one: asked.append(one))
    view.act(Load("bert-miniature", "A", Load("/there/checkpoint-8", "B")))
    assert asked == both
    former = dataclasses.replace(result(), former="/there/checkpoint-8-former-heads")
    view.show_result(former, Document(""))
    assert "B is opened with the heads that the model had before" in words_on(view)
    chips = (
        chip
        for block in view.declared.blocks(view.shown())
        if isinstance(block, Chips)
        for chip in block.chips
    )
    (pair,) = (chip.act for chip in chips if chip.key == "before")
    assert [one.checkpoint for one in pair.each] == ["bert-miniature", former.former]


def test_before_it_begins_the_page_says_so(view):
    view.show_result(TuneResult(STAMP, ExpectedCost(1000, 100, 1e9)), Document(""))
    assert "Not trained yet." in words_on(view)
    blocks = [one for one in view.declared.blocks(view.shown()) if isinstance(one, Chips)]
    measures = next(chip for block in blocks for chip in block.chips if chip.key == "measure")
    assert measures.act.request.act == "measure"
    assert not measures.act.request.train
    step = MeasuredStep("cpu", 0.5, 2.0, 30, 4)
    measured = TuneResult(STAMP, ExpectedCost(1000, 100, 1e9), step=step)
    view.show_result(measured, Document(""))
    assert "30 steps and 4 frames take about 23.0 s" in words_on(view)
