"""A lecture of three steps from end to end: real window, real engine."""

import pytest

from tests.journeys.acting import SLOW
from tests.ui.pages import lengths_in

pytestmark = pytest.mark.usefixtures("warm_engine")

SCENE = "why_a_temperature"
WAITS = "zero_shot_to_few_shot"


def holds_of_the_picture(plain, softer, softest):
    """What the scene's sentences say of lengths is true of the bars, word by word.

    Args:
        plain: The lengths of both models' bars and of the grey ones at T = 1, in pixels.
        softer: At T = 2.
        softest: At T = 8.
    """
    words = list(plain)
    assert words == list(softer) == list(softest), "dividing by one number changes no rank"
    first, *_others = words
    for model in (0, 1):
        remembered = plain[first][model]
        assert softer[first][2] >= remembered - 2, "grey bars keep these lengths"
        assert remembered == max(both[model] for both in plain.values()) > 10
        assert softer[first][model] < remembered / 2, "less than half as long"
        for word in words[-2:]:
            assert softer[word][model] >= plain[word][model], "the words at the bottom gain"
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
    bars = []
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
    holds_of_the_picture(*bars)
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
