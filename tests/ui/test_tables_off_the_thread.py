"""An answer's table may have thousands of rows: it is made where nobody waits for it."""

import sqlite3
import threading
from contextlib import closing
from dataclasses import replace

import pytest

from explorer.questions.masking.masked_tokens import question as fill_mask
from explorer.sessions.read.reader import SessionReader
from explorer.settings import Settings
from explorer.ui.notices.reading_pages import RowsPage


@pytest.fixture
def unlogged(start):
    """The program of somebody who keeps no log."""
    return start(Settings(log_enabled=False))


def asker_in(running):
    return running.bench.asking.askers["masked_tokens"]


def watched(running, monkeypatch):
    """The threads that make a table from now on, and whether the answer was drawn by then."""
    view, found = running.window.view_of("masked_tokens"), []
    shown_before = view.result

    def table(result):
        found.append((threading.current_thread(), view.result is not shown_before))
        return fill_mask.QUESTION.table(result)

    monkeypatch.setattr(asker_in(running), "of", replace(view.of, table=table))
    return found


def ask(running, qtbot, text):
    view = running.window.view_of("masked_tokens")
    running.bench.edits.take_text(text, "another.txt")
    qtbot.waitUntil(
        lambda: (
            running.bench.asking.is_idle
            and view.has_result
            and view.document.text == text
            and running.window.view_area.frames["masked_tokens"].state.name == "RESULT"
        )
    )


def test_it_is_made_by_the_log_before_the_answer_is_drawn(running, qtbot, paths, monkeypatch):
    made = watched(running, monkeypatch)
    ask(running, qtbot, "A [MASK] of quite another kind.")
    ((thread, drawn),) = made
    assert thread.name == "session log"
    assert not drawn
    (newest, *_) = SessionReader(paths.sessions).runs()
    assert newest.text == "A [MASK] of quite another kind."


def test_without_a_log_it_is_made_on_a_thread_all_the_same(unlogged, qtbot, monkeypatch):
    made = watched(unlogged, monkeypatch)
    ask(unlogged, qtbot, "A [MASK] of quite another kind.")
    ((thread, drawn),) = made
    assert thread is not threading.main_thread()
    assert not drawn


def failing(running, qtbot, monkeypatch):
    """Asks for an answer that makes no table."""
    view = running.window.view_of("masked_tokens")

    def fails(_result):
        raise ValueError("rows that do not fit")

    monkeypatch.setattr(asker_in(running), "of", replace(view.of, table=fails))
    running.bench.edits.take_text("A [MASK] of quite another kind.", "another.txt")
    qtbot.waitUntil(lambda: running.bench.asking.is_idle and not view.has_result)
    assert running.window.view_area.frames["masked_tokens"].failed_page.isVisible()


def test_an_answer_that_makes_none_is_told_and_kept_as_failed(running, qtbot, monkeypatch, paths):
    failing(running, qtbot, monkeypatch)
    newest, *_ = SessionReader(paths.sessions).runs()
    assert newest.failed
    assert "rows that do not fit" in newest.headline


def test_it_is_told_without_a_log_too(unlogged, qtbot, monkeypatch, paths):
    failing(unlogged, qtbot, monkeypatch)
    assert not paths.sessions.exists()


def test_a_run_of_a_newer_question_shows_its_rows_and_what_to_do(running, qtbot, paths):
    log = running.window.log
    qtbot.waitUntil(lambda: log.model.rowCount() == 1)
    run_id = log.model.run_at(0).id
    with closing(sqlite3.connect(paths.sessions)) as connection:
        connection.execute("UPDATE run_details SET schema = 99")
        connection.commit()
    running.window.commands.restore_run(run_id)
    qtbot.waitUntil(lambda: running.window.findChild(RowsPage) is not None)
    page = running.window.findChild(RowsPage)
    shown = page.text.toPlainText()
    assert "newer version of the program" in shown
    assert "probability" in shown
    page.close()
    # The same of an answer whose rows are not kept: its summary.
    with closing(sqlite3.connect(paths.sessions)) as connection:
        connection.execute("DELETE FROM result_rows")
        connection.commit()
    running.window.commands.restore_run(run_id)
    qtbot.waitUntil(lambda: running.window.findChild(RowsPage) not in (None, page))
    shown = running.window.findChild(RowsPage).text.toPlainText()
    assert "newer version of the program" in shown
    assert "entropy 1" in shown
    running.window.findChild(RowsPage).close()
