"""Few pages keep their widgets; those that nobody looked at for long come back as they were."""

import gc
import weakref

import pytest
from PySide6.QtCore import QCoreApplication, QEvent, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QTableView
from shiboken6 import isValid

from explorer.api.question import Blame, Failure
from explorer.tour.hands import Hands
from explorer.ui import overview
from explorer.ui.views.frame.view_frame import FrameState
from explorer.ui.window.pages.pages import MOST_ALIVE
from tests.stored_runs.recorded import RECORDED
from tests.ui.fake_engine import CACHED
from tests.ui.window.test_language import settle

MASKS = "the [MASK] and [MASK] and [MASK] and [MASK] of [MASK] and [MASK]."
OWN = "masked_tokens"


def delete():
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    QCoreApplication.processEvents()


def look_at_others(window, qtbot, *, how_many=MOST_ALIVE + 1):
    """See so many other pages, one after the other."""
    there = {OWN, *window.view_area.opened}
    others = [name for name in window.view_area.titles if name not in there]
    for name in others[:how_many]:
        window.view_area.bring_forward(name)
        QCoreApplication.processEvents()
    settle_window(window, qtbot)


def bar_of(window):
    return window.view_of(OWN).area.verticalScrollBar()


def settle_window(window, qtbot):
    qtbot.waitUntil(lambda: window.bench.asking.is_idle)
    QCoreApplication.processEvents()
    delete()


def test_few_pages_are_alive_however_many_were_seen(running, qtbot):
    window, area = running.window, running.window.view_area
    seen = {}
    for name in area.titles:
        area.bring_forward(name)
        QCoreApplication.processEvents()
        seen[name] = weakref.ref(area.frames[name])
        assert len(window.views_made) <= MOST_ALIVE + 1
    settle_window(window, qtbot)
    gc.collect()
    assert len(window.views_made) <= MOST_ALIVE
    alive = {name for name, one in seen.items() if one() is not None}
    assert alive == set(area.frames)
    # The overview is the page of no question, and stays.
    alive.remove(overview.NAME)
    assert alive == {view.question for view in window.views_made}
    # Those that were seen last.
    assert alive == set([*area.titles][-MOST_ALIVE:])


def test_a_page_comes_back_with_its_answer_its_pin_and_its_scroll_and_asks_nothing(
    running, engine, qtbot
):
    window = running.window
    running.bench.edits.take_text(MASKS, "masks")
    settle(running, qtbot)
    view = window.view_of(OWN)
    qtbot.waitUntil(lambda: bar_of(window).maximum() > 200)
    view.pin()
    bar_of(window).setValue(130)
    result, pinned, document = view.result, view.baseline, view.document
    gone, asked = weakref.ref(view), len(engine.calls)
    del view
    look_at_others(window, qtbot)
    gc.collect()
    assert gone() is None
    assert OWN not in window.view_area.frames
    of_others = len(engine.calls) - asked
    window.view_area.bring_forward(OWN)
    view, frame = window.view_of(OWN), window.view_area.frames[OWN]
    assert (view.result, view.baseline, view.document) == (result, pinned, document)
    assert frame.state is FrameState.RESULT
    assert frame.pin_button.is_pinned
    qtbot.waitUntil(lambda: bar_of(window).value() == 130)
    settle_window(window, qtbot)
    assert len(engine.calls) == asked + of_others


def test_what_went_wrong_is_said_once_more_without_asking(running, engine, qtbot):
    window = running.window
    engine.failures["view:masked_tokens"] = Failure(Blame.CHECKPOINT, "It is broken.")
    running.bench.asking.run_again()
    settle(running, qtbot)
    look_at_others(window, qtbot)
    asked = len(engine.calls)
    assert OWN not in window.view_area.frames
    window.view_area.bring_forward(OWN)
    settle_window(window, qtbot)
    frame = window.view_area.frames[OWN]
    assert frame.state is FrameState.FAILED
    assert frame.failed_page.sentence.text() == "It is broken."
    assert len(engine.calls) == asked


def test_a_page_that_works_is_kept_until_it_is_done(running, engine, qtbot):
    window = running.window
    engine.held.add("view:masked_tokens")
    running.bench.edits.type_text("Anna cooked soup.", 0)
    running.bench.edits.toggle_mask(5, 11, 0)
    qtbot.waitUntil(lambda: "view:masked_tokens" in engine.waiting)
    others = [name for name in window.view_area.titles if name != OWN]
    for name in others[: MOST_ALIVE + 1]:
        window.view_area.bring_forward(name)
        QCoreApplication.processEvents()
    assert OWN in window.view_area.frames
    engine.release("view:masked_tokens")
    settle_window(window, qtbot)
    assert window.view_of(OWN).document.text == "Anna cooked soup."
    look_at_others(window, qtbot, how_many=3)
    assert OWN not in window.view_area.frames


