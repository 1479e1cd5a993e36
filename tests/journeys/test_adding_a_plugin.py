"""A plugin comes and goes in the program's own window, with a real engine."""

import shutil

import pytest
from PySide6.QtCore import QMimeData, QPoint, QPointF, Qt, QUrl
from PySide6.QtGui import QDragEnterEvent, QDropEvent
from PySide6.QtWidgets import QApplication, QLabel, QMessageBox

from explorer.tour.hands import Hands, wait_until
from explorer.ui.library.plugins.dialog import RECORD
from tests import plugin_question
from tests.journeys.acting import opened_again
from tests.plugin_question import NAME

pytestmark = [
    pytest.mark.qt_log_ignore(r"This plugin does not support propagateSizeHints\(\)"),
    pytest.mark.usefixtures("warm_engine"),
]


def drop_a_plugin(dialog, source):
    """Drop a folder or a file on the dialog, and agree to what it asks."""
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(source))])
    where, copies = QPoint(20, 20), Qt.DropAction.CopyAction
    buttons, keys = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
    entering = QDragEnterEvent(where, copies, data, buttons, keys)
    QApplication.sendEvent(dialog, entering)
    assert entering.isAccepted()
    QApplication.sendEvent(dialog, QDropEvent(QPointF(where), copies, data, buttons, keys))
    if box := asked_of(dialog):
        assert box.text() == "Add the plugin Word lengths 1.0?"
        assert "read, change and delete your files, send what it reads" in box.informativeText()
        press(box, "&Add")


def asked_of(dialog):
    """The question that is open, if one is; those that were answered are let go of later."""
    boxes = dialog.findChildren(QMessageBox, "plugin_question")
    return next((one for one in boxes if one.isVisible()), None)


def press(box, words):
    next(one for one in box.buttons() if one.text() == words).click()


def row_of(dialog, name):
    rows = map(dialog.tree.topLevelItem, range(dialog.tree.topLevelItemCount()))
    return next((row for row in rows if row.data(0, RECORD).id == name), None)


def test_it_comes_by_a_drop_or_in_a_zip_file_and_goes_by_a_button(
    paths, tmp_path, open_window, monkeypatch
):
    folder = plugin_question.write(tmp_path / "own")
    broken = paths.user_plugins / "broken"
    broken.mkdir(parents=True)
    manifest = 'id = "broken"\ntitle = "Broken"\napi = 2\nrequires = ["nowhere>=2"]\n'
    (broken / "plugin.toml").write_text(manifest, "utf-8")
    running = open_window(offline=True)
    window = running.window
    assert NAME not in window.tree.pages.names
    dialog = window.commands.show_plugins()
    wait_until(lambda: dialog.tree.topLevelItemCount() > 0, "the plugins")
    note = dialog.findChild(QLabel, "plugins_note")
    # What it is for, and what a family's models can be asked, by the ports of their heads.
    dialog.tree.setCurrentItem(row_of(dialog, "electra"))
    told = dialog.details.toPlainText()
    assert told.startswith("ELECTRA (Clark et al. 2020): a discriminator that finds the tokens")
    can, cannot = told.split("Its models can be asked ")[1].split("They cannot be asked: ")
    assert "Replaced tokens" in can
    assert "Disentangled attention" in cannot
    assert not dialog.remove.isEnabled()
    assert "comes with the program" in dialog.remove.toolTip()
    with monkeypatch.context() as patched:
        patched.setattr(dialog, "read_anew", lambda: None)
        # One's own goes, once that is agreed to.
        dialog.tree.setCurrentItem(row_of(dialog, "broken"))
        assert row_of(dialog, "broken").text(1) == "It needs nowhere>=2, which is not installed."
        dialog.remove.click()
        box = asked_of(dialog)
        assert f"The folder {broken} is deleted for good." in box.informativeText()
        press(box, "&Remove")
        assert list(paths.user_plugins.iterdir()) == []
        # One that is there is never overwritten; what is none is refused before anything is asked.
        drop_a_plugin(dialog, folder)
        assert (paths.user_plugins / "word-lengths" / "plugin.toml").is_file()
        drop_a_plugin(dialog, folder)
        assert note.text().startswith("A plugin in a folder called word-lengths is there already.")
        no_plugin = tmp_path / "none.zip"
        no_plugin.write_bytes(b"none")
        drop_a_plugin(dialog, no_plugin)
        assert note.text().startswith("none.zip was not added: it is no zip file, or is damaged")
    shutil.rmtree(paths.user_plugins / "word-lengths")
    drop_a_plugin(dialog, shutil.make_archive(str(tmp_path / "packed"), "zip", tmp_path / "own"))
    wait_until(lambda: running.window is not window, "a window made anew")
    assert NAME in running.window.tree.pages.names
    Hands(running.window).settle()
    dialog = opened_again(running)
    assert row_of(dialog, "word-lengths").text(1) == "Brings Expected length."
    assert row_of(dialog, "broken") is None
    assert "No plugin of other people is known" in dialog.published.note.text()
    dialog.close()
