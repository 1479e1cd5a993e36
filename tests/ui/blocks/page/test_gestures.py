"""What can be done on a page besides choosing: dragging, typing over a place, other keys."""

from dataclasses import dataclass

import numpy as np
import pytest
from PySide6.QtCore import QPoint, QRectF, Qt
from PySide6.QtWidgets import QWidget

from explorer.ui.blocks.block import PlacedBlock, Spot, page_of
from explorer.ui.blocks.columns import PAD, Card, Columns
from explorer.ui.blocks.page.page import Write
from explorer.ui.blocks.picture import Picture
from explorer.ui.blocks.text import heading
from explorer.ui.blocks.widget.painted import PaintedPage
from explorer.ui.charts.block import ChartBlock
from explorer.ui.charts.chart_view import ChartView
from explorer.ui.charts.description import Axis, Chart, Line
from explorer.ui.sentence.tokens.editor import TokenEditor
from explorer.ui.theme.schemes import theme_of

LEFT = Qt.MouseButton.LeftButton
WRITE = Write("soup", "Another word", lambda words: f"wrote {words}", over="word")


@dataclass(frozen=True)
class Loop(PlacedBlock):
    """A line that can be dragged, a word that can be typed over, and the row they are in."""

    height: float = 60.0
    spots: tuple[Spot, ...] = (
        Spot(QRectF(95, 0, 10, 60), None, "The threshold.", drag=lambda x: f"by {x:.0f}"),
        Spot(QRectF(10, 10, 50, 20), "word", "soup", act="turn to it", twice=WRITE),
        Spot(
            QRectF(0, 5, 300, 30), "row", "A row.", act="turn to it",
            keys={Qt.Key.Key_F2: WRITE, Qt.Key.Key_M: "mask it"},
        ),
    )  # fmt: skip

    def paint(self, painter, theme):
        pass


@pytest.fixture
def page(qtbot):
    window = QWidget()
    qtbot.addWidget(window)
    made = PaintedPage("page", window)
    made.resize(400, 200)
    window.resize(400, 200)
    made.show_page(lambda width: page_of([Picture(lambda _width: Loop())], width))
    window.show()
    qtbot.waitExposed(window)
    yield made
    window.close()


def test_what_can_be_dragged_tells_how_far_and_is_no_place_of_the_keyboard(page, qtbot):
    told = []
    page.acted.connect(told.append)
    qtbot.mousePress(page, LEFT, pos=QPoint(100, 30))
    for x in (110, 110, 130):
        qtbot.mouseMove(page, QPoint(x, 40))
    qtbot.mouseRelease(page, LEFT, pos=QPoint(130, 40))
    qtbot.mouseMove(page, QPoint(160, 40))
    assert told == ["by 10", "by 30"]
    assert [spot.key for spot in page.reached] == ["word", "row"]


def test_a_double_click_types_over_a_place(page, qtbot):
    qtbot.mouseDClick(page, LEFT, pos=QPoint(30, 20))
    editor = page.findChild(TokenEditor)
    assert (editor.text(), editor.accessibleName()) == ("soup", "Another word")
    editor.setText("broth")
    with qtbot.waitSignal(page.acted) as told:
        qtbot.keyClick(editor, Qt.Key.Key_Return)
    assert told.args == ["wrote broth"]
    assert not page.writing.is_open


def test_escape_and_the_same_word_change_nothing(page, qtbot):
    for key in (Qt.Key.Key_Escape, Qt.Key.Key_Return):
        qtbot.mouseDClick(page, LEFT, pos=QPoint(30, 20))
        with qtbot.assertNotEmitted(page.acted):
            qtbot.keyClick(page.findChild(TokenEditor), key)
        assert not page.writing.is_open
        assert page.hasFocus()
        qtbot.waitUntil(lambda: page.findChild(TokenEditor) is None)


def test_keys_of_a_place(page, qtbot):
    page.setFocus()
    qtbot.keyClick(page, Qt.Key.Key_End)
    qtbot.keyClick(page, Qt.Key.Key_Home)
    qtbot.keyClick(page, Qt.Key.Key_Down)
    with qtbot.waitSignal(page.acted) as told:
        qtbot.keyClick(page, Qt.Key.Key_M)
    assert told.args == ["mask it"]
    qtbot.keyClick(page, Qt.Key.Key_F2)
    # It stands over the word, not over the row the keyboard is on.
    box = page.findChild(TokenEditor).geometry()
    assert box.left() <= 12
    assert box.width() < 120


def test_what_is_typed_over_goes_with_the_page(page, qtbot):
    qtbot.mouseDClick(page, LEFT, pos=QPoint(30, 20))
    page.show_page(lambda width: page_of([Picture(lambda _width: Loop())], width))
    assert page.writing.is_open
    page.show_page(lambda width: page_of([heading("Nothing")], width))
    assert not page.writing.is_open


def test_charts_stand_in_cards(page, qtbot):
    line = Line("loss", np.array([0.0, 1.0]), np.array([0.0, 1.0]), "bar")
    cards = [
        Card([heading(name), ChartBlock((Chart(name, "", (line,), Axis("steps")),))])
        for name in ("first", "second")
    ]
    columns = Columns(cards, narrowest=150)
    page.show_page(lambda width: page_of([columns], width))
    first, second = page.findChildren(ChartView)
    assert first.geometry().left() >= PAD - 1
    assert second.geometry().left() > 200
    assert second.geometry().right() <= 400 - PAD + 2
    # An export paints them.
    figure = page_of([columns], 400).figure(theme_of("light"))
    assert figure.height == page_of([columns], 400).height
