"""The page has the room: what is around it opens when it is wanted, and leaves it its part."""

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QAction
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel, QWidget

from explorer.ui.library.model_bar import ModelChip
from explorer.ui.library.panel.tree import CHECKPOINT
from explorer.ui.notices.notices import Notice, NoticeBar
from tests.ui.fake_engine import CACHED, MINIATURE

CONTROL = Qt.KeyboardModifier.ControlModifier
KEY = Qt.Key
LEFT = Qt.MouseButton.LeftButton


@pytest.fixture
def window(running):
    return running.window


def fit(window, qtbot, width, height):
    window.resize(width, height)
    qtbot.waitUntil(lambda: window.size().toTuple() == (width, height))


def row_of(window, checkpoint_id):
    model = window.library.tree.model()
    for group in range(model.rowCount()):
        place = model.index(group, 0)
        for row in range(model.rowCount(place)):
            index = model.index(row, 0, place)
            if index.data(CHECKPOINT).id == checkpoint_id:
                return index
    raise LookupError(checkpoint_id)


# ---- the bar of models --------------------------------------------------------------------------


def test_the_bar_names_the_models_their_family_and_size(window, running, qtbot):
    fit(window, qtbot, 1500, 900)
    a, b = (window.model_bar.slots[slot] for slot in ("A", "B"))
    card = running.bench.models.cards["A"]
    family = card.architecture.partition(" · ")[0]
    qtbot.waitUntil(lambda: a.said.startswith(f"{card.title} · {family} · "))
    assert b.said == "Choose a model…"
    assert card.title in a.accessibleName()
    fit(window, qtbot, 1024, 700)
    qtbot.waitUntil(lambda: a.said == card.title)


@pytest.mark.parametrize(
    ("title", "facts"), [("GPT-2 miniature", "GPT-2 · 893 k"), ("BERT miniature", "BERT · 1.0 M")]
)
def test_a_chip_is_wide_enough_for_all_its_words(qapp, qtbot, title, facts):
    room = QWidget()
    qtbot.addWidget(room)
    chip = ModelChip("A", room)
    chip.show_model(title, facts, "")
    chip.resize(chip.sizeHint())
    room.show()
    qtbot.waitUntil(lambda: chip.said == f"{title} · {facts}")
    labels = chip.findChildren(QLabel)
    qtbot.waitUntil(lambda: all(one.width() >= one.sizeHint().width() for one in labels))


def test_a_model_is_chosen_for_slot_b_through_the_bar(window, running, qtbot):
    QTest.mouseClick(window.model_bar.slots["B"], LEFT)
    qtbot.waitUntil(window.library.isVisible)
    qtbot.waitUntil(window.library.filter_box.hasFocus)
    QTest.keyClicks(window.library.filter_box, "base")
    window.library.tree.setCurrentIndex(row_of(window, CACHED.id))
    QTest.keyClick(window.library.filter_box, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: running.bench.models.slots_of(CACHED.id) == ("B",))
    assert running.bench.models.slots_of(MINIATURE.id) == ("A",)
    assert window.model_bar.slots["B"].said.startswith(CACHED.title[:4])


def picker_frame(window):
    return window.picker.library.parentWidget()


@pytest.mark.parametrize("key", [(KEY.Key_L, CONTROL), (KEY.Key_F, CONTROL), (KEY.Key_F6,)])
def test_the_picker_opens_by_key_and_escape_puts_it_away(window, qtbot, key):
    window.sentence.strip.setFocus()
    QTest.keyClick(window, *key)
    qtbot.waitUntil(window.library.filter_box.hasFocus)
    assert window.picker.isVisible()
    QTest.keyClick(window.library.filter_box, KEY.Key_Escape)
    assert window.picker.isHidden()
    qtbot.waitUntil(window.sentence.strip.hasFocus)


def test_it_opens_below_its_slot_and_moves_nothing(window, qtbot):
    before = window.view_area.geometry()
    slot = window.model_bar.slots["B"]
    QTest.mouseClick(slot, LEFT)
    qtbot.waitUntil(window.picker.isVisible)
    place = picker_frame(window).geometry()
    assert window.view_area.geometry() == before
    assert place.top() >= slot.mapTo(window, slot.rect().bottomLeft()).y()
    assert window.library.slot == "B"


