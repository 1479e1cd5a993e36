import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QWidget

from explorer.questions.tokenizers.tokens.question import QUESTION, TokensResult
from explorer.ui.blocks.columns import Columns
from explorer.ui.blocks.tables.bar_table import BarTable
from explorer.ui.parts.tokens.pieces import columns
from explorer.ui.theme.schemes import theme_of
from tests.questions.two_texts import DOCUMENT, LEFT_OUT, STAMP, TOKENS
from tests.ui.pages import kind_of, spot, words_on

LEFT = Qt.MouseButton.LeftButton
POSITION, PIECE, ID, TEXT, CHARACTERS, NOTES = range(6)


@pytest.fixture
def document():
    return DOCUMENT


@pytest.fixture
def pieces():
    return TokensResult(STAMP, TOKENS)


@pytest.fixture
def cut_short():
    return TokensResult(STAMP, TOKENS, LEFT_OUT)


@pytest.fixture
def view(qtbot, pieces, document):
    window = QWidget()
    qtbot.addWidget(window)
    made = kind_of("tokens")(window)
    made.show_result(pieces, document)
    made.resize(760, 500)
    window.resize(760, 500)
    window.show()
    qtbot.waitExposed(window)
    yield made
    window.close()


def table(view):
    (found,) = (b for b in view.declared.blocks(view.shown()) if isinstance(b, Columns))
    (one,) = found.cards[0].blocks
    assert isinstance(one, BarTable)
    return one


def column(view, number):
    return [(row.label, *row.cells)[number] for row in table(view).rows]


def sort(view, name, qtbot):
    """Click a title, and do what it asks for."""
    box = spot(view, ("column", columns()[name].title)).box
    with qtbot.waitSignal(view.edit_requested) as told:
        qtbot.mouseClick(view.page, LEFT, pos=box.center().toPoint())
    view.set_document(told.args[0].on(view.now))


def test_a_row_for_every_token(view, pieces):
    assert column(view, PIECE) == [token.text for token in pieces.tokens]
    assert column(view, ID) == [str(token.id) for token in pieces.tokens]
    assert column(view, POSITION) == [str(n) for n in range(14)]
    assert column(view, TEXT)[1:5] == ["The", "soup", "was", "ho"]
    assert column(view, CHARACTERS)[2] == "4–8"
    assert column(view, NOTES)[0] == "special"
    assert column(view, NOTES)[2] == "masked"
    assert column(view, NOTES)[5] == "continues a word"
    assert column(view, NOTES)[7] == "unknown"
    assert column(view, NOTES)[11] == "masked, second text"


def test_numbers_are_sorted_as_numbers(view, pieces, qtbot):
    sort(view, "id", qtbot)
    ids = [int(text) for text in column(view, ID)]
    assert ids == sorted(token.id for token in pieces.tokens)
    sort(view, "id", qtbot)
    ids = [int(text) for text in column(view, ID)]
    assert ids == sorted((token.id for token in pieces.tokens), reverse=True)
    assert "Now down" in spot(view, ("column", "Id")).said
    sort(view, "position", qtbot)
    assert column(view, POSITION) == [str(n) for n in range(14)]
    assert view.now.option("tokens.sort") is None


def test_words_are_sorted_as_words(view, qtbot):
    sort(view, "piece", qtbot)
    pieces = column(view, PIECE)
    assert pieces == sorted(pieces, key=str.casefold)


def test_a_click_selects_the_token_even_when_sorted(view, qtbot):
    sort(view, "id", qtbot)
    row = spot(view, ("token", 3))
    assert "was" in row.said
    with qtbot.waitSignal(view.select_requested) as told:
        qtbot.mouseClick(view.page, LEFT, pos=row.box.center().toPoint())
    assert told.args == [3]


def test_a_token_selected_elsewhere_is_shown_without_an_echo(view, qtbot):
    view.resize(760, 200)
    qtbot.waitUntil(lambda: view.area.verticalScrollBar().maximum() > 0)
    with qtbot.assertNotEmitted(view.select_requested):
        view.show_position(13)
    assert [row.label for row in table(view).rows if row.ground] == ["13"]
    assert view.area.verticalScrollBar().value() > 0
    view.show_position(None)
    assert not any(row.ground for row in table(view).rows)


def test_a_row_is_copied(view, qtbot):
    view.page.setFocus()
    while view.page.current is None or view.page.current.key != ("token", 3):
        qtbot.keyClick(view.page, Qt.Key.Key_Down)
    qtbot.keyClick(view.page, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    assert QGuiApplication.clipboard().text().split("\t")[:4] == ["3", "was", "11", "was"]


def test_the_summary_counts(view, cut_short, document):
    assert "14 tokens: 11 of your text and 3 special, 1 unknown." in words_on(view)
    view.show_result(cut_short, document)
    said = "The model takes 12 tokens and did not see the last 41 tokens, with 2 masks among them."
    assert said in words_on(view)


def test_titles_explain_themselves(view):
    for title in columns().values():
        said = spot(view, ("column", title.title)).words
        assert said.startswith(f"{title.title}: ")
        assert title.words.endswith(".")
        assert title.words in said


def test_the_sentence_with_its_ids_stands_next_to_the_table(view, pieces, qtbot):
    for wide, beside in ((1400, True), (600, False)):
        view.window().resize(wide, 700)
        view.resize(wide, 700)
        qtbot.waitUntil(lambda wide=wide: view.page.width() > wide - 60)
        row, token = spot(view, ("token", 3)).box, spot(view, ("mask", 3)).box
        assert (token.left() > row.right()) == beside
        assert (token.top() > row.bottom()) == (not beside)
    told = spot(view, ("mask", 3))
    assert f"Id: {pieces.tokens[3].id}" in told.words
    with qtbot.waitSignal(view.select_requested) as asked:
        view.act(told.act)
    assert asked.args == [3]


def test_titles_are_never_cut(view):
    laid = table(view).at(float(view.page.width()))
    assert laid.columns == tuple(c.title for c in columns().values())[1:]
    assert laid.spots[-1].box.right() <= view.page.width()


def test_table_and_figure(view, pieces):
    assert view.table() == QUESTION.table(pieces)
    wide, narrow = (view.figure(width, theme_of("light")) for width in (900, 300))
    assert narrow.height > wide.height
    view.clear()
    assert view.page.page is None
    assert view.page.accessibleName() == "Tokens"
