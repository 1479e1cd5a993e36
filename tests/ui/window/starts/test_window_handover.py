"""Another language at once: what only widgets know goes over to the window that speaks it."""

from dataclasses import replace

import pytest
from PySide6.QtCore import QCoreApplication, QEvent, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QDialog, QMenu, QToolButton

from explorer.api.question import Blame, CheckpointFault, Failure
from explorer.questions.attention.attention.question import AttentionRequest
from explorer.text import N_, Phrase
from explorer.text import language as languages
from explorer.ui.matrices.heads.grid import HeadGrid
from explorer.ui.notices.notices import Notice, NoticeBar
from explorer.ui.session_log.table import COLUMNS, MODEL, TIME
from explorer.ui.theme.schemes import current_theme, theme_signals
from tests.ui.controls.rows.test_long_table import draw
from tests.ui.fake_engine import CACHED, CATALOGUE, MINIATURE
from tests.ui.page_tree import click_topic, listed_pages
from tests.ui.test_matrix import heads_of


def speak(running, qtbot, setting=languages.PSEUDO):
    """Another language; returns the window that speaks it, once everything stands where it did."""
    before = running.window
    running.speak(setting)
    qtbot.waitUntil(lambda: running.window is not before)
    qtbot.waitExposed(running.window)
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    for _ in range(3):
        QCoreApplication.processEvents()
    return running.window


def settle(running, qtbot):
    qtbot.waitUntil(lambda: running.bench.asking.is_idle)


# ---- notices ---------------------------------------------------------------------------------


def test_notices_on_screen_are_said_in_the_new_language(running, qtbot):
    bench = running.bench
    bench.checkpoints.listing_failed.emit(
        Failure.of(CheckpointFault(N_("{path} is not a folder."), path="/models"))
    )
    bench.recording.problem_changed.emit("no space")
    english = set(running.window.notices.texts)
    assert "/models is not a folder." in english
    assert "The session log has a problem: no space" in english
    window = speak(running, qtbot)
    assert window.notices.keys == ("library", "log")
    library, log = window.notices.texts
    assert "/models" in library
    assert "no space" in log
    assert english.isdisjoint({library, log})
    spoken = [bar.accessibleName() for bar in window.findChildren(NoticeBar)]
    assert all(words in " ".join(spoken) for words in (library, log))
    window = speak(running, qtbot, languages.SOURCE)
    assert set(window.notices.texts) == english


def test_a_button_of_a_notice_does_in_the_new_window_what_it_did(running, engine, qtbot):
    fault = Failure(Blame.BUG, "It broke.", traceback="Traceback")
    running.window.notifications.fault(fault)
    details = running.window.findChild(QToolButton, "notice_show_details")
    details.setChecked(True)
    window = speak(running, qtbot)
    assert window.findChild(QToolButton, "notice_show_details").isChecked()
    window.findChild(QToolButton, "notice_action_0").click()
    report = window.findChild(QDialog, "problem_report")
    assert report.isVisible()
    report.close()
    engine.hang("It hangs.")
    qtbot.waitUntil(lambda: "engine_hangs" in window.notices.keys)
    window = speak(running, qtbot, languages.SOURCE)
    wanted = []
    window.restart_wanted.connect(lambda: wanted.append(True))
    window.findChild(NoticeBar, "notice_engine_hangs").findChild(
        QToolButton, "notice_action_0"
    ).click()
    assert wanted == [True]


def test_a_notice_whose_button_belongs_to_the_window_goes_with_it(running, qtbot):
    pressed = (("Press", lambda: None),)
    running.window.notices.tell(Notice("own", "Only here.", actions=pressed))
    running.window.notices.tell(Notice("moves", "Anywhere.", actions=pressed, outlives_window=True))
    running.window.notices.tell(Notice("plain", "Read this."))
    window = speak(running, qtbot)
    assert window.notices.keys == ("moves", "plain")


def test_what_was_dismissed_does_not_come_back(running, qtbot):
    running.window.notifications.say("keep", Phrase(N_("Runs are kept for good.")))
    running.window.findChild(NoticeBar).findChild(QToolButton, "notice_dismiss").click()
    assert speak(running, qtbot).notices.texts == ()


