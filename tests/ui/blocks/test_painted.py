"""The widget of a page: keys, clicks, what is told, and what a screen reader finds."""

import gc
from dataclasses import replace
from types import SimpleNamespace

import pytest
from PySide6.QtCore import QCoreApplication, QEvent, QObject, QPoint, QRect, Qt
from PySide6.QtGui import QAccessible, QGuiApplication, QHelpEvent, QImage, QRegion
from PySide6.QtWidgets import QApplication, QToolTip, QWidget
from shiboken6 import Shiboken

from explorer.api.question import Blame, Failure
from explorer.ui.blocks.block import page_of
from explorer.ui.blocks.tables.bar_table import BarTable
from explorer.ui.blocks.tables.rows import Bar, BarAxis, BarColumn, BarRow
from explorer.ui.blocks.text import Text, heading
from explorer.ui.blocks.widget import accessible
from explorer.ui.blocks.widget.painted import PaintedPage
from explorer.ui.views.frame.view_frame import ViewFrame

Role = QAccessible.Role
NAME = QAccessible.Text.Name
LEFT = Qt.MouseButton.LeftButton


def blocks(*words):
    rows = [
        BarRow(
            word, (f"0.{n}",), (Bar(n / 10),), words=f"About {word}.", key=word, act=f"put {word}"
        )
        for n, word in enumerate(words, start=1)
    ]
    silent = BarRow("no one", ("–",), words="Its vocabulary lacks it.")
    return [
        heading("Mask 1"),
        Text("What is expected."),
        BarTable([*rows, silent], (BarColumn("probability"),), BarAxis(1.0), "Words at mask 1"),
    ]


@pytest.fixture
def page(qtbot):
    window = QWidget()
    qtbot.addWidget(window)
    made = PaintedPage("page", window)
    made.setAccessibleName("Masked tokens")
    made.resize(600, 300)
    window.resize(600, 300)
    made.show_page(lambda width: page_of(blocks("soup", "tea"), width))
    window.show()
    qtbot.waitExposed(window)
    made.setFocus()
    yield made
    window.close()


def test_the_keyboard_goes_to_rows_that_only_explain_themselves(page, qtbot):
    for _ in range(3):
        qtbot.keyClick(page, Qt.Key.Key_Down)
    assert page.current.words == "Its vocabulary lacks it."
    with qtbot.assertNotEmitted(page.acted):
        qtbot.keyClick(page, Qt.Key.Key_Return)
    qtbot.keyClick(page, Qt.Key.Key_Up)
    with qtbot.waitSignal(page.acted) as told:
        qtbot.keyClick(page, Qt.Key.Key_Return)
    assert told.args == ["put tea"]
    qtbot.keyClick(page, Qt.Key.Key_Home)
    assert page.current.key == "soup"


