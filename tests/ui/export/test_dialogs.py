"""The dialogs of pictures and tables in the real window: chosen, seen, saved, remembered."""

import csv
import threading

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QImage
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QDialog, QFileDialog

from explorer import export_choices
from explorer.export_choices import PictureChoice, TableChoice
from explorer.sessions.export.tables import caption_file
from explorer.ui.export import exporting, files

CHECKED, UNCHECKED = Qt.CheckState.Checked, Qt.CheckState.Unchecked


@pytest.fixture
def saved_as(running, monkeypatch, tmp_path):
    """Where files are saved; the names that were suggested."""
    asked: list[str] = []

    def save(_title, name, _kind, then, _also=()):
        asked.append(name)
        then(tmp_path / name)

    monkeypatch.setattr(running.window.commands.dialogs, "save", save)
    return asked


def opened(running, action, name):
    running.window.menus.action(action).trigger()
    return running.window.findChild(QDialog, name)


def choose(combo, value):
    combo.setCurrentIndex(combo.findData(value))


def test_a_picture_as_wide_as_a_column(running, saved_as, tmp_path, qtbot):
    dialog = opened(running, "export_view_picture", "pictureDialog")
    assert dialog.choice == PictureChoice()
    assert not dialog.preview.pixmap().isNull()
    before = dialog.said.text()
    choose(dialog.form, "svg")
    choose(dialog.size_field, "column")
    dialog.switches["title"].setChecked(False)
    dialog.switches["caption"].setChecked(False)
    qtbot.waitUntil(lambda: dialog.said.text() != before)
    assert dialog.said.text().startswith("84 × ")
    assert "7.0 points" in dialog.said.text()
    dialog.save.click()
    assert saved_as == ["masked-tokens-bert-miniature.svg"]
    text = (tmp_path / saved_as[0]).read_text(encoding="utf-8")
    assert 'width="84mm"' in text
    assert not dialog.isVisible()
    assert running.window.status.currentMessage().startswith("Saved ")
    wanted = PictureChoice("svg", "column", title=False, caption=False)
    assert running.bench.settings_store.settings.picture == wanted
    again = opened(running, "export_view_picture", "pictureDialog")
    assert again.choice == wanted


def test_several_forms_are_saved_at_once(running, saved_as, tmp_path):
    dialog = opened(running, "export_view_picture", "pictureDialog")
    choose(dialog.form, "pdf")
    assert not dialog.also["pdf"].isVisibleTo(dialog)
    dialog.also["png"].setChecked(True)
    dialog.also["svg"].setChecked(True)
    dialog.save.click()
    begins = {one.suffix: one.read_bytes()[:4] for one in tmp_path.glob("masked-tokens-*")}
    assert begins == {".pdf": b"%PDF", ".png": b"\x89PNG", ".svg": b"<?xm"}
    assert "and next to it" in running.window.status.currentMessage()
    assert opened(running, "export_view_picture", "pictureDialog").choice.also == ("svg", "png")


def test_a_figure_leaves_out_what_makes_it_too_high_until_somebody_chooses(
    running, qtbot, monkeypatch
):
    dialog = opened(running, "export_view_picture", "pictureDialog")
    first, second = (dialog.parts.topLevelItem(n) for n in range(2))
    assert [one.checkState(0) for one in (first, second)] == [CHECKED, CHECKED]
    monkeypatch.setattr(export_choices, "FIGURE_HEIGHT", 20.0)
    dialog.millimetres.setValue(60)
    choose(dialog.size_field, "own")
    qtbot.waitUntil(lambda: first.checkState(0) == UNCHECKED)
    assert second.checkState(0) == CHECKED
    assert "without a tick would make it higher" in dialog.said.text()
    assert dialog.off is None
    first.setCheckState(0, CHECKED)
    qtbot.waitUntil(lambda: "without a tick" not in dialog.said.text())
    assert dialog.off == frozenset()


def test_the_rows_of_the_parts_are_as_high_as_the_theme_wants(running, qtbot):
    dialog = opened(running, "export_view_picture", "pictureDialog")
    qtbot.waitExposed(dialog)
    parts = dialog.parts
    laid_out = [parts.visualItemRect(parts.topLevelItem(n)).height() for n in range(2)]
    parts.doItemsLayout()
    assert laid_out == [parts.visualItemRect(parts.topLevelItem(n)).height() for n in range(2)]


