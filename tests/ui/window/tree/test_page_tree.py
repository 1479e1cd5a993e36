"""The tree of pages: topics that fold, stars, what was seen lately, what can't be asked."""

from collections import Counter

import pytest
from PySide6.QtCore import QObject, Qt
from PySide6.QtGui import QAccessible
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QMenu
from shiboken6 import delete, isValid

from explorer.api.question import Topic
from explorer.document import Document
from explorer.settings import STARRED
from explorer.ui.theme.chrome import zoomed
from explorer.ui.views import listed
from explorer.ui.window.tree.page_model import LINK, QUESTION, TOPIC, WHY, PageModel
from explorer.ui.window.tree.page_row import EDGE
from tests.ui import page_tree
from tests.ui.page_tree import click_page, click_topic, is_marked, listed_pages, tip

KEY = Qt.Key
CONTROL = Qt.KeyboardModifier.ControlModifier
OF_TOPIC = {
    topic: [one.of.name for one in listed() if one.heading == topic and not one.of.listing.tab_of]
    for topic in dict.fromkeys(one.heading for one in listed())
}


def opened(window):
    tree = window.tree
    indexes = {one: tree.pages.index_of_topic(one) for one in tree.pages.topics}
    return [one for one, index in indexes.items() if index.isValid() and tree.isExpanded(index)]


def topics(window):
    rows = (window.tree.pages.index(row, 0) for row in range(window.tree.pages.rowCount()))
    return [row.data(TOPIC) for row in rows if not row.data(QUESTION)]


def at_top(window):
    index = window.tree.pages.index_of_topic(STARRED)
    count = window.tree.pages.rowCount(index) if index.isValid() else 0
    return [window.tree.pages.index(row, 0, index).data(QUESTION) for row in range(count)]


@pytest.fixture
def window(running, qtbot):
    window = running.window
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)
    qtbot.waitUntil(lambda: is_marked(window, "masked_tokens"))
    return window


# ---- how it is ordered -----------------------------------------------------------------------


def test_topics_stand_in_their_order_and_each_page_once_in_one():
    headings = list(dict.fromkeys(one.heading for one in listed()))
    assert headings == list(Topic)
    together = [one.heading for one in listed()]
    assert together == sorted(together, key=headings.index)
    assert set(Counter(one.of.name for one in listed()).values()) == {1}


def test_no_two_pages_of_a_topic_have_the_same_place():
    places = Counter((one.heading, one.of.listing.order) for one in listed())
    assert [place for place, count in places.items() if count > 1] == []


# ---- folding ---------------------------------------------------------------------------------


def test_only_the_topic_of_the_page_that_is_seen_is_open(window, qtbot):
    assert opened(window) == [Topic.PREDICT]
    assert listed_pages(window) == ["overview", *OF_TOPIC[Topic.PREDICT]]
    window.view_area.bring_forward("probe")
    qtbot.waitUntil(lambda: opened(window) == [STARRED, Topic.LOOK_INSIDE])
    on_top = ["overview", "masked_tokens"]
    pages = window.tree.pages
    # What the model can't answer comes last.
    inside = sorted(
        OF_TOPIC[Topic.LOOK_INSIDE], key=lambda one: bool(pages.index_of(one).data(WHY))
    )
    assert listed_pages(window) == [*on_top, *inside]
    window.view_area.open_beside("attribution")
    qtbot.waitUntil(lambda: opened(window) == [STARRED, Topic.LOOK_INSIDE, Topic.EXPLAIN])


def test_a_click_opens_a_topic_and_another_folds_it(window):
    click_topic(window, Topic.EXPLAIN)
    assert opened(window) == [Topic.PREDICT, Topic.EXPLAIN]
    click_topic(window, Topic.EXPLAIN)
    click_topic(window, Topic.PREDICT)
    assert opened(window) == []


def test_a_topic_that_was_looked_into_folds_with_its_last_page(window, qtbot):
    click_topic(window, Topic.EXPLAIN)
    click_topic(window, Topic.TASKS)
    click_page(window, "edits")
    qtbot.waitUntil(lambda: is_marked(window, "edits"))
    window.view_area.bring_forward("masked_tokens")
    qtbot.waitUntil(lambda: opened(window) == [STARRED, Topic.PREDICT, Topic.TASKS])


