"""Views are shown one in place of another, or beside it, and made when first seen."""

import pytest
from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QToolButton

from explorer.settings import PageLayout
from explorer.ui.views import listed
from explorer.ui.window.pages.columns import Edge
from explorer.ui.window.pages.page_layout import arrange, former_layout
from tests.ui.page_tree import click_page, is_marked, tip


def click(running, question, held=Qt.KeyboardModifier.NoModifier):
    click_page(running.window, question, held)


def box_of(area, question):
    """Where a page's place is in the area."""
    pane = area.place_of(question)
    return QRect(pane.mapTo(area, QPoint()), pane.size())


def open_views(running):
    return running.window.view_area.opened


def test_at_first_the_overview_is_shown_alone_and_only_it_is_made(start):
    running = start(page="")
    assert open_views(running) == ["overview"]
    assert list(running.window.view_area.frames) == ["overview"]
    assert is_marked(running.window, "overview")


def test_a_click_shows_a_view_in_the_place_of_the_other(running, qtbot):
    click(running, "tokens")
    qtbot.waitUntil(lambda: running.window.view_area.is_seen("tokens"))
    assert open_views(running) == ["tokens"]
    assert is_marked(running.window, "tokens")
    qtbot.waitUntil(lambda: not is_marked(running.window, "masked_tokens"))


def test_a_click_on_the_view_that_is_shown_leaves_it(running):
    click(running, "masked_tokens")
    assert open_views(running) == ["masked_tokens"]
    assert is_marked(running.window, "masked_tokens")


def test_a_view_can_be_opened_beside_another(running, qtbot):
    running.window.tree.beside_chosen.emit("tokens")
    area = running.window.view_area
    qtbot.waitUntil(lambda: area.is_seen("tokens"))
    assert open_views(running) == ["masked_tokens", "tokens"]
    qtbot.waitUntil(lambda: box_of(area, "tokens").x() >= box_of(area, "masked_tokens").right())


@pytest.mark.parametrize("way", ["at once", "again"])
def test_views_beside_each_other_have_the_same_room(running, qtbot, way):
    running.window.resize(1600, 900)
    area = running.window.view_area
    if way == "again":
        area.bring_forward("tokens")
        area.bring_forward("masked_tokens")
    for name in ("tokens", "surprisal"):
        area.open_beside(name)
        opened = [area.place_of(one) for one in area.opened]
        qtbot.waitUntil(
            lambda opened=opened: (
                max(one.width() for one in opened) < 1.2 * min(one.width() for one in opened)
            )
        )
    assert len(opened) == 3


def test_the_keyboard_walks_through_the_views(running, qtbot):
    names = list(running.window.view_area.titles)
    running.window.view_area.step(1)
    assert open_views(running) == [names[2]]
    for _ in range(3):
        running.window.view_area.step(-1)
    assert open_views(running) == [names[-1]]


def test_an_area_without_views_says_where_they_are(running, qtbot):
    area = running.window.view_area
    area.close_page("masked_tokens")
    qtbot.waitUntil(area.nothing.isVisible)
    click(running, "masked_tokens")
    qtbot.waitUntil(lambda: not area.nothing.isVisible())


def test_the_views_that_are_shown_come_back_at_the_next_start(running, qtbot):
    click(running, "tokens")
    qtbot.waitUntil(lambda: running.window.view_area.is_seen("tokens"))
    running.window.remember_layout()
    settings = running.bench.settings_store.settings
    click(running, "masked_tokens")
    running.window.placing.restore(settings)
    qtbot.waitUntil(lambda: open_views(running) == ["tokens"])


def test_the_views_get_the_room_of_the_docks_and_give_it_back(running):
    docks = running.window.side_docks
    for dock in docks[:1]:
        dock.show()
    QTest.mouseClick(running.window.sentence.room, Qt.MouseButton.LeftButton)
    assert all(dock.isHidden() for dock in docks)
    QTest.mouseClick(running.window.sentence.room, Qt.MouseButton.LeftButton)
    assert [dock.isHidden() for dock in docks] == [False, True]


KEYS = {
    "Alt": "masked_tokens joint_decoding span_boundary candidate_words exact_answers surprisal "
    "masking_policy tokens replaced_tokens many_draws",
    "Alt+Shift": "soft_targets distillation_losses cost attention bertviz query_key head_ablation "
    "disentangled_attention logit_lens tuned_lens",
    "Ctrl+Shift": "layer_similarity word_journey probe architecture compare_architectures "
    "file_of_sentences",
}
"""Of each modifier the questions of 1, 2, ... 9, 0. Append only: fingers remember them."""
HELD = {
    "Alt": Qt.KeyboardModifier.AltModifier,
    "Alt+Shift": Qt.KeyboardModifier.AltModifier | Qt.KeyboardModifier.ShiftModifier,
    "Ctrl+Shift": Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier,
}


