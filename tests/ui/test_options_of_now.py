"""What a view draws follows the options of now, not those of the document that asked."""

import dataclasses

import pytest
from PySide6.QtCore import Qt

from explorer.document import Document
from explorer.questions.attention.head_ablation.question import HeadAblationRequest
from explorer.questions.detection.drawing import THRESHOLD
from explorer.questions.detection.replaced_tokens.question import ChosenToken, ReplacedTokensRequest
from explorer.ui.views.frame.pin_bar import PinBar
from explorer.ui.views.frame.view_frame import FrameState
from tests.questions.attention import answers as heads
from tests.questions.detection.answers import CHEF, make
from tests.ui.fake_engine import MINIATURE

LEFT = Qt.MouseButton.LeftButton


@pytest.fixture
def show(engine, start, qtbot):
    """Opens the window on a view that the model answers in a given way."""

    def open_window(question, request, answer):
        first = engine.catalogue[0]
        offered = dataclasses.replace(first, operations=(question, *first.operations))
        engine.catalogue = (offered, *engine.catalogue[1:])
        engine.answers[request] = answer
        running = start()
        running.window.view_area.bring_forward(question)
        asker = running.bench.asking.askers[question]
        qtbot.waitUntil(lambda: asker.frame.state is FrameState.RESULT and asker.is_idle)
        return running, asker

    return open_window


@pytest.fixture
def judging(show):
    judged = make(None, (ChosenToken(3, drawn=False), ChosenToken(5, drawn=False)))
    running, asker = show("replaced_tokens", ReplacedTokensRequest, lambda _request, _card: judged)
    running.bench.state.edit("text", Document(CHEF))
    return running, asker


def move_threshold(view, value):
    view.bar.fields[THRESHOLD.key].field.setValue(value)
    assert threshold_of(view) == value


def threshold_of(view):
    """Where the line of the threshold is drawn."""
    said = next(one.words for one in view.page.page.spots if one.key == "threshold")
    return float(said.split()[1])


def test_a_pin_leaves_the_threshold_where_it_is(judging, qtbot):
    running, asker = judging
    qtbot.waitUntil(lambda: asker.is_idle and asker.view.document.text == CHEF)
    view = asker.view
    move_threshold(view, 0.9)
    qtbot.mouseClick(asker.frame.pin_button, LEFT)
    assert view.baseline is not None
    assert running.bench.state.document.option("replaced_tokens.threshold") == 0.9
    assert threshold_of(view) == 0.9
    assert "Threshold = 0.9" in view.caption()
    assert view.bar.fields[THRESHOLD.key].value() == 0.9
    view.unpin()
    assert threshold_of(view) == 0.9


def test_what_is_compared_names_the_model_as_the_window_does(running, qtbot):
    view = running.window.view_of("masked_tokens")
    frame = running.bench.asking.askers["masked_tokens"].frame
    frame.pin_button.click()
    said = frame.findChild(PinBar).label.text()
    assert f"the pinned answer: {MINIATURE.title} on “" in said
    assert view.baseline.result.model.id not in said


def test_a_late_answer_leaves_the_threshold_where_it_is(judging, engine, qtbot):
    running, asker = judging
    qtbot.waitUntil(lambda: asker.is_idle and asker.view.document.text == CHEF)
    engine.held.add("view:")
    running.bench.edits.set_option("replaced_tokens.corruption", {"seed": 3, "words": []})
    qtbot.waitUntil(lambda: engine.requests(ReplacedTokensRequest)[-1].seed == 3)
    move_threshold(asker.view, 0.2)
    engine.release(asker.lane)
    qtbot.waitUntil(lambda: asker.is_idle and asker.frame.state is FrameState.RESULT)
    assert threshold_of(asker.view) == 0.2


def test_measured_heads_are_coloured_whenever_the_button_is_down(show, engine, qtbot):
    running, asker = show(
        "head_ablation",
        HeadAblationRequest,
        lambda request, _card: heads.switch_off_result(effects=request.every),
    )
    view = asker.view

    def words():
        key = ("encoder", "head", 0, 0)
        return next(spot.words for spot in view.page.page.spots if spot.key == key)

    for number, coloured in enumerate((True, False, True, False, True)):
        view.bar.fields["head_ablation.every"].click()
        qtbot.waitUntil(
            lambda: running.bench.asking.is_idle and asker.frame.state is FrameState.RESULT
        )
        assert view.bar.fields["head_ablation.every"].isChecked() is coloured
        assert ("Off alone" in words()) is coloured, number
    assert sum(request.every for request in engine.requests(HeadAblationRequest)) == 1
