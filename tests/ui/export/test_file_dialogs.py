"""Where the file dialogs begin, and how they follow the user."""

from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication, QDialog, QFileDialog, QMessageBox

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


@pytest.fixture
def save_picture(running, dialog, qtbot):
    """Saves the answer on screen as a PNG, under a name that is typed."""

    def save(typed):
        running.window.menus.action("export_view_picture").trigger()
        pictures = running.window.findChild(QDialog, "pictureDialog")
        pictures.form.setCurrentIndex(pictures.form.findData("png"))
        pictures.save.click()
        qtbot.waitUntil(lambda: isinstance(QApplication.activeModalWidget(), QFileDialog))
        asked = QApplication.activeModalWidget()
        asked.selectFile(str(typed))
        asked.accept()

    return save


BEGINS = {".png": b"\x89PNG", ".pdf": b"%PDF", ".svg": b"<?xml"}


@pytest.mark.parametrize(
    ("typed", "saved"),
    [
        ("figure.pdf", "figure.pdf"),
        ("figure.SVG", "figure.SVG"),
        ("figure", "figure.png"),
        ("figure.v2", "figure.v2.png"),
    ],
)
def test_the_ending_that_is_typed_says_what_the_file_holds(
    save_picture, running, tmp_path, qtbot, typed, saved
):
    save_picture(tmp_path / typed)
    qtbot.waitUntil(lambda: [one.name for one in tmp_path.glob("figure*")] == [saved])
    content = (tmp_path / saved).read_bytes()
    assert content.startswith(BEGINS[Path(saved).suffix.lower()])
    assert saved in running.window.status.currentMessage()


def test_a_file_that_another_name_becomes_is_not_replaced_without_a_question(
    save_picture, tmp_path, qtbot
):
    there = tmp_path / "figure.v2.png"
    there.write_text("mine")
    save_picture(tmp_path / "figure.v2")
    qtbot.waitUntil(lambda: isinstance(QApplication.activeModalWidget(), QMessageBox))
    box = QApplication.activeModalWidget()
    assert "figure.v2.png" in box.text()
    box.button(QMessageBox.StandardButton.Cancel).click()
    assert there.read_text() == "mine"