def test_views_keep_their_keys_and_their_tips_tell_them(running, qtbot):
    window = running.window
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)
    for said, names in KEYS.items():
        for number, name in enumerate(names.split(), start=1):
            QTest.keyClick(window, Qt.Key(Qt.Key.Key_0.value + number % 10), HELD[said])
            qtbot.waitUntil(lambda name=name: window.view_area.current.question == name)
            assert f"({said}+{number % 10})" in tip(window, name)


def test_the_mark_of_the_page_that_is_shown_is_in_sight(running, qtbot):
    window, tree = running.window, running.window.tree
    window.resize(1024, 560)
    for name in ("file_of_sentences", "graph_question", "masked_tokens"):
        window.view_area.bring_forward(name)
        qtbot.waitUntil(lambda name=name: is_marked(window, name))
        box = tree.visualRect(tree.pages.index_of(name))
        assert tree.viewport().rect().contains(box)


def test_no_two_actions_of_the_window_have_the_same_keys(running):
    bound = [keys.toString() for one in running.window.actions() for keys in one.shortcuts()]
    assert sorted(bound) == sorted(set(bound))


def button_of(area, question, name):
    return area.place_of(question).bar.findChild(QToolButton, name)


def test_a_button_in_the_title_shows_another_page_beside(running, qtbot):
    area = running.window.view_area
    button = button_of(area, "masked_tokens", "page_beside")
    assert button.isVisible()
    assert button.accessibleName() == "Show another page next to this one: Masked tokens"
    menu = button.menu()
    menu.aboutToShow.emit()
    offered = {entry.data(): entry for entry in menu.actions() if entry.data()}
    assert set(offered) == set(area.titles) - {"masked_tokens"}
    offered["tokens"].trigger()
    qtbot.waitUntil(lambda: area.is_seen("tokens"))
    assert open_views(running) == ["masked_tokens", "tokens"]
    qtbot.waitUntil(lambda: box_of(area, "tokens").x() >= box_of(area, "masked_tokens").right())


def test_a_page_that_floats_is_seen_to_float(running, qtbot):
    """It stayed in its place, without a frame: nothing seemed to have happened."""
    area = running.window.view_area
    before = area.place_of("masked_tokens")
    place, size = before.mapToGlobal(QPoint(0, 0)), before.size()
    float_button = button_of(area, "masked_tokens", "page_float")
    QTest.mouseClick(float_button, Qt.MouseButton.LeftButton)
    (pane,) = area.floating
    qtbot.waitUntil(pane.isVisible)
    moved = pane.mapToGlobal(QPoint(0, 0)) - place
    assert min(moved.x(), moved.y()) >= 40
    assert pane.width() < size.width()
    assert pane.height() < size.height()
    # A space would bring it back, or close it.
    assert not pane.bar.isAncestorOf(pane.focusWidget())
    QTest.mouseClick(button_of(area, "masked_tokens", "page_float"), Qt.MouseButton.LeftButton)
    assert not area.floating
    assert area.main.question == "masked_tokens"
    assert area.is_seen("masked_tokens")


def drag(area, question, to):
    """Drag a page by its header to a place of the area."""
    bar = area.frames[question].header
    there = bar.mapFrom(area, to)
    QTest.mousePress(bar, Qt.MouseButton.LeftButton, pos=QPoint(30, 10))
    QTest.mouseMove(bar, QPoint(60, 14))
    QTest.mouseMove(bar, there)
    QTest.mouseRelease(bar, Qt.MouseButton.LeftButton, pos=there)


@pytest.mark.parametrize("edge", Edge)
def test_a_page_is_dragged_to_a_side_of_another(running, edge):
    area = running.window.view_area
    area.open_beside("tokens")
    QApplication.processEvents()
    half = edge.half(box_of(area, "tokens"))
    near = half.center() + (half.center() - box_of(area, "tokens").center()) * 0.9
    drag(area, "masked_tokens", near)
    assert open_views(running) == ["masked_tokens", "tokens"]
    QApplication.processEvents()
    moved, other = box_of(area, "masked_tokens"), box_of(area, "tokens")
    assert {
        Edge.LEFT: moved.right() < other.left(),
        Edge.RIGHT: moved.left() > other.right(),
        Edge.ABOVE: moved.bottom() < other.top(),
        Edge.BELOW: moved.top() > other.bottom(),
    }[edge]
    # What is chosen in the list is seen beside both, in the main place.
    click(running, "surprisal")
    assert open_views(running) == ["masked_tokens", "surprisal", "tokens"]
    assert area.main.question == "surprisal"


def test_a_page_dropped_outside_floats_and_a_click_alone_moves_nothing(running, qtbot):
    area = running.window.view_area
    area.open_beside("tokens")
    before = area.columns.panes
    QTest.mouseClick(area.frames["tokens"].header, Qt.MouseButton.LeftButton)
    assert area.columns.panes == before
    drag(area, "tokens", QPoint(30, -60))
    assert [one.question for one in area.floating] == ["tokens"]
    qtbot.waitUntil(lambda: area.is_seen("tokens"))
    # Closed by its frame, it is behind the main page again.
    area.floating[0].close()
    assert open_views(running) == ["masked_tokens"]
    click(running, "tokens")
    assert area.main.question == "tokens"


