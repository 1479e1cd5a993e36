"""On the stage: one block, one sentence, letters of the window's height; what single keys do."""

import pytest
from PySide6.QtCore import QPoint
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel, QWidget

from explorer.ui.blocks.text import Text
from explorer.ui.lectures.claims.verdict import Verdict
from explorer.ui.theme import chrome
from explorer.ui.theme.schemes import Theme
from tests.ui.lectures.panel.scenes import CONTROL, KEY, click, shows


@pytest.fixture(autouse=True)
def usual_size(qapp):
    """The size of texts is the application's: whoever comes next finds the usual one."""
    yield
    chrome.scale_font(qapp, 1.0)


@pytest.fixture
def stage(window, running, qtbot):
    """The first step on the stage, in a window of 1280 by 720."""
    click(window, "first")
    qtbot.waitUntil(shows(running, "The gardener dug the garden."))
    window.present(True)
    qtbot.waitUntil(window.strip.isVisible)
    window.showNormal()
    window.resize(1280, 720)
    lecturing = window.lecture_actions.lecturing
    qtbot.waitUntil(lambda: lecturing.told.verdict is Verdict.HOLDS)
    qtbot.waitUntil(lambda: window.presenting.full_scale * 0.69 < chrome.now_to_usual())
    return window


def letters(window, name):
    return window.findChild(QLabel, name).font().pixelSize()


def test_the_page_has_neither_a_header_nor_what_is_not_about_the_step(stage, qtbot):
    view = stage.view_of("masked_tokens")
    assert not stage.view_area.frames["masked_tokens"].header.isVisible()
    whole = list(view.laid)
    view.stand_on_stage(["Mask at position {position}"])
    assert view.laid
    assert [type(one) for one in view.laid] == [type(whole[-1])]
    # What is not on the page leaves it as it is.
    view.stand_on_stage(["No such title"])
    assert len(view.laid) == len(whole)
    QTest.keyClick(stage, KEY.Key_Escape)
    qtbot.waitUntil(stage.view_area.frames["masked_tokens"].header.isVisible)
    # The sentence on what to look at first is there again.
    assert isinstance(view.laid[0], Text) or len(view.laid) >= len(whole)


def test_its_letters_are_a_part_of_the_height_and_larger_at_will(stage, qtbot):
    for name in ("strip_title", "strip_look", "stage_line_0"):
        assert letters(stage, name) >= 0.03 * 720, name
    assert Theme.font("body").pixelSize() >= 0.02 * 720
    before = letters(stage, "strip_look")
    stage.resize(1920, 1080)
    qtbot.waitUntil(lambda: letters(stage, "strip_look") >= 0.03 * 1080)
    stage.resize(1280, 720)
    qtbot.waitUntil(lambda: letters(stage, "strip_look") == before)
    for _ in range(5):
        QTest.keyClick(stage, KEY.Key_Plus, CONTROL)
    qtbot.waitUntil(lambda: letters(stage, "strip_look") > before)
    assert Theme.font("body").pixelSize() > 0.03 * 720


def test_the_screen_goes_black_and_the_picture_stays_while_the_lecture_goes_on(
    stage, running, qtbot
):
    cover = stage.stage_tools.cover
    assert not cover.isVisible()
    QTest.keyClick(stage, KEY.Key_B)
    assert cover.isVisible()
    assert stage.grab().toImage().pixelColor(QPoint(640, 300)).value() == 0
    QTest.keyClick(stage, KEY.Key_B)
    assert not cover.isVisible()
    picture = stage.grab().toImage()
    QTest.keyClick(stage, KEY.Key_F)
    QTest.keyClick(stage, KEY.Key_PageDown)
    qtbot.waitUntil(shows(running, "The teacher read a book."))
    assert stage.grab().toImage() == picture
    QTest.keyClick(stage, KEY.Key_F)
    assert stage.grab().toImage() != picture
    QTest.keyClick(stage, KEY.Key_L)
    assert cover.isVisible()
    assert cover.points
    QTest.keyClick(stage, KEY.Key_Escape)
    qtbot.waitUntil(lambda: not cover.isVisible())
    # Elsewhere these are letters.
    assert not any(action.shortcuts() for action in stage.stage_tools.all)


def test_the_speaker_has_all_sentences_and_a_clock_in_a_window_of_their_own(stage, running, qtbot):
    QTest.keyClick(stage, KEY.Key_N)
    notes = stage.stage_tools.notes
    assert isinstance(notes, QWidget)
    assert notes.isVisible()
    assert notes.look.text() == "Look at the first bar.\n\nIt is the longest.\n\nOthers follow."
    assert stage.strip.look.text() == "Look at the first bar."
    notes.start_clock()
    qtbot.waitUntil(lambda: notes.clock.text() == "0:01", timeout=3000)
    notes.again.click()
    assert notes.clock.text() == "0:00"
    stage.lecture_actions.on.trigger()
    qtbot.waitUntil(lambda: notes.look.text() == "Another sentence.")
    stage.present(False)
    assert not notes.isVisible()