def test_a_notice_of_an_answer_stays_and_then_goes_with_that_answer(running, qtbot):
    bench, notifications = running.bench, running.window.notifications
    notifications.say_of_text("text", Phrase(N_("Runs are kept for good.")))
    notifications.say_of_answer("compared", "The same answer.", "masked_tokens")
    window = speak(running, qtbot)
    assert window.notices.keys == ("text", "compared")
    bench.state.changed.emit(bench.state.document)
    assert window.notices.keys == ("text", "compared")
    bench.edits.type_text("Anna cooked the soup.", 0)
    qtbot.waitUntil(lambda: window.notices.keys == ())
    settle(running, qtbot)


def test_new_words_are_still_told_of_and_the_samples_are_those_of_the_new_window(
    engine, start, qtbot
):
    engine.catalogue = (replace(MINIATURE, world=("en",)), *CATALOGUE[1:])
    running = start()
    running.bench.edits.type_text("Quarks [MASK] quasars.", 0)
    qtbot.waitUntil(lambda: running.window.small_world.is_said)
    (english,) = running.window.notices.texts
    window = speak(running, qtbot)
    (told,) = window.notices.texts
    assert told != english
    assert window.small_world.is_said
    window.findChild(NoticeBar).findChild(QToolButton, "notice_action_0").click()
    menu = window.findChild(QMenu, "samples_menu")
    qtbot.waitUntil(menu.isVisible)
    menu.close()


# ---- the log and the library -----------------------------------------------------------------


@pytest.fixture
def full_log(running, qtbot):
    """The log open, low, with more runs than it shows."""
    window = running.window
    window.resize(1200, 800)
    for at in (0, 4, 8, 12):
        running.bench.edits.toggle_mask(at, at + 3, 0)
        settle(running, qtbot)
    log = window.log
    window.side_docks[1].show()
    qtbot.waitUntil(lambda: log.model.rowCount() >= 5)
    window.resizeDocks([window.side_docks[1]], [150], Qt.Orientation.Vertical)
    bar = log.table.verticalScrollBar()
    qtbot.waitUntil(lambda: bar.maximum() > 20)
    return log


def test_the_logs_chosen_rows_and_its_scrolling_stay(running, full_log, qtbot):
    table = full_log.table
    table.selectRow(3)
    rows = [full_log.model.run_at(3).id]
    far = table.verticalScrollBar().maximum() - 5
    table.verticalScrollBar().setValue(far)
    window = speak(running, qtbot)
    log = window.log
    assert [one.id for one in log.chosen] == rows
    assert log.table.currentIndex().row() == 3
    assert log.bring_back.isEnabled()
    qtbot.waitUntil(lambda: log.table.verticalScrollBar().value() == far)
    # What is read once more leaves them alone.
    with qtbot.waitSignal(running.bench.queries.listed):
        log.refresh()
    assert [one.id for one in log.chosen] == rows
    assert log.table.verticalScrollBar().value() == far


def test_columns_of_the_log_stay_as_wide_as_they_were_drawn(running, full_log, qtbot):
    draw(full_log.table, TIME, 45)
    wide = full_log.table.columnWidth(TIME)
    log = speak(running, qtbot).log
    assert log.table.columnWidth(TIME) == wide
    # Another theme sizes them anew.
    theme_signals().changed.emit(current_theme())
    assert log.table.columnWidth(TIME) == wide
    assert (len(COLUMNS), MODEL) not in log.drawn_widths.widths


def test_the_librarys_slot_choice_and_closed_groups_stay(running, qtbot):
    window = running.window
    window.open_library("B")
    library = window.library
    library.choose(CACHED.id)
    closed = library.tree.model().index(1, 0)
    library.tree.collapse(closed)
    groups = library.open_groups
    assert groups.count(False) == 1
    window = speak(running, qtbot)
    library = window.library
    assert library.open_groups == groups
    assert library.slot == "B"
    assert library.chosen.id == CACHED.id
    assert "B" in library.filter_box.placeholderText()


