"""What is selected on a page: by mouse and by keyboard, copied, and told to a screen reader."""

import pytest
from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QGuiApplication, QMouseEvent

from explorer.ui.blocks.block import page_of
from explorer.ui.blocks.columns import Card, Columns
from explorer.ui.blocks.tables.bar_table import BarTable
from explorer.ui.blocks.tables.rows import BarColumn, BarRow
from explorer.ui.blocks.text import Text, heading
from explorer.ui.blocks.widget import accessible
from explorer.ui.blocks.widget.painted import PaintedPage

LEFT = Qt.MouseButton.LeftButton
CONTROL = Qt.KeyboardModifier.ControlModifier
SHIFT = Qt.KeyboardModifier.ShiftModifier
KEYS = Qt.Key


def table(*words):
    rows = [
        BarRow(word, ("" if n == 2 else f"0.{n}", f"{n}"), key=word, act=f"put {word}")
        for n, word in enumerate(words, start=1)
    ]
    return BarTable(rows, (BarColumn("probability"), BarColumn("rank")), title="Words")


def blocks():
    return [
        heading("Mask 1"),
        Text("What is expected."),
        table("soup", "tea", "rice"),
        Columns([Card([Text("By itself."), table("cup")])]),
    ]


@pytest.fixture
def page(qtbot):
    made = PaintedPage("page")
    qtbot.addWidget(made)
    made.resize(600, 500)
    made.show_page(lambda width: page_of(blocks(), width))
    made.show()
    qtbot.waitExposed(made)
    made.setFocus()
    return made


def row(page, word):
    return next(spot for spot in page.page.spots if spot.key == word)


def drag(page, qtbot, start, end):
    """With the left button from one point to another, some of the way between."""
    qtbot.mousePress(page, LEFT, pos=start.toPoint())
    for share in (0.3, 0.7, 1.0):
        between = start + (end - start) * share
        qtbot.mouseMove(page, between.toPoint())
        move(page, between)
    qtbot.mouseRelease(page, LEFT, pos=end.toPoint())


def move(page, point):
    """The mouse is moved while the button is held, which the test's own mouse does not tell."""
    place = page.mapToGlobal(point)
    page.mouseMoveEvent(
        QMouseEvent(QEvent.Type.MouseMove, point, place, LEFT, LEFT, Qt.KeyboardModifier.NoModifier)
    )


def copied(page, qtbot):
    QGuiApplication.clipboard().clear()
    qtbot.keyClick(page, KEYS.Key_C, CONTROL)
    return QGuiApplication.clipboard().text()


def cell(page, word, number):
    return row(page, word).cells[number].box


def test_rows_that_the_mouse_is_drawn_over_are_copied_cell_by_cell(page, qtbot):
    with qtbot.assertNotEmitted(page.acted), qtbot.assertNotEmitted(page.chosen):
        drag(page, qtbot, cell(page, "soup", 0).center(), row(page, "rice").cells[-1].box.center())
    # What a row lacks leaves its place empty, so that columns stay columns.
    assert copied(page, qtbot) == "soup\t0.1\t1\ntea\t\t2\nrice\t0.3\t3"


def test_one_column_can_be_selected_and_a_click_lets_it_go(page, qtbot):
    rank = cell(page, "soup", 2)
    drag(page, qtbot, rank.center(), row(page, "tea").cells[-1].box.center())
    assert copied(page, qtbot) == "1\n2"
    with qtbot.waitSignal(page.acted):
        qtbot.mouseClick(page, LEFT, pos=cell(page, "tea", 0).center().toPoint())
    assert not page.selecting.chosen
    assert copied(page, qtbot) == "tea\t2"


def test_paragraphs_and_rows_in_cards_are_copied_too(page, qtbot):
    end = row(page, "cup").box.bottomRight()
    drag(page, qtbot, QPointF(1, 1), end)
    lines = copied(page, qtbot).split("\n")
    assert lines[:3] == ["Mask 1", "What is expected.", "soup\t0.1\t1"]
    assert lines[-2:] == ["By itself.", "cup\t0.1\t1"]
    qtbot.keyClick(page, KEYS.Key_Escape)
    assert not page.selecting.chosen
    qtbot.keyClick(page, KEYS.Key_A, CONTROL)
    assert copied(page, qtbot).split("\n") == lines


def test_a_hand_that_trembles_still_clicks(page, qtbot):
    point = cell(page, "tea", 0).center()
    with qtbot.waitSignal(page.acted) as told:
        drag(page, qtbot, point, point + QPoint(2, 1))
    assert told.args == ["put tea"]


def test_shift_and_arrows_select_rows_then_cells(page, qtbot, monkeypatch):
    told = []
    monkeypatch.setattr(accessible, "announce", lambda _widget, words: told.append(words))
    qtbot.keyClick(page, KEYS.Key_Down)
    assert page.current.key == "soup"
    qtbot.keyClick(page, KEYS.Key_Down, SHIFT)
    assert copied(page, qtbot) == "soup\t0.1\t1\ntea\t\t2"
    assert told[-1] == "5 cells are selected."
    qtbot.keyClick(page, KEYS.Key_Up, SHIFT)
    assert copied(page, qtbot) == "soup\t0.1\t1"
    qtbot.keyClick(page, KEYS.Key_Left, SHIFT)
    assert copied(page, qtbot) == "soup\t0.1"
    qtbot.keyClick(page, KEYS.Key_Left, SHIFT)
    assert copied(page, qtbot) == "soup"
    assert told[-1] == "1 cell is selected."
    qtbot.keyClick(page, KEYS.Key_Right, SHIFT)
    assert copied(page, qtbot) == "soup\t0.1"
    # Without Shift the keyboard goes on, and copies its row as ever.
    qtbot.keyClick(page, KEYS.Key_Down)
    assert not page.selecting.chosen
    assert copied(page, qtbot) == "tea\t2"


def test_what_is_selected_goes_with_the_answer(page, qtbot):
    qtbot.keyClick(page, KEYS.Key_A, CONTROL)
    assert page.selecting.chosen
    page.show_page(lambda width: page_of(blocks()[:2], width))
    assert not page.selecting.chosen
