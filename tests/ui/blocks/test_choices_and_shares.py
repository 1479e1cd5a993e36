"""Chips, shares of a whole, columns without frames, and controls on a page."""

import pytest
from PySide6.QtCore import QPoint, Qt, Signal
from PySide6.QtGui import QImage, QPainter
from PySide6.QtWidgets import QLineEdit, QWidget

from explorer.ui.blocks.block import page_of
from explorer.ui.blocks.chips import Chip, Chips
from explorer.ui.blocks.columns import UNFRAMED_GAP, Card, Columns
from explorer.ui.blocks.page.parts import alone
from explorer.ui.blocks.panel import Panel
from explorer.ui.blocks.tables.amounts import ShownAmount
from explorer.ui.blocks.tables.shares import Shares
from explorer.ui.blocks.text import Text, hint, note
from explorer.ui.blocks.widget.painted import PaintedPage
from explorer.ui.theme.schemes import theme_of

LEFT = Qt.MouseButton.LeftButton


class Field(QLineEdit):
    """A control that tells what was typed."""

    chosen = Signal(object)
    acted = Signal(object)

    def __init__(self, parent=None):
        super().__init__(parent)
        self.textEdited.connect(lambda text: self.acted.emit(("typed", text)))

    def show_content(self, content):
        self.setText(content)


@pytest.fixture
def page(qtbot):
    made = PaintedPage("page")
    qtbot.addWidget(made)
    made.resize(600, 400)
    made.heard = []
    made.acted.connect(made.heard.append)
    made.show()
    qtbot.waitExposed(made)
    return made


def show(page, *blocks):
    page.show_page(lambda width: page_of(blocks, width))


def test_a_chip_does_what_it_says(page, qtbot):
    show(page, Chips([Chip("MNLI", "show MNLI", chosen=True), Chip("RACE", "show RACE")]))
    mnli, race = page.page.spots
    assert (mnli.said, race.said) == ("MNLI, chosen", "RACE")
    qtbot.mouseClick(page, LEFT, pos=race.box.center().toPoint())
    assert page.heard == ["show RACE"]


def test_a_chip_that_is_a_switch_says_how_it_stands(page, qtbot):
    switches = [
        Chip("c2c", "toggle c2c", pressed=True, key=("part", "c2c")),
        Chip("c2p", "toggle c2p", pressed=False, key=("part", "c2p")),
    ]
    show(page, Chips(switches, title="Switch off"))
    assert [spot.said for spot in page.page.spots] == ["c2c, pressed", "c2p, not pressed"]
    assert page.page.nodes[0].name == "Switch off"
    page.setFocus()
    for key in (Qt.Key.Key_Home, Qt.Key.Key_Right, Qt.Key.Key_Space):
        qtbot.keyClick(page, key)
    assert page.heard == ["toggle c2p"]
    for width in (90.0, 140.0, 220.0, 600.0):
        laid = Chips(switches, title="Switch off").at(width)
        first, second = (spot.box for spot in laid.spots)
        assert not first.intersects(second)
        assert max(first.right(), second.right()) <= width


def test_chips_that_do_not_fit_stand_in_the_next_line(qapp):
    chips = Chips([Chip(word, word) for word in ("one measure", "another measure", "a third")])
    wide, narrow = chips.at(900), chips.at(140)
    assert len({spot.box.top() for spot in wide.spots}) == 1
    assert len({spot.box.top() for spot in narrow.spots}) == 3
    assert max(spot.box.right() for spot in narrow.spots) <= 140


def test_shares_are_as_wide_as_their_parts_and_say_so(qapp):
    parts = [ShownAmount("Heads", 1, "1 M", "accent"), ShownAmount("Layers", 3, "3 M", "positive")]
    laid = Shares([*parts, ShownAmount("Nothing", 0, "0", "muted")]).at(400)
    heads, layers = laid.spots
    assert heads.box.width() == pytest.approx(99)
    assert layers.box.width() == pytest.approx(299)
    assert layers.said == "Layers: 3 M, 75.0 %"


def test_columns_without_frames_use_the_whole_width(qapp):
    cards = [Card([Text("one")], "First"), Card([Text("two")], "Second")]
    laid = page_of([Columns(cards, narrowest=200, framed=False)], 600)
    names = [(node.name, node.box.left()) for node in laid.nodes]
    assert names == [
        ("First", 0),
        ("one", 0),
        ("Second", 300 + UNFRAMED_GAP / 2),
        ("two", 300 + UNFRAMED_GAP / 2),
    ]
    image = QImage(600, int(laid.height) + 1, QImage.Format.Format_ARGB32)
    image.fill(theme_of("light").surface)
    painter = QPainter(image)
    laid.paint(painter, theme_of("light"))
    painter.end()
    assert image.pixelColor(QPoint(599, 0)) == theme_of("light").surface


def test_controls_stand_on_the_page_tell_gestures_and_leave_no_trace_in_pictures(page, qtbot):
    panel = Panel(Field, "soup", lambda _width: 40.0)
    show(page, Text("Above"), panel)
    (field,) = page.findChildren(Field)
    assert field.isVisible()
    assert field.text() == "soup"
    assert field.width() == page.width()
    qtbot.keyClicks(field, "s")
    assert page.heard == [("typed", "soups")]
    show(page, Text("Above"), Panel(Field, "tea", lambda _width: 40.0))
    assert page.findChildren(Field) == [field]
    assert field.text() == "tea"
    laid = page_of([panel], 300)
    image = QImage(300, 40, QImage.Format.Format_ARGB32)
    image.fill(theme_of("dark").surface)
    before = image.copy()
    painter = QPainter(image)
    laid.paint(painter, theme_of("dark"))
    painter.end()
    assert image == before


def test_what_only_the_screen_has_leaves_a_picture_by_itself():
    chips = Chips([Chip("Train", "train")])
    told = Chips([Chip("c2p", "switch", pressed=True)], on_paper=True)
    about = note("Wide edges are strong.", hint="Click one to cut it.")
    panel = Panel(QWidget, None, lambda _width: 20.0)
    inside = Columns([Card([about, chips]), Card([hint("Click a part.")])])
    assert about.text == "Wide edges are strong. Click one to cut it."
    still = alone([chips, told, about, hint("Drag it."), panel, inside])
    assert still[0] is told
    assert still[1] == note("Wide edges are strong.")
    assert [card.blocks for card in still[2].cards] == [[note("Wide edges are strong.")]]
    assert len(still) == 3
