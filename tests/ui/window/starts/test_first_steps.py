"""A first start offers three ways in, until one is taken; the Help menu always does."""

from contextlib import closing

import pytest
from PySide6.QtWidgets import QApplication, QFileDialog, QToolButton

from explorer import lectures
from explorer.app import Running
from explorer.document import Document
from explorer.engine.messages import LoadModel
from explorer.program import Program
from explorer.settings import Settings, SettingsFile
from explorer.ui.library.hub.real_models import RealModels
from tests.ui.fake_engine import CACHED, FakeEngine


@pytest.fixture
def first(engine, paths, qtbot):
    """The window of a first start, as the program opens it."""
    with closing(Running(Program(paths), engine, show_first=True)) as running:
        qtbot.waitUntil(lambda: "A" in running.bench.models.cards)
        qtbot.waitUntil(lambda: not running.bench.checkpoints.is_listing)
        yield running


def press(running, words):
    """Press a button of the notice."""
    buttons = running.window.findChildren(QToolButton)
    (button,) = (one for one in buttons if one.text() == words)
    button.click()


def test_a_first_start_offers_three_ways_in(first):
    assert first.window.first_steps.are_offered
    assert first.window.notices.keys == ()
    # And the sentence that is there is answered all the same.
    assert first.bench.state.document.text


def test_they_are_offered_until_they_are_put_away(paths, qtbot):
    for is_offered in (True, True, False):
        with closing(Running(Program(paths), FakeEngine(), show_first=True)) as running:
            qtbot.waitUntil(lambda running=running: "A" in running.bench.models.cards)
            assert running.window.first_steps.are_offered == is_offered
            if SettingsFile(paths.settings).load().first_steps:  # the second time
                running.window.findChild(QToolButton, "ways_in_close").click()
                assert not running.window.first_steps.are_offered


def test_whoever_has_been_here_is_offered_none(engine, paths, qtbot):
    SettingsFile(paths.settings).save(Settings(document=Document("the cat sat")))
    with closing(Running(Program(paths), engine, show_first=True)) as running:
        qtbot.waitUntil(lambda: "A" in running.bench.models.cards)
        assert not running.window.first_steps.are_offered
        running.window.menus.action("first_steps").trigger()
        assert running.window.first_steps.are_offered


def test_the_sentence_that_is_there_is_tried(first, qtbot):
    press(first, "Try the sentence")
    window = first.window
    hints = window.first_steps.hints
    assert hints.keys == ("first_try",)
    # Where it is read: next to the words that it speaks of.
    qtbot.waitUntil(lambda: hints.mapTo(window, hints.rect().bottomLeft()).y() > 0)
    strip = window.sentence.strip_area
    below = strip.mapTo(window, strip.rect().topLeft()).y()
    assert 0 <= below - hints.mapTo(window, hints.rect().bottomLeft()).y() < 40
    assert window.view_area.current.question == "masked_tokens"
    window.activateWindow()
    qtbot.waitUntil(lambda: QApplication.focusWidget() is window.sentence.strip)
    first.bench.edits.type_text("the dog sat", 0)
    qtbot.waitUntil(lambda: hints.keys == ())
    assert hints.isHidden()


def entry_of(first, words):
    """An entry of the menu behind "Open your own model"."""
    buttons = first.window.findChildren(QToolButton)
    (button,) = (one for one in buttons if one.text() == "Open your own model")
    return next(one for one in button.menu().actions() if one.text() == words)


def test_a_model_of_ones_own_is_opened_by_its_folder(first, qtbot):
    entry_of(first, "Open a model folder…").trigger()
    dialog = first.window.findChild(QFileDialog, "file_dialog")
    assert dialog.fileMode() is QFileDialog.FileMode.Directory
    # Who changes their mind finds the ways in where they were.
    dialog.reject()
    assert first.window.first_steps.are_offered
    entry_of(first, "Open a model folder…").trigger()
    dialog = first.window.findChildren(QFileDialog, "file_dialog")[-1]
    dialog.fileSelected.emit(CACHED.folder)
    dialog.close()
    models = first.bench.models
    qtbot.waitUntil(lambda: models.cards["A"].stamp.id == CACHED.id)
    assert not first.window.first_steps.are_offered


def test_a_published_model_is_a_click_away(first):
    entry_of(first, "Download a published model…").trigger()
    dialog = first.window.findChild(RealModels)
    assert dialog.isVisible()
    dialog.close()


def test_a_model_can_be_chosen_from_the_library(first):
    entry_of(first, "Choose one from the library").trigger()
    assert first.window.picker.isVisible()
    assert not first.window.first_steps.are_offered


def test_two_models_take_their_room(first, qtbot):
    bench = first.bench
    bench.actions.load(bench.checkpoints.find("google-bert/bert-base-uncased"), "B")
    qtbot.waitUntil(lambda: "B" in bench.models.cards)
    assert not first.window.first_steps.are_offered


def test_the_first_lesson_begins(first, engine, qtbot):
    press(first, "Take the first lesson")
    lecturing = first.window.lecture_actions.lecturing
    qtbot.waitUntil(lambda: lecturing.at is not None)
    scene = lectures.lessons().scenes[0]
    assert lecturing.at.scene == scene
    assert first.window.lecture_dock.isVisible()
    qtbot.waitUntil(lambda: first.bench.state.document.text == scene.steps[0].text)
    assert engine.requests(LoadModel)