def test_a_page_that_floats_comes_back_beside_the_one_in_its_place(running):
    area = running.window.view_area
    area.turn_floating("masked_tokens")
    assert area.main.isHidden()
    click(running, "tokens")
    area.turn_floating("masked_tokens")
    QApplication.processEvents()
    assert not area.floating
    assert box_of(area, "masked_tokens").left() > box_of(area, "tokens").right()


def test_pages_beside_above_and_floating_come_back_as_they_were(running):
    area = running.window.view_area
    running.window.resize(1400, 900)
    area.open_beside("tokens")
    area.open_beside("surprisal")
    area.move_page("surprisal", area.place_of("masked_tokens"), Edge.BELOW)
    area.open_beside("probe")
    area.turn_floating("probe")
    area.floating[0].move(90, 80)
    QApplication.processEvents()
    running.window.remember_layout()
    settings = running.bench.settings_store.settings
    before = {name: box_of(area, name) for name in ("masked_tokens", "tokens", "surprisal")}
    trigger_reset(running)
    assert open_views(running) == ["overview"]
    running.window.placing.restore(settings)
    QApplication.processEvents()
    assert {name: box_of(area, name) for name in before} == before
    assert [one.question for one in area.floating] == ["probe"]
    running.window.remember_layout()
    assert running.bench.settings_store.settings.pages == settings.pages


def trigger_reset(running):
    running.window.menus.action("reset_layout").trigger()
    QApplication.processEvents()


def test_pages_that_are_no_longer_there_are_left_out(running):
    area = running.window.view_area
    arrange(
        area, PageLayout("gone", (("", "gone"), ("tokens", "tokens")), (1,), (), {"gone": (0,) * 4})
    )
    assert open_views(running) == ["tokens"]
    arrange(area, PageLayout("gone", (("gone",),)))
    assert open_views(running) == ["overview"]
    assert area.main.question == "overview"


@pytest.mark.parametrize("state", [b"", b"\xfb", b"\xfb\0\0\0\x0a\0v", b"\xfb\0\0\0\x02\xd8\0\x01"])
def test_bytes_that_say_nothing_of_pages_are_no_layout(state):
    assert former_layout(state) is None


# ---- tabs ------------------------------------------------------------------------------------


def test_a_question_at_two_sizes_is_one_page_with_tabs(running, qtbot):
    window, area = running.window, running.window.view_area
    click(running, "logit_lens")
    tabs = area.main.tabs
    assert tabs.isVisible()
    assert tabs.names == ["logit_lens", "tuned_lens"]
    # Their words are level with the question beside them; the line below them is lower.
    question = area.frames["logit_lens"].header.question
    middle = tabs.mapToGlobal(tabs.tabRect(0).center()).y() - 1
    assert abs(middle - question.mapToGlobal(question.rect().center()).y()) <= 1
    QTest.mouseClick(tabs, Qt.MouseButton.LeftButton, pos=tabs.tabRect(1).center())
    qtbot.waitUntil(lambda: area.is_seen("tuned_lens"))
    assert open_views(running) == ["tuned_lens"]
    assert area.current.question == "tuned_lens"
    # One row in the tree, which goes to the tab that was seen last.
    assert is_marked(window, "logit_lens")
    click(running, "surprisal")
    qtbot.waitUntil(lambda: area.is_seen("surprisal"))
    assert not tabs.isVisible()
    click(running, "logit_lens")
    qtbot.waitUntil(lambda: area.is_seen("tuned_lens"))
    tabs.setFocus()
    QTest.keyClick(tabs, Qt.Key.Key_Left)
    assert open_views(running) == ["logit_lens"]


def test_a_tab_that_is_seen_elsewhere_is_turned_to_and_one_beside_keeps_its_place(running, qtbot):
    area = running.window.view_area
    click(running, "tokens")
    area.open_beside("side_by_side")
    first, second = area.place_of("tokens"), area.place_of("side_by_side")
    first.tabs.setCurrentIndex(1)
    assert area.current.question == "side_by_side"
    assert first.tabs.currentIndex() == 0
    second.tabs.setCurrentIndex(2)
    assert open_views(running) == ["tokens", "merge_steps"]
    assert area.place_of("merge_steps") is second
    area.close_page("merge_steps")
    area.bring_forward("side_by_side")
    qtbot.waitUntil(lambda: area.is_seen("side_by_side"))
    assert area.main.tabs.currentIndex() == 1


def test_tabs_are_questions_whose_page_stands_before_them_in_the_same_topic():
    pages = {one.of.name: one for one in listed()}
    names = list(pages)
    for name, page in pages.items():
        home = page.of.listing.tab_of
        if home:
            assert not pages[home].of.listing.tab_of
            assert pages[home].heading == page.heading
            assert names.index(home) < names.index(name)
