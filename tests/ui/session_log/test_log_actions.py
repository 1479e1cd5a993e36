"""Stars, notes, comparison and the whole database, through the window."""

from dataclasses import replace

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QInputDialog

from explorer.questions.masking.masked_tokens.question import MaskedTokensRequest
from explorer.samples.samples import first_sample
from explorer.sessions.read.listing import RunFilter
from explorer.sessions.read.reader import SessionReader
from explorer.ui.notices.reading_pages import ComparedPage, RowsPage
from explorer.ui.session_log.note_dialog import NoteDialog
from explorer.ui.session_log.table import ANSWER, STAR


@pytest.fixture
def log(running, qtbot):
    dock = running.window.log
    qtbot.waitUntil(lambda: dock.model.rowCount() == 1)
    running.bench.edits.toggle_mask(4, 8, 0)
    qtbot.waitUntil(lambda: dock.model.rowCount() == 2)
    return dock


def test_a_click_on_the_star_keeps_it_and_can_be_undone(running, log, qtbot, paths):
    place = log.table.visualRect(log.model.index(1, STAR)).center()
    document = running.bench.state.document
    qtbot.mouseClick(log.table.viewport(), Qt.MouseButton.LeftButton, pos=place)
    qtbot.waitUntil(lambda: log.model.run_at(1).starred)
    assert running.bench.state.document == document
    assert running.bench.state.stack.undoText() == "put a star on a run"
    log.filters.starred.setChecked(True)
    qtbot.waitUntil(lambda: log.model.rowCount() == 1)
    assert log.model.run_at(0).masks == 1
    running.bench.state.stack.undo()
    qtbot.waitUntil(lambda: log.model.rowCount() == 0)
    assert SessionReader(paths.sessions).runs(RunFilter(starred=True)) == []


