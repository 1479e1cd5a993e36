"""The whole window while a screen reader listens: no key and no letter grows with its pages."""

import pytest
from PySide6.QtCore import QCoreApplication, Qt
from PySide6.QtGui import QAccessible
from PySide6.QtTest import QTest

from explorer.document import Document
from explorer.ui.window.pages.pages import MOST_ALIVE
from tests.stored_runs.recorded import RECORDED
from tests.ui.screen_reader import calls_in, listening

A_KEY = 400
"""Calls that an arrow key may cost, and asking what it went to: twice what it does."""
WEB = "bertviz"
"""Its page is a browser's, which tells of itself."""


@pytest.fixture
def window(start):
    with listening():
        yield start().window


def shown(window, name):
    recorded = RECORDED[name]
    window.view_area.bring_forward(name)
    view = window.view_of(name)
    view.show_result(recorded.result, recorded.document)
    return view.page


def calls_of_a_letter(window):
    """What a text that is edited costs, at the second of two letters: the first may read more."""
    return [
        calls_in(lambda text=text: window.bench.state.edit("text", Document(text)))
        for text in (f"{window.bench.state.document.text}{letter}" for letter in "ab")
    ][-1]


def test_keys_and_letters_cost_a_bounded_number_of_calls_however_many_pages_were_seen(window):
    window.view_area.bring_forward("masked_tokens")
    with_one = calls_of_a_letter(window)
    dear, seen = {}, set()
    for name in sorted(RECORDED.keys() & window.view_area.titles.keys() - {WEB}):
        page = shown(window, name)
        page.setFocus()
        QTest.keyClick(page, Qt.Key.Key_Home)
        reader = QAccessible.queryAccessibleInterface(page)
        calls = calls_in(lambda page=page: QTest.keyClick(page, Qt.Key.Key_Right))
        calls += calls_in(reader.focusChild)
        if calls > A_KEY:
            dear[name] = calls
        seen.add(name)
    assert dear == {}
    assert len(seen) > 35
    QCoreApplication.processEvents()
    # Pages that ask without a model wait here for answers that nobody gives, and stay for them.
    askers = window.bench.asking.askers
    at_rest = [view for view in window.views_made if askers[view.objectName()].is_idle]
    assert len(at_rest) <= MOST_ALIVE
    assert len(window.views_made) < len(seen) / 2
    window.view_area.bring_forward("masked_tokens")
    assert calls_of_a_letter(window) <= 1.5 * with_one
