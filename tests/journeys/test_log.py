"""Runs are starred, noted, compared, laid on the sheet, and brought back at the next start."""

import pytest
from PySide6.QtCore import Qt

from explorer.engine.messages import Ask
from explorer.questions.masking.masked_tokens.question import MaskedTokensRequest
from explorer.tour.hands import wait_until
from explorer.ui.session_log.note_dialog import NoteDialog
from explorer.ui.session_log.table import STAR
from tests.journeys.acting import answered, brought

pytestmark = [
    pytest.mark.usefixtures("warm_engine"),
    pytest.mark.qt_log_ignore("This plugin does not support", extend=True),
]

LEFT = Qt.MouseButton.LeftButton


def choose(log, row, words):
    """An entry of a row's menu."""
    entries = {one.text(): one for one in log.menu_of(log.model.run_at(row)).actions()}
    entries[words].trigger()


def test_what_was_found_is_kept_compared_and_there_at_the_next_start(
    running, hands, open_window, qtbot, monkeypatch
):
    window = running.window
    first = answered(running, qtbot, "masked_tokens").result
    hands.click_token("chef")
    second = answered(running, qtbot, "masked_tokens").result
    assert (len(first.masks), len(second.masks)) == (1, 2)
    log = window.log
    wait_until(lambda: log.model.rowCount() == 2, "both runs in the log")
    place = log.table.visualRect(log.model.index(1, STAR)).center()
    qtbot.mouseClick(log.table.viewport(), LEFT, pos=place)
    wait_until(lambda: log.model.run_at(1).starred, "the star")
    choose(log, 1, "Write a note…")
    dialog = window.findChild(NoteDialog)
    dialog.editor.setPlainText("one mask alone")
    dialog.accept()
    wait_until(lambda: log.model.run_at(1).note == "one mask alone", "the note")
    window.sheet.add(window.view_of("masked_tokens"))
    log.table.selectAll()
    choose(log, 0, "Compare the two chosen")
    view = window.view_of("masked_tokens")
    wait_until(lambda: view.baseline is not None, "the comparison")
    hands.settle()
    assert (len(view.baseline.result.masks), len(view.result.masks)) == (1, 2)
    running.close()

    again = open_window()
    window, log = again.window, again.window.log
    assert [one.operation for one in window.sheet.dialog.entries] == ["masked_tokens"]
    log.filters.search.setText("one mask alone")
    wait_until(lambda: log.model.rowCount() == 1, "the run with the note")
    assert log.model.run_at(0).starred
    asked, submit = [], again.bench.bridge.submit

    def note(lane, request, reply):
        asked.append(request)
        return submit(lane, request, reply)

    monkeypatch.setattr(again.bench.bridge, "submit", note)
    log.restore_wanted.emit(log.model.run_at(0).id)
    wait_until(lambda: again.bench.state.run_id != "", "the run to come back")
    view = brought(again, qtbot, "masked_tokens")
    assert len(view.result.masks) == 1
    assert again.bench.asking.askers["masked_tokens"].frame.log_bar.isVisible()
    # Nothing is asked anew but the tokens above it.
    assert not {MaskedTokensRequest} & {type(one.request) for one in asked if isinstance(one, Ask)}
