import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QLabel, QTableView, QWidget

from explorer.document import Document
from explorer.questions.tokenizers.tokens.page import TokenizeView
from explorer.questions.tokenizers.tokens.question import OPERATION, Tokenize
from explorer.ui.theme import theme_of
from explorer.ui.views.token_table import COLUMNS, ID, NOTES, PIECE, POSITION, TEXT

LEFT = Qt.MouseButton.LeftButton


@pytest.fixture
def view(qtbot, tokenized, document):
    window = QWidget()
    qtbot.addWidget(window)
    made = TokenizeView(window)
    made.show_result(tokenized, document)
    made.resize(760, 500)
    window.resize(760, 500)
    window.show()
    qtbot.waitExposed(window)
    yield made
    window.close()


def column(view, number):
    model = view.table_view.model()
    return [model.index(row, number).data() for row in range(model.rowCount())]


def test_it_asks_as_soon_as_there_is_text(view):
    assert view.request_of(Document(" ")) is None
    assert view.request_of(Document("a", "b")) == Tokenize("a", "b")


def test_a_row_for_every_token(view, tokenized):
    assert column(view, PIECE) == [token.text for token in tokenized.tokens]
    assert column(view, ID) == [str(token.id) for token in tokenized.tokens]
    assert column(view, POSITION) == [str(n) for n in range(14)]
    assert column(view, TEXT)[1:5] == ["The", "soup", "was", "ho"]
    assert column(view, NOTES)[0] == "special"
    assert column(view, NOTES)[2] == "masked"
    assert column(view, NOTES)[5] == "continues a word"
    assert column(view, NOTES)[7] == "unknown"
    assert column(view, NOTES)[11] == "masked, second text"


def test_numbers_are_sorted_as_numbers(view, tokenized):
    view.table_view.sortByColumn(ID, Qt.SortOrder.DescendingOrder)
    ids = [int(text) for text in column(view, ID)]
    assert ids == sorted((token.id for token in tokenized.tokens), reverse=True)
    view.table_view.sortByColumn(POSITION, Qt.SortOrder.AscendingOrder)
    assert column(view, POSITION) == [str(n) for n in range(14)]


def test_a_click_selects_the_token_even_when_sorted(view, qtbot):
    view.table_view.sortByColumn(ID, Qt.SortOrder.DescendingOrder)
    row = column(view, PIECE).index("was")
    box = view.table_view.visualRect(view.table_view.model().index(row, PIECE))
    with qtbot.waitSignal(view.select_requested) as told:
        qtbot.mouseClick(view.table_view.viewport(), LEFT, pos=box.center())
    assert told.args == [3]


def test_a_token_selected_elsewhere_is_shown_without_an_echo(view, qtbot):
    with qtbot.assertNotEmitted(view.select_requested):
        view.select(7)
    rows = view.table_view.selectionModel().selectedRows()
    assert [index.row() for index in rows] == [7]
    view.select(None)
    assert view.table_view.selectionModel().selectedRows() == []


def test_a_row_is_copied(view, qtbot):
    view.select(3)
    view.table_view.setFocus()
    qtbot.keyClick(view.table_view, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    assert QGuiApplication.clipboard().text().split("\t")[:4] == ["3", "was", "11", "was"]


def test_the_summary_counts(view, tokenized_short, document):
    summary = view.findChild(QLabel, "tokenSummary")
    assert summary.text() == "14 tokens: 11 of your text and 3 special, 1 unknown."
    view.show_result(tokenized_short, document)
    assert summary.text().endswith("41 tokens more did not fit into the model, which takes 12.")


def test_titles_explain_themselves(view):
    model = view.table_view.model()
    for number, title in enumerate(COLUMNS):
        across = Qt.Orientation.Horizontal
        assert model.headerData(number, across) == title.title
        tip = model.headerData(number, across, Qt.ItemDataRole.ToolTipRole)
        assert tip.endswith(".")


def test_titles_are_never_cut(view):
    header = view.table_view.horizontalHeader()
    for number in range(len(COLUMNS)):
        assert header.sectionSize(number) >= header.sectionSizeHint(number)


def test_table_and_figure(view, tokenized):
    assert view.table() == OPERATION.table(tokenized)
    wide, narrow = (view.figure(width, theme_of("light")) for width in (900, 300))
    assert narrow.height > wide.height
    view.clear()
    assert view.table_view.model().rowCount() == 0
    assert view.findChild(QTableView, "tokenTable").accessibleName() == "Tokens"