def test_a_click_beside_it_puts_it_away_and_does_nothing_else(window, running, qtbot):
    QTest.mouseClick(window.model_bar.slots["A"], LEFT)
    document = running.bench.state.document
    QTest.mouseClick(window.picker, LEFT, pos=window.rect().bottomRight() - QPoint(3, 3))
    assert window.picker.isHidden()
    assert running.bench.state.document == document
    # A click in it stays in it.
    QTest.mouseClick(window.model_bar.slots["A"], LEFT)
    QTest.mouseClick(window.picker, LEFT, pos=picker_frame(window).geometry().center())
    assert window.picker.isVisible()


def test_what_was_searched_for_is_not_kept_to_the_next_time(window, qtbot):
    window.open_library()
    QTest.keyClicks(window.library.filter_box, "base")
    QTest.keyClick(window.library.filter_box, KEY.Key_Escape)
    window.open_library()
    assert window.library.filter_box.text() == ""


def test_tab_stays_in_it(window, qtbot):
    window.open_library()
    met = set()
    for forward in [True] * 12 + [False] * 12:
        QTest.keyClick(window.focusWidget(), KEY.Key_Tab if forward else KEY.Key_Backtab)
        assert window.picker.isAncestorOf(window.focusWidget())
        met.add(window.focusWidget().objectName())
    assert {"library_filter", "library_tree", "library_open_folder", "load_a"} <= met


@pytest.mark.parametrize("size", [(760, 520), (1024, 700), (1600, 1000)])
def test_it_is_whole_in_every_window(window, qtbot, size):
    fit(window, qtbot, *size)
    for slot in "AB":
        window.open_library(slot)
        frame = picker_frame(window)
        qtbot.waitUntil(lambda frame=frame: window.rect().contains(frame.geometry()))
        assert frame.height() >= 300
        assert window.library.tree.width() >= 240
        assert window.library.details.width() >= 240
        window.picker.put_away()


# ---- the drawer of the log ----------------------------------------------------------------------


def test_the_status_line_has_the_answer_of_the_page_and_opens_the_log(window, qtbot):
    line = window.log_line
    qtbot.waitUntil(lambda: "Masked tokens" in line.latest.text())
    assert "cooked" in line.latest.text()
    assert line.height() < 40
    QTest.mouseClick(line.button, LEFT)
    qtbot.waitUntil(window.log.isVisible)
    assert line.latest.isVisible()
    qtbot.waitUntil(lambda: line.button.geometry().right() < 200)
    assert window.side_docks[1].height() <= 0.5 * window.height()
    QTest.keyClick(window.log.table, Qt.Key.Key_Escape)
    qtbot.waitUntil(lambda: not window.log.isVisible())


def test_the_status_line_is_the_page_s_that_is_turned_to(window, running, qtbot):
    said = window.log_line.latest
    qtbot.waitUntil(lambda: said.text().startswith("Masked tokens"))
    window.view_area.open_beside("tokens")
    qtbot.waitUntil(lambda: said.text().startswith("Tokens"))
    window.view_area.bring_forward("masked_tokens")
    qtbot.waitUntil(lambda: said.text().startswith("Masked tokens"))
    window.view_area.close_page("masked_tokens")
    qtbot.waitUntil(lambda: said.text().startswith("Tokens"))
    window.statusBar().showMessage("The table is copied.", 60000)
    assert said.text() == "The table is copied."
    window.statusBar().clearMessage()
    assert said.text().startswith("Tokens")


def test_the_text_gives_way_before_the_answer_does(window):
    line = window.log_line
    answer = "The model hesitates between “prepared” (37 %) and “cooked” (31 %)."
    text = "the chef [cooked] the meal in the kitchen. " * 4
    line.say("Masked tokens", text, answer)
    assert line.latest.text().startswith("Masked tokens · the chef")
    assert line.latest.text().endswith(f"… · {answer}")
    assert line.latest.toolTip().count("kitchen") == 4
    line.say("Masked tokens", "ab", answer)
    assert line.latest.text() == f"Masked tokens · ab · {answer}"
    line.say("Masked tokens", text, answer * 3)
    assert line.latest.text().startswith("Masked tokens · The model hesitates")


def test_the_line_goes_on_with_every_new_run(window, running, qtbot):
    said = window.log_line.latest
    qtbot.waitUntil(lambda: "cooked" in said.text())
    for text in ("The gardener dug the [MASK].", "The teacher read a [MASK]."):
        running.bench.edits.take_text(text, "another text")
        qtbot.waitUntil(lambda text=text: text.split("[")[0] in said.text())