def test_rows_stay_under_the_mouse_until_it_leaves(window, qtbot, monkeypatch):
    click_topic(window, Topic.EXPLAIN)
    monkeypatch.setattr(window.tree, "underMouse", lambda: True)
    where = window.tree.visualRect(page_tree.in_sight(window, "edits"))
    click_page(window, "edits")
    qtbot.waitUntil(lambda: is_marked(window, "edits"))
    assert window.tree.visualRect(window.tree.pages.index_of("edits")) == where
    assert at_top(window) == []
    QApplication.sendEvent(window.tree, page_tree.leaving())
    assert at_top(window) == ["masked_tokens"]
    assert opened(window) == [STARRED, Topic.EXPLAIN]


def test_what_is_open_and_starred_and_was_seen_comes_back_at_the_next_start(start, qtbot):
    first = start()
    click_topic(first.window, Topic.TASKS)
    for name in ("attention", "tokens", "edits"):
        first.window.view_area.bring_forward(name)
        qtbot.waitUntil(lambda name=name: is_marked(first.window, name))
    first.window.tree.star("surprisal")
    first.window.close()
    first.close()
    second = start().window
    qtbot.waitUntil(lambda: is_marked(second, "edits"))
    assert at_top(second) == ["surprisal", "tokens", "attention", "masked_tokens"]
    assert opened(second) == [STARRED, Topic.EXPLAIN, Topic.TASKS]
    second.reset_layout()
    qtbot.waitUntil(lambda: is_marked(second, "overview"))
    qtbot.waitUntil(lambda: opened(second) == [STARRED])
    assert second.tree.starred == ("surprisal",)


def test_pages_and_topics_that_are_gone_are_left_out(start):
    first = start()
    first.bench.settings_store.change(
        open_topics=("gone", STARRED), starred=("gone", "tokens"), recent_pages=("gone",)
    )
    first.window.close()
    first.close()
    assert at_top(start().window) == ["tokens"]


# ---- stars -----------------------------------------------------------------------------------


def test_a_star_is_given_by_key_to_the_row_and_elsewhere_to_the_page(window):
    tree = window.tree
    tree.setFocus()
    tree.setCurrentIndex(page_tree.in_sight(window, "surprisal"))
    QTest.keyClick(tree, KEY.Key_D, CONTROL)
    assert tree.starred == ("surprisal",)
    window.sentence.focus_text()
    QTest.keyClick(window, KEY.Key_D, CONTROL)
    assert tree.starred == ("surprisal", "masked_tokens")
    assert at_top(window) == ["surprisal", "masked_tokens"]
    QTest.keyClick(window, KEY.Key_D, CONTROL)
    assert at_top(window) == ["surprisal"]


def menu_of(window, qtbot, question):
    tree = window.tree
    tree.setFocus()
    tree.setCurrentIndex(page_tree.in_sight(window, question))
    QApplication.sendEvent(tree.viewport(), page_tree.menu_key())
    qtbot.waitUntil(lambda: window.findChild(QMenu, "tree_menu") is not None)
    return {
        one.text().replace("&", ""): one for one in window.findChild(QMenu, "tree_menu").actions()
    }


def test_the_menu_of_a_page_shows_it_beside_and_stars_it(window, qtbot):
    menu = menu_of(window, qtbot, "surprisal")
    assert {"Show", "Show next to this page", "Star"} <= set(menu)
    menu["Star"].trigger()
    assert window.tree.starred == ("surprisal",)
    menu["Show next to this page"].trigger()
    assert window.view_area.opened == ["masked_tokens", "surprisal"]


# ---- keys and screen readers -----------------------------------------------------------------