def test_control_and_enter_save_a_note(running, log, qtbot):
    actions = {a.text(): a for a in log.menu_of(log.model.run_at(1)).actions()}
    actions["Write a note…"].trigger()
    dialog = running.window.findChild(NoteDialog)
    dialog.activateWindow()
    qtbot.waitUntil(dialog.isActiveWindow)
    qtbot.keyClicks(dialog.editor, "by keys")
    qtbot.keyClick(dialog.editor, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
    qtbot.waitUntil(lambda: log.model.run_at(1).note == "by keys")


def test_a_note_is_written_shown_and_found(running, log, qtbot):
    actions = {a.text(): a for a in log.menu_of(log.model.run_at(1)).actions()}
    actions["Write a note…"].trigger()
    dialog = running.window.findChild(NoteDialog)
    dialog.editor.setPlainText("for the lecture")
    dialog.accept()
    qtbot.waitUntil(lambda: log.model.run_at(1).note == "for the lecture")
    assert log.model.index(1, ANSWER).data().endswith("— for the lecture")
    log.filters.search.setText("lecture")
    qtbot.waitUntil(lambda: log.model.rowCount() == 1)


def test_two_chosen_runs_are_compared_by_subtraction(running, log, engine, qtbot):
    log.table.selectAll()
    asked = len(engine.requests(MaskedTokensRequest))
    menu = log.menu_of(log.model.run_at(0))
    entry = {a.text(): a for a in menu.actions()}["Compare the two chosen"]
    assert entry.isEnabled()
    entry.trigger()
    view = running.window.view_of("masked_tokens")
    qtbot.waitUntil(lambda: view.baseline is not None)
    qtbot.waitUntil(lambda: len(view.result.masks) == 2)
    assert view.baseline.document == first_sample().document()
    assert any(text.startswith("The answer differs") for text in running.window.notices.texts)
    assert len(engine.requests(MaskedTokensRequest)) == asked


def test_two_runs_of_different_questions_are_not_offered_for_comparison(running, log, qtbot):
    running.window.view_area.bring_forward("tokens")
    qtbot.waitUntil(lambda: log.model.rowCount() == 3)
    log.table.clearSelection()
    mode = log.table.selectionModel().SelectionFlag
    for row in (0, 1):
        log.table.selectionModel().select(log.model.index(row, 0), mode.Select | mode.Rows)
    entry = {a.text(): a for a in log.menu_of(log.model.run_at(0)).actions()}
    assert not entry["Compare the two chosen"].isEnabled()


def test_asking_a_logged_run_again_says_whether_the_answer_is_the_same(running, log, qtbot):
    log.restore_wanted.emit(log.model.run_at(1).id)
    qtbot.waitUntil(lambda: running.bench.state.run_id != "")
    running.bench.asking.run_again()
    qtbot.waitUntil(
        lambda: any(
            "The same answer, to the last digit." in t for t in running.window.notices.texts
        )
    )


def test_the_log_is_copied_exported_and_merged(running, log, qtbot, tmp_path, monkeypatch, paths):
    dialogs = running.window.commands.dialogs
    copy, table = tmp_path / "copy.db", tmp_path / "runs.csv"
    monkeypatch.setattr(
        dialogs, "save", lambda _t, _n, kind, then: then(copy if "*.db" in kind else table)
    )
    monkeypatch.setattr(dialogs, "file", lambda _t, _k, then: then(copy))
    said = []
    running.window.status.messageChanged.connect(said.append)
    running.window.log_actions.save_copy()
    qtbot.waitUntil(lambda: any("copy of the session log" in s for s in said))
    assert len(SessionReader(copy).runs()) == 2
    running.window.log_actions.export_listed()
    qtbot.waitUntil(lambda: any("2 runs are in" in s for s in said))
    assert table.read_text("utf-8-sig").startswith("run,created_at")
    running.window.log_actions.merge()
    qtbot.waitUntil(lambda: any("2 were here already" in s for s in said))


def test_a_session_gets_a_name(running, log, qtbot, paths):
    running.window.log_actions.name_session()
    dialog = running.window.findChild(QInputDialog)
    dialog.setTextValue("soups")
    dialog.accept()
    qtbot.waitUntil(lambda: SessionReader(paths.sessions).sessions()[0].name == "soups")


def test_how_long_runs_are_kept_is_remembered_and_said(running, log):
    running.window.menus.action("keep_30").trigger()
    assert running.bench.settings_store.settings.keep_days == 30
    assert any("older than 30 days" in text for text in running.window.notices.texts)
    running.window.menus.action("keep_None").trigger()
    assert running.bench.settings_store.settings.keep_days is None


def test_a_run_of_a_question_that_is_gone_is_shown_as_its_rows(running, log, qtbot):
    stored = running.bench.queries._reader.run(log.model.run_at(1).id)
    summary = replace(stored.summary, operation="forgotten")
    gone = replace(stored, summary=summary, result=None, request=None, unreadable="No such thing.")
    running.window.commands._opened_for = "restore"
    running.window.commands.run_opened(gone)
    page = running.window.findChild(RowsPage)
    assert "No such thing." in page.text.toPlainText()
    assert "cooked" in page.text.toPlainText()
    assert running.bench.state.document == stored.document


def test_two_runs_of_a_view_without_differences_stand_side_by_side(running, log, qtbot):
    running.window.view_area.bring_forward("tokens")
    qtbot.waitUntil(lambda: log.model.rowCount() == 3)
    running.bench.edits.take_text("the teacher read", "a.txt")
    qtbot.waitUntil(lambda: log.model.rowCount() == 4)
    newest = [log.model.run_at(row).id for row in (1, 0)]
    running.window.log_actions.compare(*newest)
    qtbot.waitUntil(lambda: running.window.findChild(ComparedPage) is not None)
    text = running.window.findChild(ComparedPage).text.toPlainText()
    assert "The answer differs" in text
    assert "teacher" in text
    assert "cooked" in text


def test_what_is_said_of_a_comparison_goes_with_it(running, log, qtbot):
    log.table.selectAll()
    menu = log.menu_of(log.model.run_at(0))
    {a.text(): a for a in menu.actions()}["Compare the two chosen"].trigger()
    notices = running.window.notices
    qtbot.waitUntil(lambda: any(text.startswith("The answer differs") for text in notices.texts))
    running.window.view_of("masked_tokens").unpin()
    assert not any(text.startswith("The answer differs") for text in notices.texts)


def test_how_a_run_compares_is_told_only_where_its_answer_is_seen(running, log, engine, qtbot):
    running.window.commands.restore_run(log.model.run_at(0).id)
    qtbot.waitUntil(lambda: bool(running.bench.state.run_id))
    engine.held.add("view:masked_tokens")
    running.bench.asking.run_again()
    qtbot.waitUntil(lambda: "view:masked_tokens" in engine.waiting)
    running.window.view_area.bring_forward("tokens")
    with qtbot.waitSignal(running.bench.asking.replayed):
        engine.release("view:masked_tokens")
    # The log is read by the thread that has compared the two before.
    qtbot.waitUntil(lambda: log.model.rowCount() == 4)
    assert not any("Asked again" in text for text in running.window.notices.texts)