def test_the_line_goes_on_though_the_log_was_searched_before_it_was_closed(window, running, qtbot):
    said = window.log_line.latest
    QTest.mouseClick(window.log_line.button, LEFT)
    qtbot.keyClicks(window.log.filters.search, "kitchen")
    qtbot.waitUntil(lambda: window.log.model.rowCount() == 1)
    QTest.keyClick(window.log.table, Qt.Key.Key_Escape)
    running.bench.edits.take_text("The teacher read a [MASK].", "another text")
    qtbot.waitUntil(lambda: "The teacher read a" in said.text())
    assert window.log.model.rowCount() == 1


# ---- a token's details --------------------------------------------------------------------------


def test_a_tokens_details_open_under_it_and_follow_the_arrows(window, qtbot):
    strip, popover = window.sentence.strip, window.popover
    QTest.keyClick(window, Qt.Key.Key_T, CONTROL | Qt.KeyboardModifier.ShiftModifier)
    QTest.keyClick(strip, Qt.Key.Key_Right)
    QTest.keyClick(strip, Qt.Key.Key_Right)
    QTest.keyClick(strip, Qt.Key.Key_I)
    qtbot.waitUntil(popover.isVisible)
    assert "“chef”" in popover.details.toPlainText()
    below = strip.mapToGlobal(strip.box_of(2).bottomLeft().toPoint())
    assert 0 <= popover.y() - below.y() < 12
    assert abs(popover.x() - below.x()) < 4
    QTest.keyClick(popover, Qt.Key.Key_Right)
    assert "[MASK]" in popover.details.toPlainText()
    assert "Predicted here" in popover.details.toPlainText()
    assert popover.x() > below.x()
    QTest.keyClick(popover, Qt.Key.Key_Escape)
    assert not popover.isVisible()
    assert strip.focus_index == 3


def test_details_open_from_the_tokens_menu_and_the_toolbar(window, qtbot):
    strip, popover = window.sentence.strip, window.popover
    entry = strip.menu(2).findChild(QAction, "tokenDetails")
    strip.go_to(2)
    entry.trigger()
    qtbot.waitUntil(popover.isVisible)
    popover.close()
    QTest.mouseClick(window.sentence.details, LEFT)
    qtbot.waitUntil(popover.isVisible)
    popover.close()


def test_the_dock_of_the_token_breaks_no_words(window, qtbot):
    fit(window, qtbot, 1024, 700)
    window.sentence.strip.go_to(3)
    QTest.keyClick(window, Qt.Key.Key_F7)
    qtbot.waitUntil(window.token.isVisible)
    assert window.token.document().idealWidth() <= window.token.viewport().width()
    assert window.view_area.width() >= 0.5 * window.width()


# ---- the page alone -----------------------------------------------------------------------------


def test_a_page_is_scrolled_at_the_next_start_as_it_was_left(start, qtbot):
    def bar_of(running):
        return running.window.view_of("masked_tokens").area.verticalScrollBar()

    first = start()
    first.bench.edits.take_text(
        "the [MASK] and [MASK] and [MASK] and [MASK] of [MASK] and [MASK].", "masks"
    )
    qtbot.waitUntil(lambda: bar_of(first).maximum() > 200)
    bar_of(first).setValue(130)
    first.window.close()
    first.close()
    second = start()
    qtbot.waitUntil(lambda: bar_of(second).value() == 130)
    # Only once: another answer begins where the user is.
    bar_of(second).setValue(0)
    second.bench.edits.take_text("The chef cooked the [MASK].", "another text")
    qtbot.waitUntil(lambda: second.bench.asking.is_idle)
    assert bar_of(second).value() == 0


def test_a_page_that_needs_no_scrolling_at_its_first_answer_is_not_scrolled_later(start, qtbot):
    first = start()
    first.bench.edits.take_text(
        "the [MASK] and [MASK] and [MASK] and [MASK] of [MASK] and [MASK].", "masks"
    )
    bar = first.window.view_of("masked_tokens").area.verticalScrollBar()
    qtbot.waitUntil(lambda: bar.maximum() > 200)
    bar.setValue(130)
    first.window.close()
    first.close()
    second = start(wait=False)
    fit(second.window, qtbot, 1200, 2400)
    view = second.window.view_of("masked_tokens")
    bar = view.area.verticalScrollBar()
    qtbot.waitUntil(lambda: view.result is not None and second.bench.asking.is_idle)
    qtbot.waitUntil(lambda: not view.scrolled)
    fit(second.window, qtbot, 1200, 800)
    qtbot.waitUntil(lambda: bar.maximum() > 200)
    assert bar.value() == 0


