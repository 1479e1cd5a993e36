"""A lecture of three steps from end to end: real window, real engine."""

import pytest

from tests.journeys.acting import SLOW

pytestmark = pytest.mark.usefixtures("warm_engine")

SCENE = "i06_temperature"
WAITS = "s04_gpt3"


def test_next_leads_through_a_scene_and_each_step_shows_its_answer(running, qtbot):
    from PySide6.QtCore import Qt
    from PySide6.QtTest import QTest

    from explorer.questions.distillation.soft_targets.question import SoftTargetsResult
    from explorer.ui.lectures.claims.verdict import Verdict

    bench, window = running.bench, running.window
    lecturing = window.lecture_actions.lecturing
    QTest.keyClick(window, Qt.Key.Key_F12)
    qtbot.waitUntil(lambda: lecturing.lecture is not None, timeout=SLOW)
    before = bench.state.document
    scene = lecturing.lecture.scene(SCENE)
    assert len(scene.steps) == 3
    lecturing.show(scene)
    for number, step in enumerate(scene.steps):
        if number:
            QTest.keyClick(window.focusWidget(), Qt.Key.Key_PageDown)
        assert lecturing.at.number == number
        qtbot.waitUntil(lambda: lecturing.result is not None, timeout=SLOW)
        view = window.view_of("soft_targets")
        assert view.isVisible()
        assert isinstance(view.result, SoftTargetsResult)
        assert window.view_area.current.operation == "soft_targets"
        assert bench.state.document.text == step.text
        held = {slot: card.stamp.id for slot, card in bench.models.cards.items()}
        assert held == dict(zip(("A", "B"), step.models, strict=True))
        qtbot.waitUntil(lambda: lecturing.told.verdict is Verdict.HOLDS, timeout=SLOW)
    # Each step is one step back.
    for _ in scene.steps:
        window.menus.action("undo").trigger()
    assert bench.state.document == before
    # A page that waits for its Run button is asked all the same, at first and with an answer there.
    lecturing.show(lecturing.lecture.scene(WAITS), 1)
    for number in (1, 2):
        if number == 2:
            QTest.keyClick(window.focusWidget(), Qt.Key.Key_PageDown)
        qtbot.waitUntil(lambda: lecturing.result is not None, timeout=SLOW)
        assert window.view_of("prompt").isVisible()
        assert lecturing.at.number == number