def test_parts_are_chosen_with_the_keyboard_and_kept(running, saved_as, tmp_path):
    dialog = opened(running, "export_view_picture", "pictureDialog")
    choose(dialog.form, "png")
    titles = [dialog.parts.topLevelItem(n).text(0) for n in range(dialog.parts.topLevelItemCount())]
    assert titles[0] == "Sentence"
    dialog.save.click()
    whole = QImage(str(tmp_path / saved_as[0]))
    dialog = opened(running, "export_view_picture", "pictureDialog")
    dialog.parts.setFocus()
    QTest.keyClick(dialog.parts, Qt.Key.Key_Space)
    assert dialog.parts.topLevelItem(0).checkState(0) == UNCHECKED
    dialog.save.click()
    assert QImage(str(tmp_path / saved_as[1])).height() < whole.height()
    again = opened(running, "export_view_picture", "pictureDialog")
    assert again.parts.topLevelItem(0).checkState(0) == UNCHECKED
    assert again.parts.topLevelItem(1).checkState(0) == CHECKED


def test_nothing_chosen_is_said_and_can_not_be_saved(running, qtbot):
    dialog = opened(running, "export_view_picture", "pictureDialog")
    dialog.show_parts(())
    qtbot.waitUntil(lambda: not dialog.save.isEnabled())
    assert "empty" in dialog.preview.text()
    dialog.show_parts(["Sentence"])
    qtbot.waitUntil(dialog.save.isEnabled)


def test_fields_that_mean_nothing_are_not_there(running):
    dialog = opened(running, "export_view_picture", "pictureDialog")
    dialog.show()
    for form, size, there in (
        ("png", "screen", (False, False, True, False)),
        ("svg", "column", (False, True, False, True)),
        ("pdf", "own", (True, True, False, True)),
    ):
        choose(dialog.form, form)
        choose(dialog.size_field, size)
        fields = (
            dialog.millimetres,
            dialog.numbers["points"],
            dialog.numbers["dpi"],
            dialog.switches["outlines"],
        )
        assert tuple(not field.isHidden() for field in fields) == there


def test_a_picture_is_copied_as_it_was_chosen(running, qapp):
    dialog = opened(running, "export_view_picture", "pictureDialog")
    choose(dialog.size_field, "column")
    dialog.numbers["dpi"].setValue(600)
    dialog.copy.click()
    assert qapp.clipboard().image().width() == pytest.approx(84 / 25.4 * 600, abs=1)


@pytest.mark.parametrize("place", ["file", "comment", "none"])
def test_a_table_with_its_caption_where_it_is_wanted(running, saved_as, tmp_path, place):
    dialog = opened(running, "export_view_table", "tableDialog")
    assert dialog.rows.rowCount() > 0
    choose(dialog.form, "csv")
    choose(dialog.caption, place)
    dialog.save.click()
    path = tmp_path / saved_as[0]
    with path.open(encoding="utf-8-sig", newline="") as file:
        rows = list(csv.reader(file))
    assert rows[0][0].startswith("# Masked tokens") == (place == "comment")
    assert rows[place == "comment"][:3] == ["mask", "rank", "word"]
    assert caption_file(path).exists() == (place == "file")
    assert running.bench.settings_store.settings.table == TableChoice("csv", place)


def test_a_key_opens_the_dialog_and_another_closes_it(running):
    assert running.window.menus.action("export_view_picture").shortcut().toString() == "Ctrl+E"
    assert running.window.menus.action("export_view_table").shortcut().toString() == "Ctrl+Shift+E"
    for action, name in (
        ("export_view_picture", "pictureDialog"),
        ("export_view_table", "tableDialog"),
    ):
        dialog = opened(running, action, name)
        QTest.keyClick(dialog, Qt.Key.Key_Escape)
        assert not dialog.isVisible()


@pytest.mark.parametrize("there", [True, False])
def test_a_long_table_is_written_aside(running, saved_as, tmp_path, qtbot, monkeypatch, there):
    monkeypatch.setattr(exporting, "MANY", 0)
    threads = []
    write = files.save_table

    def seen(path, *what):
        threads.append(threading.current_thread())
        write(path if there else path.parent / "gone" / path.name, *what)

    monkeypatch.setattr(files, "save_table", seen)
    dialog = opened(running, "export_view_table", "tableDialog")
    teller = running.window.commands.exporting
    with qtbot.waitSignal(teller.done if there else teller.failed):
        dialog.save.click()
    assert threads != [threading.main_thread()]
    assert (tmp_path / saved_as[0]).exists() == there


@pytest.mark.parametrize(
    ("action", "name"),
    [("export_view_picture", "pictureDialog"), ("export_view_table", "tableDialog")],
)
def test_a_name_that_no_file_can_have_is_told(running, tmp_path, qtbot, action, name):
    opened(running, action, name).save.click()
    asked = running.window.findChild(QFileDialog, "file_dialog")
    asked.fileSelected.emit(f"{tmp_path}/a\0b.csv")
    qtbot.waitUntil(lambda: running.window.notices.texts != ())
    assert "is no path on this machine" in running.window.notices.texts[0]
    asked.reject()
