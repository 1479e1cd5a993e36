"""Where the file dialogs begin, and how they follow the user."""

from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication, QFileDialog

from explorer.ui.export.file_dialogs import FileDialogs


@pytest.fixture
def dialog(running, qtbot, monkeypatch):
    """Opens the dialog of an action of the menus."""
    monkeypatch.setattr(FileDialogs, "folder_of_last", "")

    def ask(action):
        running.window.menus.action(action).trigger()
        qtbot.waitUntil(lambda: isinstance(QApplication.activeModalWidget(), QFileDialog))
        return QApplication.activeModalWidget()

    return ask


def test_they_begin_at_the_users_files_and_go_on_where_the_last_one_was(
    dialog, tmp_path, monkeypatch, qtbot
):
    home = tmp_path / "at home"
    home.mkdir()
    monkeypatch.setenv("HOME", str(home))
    first = dialog("copy_log")
    assert Path(first.directory().absolutePath()) == home
    first.selectFile(str(tmp_path / "copy.db"))
    first.accept()
    qtbot.waitUntil((tmp_path / "copy.db").exists)
    second = dialog("open_text")
    assert Path(second.directory().absolutePath()) == tmp_path
    second.reject()