def test_tab_stops_once_at_the_tree_and_the_arrows_go_through_it(window, qtbot):
    tree = window.tree
    window.sentence.focus_text()
    stops = 0
    for _ in range(80):
        QTest.keyClick(QApplication.focusWidget(), KEY.Key_Tab)
        stops += tree.hasFocus()
        if window.sentence.editors[0].hasFocus():
            break
    assert stops == 1
    tree.setFocus()
    assert tree.at == "masked_tokens"
    for key, name in (
        (KEY.Key_Down, "joint_decoding"),
        (KEY.Key_Up, "masked_tokens"),
        (KEY.Key_Left, ""),
        (KEY.Key_Left, ""),
        (KEY.Key_Right, ""),
        (KEY.Key_Right, "masked_tokens"),
        (KEY.Key_Down, "joint_decoding"),
    ):
        QTest.keyClick(tree, key)
        assert tree.at == name
    QTest.keyClick(tree, KEY.Key_Return)
    qtbot.waitUntil(lambda: window.view_area.is_open("joint_decoding"))
    assert tree.hasFocus()


def test_enter_folds_a_topic_and_with_shift_shows_beside(window, qtbot):
    tree = window.tree
    tree.setFocus()
    tree.setCurrentIndex(tree.pages.index_of_topic(Topic.PREDICT))
    QTest.keyClick(tree, KEY.Key_Space)
    assert Topic.PREDICT not in opened(window)
    QTest.keyClick(tree, KEY.Key_Return)
    assert Topic.PREDICT in opened(window)
    tree.setCurrentIndex(page_tree.in_sight(window, "surprisal"))
    QTest.keyClick(tree, KEY.Key_Return, Qt.KeyboardModifier.ShiftModifier)
    qtbot.waitUntil(lambda: window.view_area.opened == ["masked_tokens", "surprisal"])


def test_a_screen_reader_hears_topics_pages_and_their_marks(window, qtbot):
    tree = window.tree
    window.tree.star("surprisal")
    interface = QAccessible.queryAccessibleInterface(tree)
    assert interface.text(QAccessible.Text.Name) == "Pages"
    heard = {}
    for number in range(interface.childCount()):
        child = interface.child(number)
        heard[child.text(QAccessible.Text.Name)] = child.state()
    assert heard["Predict"].expanded
    assert heard["Explain"].expandable
    assert not heard["Explain"].expanded
    assert "Masked tokens, shown" in heard
    assert heard["Masked tokens, shown"].selected
    assert any(one.startswith("Surprisal, with a star") for one in heard)


# ---- what can't be asked ---------------------------------------------------------------------


def test_what_the_model_cannot_answer_is_grey_and_last_and_says_why(window, qtbot):
    pages = window.tree.pages
    assert pages.index_of("soft_targets").data(WHY)
    assert not pages.index_of("masked_tokens").data(WHY)
    topic = pages.index_of_topic(Topic.PREDICT)
    listed_now = [pages.index(row, 0, topic) for row in range(pages.rowCount(topic))]
    greys = [bool(one.data(WHY)) for one in listed_now]
    assert greys == sorted(greys)
    assert {one.data(QUESTION) for one in listed_now} == {*OF_TOPIC[Topic.PREDICT]}
    why = pages.index_of("soft_targets").data(WHY)
    assert why in tip(window, "soft_targets")
    role = int(Qt.ItemDataRole.AccessibleDescriptionRole)
    assert why in pages.index_of("soft_targets").data(role)


def test_one_click_loads_a_model_that_can_and_shows_the_page(window, running, qtbot):
    loads = []
    window.tree.ways = lambda name: [("Load it", lambda: loads.append(name))]
    index = page_tree.in_sight(window, "soft_targets")
    assert index.data(LINK)
    page_tree.click(window, window.tree.link_box(index).center())
    assert loads == ["soft_targets"]
    qtbot.waitUntil(lambda: window.view_area.is_open("soft_targets"))


def test_no_name_of_a_page_is_cut_by_its_link(window):
    tree = window.tree
    page_tree.in_sight(window, "disentangled_attention")
    for name in tree.pages.names:
        index = tree.pages.index_of(name)
        if not index.data(LINK) or tree.visualRect(index).isEmpty():
            continue
        row = tree.visualRect(index)
        left = tree.row.wide(index) - zoomed(EDGE)
        assert left <= row.width() - tree.link_box(index).width(), name