def test_words_under_the_mouse_come_to_the_keyboard_too_and_can_be_copied(page, qtbot):
    qtbot.keyClick(page, Qt.Key.Key_Down)
    qtbot.waitUntil(QToolTip.isVisible)
    assert QToolTip.text() == "About soup."
    qtbot.keyClick(page, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    assert QGuiApplication.clipboard().text() == "soup\t0.1"
    qtbot.keyClick(page, Qt.Key.Key_Escape)
    qtbot.waitUntil(lambda: not QToolTip.isVisible())


def test_a_click_begins_and_ends_on_one_spot(page, qtbot):
    soup, tea = (page.page.spots[n].box.center().toPoint() for n in range(2))
    with qtbot.assertNotEmitted(page.acted):
        qtbot.mousePress(page, LEFT, pos=soup)
        qtbot.mouseRelease(page, LEFT, pos=tea)
    with qtbot.waitSignal(page.acted) as told:
        qtbot.mouseClick(page, LEFT, pos=tea)
    assert told.args == ["put tea"]


def test_the_keyboard_stays_on_its_row_when_the_page_is_drawn_anew(page, qtbot):
    for _ in range(2):
        qtbot.keyClick(page, Qt.Key.Key_Down)
    assert page.current.key == "tea"
    page.show_page(lambda width: page_of(blocks("tea", "rice", "soup"), width))
    assert page.current.key == "tea"
    page.show_page(None)
    assert page.current is None


def names(interface):
    return [interface.child(n).text(NAME) for n in range(interface.childCount())]


def test_a_screen_reader_finds_paragraphs_rows_and_cells(page, qtbot):
    found = QAccessible.queryAccessibleInterface(page)
    assert found.text(NAME) == "Masked tokens"
    assert found.role() == Role.Document
    assert names(found) == ["Mask 1", "What is expected.", "Words at mask 1"]
    table = found.child(2)
    assert (found.child(0).role(), table.role()) == (Role.StaticText, Role.Table)
    assert names(table)[:2] == ["soup, probability 0.1", "tea, probability 0.2"]
    row = table.child(1)
    assert row.role() == Role.Row
    assert row.text(QAccessible.Text.Description) == "About tea."
    assert names(row) == ["tea", "probability 0.2"]
    assert row.child(1).role() == Role.Cell
    assert table.rect().contains(row.rect())
    assert row.rect().contains(row.child(1).rect())
    assert row.rect().topLeft() == page.mapToGlobal(page.page.spots[1].box.topLeft()).toPoint()
    assert not row.state().focused
    for _ in range(2):
        qtbot.keyClick(page, Qt.Key.Key_Down)
    assert row.state().focused
    assert found.focusChild() is row
    at = row.rect().center()
    assert found.childAt(at.x(), at.y()) is table
    assert table.childAt(at.x(), at.y()) is row
    assert QAccessible.queryAccessibleInterface(page.window()).child(0).childCount() == 3


def test_what_a_screen_reader_holds_on_to_outlives_what_was_shown(page):
    found = QAccessible.queryAccessibleInterface(page)
    table = found.child(2)
    last, cell = table.child(2), table.child(2).child(1)
    page.show_page(lambda width: page_of(blocks("soup"), width))
    assert table.childCount() == 2
    assert not last.isValid()
    assert cell.text(NAME) == ""
    assert last.state().invalid
    page.show_page(None)
    assert found.childCount() == 0
    assert not table.isValid()
    window = page.window()
    page.setParent(None)
    page.deleteLater()
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    gc.collect()
    assert QAccessible.queryAccessibleInterface(window).childCount() == 0


def test_qt_holds_on_to_no_place_of_a_page_that_is_gone(page):
    """It would end the program with a crash: places are Python's, and gone before."""
    block = QAccessible.queryAccessibleInterface(page).child(0)
    number = QAccessible.uniqueId(block)
    assert QAccessible.accessibleInterface(number) is block
    Shiboken.delete(page)
    assert QAccessible.accessibleInterface(number) is None


def test_nothing_is_pressed_where_nothing_is(page, qtbot):
    with qtbot.assertNotEmitted(page.chosen):
        qtbot.mouseClick(page, LEFT, pos=QPoint(300, 2))


def test_an_answer_that_came_is_announced(qtbot, monkeypatch):
    """Qt's own end is the only thing that is stood in for: nothing listens in a test."""
    heard = []

    listening = SimpleNamespace(
        isActive=lambda: True,
        updateAccessibility=lambda event: heard.append(event.message()),
        registerAccessibleInterface=QAccessible.registerAccessibleInterface,
    )
    frame = ViewFrame("Masked tokens", "What is expected?", QWidget())
    qtbot.addWidget(frame)
    monkeypatch.setattr(accessible, "QAccessible", listening)
    frame.show_working()
    assert heard == []
    frame.show_result()
    assert heard == ["Masked tokens: The answer is here."]
    frame.show_failed(Failure(Blame.USER, "Nothing is masked.", "Mask a word."))
    assert len(heard) == 2
    assert "Nothing is masked." in heard[1]


@pytest.mark.parametrize("at_top", [True, False])
def test_words_under_the_mouse_do_not_cover_their_line(page, qtbot, at_top):
    row = next(one for one in page.page.spots if one.key == "soup")
    y = row.box.top() + 1 if at_top else row.box.bottom() - 1
    place = QPoint(round(row.box.center().x()), round(y))
    asked = QHelpEvent(QEvent.Type.ToolTip, place, page.mapToGlobal(place))
    QApplication.sendEvent(page, asked)
    qtbot.waitUntil(QToolTip.isVisible)
    (tip,) = (one for one in QApplication.topLevelWidgets() if one.inherits("QTipLabel"))
    assert "About soup." in QToolTip.text()
    assert tip.geometry().top() >= page.mapToGlobal(row.box.bottomLeft().toPoint()).y()
    QToolTip.hideText()
    qtbot.waitUntil(lambda: not QToolTip.isVisible())


def test_a_screen_reader_reads_the_page_of_the_window(running, qtbot):
    """Qt finds what tells of a page by the page's own class, which Python may make anew."""
    view = running.window.view_of("masked_tokens")
    running.bench.edits.toggle_mask(4, 8, 0)
    qtbot.waitUntil(lambda: len(view.result.masks) == 2)
    found = QAccessible.queryAccessibleInterface(view.page)
    assert found.role() == Role.Document
    assert "Mask at position 2" in " ".join(names(found))
    around = QAccessible.queryAccessibleInterface(view.page.parentWidget())
    inside = [around.child(number).role() for number in range(around.childCount())]
    assert Role.Document in inside


class Painted(QObject):
    """Notes how high the parts are that are painted anew."""

    def __init__(self):
        super().__init__()
        self.heights = []

    def eventFilter(self, _watched, event):
        if event.type() == QEvent.Type.Paint:
            self.heights.append(event.rect().height())
        return False


def test_only_the_rows_between_are_painted_anew_when_mouse_or_keyboard_go_on(page, qtbot):
    painted = Painted()
    QApplication.processEvents()
    page.installEventFilter(painted)
    row = page.page.spots[0].box
    qtbot.mouseMove(page, row.center().toPoint())
    qtbot.waitUntil(lambda: len(painted.heights) == 1)
    qtbot.keyClick(page, Qt.Key.Key_Down)
    qtbot.waitUntil(lambda: len(painted.heights) == 2)
    qtbot.keyClick(page, Qt.Key.Key_Down)
    qtbot.waitUntil(lambda: len(painted.heights) == 3)
    assert max(painted.heights) <= 2 * row.height() + 12
    # What was selected is no longer, wherever that was.
    qtbot.keyClick(page, Qt.Key.Key_A, Qt.KeyboardModifier.ControlModifier)
    qtbot.waitUntil(lambda: len(painted.heights) == 4)
    qtbot.keyClick(page, Qt.Key.Key_Down)
    qtbot.waitUntil(lambda: len(painted.heights) == 5)
    assert painted.heights[-1] == page.height()


def test_a_part_that_is_painted_alone_looks_as_in_the_whole(page):
    rows = [
        BarRow(f"word {n}", (f"0.{n}",), (Bar(n / 10),), apart="Of others" * (n == 4), key=n)
        for n in range(9)
    ]
    rows[2] = replace(rows[2], below="What is said of it below. " * 3)
    table = BarTable(rows, (BarColumn("probability"),), BarAxis(1.0), "Words")
    page.show_page(lambda width: page_of([Text("Words."), table], width))
    page.resize(600, page.heightForWidth(600))
    page.clearFocus()
    whole = page.grab().toImage()
    for top in range(0, page.height(), 7):
        part = QImage(page.size(), whole.format())
        strip = QRect(0, top, page.width(), min(7, page.height() - top))
        page.render(part, QPoint(), QRegion(strip))
        assert part.copy(0, 0, strip.width(), strip.height()) == whole.copy(strip), top