@pytest.mark.parametrize("leave", [Qt.Key.Key_F11, Qt.Key.Key_Escape])
def test_a_page_fills_the_screen_and_gives_it_back(window, qtbot, leave):
    before = window.size()
    QTest.keyClick(window, Qt.Key.Key_T, CONTROL)
    around = (
        window.menu_titles,
        window.bar,
        window.sidebar,
        window.sentence.strip_area,
        window.log_line,
    )
    QTest.keyClick(window, Qt.Key.Key_F11)
    qtbot.waitUntil(window.isFullScreen)
    qtbot.waitUntil(lambda: window.view_area.size() == window.size())
    assert not any(part.isVisible() for part in around)
    assert window.view_of("masked_tokens").page.hasFocus()
    # The keys of the menus, which can't be seen, still do what they do.
    QTest.keyClick(window, Qt.Key.Key_PageDown, CONTROL)
    qtbot.waitUntil(lambda: window.view_area.current.question != "masked_tokens")
    QTest.keyClick(window, leave)
    qtbot.waitUntil(lambda: not window.isFullScreen())
    assert all(part.isVisible() for part in around)
    assert all(dock.isHidden() for dock in window.side_docks)
    qtbot.waitUntil(lambda: window.size() == before)
    assert window.sentence.editors[0].hasFocus()


def test_a_page_that_fills_the_screen_shows_no_notice_but_what_went_wrong(window, qtbot):
    notices = window.notices
    notices.tell(Notice("old", "3 of your 7 words are new to this model.", stays=True))
    QTest.keyClick(window, Qt.Key.Key_F11)
    qtbot.waitUntil(window.isFullScreen)
    notices.tell(Notice("new", "A new model is in the library."))
    qtbot.waitUntil(lambda: window.view_area.size() == window.size())
    notices.tell(Notice("wrong", "The engine ended.", level="error"))
    qtbot.waitUntil(notices.isVisible)
    seen = [one.notice.key for one in notices.findChildren(NoticeBar) if one.isVisible()]
    assert seen == ["wrong"]
    notices.dismiss("wrong")
    assert not notices.isVisible()
    QTest.keyClick(window, Qt.Key.Key_F11)
    qtbot.waitUntil(lambda: not window.isFullScreen())
    seen = [one.notice.key for one in notices.findChildren(NoticeBar) if one.isVisible()]
    assert seen == ["old", "new"]


def test_a_window_closed_while_a_page_fills_the_screen_opens_whole(start, qtbot):
    first = start()
    QTest.keyClick(first.window, Qt.Key.Key_F11)
    qtbot.waitUntil(first.window.isFullScreen)
    first.window.close()
    first.close()
    second = start().window
    assert not second.isFullScreen()
    assert second.sidebar.isVisible()
    assert second.sentence.isVisible()


def test_more_room_also_takes_the_tree_of_pages(window, qtbot):
    fit(window, qtbot, 1400, 900)
    # The tree is there only once it is laid out anew.
    qtbot.waitUntil(lambda: window.view_area.width() == window.width() - window.tree.wide)
    before = window.view_area.width()
    QTest.keyClick(window, Qt.Key.Key_F9)
    assert window.sidebar.is_folded
    qtbot.waitUntil(lambda: window.view_area.width() > before + 100)
    QTest.keyClick(window, Qt.Key.Key_F9)
    assert not window.sidebar.is_folded
    assert all(dock.isHidden() for dock in window.side_docks)


# ---- where one was ------------------------------------------------------------------------------


def test_a_page_keeps_its_scroll_while_another_is_looked_at(window, running, qtbot):
    fit(window, qtbot, 1024, 560)
    view = window.view_of("masked_tokens")
    running.bench.edits.toggle_mask(4, 8, 0)
    qtbot.waitUntil(lambda: running.bench.asking.is_idle)
    bar = view.area.verticalScrollBar()
    qtbot.waitUntil(lambda: bar.maximum() > 60)
    bar.setValue(60)
    QTest.keyClick(window, Qt.Key.Key_PageDown, CONTROL)
    qtbot.waitUntil(lambda: not view.isVisible())
    QTest.keyClick(window, Qt.Key.Key_PageUp, CONTROL)
    qtbot.waitUntil(view.isVisible)
    assert bar.value() == 60
    QTest.keyClick(window, Qt.Key.Key_F5)
    qtbot.waitUntil(lambda: running.bench.asking.is_idle)
    assert bar.value() == 60


def test_the_one_card_of_a_page_uses_its_width(window, running, qtbot):
    fit(window, qtbot, 1600, 900)
    view = window.view_of("masked_tokens")
    card = view.page.page.anchors[3]
    assert card.width() >= 0.95 * view.page.width()
    assert card.right() <= view.page.width()
