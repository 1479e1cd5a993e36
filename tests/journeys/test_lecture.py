"""A lecture of three steps from end to end: real window, real engine."""

import numpy as np
import pytest
from scipy.special import softmax

from tests.journeys.acting import SLOW
from tests.ui.pages import lengths_in

pytestmark = pytest.mark.usefixtures("warm_engine")

SCENE = "why_a_temperature"
WAITS = "zero_shot_to_few_shot"


def holds_of_the_picture(softer, softest, logits):
    """What the scene's sentences say of lengths is true of the bars, word by word.

    Args:
        softer: The lengths of both models' bars at T = 2, and of the grey ones, in pixels.
        softest: At T = 8.
        logits: The teacher's at the mask.
    """
    words = list(softer)
    assert words == list(softest), "dividing by one number changes no rank"
    first, *_others = words
    remembered = softer[first][2]
    plain, divided = (softmax(logits / temperature).max() for temperature in (1.0, 2.0))
    share = softer[first][0] / remembered
    assert share == pytest.approx(divided / plain, abs=3 / remembered), "grey bars are at T = 1"
    assert remembered == max(both[2] for both in softer.values()) > 10
    for model in (0, 1):
        assert softer[first][model] < remembered / 2, "less than half as long"
        for word in words[-2:]:
            assert softer[word][model] >= softer[word][2], "the words at the bottom gain"
        assert max(both[model] for both in softest.values()) <= max(3, remembered / 20)


def test_next_leads_through_a_scene_and_each_step_shows_its_answer(running, qtbot):
    from PySide6.QtCore import Qt
    from PySide6.QtTest import QTest

    from explorer.questions.distillation.soft_targets.targets import SoftTargetsResult
    from explorer.ui.lectures.claims.verdict import Verdict

    bench, window = running.bench, running.window
    lecturing = window.lecture_actions.lecturing
    QTest.keyClick(window, Qt.Key.Key_F12)
    qtbot.waitUntil(lambda: lecturing.lecture is not None, timeout=SLOW)
    before = bench.state.document
    scene = lecturing.lecture.scene(SCENE)
    three = scene.steps[:3]
    lecturing.show(scene)
    bars, logits = [], None
    for number, step in enumerate(three):
        if number:
            QTest.keyClick(window.focusWidget(), Qt.Key.Key_PageDown)
        assert lecturing.at.number == number
        qtbot.waitUntil(lambda: lecturing.result is not None, timeout=SLOW)
        view = window.view_of("soft_targets")
        assert view.isVisible()
        assert isinstance(view.result, SoftTargetsResult)
        assert window.view_area.current.question == "soft_targets"
        assert bench.state.document.text == step.text
        held = {slot: card.stamp.id for slot, card in bench.models.cards.items()}
        assert held == dict(zip(("A", "B"), step.models, strict=True))
        qtbot.waitUntil(lambda: lecturing.told.verdict is Verdict.HOLDS, timeout=SLOW)
        keys = [one.key for one in view.page.page.spots if one.key and one.key[0] == "word"]
        bars.append({key: lengths_in(view, key) for key in keys})
        logits = logits if number else np.asarray(view.result.masks[0].teacher, float)
    holds_of_the_picture(*bars[:2], logits)
    # Each step is one step back.
    for _ in three:
        window.menus.action("undo").trigger()
    assert bench.state.document == before
    # A page that waits for its Run button is asked all the same, at first and with an answer there.
    lecturing.show(lecturing.lecture.scene(WAITS), 3)
    for number in (3, 4):
        if number == 4:
            QTest.keyClick(window.focusWidget(), Qt.Key.Key_PageDown)
        qtbot.waitUntil(lambda: lecturing.result is not None, timeout=SLOW)
        assert window.view_of("prompt").isVisible()
        assert lecturing.at.number == number
