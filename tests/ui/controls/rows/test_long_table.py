"""A table of many rows keeps all its columns in sight, whatever width it has."""

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QStandardItem, QStandardItemModel
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QWidget

from explorer.ui.controls.rows.long_table import LEAST_STRETCHED, LongTable

COLUMNS, WIDE, STRETCHED = 6, 80, 2


@pytest.fixture
def table(qtbot):
    window = QWidget()
    qtbot.addWidget(window)
    model = QStandardItemModel(3, COLUMNS, window)
    for row in range(3):
        for column in range(COLUMNS):
            model.setItem(row, column, QStandardItem(f"{row} {column}"))
    made = LongTable(model, "rows", "Rows", window)
    for column in range(COLUMNS):
        made.setColumnWidth(column, WIDE)
    made.resize(1000, 300)
    window.resize(1000, 300)
    window.show()
    qtbot.waitExposed(window)
    made.stretch(STRETCHED)
    made.kept_alive = window
    return made


def widths(table):
    return [table.columnWidth(column) for column in range(COLUMNS)]


@pytest.mark.parametrize("wide", [1000, 700, 1400])
def test_one_column_takes_the_room_that_the_others_leave(table, wide):
    table.resize(wide, 300)
    room = table.viewport().width() - (COLUMNS - 1) * WIDE
    assert widths(table) == [WIDE, WIDE, room, *[WIDE] * 3]


def test_it_becomes_narrow_where_they_leave_none(table):
    table.resize(450, 300)
    assert widths(table) == [WIDE, WIDE, LEAST_STRETCHED, *[WIDE] * 3]


def test_it_gives_way_to_a_column_that_is_made_wider(table):
    before = table.columnWidth(STRETCHED)
    table.setColumnWidth(4, WIDE + 50)
    assert table.columnWidth(STRETCHED) == before - 50


def test_without_one_all_stay_as_they_are(table, qtbot):
    other = LongTable(table.model(), "others", "Others", table.parentWidget())
    before = widths(other)
    other.resize(1300, 300)
    assert widths(other) == before


def test_columns_that_can_be_done_without_go_in_their_order_and_come_back(table):
    table.dispense_with([4, 1])

    def hidden():
        return [n for n in range(COLUMNS) if table.isColumnHidden(n)]

    shown = {}
    for wide in (1000, 500, 420, 300, 420, 500, 1000):
        table.resize(wide, 300)
        shown.setdefault(wide, []).append(hidden())
        assert sum(widths(table)) == table.viewport().width() or hidden() == [1, 4]
    assert shown == {1000: [[], []], 500: [[4], [4]], 420: [[1, 4], [1, 4]], 300: [[1, 4]]}
    # What the user makes wider drives none away.
    table.setColumnWidth(0, 900)
    assert hidden() == []


def draw(table, column, by):
    """Drag the edge of a column's heading."""
    header = table.horizontalHeader()
    edge = QPoint(header.sectionViewportPosition(column) + header.sectionSize(column) - 1, 8)
    QTest.mousePress(header.viewport(), Qt.MouseButton.LeftButton, pos=edge)
    QTest.mouseMove(header.viewport(), edge + QPoint(by, 0))
    QTest.mouseRelease(header.viewport(), Qt.MouseButton.LeftButton, pos=edge + QPoint(by, 0))


def test_columns_are_as_wide_as_their_cells_and_no_wider_than_they_may(table):
    table.model().item(0, 4).setText("a very long cell " * 20)
    table.fit_columns(200)
    assert table.columnWidth(4) == 200
    narrow = table.columnWidth(0)
    assert narrow < WIDE
    table.setColumnWidth(0, WIDE)
    table.fit_columns(200, anew=False)
    assert table.columnWidth(0) == WIDE
    table.fit_columns(200)
    assert table.columnWidth(0) == narrow
    assert sum(widths(table)) == table.viewport().width()


def test_a_column_that_the_user_drew_stays_so(table):
    draw(table, 1, 60)
    assert table.drawn_widths.widths[COLUMNS, 1] == WIDE + 60
    assert (COLUMNS, 0) not in table.drawn_widths.widths
    table.fit_columns(200)
    assert table.columnWidth(1) == WIDE + 60
    other = LongTable(table.model(), "others", "Others", table.parentWidget())
    other.drawn_widths.take_over(table.drawn_widths.widths)
    other.fit_columns(200)
    assert other.columnWidth(1) == WIDE + 60
    # Of other columns nothing is known.
    table.model().insertColumn(0)
    table.fit_columns(200)
    assert table.columnWidth(1) < WIDE
