"""A scene of one's own: saved from the window, shown again, and left for one's own work."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QFileDialog, QLineEdit

from explorer.lectures import read
from explorer.tour.hands import wait_until
from explorer.ui.lectures.claims.verdict import Verdict
from explorer.ui.lectures.files.save_dialog import SaveSceneDialog
from explorer.ui.notices.notices import NoticeBar
from tests.journeys.acting import SLOW, answered, choose_in_menu, find, pressing

pytestmark = [
    pytest.mark.usefixtures("warm_engine"),
    pytest.mark.qt_log_ignore("This plugin does not support", extend=True),
]

CTRL, SHIFT = Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.ShiftModifier
ALT = Qt.KeyboardModifier.AltModifier
LEFT = Qt.MouseButton.LeftButton
TITLE, LOOK = "What the chef cooked", "The meal comes first."
MINE, OTHER = "the chef cooked the meal.", "a sentence that I wrote meanwhile"


@pytest.fixture
def press(running):
    return pressing(running.window)


def active(window, qtbot):
    """Have the keyboard, as window managers see to once what lay above has gone."""
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow, timeout=SLOW)


def saved_by_name(dialogs_of, path, press):
    """Type a path into the dialog of files, which the keyboard is in."""
    wait_until(lambda: dialogs_of.findChild(QFileDialog) is not None, "the dialog of files")
    asked = dialogs_of.findChild(QFileDialog)
    wait_until(lambda: asked.isAncestorOf(QApplication.focusWidget()), "its focus")
    assert isinstance(QApplication.focusWidget(), QLineEdit)
    press(Qt.Key.Key_A, CTRL)
    press(str(path))
    press(Qt.Key.Key_Return)
    wait_until(path.exists, "the file")


def one_step(path):
    """The one step of the scene in a file, with its title."""
    (scene,) = read(path).scenes
    (step,) = scene.steps
    return scene.title("en"), step


def test_a_scene_is_saved_shown_and_left_by_mouse(running, hands, press, tmp_path, qtbot):
    window, bench = running.window, running.bench
    lecturing = window.lecture_actions.lecturing
    hands.type_text(MINE)
    hands.click_token("meal")
    # The list of what could be in its place lies above the window, until a key or a click.
    press(Qt.Key.Key_Escape)
    answered(running, qtbot, "masked_tokens", lambda view: len(view.result.masks) == 1)
    choose_in_menu(window, "save_scene_as")
    dialog = window.findChild(SaveSceneDialog)
    qtbot.waitUntil(dialog.isVisible, timeout=SLOW)
    active(dialog, qtbot)
    for field, words in ((dialog.heading, TITLE), (dialog.sentences[0], LOOK)):
        QTest.mouseClick(field, LEFT)
        press(words)
    # What is suggested holds in the answer on screen, so nothing has to be mended.
    qtbot.waitUntil(lambda: bool(dialog.claim.text()), timeout=SLOW)
    qtbot.waitUntil(dialog.save.isEnabled, timeout=SLOW)
    QTest.mouseClick(dialog.save, LEFT)
    path = tmp_path / "mine.toml"
    saved_by_name(window, path, press)
    title, step = one_step(path)
    assert (title, step.look("en"), step.text) == (TITLE, (LOOK,), MINE)
    assert (step.masked, step.models) == (("meal",), ("bert-miniature",))

    # Other work is done meanwhile; the bundled lecture is open when the own one is shown.
    hands.type_text(OTHER)
    own = bench.state.document
    active(window, qtbot)
    QTest.keyClick(window, Qt.Key.Key_F12)
    qtbot.waitUntil(lambda: lecturing.lecture is not None, timeout=SLOW)
    lecturing.show(lecturing.lecture.scene("why_a_temperature"))
    qtbot.waitUntil(lambda: bench.state.document.text != OTHER, timeout=SLOW)
    qtbot.waitUntil(lambda: lecturing.result is not None, timeout=SLOW)
    notice = window.findChild(NoticeBar, "notice_scene_saved")
    QTest.mouseClick(notice.findChild(object, "notice_action_0"), LEFT)
    qtbot.waitUntil(lambda: bench.state.document.text == MINE, timeout=SLOW)
    qtbot.waitUntil(lambda: lecturing.result is not None, timeout=SLOW)
    qtbot.waitUntil(lambda: lecturing.told.verdict is Verdict.HOLDS, timeout=SLOW)
    assert lecturing.at.scene.title("en") == TITLE
    assert window.view_area.current.question == "masked_tokens"
    # Out of a lecture within a lecture back to what was there before both.
    choose_in_menu(window, "leave_lecture")
    qtbot.waitUntil(lambda: bench.state.document == own, timeout=SLOW)
    qtbot.waitUntil(lambda: not lecturing.runs, timeout=SLOW)


def test_a_scene_is_saved_and_opened_by_the_keyboard_alone(running, hands, press, tmp_path, qtbot):
    window, bench = running.window, running.bench
    press(Qt.Key.Key_T, CTRL)
    press(Qt.Key.Key_A, CTRL)
    press(MINE)
    hands.settle()
    press(Qt.Key.Key_T, CTRL | SHIFT)
    press(Qt.Key.Key_End)
    press(Qt.Key.Key_Left)
    press(Qt.Key.Key_Left)
    press(Qt.Key.Key_Space)
    hands.settle()
    view = answered(running, qtbot, "masked_tokens", lambda one: len(one.result.masks) == 1)
    first = view.result.masks[0].predictions[0].word
    find(press, window, "save as scene")
    qtbot.waitUntil(lambda: window.findChild(SaveSceneDialog) is not None, timeout=SLOW)
    dialog = window.findChild(SaveSceneDialog)
    wait_until(lambda: QApplication.focusWidget() is dialog.heading, "the field of the title")
    press(TITLE)
    press(Qt.Key.Key_Tab)
    press(LOOK)
    press(Qt.Key.Key_I, ALT)
    assert QApplication.focusWidget() is dialog.claim
    qtbot.waitUntil(lambda: bool(dialog.claim.text()), timeout=SLOW)
    # A claim that does not hold is not kept: the button says why not.
    press(Qt.Key.Key_A, CTRL)
    press("masks[0].predictions[0].word == 'chair'")
    qtbot.waitUntil(lambda: dialog.verdict.words.text().startswith("It does not"), timeout=SLOW)
    assert not dialog.save.isEnabled()
    press(Qt.Key.Key_A, CTRL)
    claim = f"masks[0].predictions[0].word == '{first}'"
    press(claim)
    qtbot.waitUntil(dialog.save.isEnabled, timeout=SLOW)
    press(Qt.Key.Key_Return)
    path = tmp_path / "mine.toml"
    saved_by_name(window, path, press)
    title, step = one_step(path)
    assert (title, step.look("en"), step.masked) == (TITLE, (LOOK,), ("meal",))
    assert step.claims == (claim,)

    # Another text, then the file is opened as a lecture, and left again.
    press(Qt.Key.Key_T, CTRL)
    press(Qt.Key.Key_A, CTRL)
    press(OTHER)
    hands.settle()
    own = bench.state.document
    find(press, window, "open lecture")
    wait_until(lambda: window.findChild(QFileDialog) is not None, "the dialog of files")
    press(str(path))
    press(Qt.Key.Key_Return)
    lecturing = window.lecture_actions.lecturing
    qtbot.waitUntil(lambda: bench.state.document.text == MINE, timeout=SLOW)
    qtbot.waitUntil(lambda: lecturing.told.verdict is Verdict.HOLDS, timeout=SLOW)
    assert [scene.title("en") for scene in lecturing.lecture.scenes] == [TITLE]
    find(press, window, "leave the lecture")
    qtbot.waitUntil(lambda: bench.state.document == own, timeout=SLOW)