def test_pages_that_have_a_place_are_kept(running, qtbot):
    window, area = running.window, running.window.view_area
    area.open_beside("tokens")
    area.open_beside("surprisal")
    area.turn_floating("surprisal")
    look_at_others(window, qtbot)
    assert {"tokens", "surprisal"} <= set(area.frames)
    assert len(area.frames.keys() - {overview.NAME}) <= MOST_ALIVE


def test_what_is_typed_and_not_yet_taken_stays(running, qtbot):
    window = running.window
    window.view_area.bring_forward("architecture")
    settle_window(window, qtbot)
    field = window.view_of("architecture").bar.fields["architecture.checkpoint"].lineEdit()
    field.selectAll()
    QTest.keyClicks(field, "bert-l")
    look_at_others(window, qtbot)
    assert "architecture" in window.view_area.frames
    assert field.text() == "bert-l"


def test_a_page_that_comes_back_knows_what_has_become_of_everything(running, engine, qtbot):
    window, bench = running.window, running.bench
    look_at_others(window, qtbot)
    assert OWN not in window.view_area.frames
    bench.edits.type_text("The soup is hot.", 0)
    bench.edits.toggle_mask(4, 8, 0)
    settle_window(window, qtbot)
    window.sentence.strip.select(1)
    window.sentence.strip.selected.emit(1)
    bench.checkpoints.changed.emit()
    window.view_area.bring_forward(OWN)
    settle_window(window, qtbot)
    view = window.view_of(OWN)
    assert view.document.text == "The soup is hot."
    assert view.told == 1
    assert view.now == bench.state.document
    assert CACHED.title in view._titles.values()


def test_a_letter_costs_no_more_with_pages_that_were_let_go(running, qtbot, monkeypatch):
    window = running.window
    look_at_others(window, qtbot)
    made = []
    area = window.view_area
    monkeypatch.setattr(area, "make", lambda *one: made.append(one))
    running.bench.edits.type_text("The soup is here.", 0)
    settle(running, qtbot)
    assert made == []


@pytest.mark.parametrize("name", ["attention", "vocabulary", "file_of_sentences", "soft_targets"])
def test_a_page_is_drawn_as_it_was(running, qtbot, name):
    window, recorded = running.window, RECORDED[name]
    window.view_area.bring_forward(name)
    settle_window(window, qtbot)
    view = window.view_of(name)
    view.show_result(recorded.result, recorded.document)
    nodes = [node.name for node in view.page.page.nodes]
    assert nodes
    look_at_others(window, qtbot)
    assert name not in window.view_area.frames
    again = window.view_of(name)
    assert again is not view
    assert [node.name for node in again.page.page.nodes] == nodes


def test_how_far_a_page_is_scrolled_that_was_let_go_is_remembered(running, qtbot):
    window = running.window
    running.bench.edits.take_text(MASKS, "masks")
    settle(running, qtbot)
    qtbot.waitUntil(lambda: bar_of(window).maximum() > 200)
    bar_of(window).setValue(130)
    look_at_others(window, qtbot)
    assert OWN not in window.view_area.frames
    window.remember_layout()
    assert running.bench.settings_store.settings.scrolls[OWN] == 130
    assert OWN not in window.view_area.frames


def test_a_page_that_is_deleted_takes_nothing_of_the_window_along(running, qtbot):
    """Tab in the picker and in the lectures panel comes past every widget there is."""
    window = running.window
    settle(running, qtbot)
    window.lecture_dock.show()
    QTest.keyClick(window, Qt.Key.Key_L, Qt.KeyboardModifier.ControlModifier)
    qtbot.waitUntil(window.picker.isVisible)
    for key in (Qt.Key.Key_Tab, Qt.Key.Key_Backtab):
        QTest.keyClick(window.focusWidget(), key)
    window.picker.put_away()
    window.lecture_dock.hide()
    bar, header = bar_of(window), window.log.findChild(QTableView).horizontalHeader()
    look_at_others(window, qtbot)
    assert not isValid(bar)
    assert isValid(header)
    assert all(isValid(view.page_scroll._bar) for view in window.views_made)
    assert isValid(window.log.drawn_widths._header)


def test_the_tour_waits_without_making_pages_anew(running, qtbot):
    window = running.window
    look_at_others(window, qtbot)
    there = {*window.view_area.frames}
    assert OWN not in there
    Hands(window).settle()
    assert {*window.view_area.frames} == there


def test_who_hears_of_a_page_that_comes_back_is_given_it(running, qtbot):
    """As a lecture does at the step that the page is shown in."""
    window, given = running.window, []
    window.view_of(OWN)
    settle(running, qtbot)
    look_at_others(window, qtbot)
    assert OWN not in window.pages.views
    running.bench.asking.shown.connect(lambda name, *_: given.append(window.view_of(name)))
    window.view_area.bring_forward(OWN)
    settle_window(window, qtbot)
    assert given
    assert set(given) == {window.pages.views[OWN]}
