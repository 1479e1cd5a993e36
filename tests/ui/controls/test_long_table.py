"""A table of many rows keeps all its columns in sight, whatever width it has."""

import pytest
from PySide6.QtGui import QStandardItem, QStandardItemModel
from PySide6.QtWidgets import QWidget

from explorer.ui.controls.long_table import LEAST_STRETCHED, LongTable

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
