"""The topics of the list of views fold away, and are as they were at the next start."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAccessible
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from explorer.ui.views import listed as listed_pages

LAYERS = ("logit_lens", "tuned_lens", "layer_similarity", "word_journey", "probe")


def press(widget, key=None):
    if key is None:
        QTest.mouseClick(widget, Qt.MouseButton.LeftButton)
    else:
        QTest.keyClick(widget, key)


def listed(rail):
    return [name for name, button in rail.buttons.items() if button.isVisible()]


def in_sight(rail, button):
    rail.ensureWidgetVisible(button)
    return button.visibleRegion().boundingRect() == button.rect()


def told(heading):
    """What a screen reader hears of a heading: open, then folded."""
    state = QAccessible.queryAccessibleInterface(heading).state()
    assert state.expandable
    return bool(state.expanded), bool(state.collapsed)


@pytest.fixture
def rail(running):
    return running.window.rail


def test_a_click_folds_a_topic_and_another_unfolds_it(rail):
    everything, heading = listed(rail), rail.topics["Layers"]
    assert set(everything) == set(rail.buttons)
    assert told(heading) == (True, False)
    press(heading)
    assert listed(rail) == [name for name in everything if name not in LAYERS]
    assert told(heading) == (False, True)
    press(heading)
    assert listed(rail) == everything
    assert told(heading) == (True, False)


def test_a_screen_reader_may_press_a_heading(rail):
    interface = QAccessible.queryAccessibleInterface(rail.topics["Layers"])
    assert interface.text(QAccessible.Text.Name) == "Layers"
    action = interface.actionInterface()
    action.doAction(action.actionNames()[0])
    assert told(rail.topics["Layers"]) == (False, True)


def test_arrows_go_over_headings_and_fold_them(running, rail, qtbot):
    running.window.activateWindow()
    qtbot.waitUntil(running.window.isActiveWindow)
    rail.buttons["probe"].setFocus()
    heading, key = rail.topics["Layers"], Qt.Key
    for pressed, wanted in (
        (key.Key_Left, heading),
        (key.Key_Left, heading),
        (key.Key_Up, rail.buttons["disentangled_attention"]),
        (key.Key_Down, heading),
        (key.Key_Down, rail.topics["Attribution and causes"]),
        (key.Key_Up, heading),
        (key.Key_Right, heading),
        (key.Key_Right, rail.buttons["logit_lens"]),
        (key.Key_Right, rail.buttons["logit_lens"]),
    ):
        press(QApplication.focusWidget(), pressed)
        assert QApplication.focusWidget() is wanted
    press(QApplication.focusWidget(), key.Key_Left)
    press(heading, key.Key_Space)
    assert not set(LAYERS) & set(listed(rail))


def test_the_topic_of_the_page_that_is_shown_is_always_open(running, rail, qtbot):
    for name, heading in rail.topics.items():
        press(heading)
        assert told(heading) == ((True, False) if name == "Masking" else (False, True))
    running.window.view_area.bring_forward("probe")
    qtbot.waitUntil(rail.buttons["probe"].isChecked)
    assert told(rail.topics["Layers"]) == (True, False)
    press(rail.topics["Layers"])
    press(rail.topics["Layers"], Qt.Key.Key_Left)
    assert rail.buttons["probe"].isVisible()
    qtbot.waitUntil(lambda: not rail.buttons["masked_tokens"].isChecked())
    press(rail.topics["Masking"])
    assert set(listed(rail)) == {"overview", *LAYERS}


def test_what_is_folded_stays_so_at_the_next_start_and_a_new_layout_unfolds_it(start, qtbot):
    first = start()
    press(first.window.rail.topics["Layers"])
    press(first.window.rail.topics["Attribution and causes"])
    first.window.close()
    first.close()
    second = start().window
    folded = [name for name, one in second.rail.topics.items() if told(one) == (False, True)]
    assert folded == ["Layers", "Attribution and causes"]
    assert not set(LAYERS) & set(listed(second.rail))
    second.reset_layout()
    assert set(listed(second.rail)) == set(second.rail.buttons)


def test_a_topic_that_was_folded_under_a_former_name_is_folded(start):
    first = start()
    first.bench.settings_store.change(folded_topics=("Cause", "Many"))
    first.window.close()
    first.close()
    topics = start().window.rail.topics
    folded = [name for name, one in topics.items() if told(one) == (False, True)]
    assert folded == ["Attribution and causes", "Files"]


def test_a_topic_folded_from_under_the_keyboard_takes_it(running, rail, qtbot):
    running.window.activateWindow()
    qtbot.waitUntil(running.window.isActiveWindow)
    rail.buttons["masked_tokens"].setFocus()
    for key in (Qt.Key.Key_End, Qt.Key.Key_Home, Qt.Key.Key_End):
        press(QApplication.focusWidget(), key)
    heading = rail.topics["Files"]
    press(heading)
    assert heading.hasFocus()
    assert heading.focusPolicy() == Qt.FocusPolicy.TabFocus


def test_a_small_window_reaches_every_page_by_its_icon(running, rail, qtbot):
    running.window.resize(1024, 700)
    assert rail.is_narrow
    for name, heading in rail.topics.items():
        assert heading.toolTip().startswith(f"{name}:")
    for name, button in rail.buttons.items():
        qtbot.waitUntil(lambda b=button: in_sight(rail, b))
        press(button)
        qtbot.waitUntil(lambda n=name: running.window.view_area.current.operation == n)
    for name in ("Masking", "Tokenizers", "Attention", "Layers", "Attribution and causes"):
        press(rail.topics[name])
    qtbot.waitUntil(lambda: rail.verticalScrollBar().maximum() == 0)


def test_the_pages_of_a_topic_stand_together():
    """Two topics that begin with the same number would be mixed by their pages' titles."""
    headings = [one.heading for one in listed_pages()]
    together = [one for number, one in enumerate(headings) if headings[:number][-1:] != [one]]
    assert len(together) == len(set(together)), together
