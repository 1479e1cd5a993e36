"""What only the table of rows knows goes to the page that takes its place."""

import pytest
from PySide6.QtCore import Qt

from explorer.document import Document
from explorer.questions.many.file_of_sentences.options import FALLS, OF_ROWS, SORT
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


def test_its_filter_and_order_are_in_the_document(view, qtbot, results):
    """So they are undone, logged, and found again in another window."""
    show(view, qtbot, answer(results[0]))
    header = panel(view).table_view.horizontalHeader()
    for change in (
        lambda: panel(view).filter.setText("sentence 29"),
        lambda: panel(view).failed_only.setChecked(True),
        lambda: header.sectionClicked.emit(3),
        lambda: header.sectionClicked.emit(3),
    ):
        with qtbot.waitSignal(view.page.looked_at):
            change()
    now = view.shown().now
    held = {one.key: one.of(now) for one in OF_ROWS}
    assert list(held.values()) == ["score", True, "sentence 29", True]
    assert cells(view, "line") == ["29", "299"]  # without a score there is none to sort by
    with qtbot.waitSignal(view.page.looked_at):
        view.set_document(Document("old words"))
    qtbot.waitUntil(lambda: panel(view).model.rowCount() == 300)
    assert (panel(view).filter.text(), panel(view).failed_only.isChecked()) == ("", False)


@pytest.mark.parametrize(("column", "falls"), [("score", True), ("tokens", False), ("line", True)])
def test_its_order_is_that_of_the_document(view, qtbot, results, column, falls):
    show(view, qtbot, answer(results[0]))
    sets = Document("old words").with_option(SORT.key, column).with_option(FALLS.key, falls)
    with qtbot.waitSignal(view.page.looked_at):
        view.set_document(sets)
    header = panel(view).table_view.horizontalHeader()
    order = Qt.SortOrder.DescendingOrder if falls else Qt.SortOrder.AscendingOrder
    place = panel(view).names.index(column)
    assert (header.sortIndicatorSection(), header.sortIndicatorOrder()) == (place, order)
    found = [float(one) for one in cells(view, column) if one]
    assert found == sorted(found, reverse=falls)
    # Rows for export follow, whether or not the table looked into the file.
    assert [str(row[0]) for row in view.table().rows] == cells(view, "line")


def test_columns_that_were_drawn_are_handed_on_to_another_window(view, next_view, qtbot, results):
    show(view, qtbot, answer(results[0]))
    draw(panel(view).table_view, 1, 37)
    wide = panel(view).table_view.columnWidth(1)
    assert panel(next_view()).table_view.columnWidth(1) == wide
