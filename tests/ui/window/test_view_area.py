"""Views are shown one in the place of another, or beside it, and made when first seen."""

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QToolButton


def click(running, operation, held=Qt.KeyboardModifier.NoModifier):
    button = running.window.rail.buttons[operation]
    QTest.mouseClick(button, Qt.MouseButton.LeftButton, held)


def open_views(running):
    area = running.window.view_area
    return [operation for operation in area.docks if area.is_open(operation)]


def test_at_first_the_first_view_is_shown_alone_and_only_it_is_made(running):
    assert open_views(running) == ["masked_tokens"]
    assert list(running.window.view_area.frames) == ["masked_tokens"]
    assert running.window.rail.buttons["masked_tokens"].isChecked()


def test_a_click_shows_a_view_in_the_place_of_the_other(running, qtbot):
    click(running, "tokens")
    qtbot.waitUntil(running.window.view_area.docks["tokens"].isVisible)
    assert open_views(running) == ["tokens"]
    assert running.window.rail.buttons["tokens"].isChecked()
    qtbot.waitUntil(lambda: not running.window.rail.buttons["masked_tokens"].isChecked())


def test_a_click_on_the_view_that_is_shown_leaves_it(running):
    click(running, "masked_tokens")
    assert open_views(running) == ["masked_tokens"]
    assert running.window.rail.buttons["masked_tokens"].isChecked()


def test_a_view_can_be_opened_beside_another(running, qtbot):
    running.window.rail.beside_chosen.emit("tokens")
    docks = running.window.view_area.docks
    qtbot.waitUntil(docks["tokens"].isVisible)
    assert open_views(running) == ["masked_tokens", "tokens"]
    qtbot.waitUntil(lambda: docks["tokens"].x() >= docks["masked_tokens"].geometry().right())


@pytest.mark.parametrize("way", ["at once", "again"])
def test_views_beside_each_other_have_the_same_room(running, qtbot, way):
    running.window.resize(1600, 900)
    area = running.window.view_area
    if way == "again":
        area.bring_forward("tokens")
        area.bring_forward("masked_tokens")
    for name in ("tokens", "surprisal"):
        area.open_beside(name)
        opened = [dock for dock in area.docks.values() if dock.isVisible()]
        qtbot.waitUntil(
            lambda opened=opened: (
                max(one.width() for one in opened) < 1.2 * min(one.width() for one in opened)
            )
        )
    assert len(opened) == 3


def test_the_keyboard_walks_through_the_views(running, qtbot):
    names = list(running.window.view_area.docks)
    running.window.view_area.step(1)
    assert open_views(running) == [names[1]]
    running.window.view_area.step(-1)
    running.window.view_area.step(-1)
    assert open_views(running) == [names[-1]]


def test_an_area_without_views_says_where_they_are(running, qtbot):
    area = running.window.view_area
    area.docks["masked_tokens"].close()
    qtbot.waitUntil(area.nothing.isVisible)
    click(running, "masked_tokens")
    qtbot.waitUntil(lambda: not area.nothing.isVisible())


def test_a_small_window_lists_icons_and_a_large_one_words(running):
    running.window.resize(1000, 700)
    assert running.window.rail.is_narrow
    running.window.resize(1400, 900)
    assert not running.window.rail.is_narrow


def test_the_views_that_are_shown_come_back_at_the_next_start(running, qtbot):
    click(running, "tokens")
    qtbot.waitUntil(running.window.view_area.docks["tokens"].isVisible)
    running.window.remember_layout()
    settings = running.bench.remembering.settings
    click(running, "masked_tokens")
    running.window.placing.restore(settings)
    qtbot.waitUntil(lambda: open_views(running) == ["tokens"])


def test_the_views_get_the_room_of_the_docks_and_give_it_back(running):
    docks = running.window.side_docks
    for dock in docks[:2]:
        dock.show()
    QTest.mouseClick(running.window.sentence.room, Qt.MouseButton.LeftButton)
    assert all(dock.isHidden() for dock in docks)
    QTest.mouseClick(running.window.sentence.room, Qt.MouseButton.LeftButton)
    assert [dock.isHidden() for dock in docks] == [False, False, True]


