"""What becomes of a training when the window is closed: asked once, and remembered."""

from types import SimpleNamespace

import pytest
from PySide6.QtWidgets import QCheckBox, QMessageBox, QPushButton

from explorer.learning.runs.run_state import RunStatus
from explorer.learning.runs.trainings import Trainings
from explorer.paths import Paths
from tests.learning.runs.small_runs import idle, made


@pytest.fixture
def waiting(running, tmp_path):
    """A run that waits, in a window whose process that trains is there."""
    paths = Paths.profile(tmp_path / "profile")
    running.bench.program = SimpleNamespace(paths=paths)
    trainings = Trainings.of(paths)
    one = made(trainings)
    with idle(trainings):
        yield one


def question_in(window):
    return window.findChild(QMessageBox, "training_question")


def press(window, name, *, remembered):
    box = question_in(window)
    box.findChild(QCheckBox, "training_remembered").setChecked(remembered)
    box.findChild(QPushButton, name).click()


def is_closed(window):
    return not window.isVisible()


def test_a_window_without_a_training_goes_at_once(running):
    assert running.window.close()
    assert question_in(running.window) is None


@pytest.mark.parametrize(
    ("button", "setting", "status"),
    [
        ("training_continues", "continue", RunStatus.WAITING),
        ("training_pauses", "pause", RunStatus.PAUSED),
    ],
)
def test_it_asks_once_and_remembers(running, waiting, qtbot, button, setting, status):
    window, store = running.window, running.bench.settings_store
    assert not window.close()
    assert not is_closed(window)
    press(window, button, remembered=True)
    qtbot.waitUntil(lambda: is_closed(window))
    assert waiting.state.status is status
    assert store.settings.training_at_close == setting


def test_a_choice_for_this_time_is_not_remembered(running, waiting, qtbot):
    window = running.window
    assert not window.close()
    press(window, "training_pauses", remembered=False)
    qtbot.waitUntil(lambda: is_closed(window))
    assert waiting.state.status is RunStatus.PAUSED
    assert running.bench.settings_store.settings.training_at_close == "ask"


def test_who_chose_before_is_not_asked(running, waiting):
    running.bench.settings_store.change(training_at_close="pause")
    assert running.window.close()
    assert question_in(running.window) is None
    assert waiting.state.status is RunStatus.PAUSED


def test_cancel_leaves_the_window_and_the_training_as_they_are(running, waiting, qtbot):
    window = running.window
    assert not window.close()
    box = question_in(window)
    box.button(QMessageBox.StandardButton.Cancel).click()
    qtbot.waitUntil(lambda: question_in(window) is None)
    assert not is_closed(window)
    assert waiting.state.status is RunStatus.WAITING
    assert not window.close(), "it asks again"
    press(window, "training_continues", remembered=False)
    qtbot.waitUntil(lambda: is_closed(window))
