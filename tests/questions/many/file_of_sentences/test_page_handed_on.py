"""What only the table of rows knows goes to the page that takes its place."""

import pytest
from PySide6.QtCore import Qt

from explorer.ui.views.kept_page import KeptPage
from tests.questions.many.file_of_sentences.shown_rows import answer, cells, panel, show
from tests.ui.controls.rows.test_long_table import draw
from tests.ui.pages import kind_of


@pytest.fixture
def next_view(view, qtbot):
    """Makes the view that takes this one's place, as in another language."""

    def make():
        made = kind_of("file_of_sentences")()
        qtbot.addWidget(made)
        made.resize(700, 400)
        with qtbot.waitSignal(made.page.looked_at):
            KeptPage.of(view).give(made)
        qtbot.waitUntil(lambda: panel(made).ordering.is_idle)
        return made

    return make


def test_its_filter_is_handed_on_to_another_window(view, next_view, qtbot, results):
    show(view, qtbot, answer(results[0]))
    with qtbot.waitSignal(view.page.looked_at):
        panel(view).filter.setText("sentence 29")
    with qtbot.waitSignal(view.page.looked_at):
        panel(view).failed_only.setChecked(True)
    other = next_view()
    qtbot.waitUntil(lambda: panel(other).model.rowCount() == 2)
    assert panel(other).failed_only.isChecked()


@pytest.mark.parametrize(("column", "falls"), [("score", True), ("tokens", False), ("line", False)])
def test_its_order_is_handed_on_to_another_window(view, next_view, qtbot, results, column, falls):
    show(view, qtbot, answer(results[0]))
    table = panel(view).table_view
    place = panel(view).model.names.index(column)
    order = Qt.SortOrder.DescendingOrder if falls else Qt.SortOrder.AscendingOrder
    with qtbot.waitSignal(view.page.looked_at):
        table.sortByColumn(place, order)
    lines = cells(view, "line")
    other = next_view()
    qtbot.waitUntil(lambda: panel(other).model.rowCount() > 0 and cells(other, "line") == lines)
    header = panel(other).table_view.horizontalHeader()
    assert (header.sortIndicatorSection(), header.sortIndicatorOrder()) == (place, order)


def test_columns_that_were_drawn_are_handed_on_to_another_window(view, next_view, qtbot, results):
    show(view, qtbot, answer(results[0]))
    draw(panel(view).table_view, 1, 37)
    wide = panel(view).table_view.columnWidth(1)
    assert panel(next_view()).table_view.columnWidth(1) == wide