def test_tab_stops_once_at_the_list_and_the_arrows_go_through_it(running, qtbot):
    window, rail = running.window, running.window.rail
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)
    window.sentence.focus_text()
    stops = []
    for _ in range(60):
        QTest.keyClick(QApplication.focusWidget(), Qt.Key.Key_Tab)
        if rail.isAncestorOf(QApplication.focusWidget()):
            stops.append(QApplication.focusWidget().objectName())
        if window.sentence.editors[0].hasFocus():
            break
    assert stops == ["show_masked_tokens"]
    rail.buttons["masked_tokens"].setFocus()
    for key, name in (
        (Qt.Key.Key_Down, "joint_decoding"),
        (Qt.Key.Key_Up, "masked_tokens"),
        (Qt.Key.Key_End, list(rail.buttons)[-1]),
        (Qt.Key.Key_Home, "masked_tokens"),
        (Qt.Key.Key_Down, "joint_decoding"),
    ):
        QTest.keyClick(QApplication.focusWidget(), key)
        assert QApplication.focusWidget() is rail.buttons[name]
    QTest.keyClick(QApplication.focusWidget(), Qt.Key.Key_Space)
    qtbot.waitUntil(lambda: running.window.view_area.is_open("joint_decoding"))


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
            qtbot.waitUntil(lambda name=name: window.view_area.current.operation == name)
            assert f"({said}+{number % 10})" in window.rail.buttons[name].toolTip()


def test_the_mark_of_the_page_that_is_shown_is_in_sight(running, qtbot):
    window = running.window
    window.resize(1024, 700)
    for name in ("file_of_sentences", "masked_tokens"):
        window.view_area.bring_forward(name)
        button = window.rail.buttons[name]
        qtbot.waitUntil(button.isChecked)
        qtbot.waitUntil(lambda button=button: not button.visibleRegion().isEmpty())
        assert button.visibleRegion().boundingRect() == button.rect()


def test_a_window_of_usual_height_lists_most_pages_and_all_with_two_topics_folded(running, qtbot):
    running.window.resize(1600, 979)
    rail = running.window.rail
    qtbot.waitUntil(lambda: rail.viewport().height() > 800)
    seen = [one for one in rail.buttons.values() if not one.visibleRegion().isEmpty()]
    assert len(seen) >= 0.85 * len(rail.buttons)
    for topic in ("Layers", "Attention"):
        QTest.mouseClick(rail.topics[topic], Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: rail.verticalScrollBar().maximum() == 0)


def test_no_two_actions_of_the_window_have_the_same_keys(running):
    bound = [keys.toString() for one in running.window.actions() for keys in one.shortcuts()]
    assert sorted(bound) == sorted(set(bound))


def button_of(dock, name):
    return dock.titleBarWidget().findChild(QToolButton, name)


def test_a_button_in_the_title_shows_another_page_beside(running, qtbot):
    docks = running.window.view_area.docks
    button = button_of(docks["masked_tokens"], "dock_beside")
    assert button.isVisible()
    assert button.accessibleName() == "Show another page beside: Masked tokens"
    menu = button.menu()
    menu.aboutToShow.emit()
    offered = {entry.data(): entry for entry in menu.actions()}
    assert set(offered) == set(docks) - {"masked_tokens"}
    offered["tokens"].trigger()
    qtbot.waitUntil(docks["tokens"].isVisible)
    assert open_views(running) == ["masked_tokens", "tokens"]
    qtbot.waitUntil(lambda: docks["tokens"].x() >= docks["masked_tokens"].geometry().right())


def test_a_page_that_floats_is_seen_to_float(running, qtbot):
    """It stayed in its place, without a frame: nothing seemed to have happened."""
    dock = running.window.view_area.docks["masked_tokens"]
    place, size = dock.mapToGlobal(QPoint(0, 0)), dock.size()
    QTest.mouseClick(button_of(dock, "dock_float"), Qt.MouseButton.LeftButton)
    qtbot.waitUntil(dock.isFloating)
    moved = dock.mapToGlobal(QPoint(0, 0)) - place
    assert min(moved.x(), moved.y()) >= 40
    assert dock.width() < size.width()
    assert dock.height() < size.height()