def test_the_librarys_filter_and_how_its_room_is_divided_stay(running, qtbot):
    window = running.window
    window.resize(1400, 900)
    window.open_library()
    window.library.filter_box.setText("mini")
    splitter = window.library.findChild(object, "library_splitter")
    splitter.setSizes([200, 400])
    sizes = splitter.sizes()
    window = speak(running, qtbot)
    assert window.library.filter_box.text() == "mini"
    splitter = window.library.findChild(object, "library_splitter")
    qtbot.waitUntil(lambda: splitter.sizes() == sizes)


# ---- the list of views, dialogs, the keyboard ------------------------------------------------


def test_open_topics_and_how_far_the_tree_is_scrolled_stay(running, qtbot):
    window = running.window
    window.resize(900, 560)
    bar = window.tree.verticalScrollBar()
    for topic in ("Look inside", "Explain"):
        click_topic(window, topic)
    qtbot.waitUntil(lambda: bar.maximum() > 30)
    far = bar.maximum() - 10
    bar.setValue(far)
    shown = listed_pages(window)
    tree = speak(running, qtbot).tree
    assert listed_pages(running.window) == shown
    qtbot.waitUntil(lambda: tree.verticalScrollBar().value() == far)


def test_a_page_stays_as_far_scrolled(running, qtbot):
    window = running.window
    window.resize(900, 540)
    view = window.view_of("masked_tokens")
    bar = view.area.verticalScrollBar()
    qtbot.waitUntil(lambda: bar.maximum() > 20)
    far = bar.maximum() // 2
    bar.setValue(far)
    bar = speak(running, qtbot).view_of("masked_tokens").area.verticalScrollBar()
    qtbot.waitUntil(lambda: bar.value() == far)


def grid_in(window, question):
    """The heads on a page, drawn; None where there are none yet."""
    grids = window.view_of(question).page.findChildren(HeadGrid)
    return grids[0] if grids and grids[0].layout_now() is not None else None


@pytest.mark.parametrize("is_seen", [True, False])
def test_what_is_zoomed_in_on_stays_so(start, engine, qtbot, is_seen):
    engine.catalogue = (replace(MINIATURE, operations=("tokens", "attention")), *CATALOGUE[1:])
    engine.answers[AttentionRequest] = lambda request, _card: heads_of(request)
    running = start()
    running.window.view_area.bring_forward("attention")
    qtbot.waitUntil(lambda: grid_in(running.window, "attention") is not None)
    grid = grid_in(running.window, "attention")
    grid.zoom_by(2)
    if not is_seen:
        running.window.view_area.bring_forward("tokens")
        settle(running, qtbot)
    window = speak(running, qtbot)
    window.view_area.bring_forward("attention")
    qtbot.waitUntil(lambda: grid_in(window, "attention") is not None)
    assert grid_in(window, "attention").zoom == pytest.approx(2)


def test_the_glossary_stays_open_at_its_filter(running, qtbot):
    running.window.commands.show_glossary()
    glossary = running.window.findChild(QDialog, "glossary")
    glossary.filter.setText("beam")
    glossary.resize(500, 400)
    window = speak(running, qtbot)
    again = window.findChild(QDialog, "glossary")
    assert again.isVisible()
    assert again.filter.text() == "beam"
    assert (again.width(), again.height()) == (500, 400)
    found = again.text.toPlainText()
    assert found
    assert "bottleneck" not in found
    again.close()


def test_the_keyboard_stays_in_its_field(running, qtbot):
    window = running.window
    window.open_library()
    qtbot.waitUntil(lambda: window.focusWidget() is window.library.filter_box)
    QTest.keyClicks(window.library.filter_box, "al")
    window = speak(running, qtbot)
    qtbot.waitUntil(lambda: window.focusWidget() is window.library.filter_box)
    assert window.library.filter_box.text() == "al"
    window.sentence.strip.setFocus()
    window = speak(running, qtbot, languages.SOURCE)
    assert window.focusWidget() is window.sentence.strip