def test_the_menu_of_a_page_that_cannot_be_asked_loads_too(window, qtbot):
    loads = []
    window.tree.ways = lambda name: [("Load A & B", lambda: loads.append(name))]
    menu_of(window, qtbot, "soft_targets")["Load A  B"].trigger()
    assert loads == ["soft_targets"]


def test_no_letter_that_is_typed_asks_what_can_be_answered(window, running, monkeypatch):
    asked = []
    monkeypatch.setattr(window.tree, "show_answers", asked.append)
    running.bench.state.edit("text", Document("Another text."))
    assert asked == []
    running.bench.models.changed.emit()
    assert len(asked) == 1


# ---- room ------------------------------------------------------------------------------------


def test_rows_are_high_enough_and_words_whole(window):
    tree = window.tree
    for name in tree.pages.names:
        box = tree.visualRect(page_tree.in_sight(window, name))
        assert box.height() >= 24
        assert tree.row.wide(tree.pages.index_of(name)) <= tree.viewport().width()


def test_a_small_window_has_words_and_a_smaller_one_a_strip(window, qtbot):
    window.resize(1024, 700)
    assert window.tree.isVisible()
    assert not window.sidebar.is_folded
    window.resize(800, 560)
    assert not window.tree.isVisible()
    QTest.mouseClick(window.sidebar.fold, Qt.MouseButton.LeftButton)
    assert window.tree.isVisible()
    QTest.mouseClick(window.sidebar.fold, Qt.MouseButton.LeftButton)
    window.resize(1400, 900)
    assert window.tree.isVisible()


def test_a_tree_that_was_put_away_is_away_at_the_next_start(start, qtbot):
    first = start()
    QTest.mouseClick(first.window.sidebar.fold, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: first.window.sidebar.width() < 60)
    first.window.close()
    first.close()
    second = start().window
    assert not second.tree.isVisible()
    QTest.mouseClick(second.sidebar.fold, Qt.MouseButton.LeftButton)
    assert second.tree.isVisible()


def test_every_page_is_reached_by_the_mouse_in_a_small_window(window, qtbot):
    window.resize(1024, 700)
    for name in ("file_of_sentences", "graph_question", "probe", "masked_tokens"):
        click_page(window, name)
        qtbot.waitUntil(lambda name=name: window.view_area.current.question == name)
        qtbot.waitUntil(lambda name=name: is_marked(window, name))


def test_the_overview_is_of_no_topic_and_stands_above_them(window, qtbot):
    first = window.tree.pages.index(0, 0)
    assert first.data() == "Overview"
    click_page(window, "overview")
    qtbot.waitUntil(lambda: is_marked(window, "overview"))
    assert topics(window)[-len(Topic) :] == [*Topic]
    window.tree.star("overview")
    assert "overview" not in at_top(window)


def test_rows_at_the_top_are_known_to_be_gone_with_their_model(qapp):
    """Else what is made at the address of one later is taken for it."""
    parent = QObject()
    model = PageModel(listed(), parent)
    model.list_at_top(("surprisal",), ("masked_tokens",))
    rows = [row for same in model._of.values() for row in same]
    model.list_at_top((), ("masked_tokens",))
    assert all(isValid(row) for same in model._of.values() for row in same)
    delete(model)
    alive = [row for row in rows if isValid(row)]
    # The one that was taken out is Python's own.
    assert len(alive) == 1


def test_a_page_that_is_seen_words_its_own_rows_anew_and_no_others(window, qtbot, monkeypatch):
    tree, worded, word = window.tree, [], PageModel._word
    monkeypatch.setattr(
        PageModel, "_word", lambda model, item: (worded.append(item), word(model, item))
    )
    assert len(tree.pages.names) > 30
    window.view_area.bring_forward("surprisal")
    qtbot.waitUntil(lambda: is_marked(window, "surprisal"))
    named = [item.data(QUESTION) for item in worded]
    assert set(named) == {"masked_tokens", "surprisal"}
    assert len(named) <= 6
