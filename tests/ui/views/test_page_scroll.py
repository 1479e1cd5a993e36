"""A heading is brought to the upper edge, and stays there until somebody scrolls."""

from PySide6.QtCore import QPoint

MASKS = "[MASK] and [MASK] and [MASK] of [MASK] or [MASK] and [MASK] and [MASK]."


def test_a_heading_is_brought_to_the_top_and_stays_there_until_somebody_scrolls(running, qtbot):
    window = running.window
    running.bench.edits.take_text(f"the {MASKS}", "masks")
    view = window.view_of("masked_tokens")
    bar = view.area.verticalScrollBar()
    qtbot.waitUntil(lambda: bar.maximum() > 200)
    far = [one for one in view.page.page.nodes if one.name and 40 < one.box.top() < bar.maximum()]
    name = far[-1].name

    def top():
        node = next(one for one in view.page.page.nodes if one.name == name)
        return view.page.mapTo(view.area.viewport(), QPoint(0, round(node.box.top()))).y()

    def is_placed():
        return 0 <= top() <= 12 or bar.value() == bar.maximum()

    assert not is_placed()
    view.page_scroll.bring_to_top(name)
    qtbot.waitUntil(is_placed)
    before = bar.value()
    window.resize(window.width() - 260, window.height() - 90)
    qtbot.waitUntil(lambda: window.height() < 720 and is_placed())
    # Another answer of the same page begins there too.
    running.bench.edits.take_text(f"a {MASKS}", "masks")
    qtbot.waitUntil(lambda: running.bench.asking.is_idle)
    qtbot.waitUntil(is_placed)
    bar.setValue(3)
    window.resize(window.width() + 30, window.height() + 30)
    qtbot.waitUntil(lambda: running.bench.asking.is_idle)
    assert bar.value() == 3
    assert before > 3


def test_a_heading_that_is_not_there_leaves_the_page_at_its_top(running, qtbot):
    view = running.window.view_of("masked_tokens")
    view.page_scroll.bring_to_top("Nothing is called so")
    qtbot.waitUntil(lambda: running.bench.asking.is_idle)
    assert view.area.verticalScrollBar().value() == 0
