"""Cards side by side, and cards that are chosen as a whole."""

from PySide6.QtCore import QPoint, Qt

from explorer.ui.blocks.block import page_of
from explorer.ui.blocks.columns import Card, Columns
from explorer.ui.blocks.page.page import Select
from explorer.ui.blocks.tables.bar_table import BarTable
from explorer.ui.blocks.tables.rows import BarRow
from explorer.ui.blocks.text import Text
from explorer.ui.blocks.widget.painted import PaintedPage
from explorer.ui.theme import chrome


def cards(count):
    return [
        Card(
            [Text(f"Card {n}"), BarTable([BarRow("row", words="of the row")])],
            f"Card {n}",
            act=Select(n),
            key=("card", n),
            words="all of it",
            chosen=n == 0,
        )
        for n in range(count)
    ]


def test_a_card_with_a_gesture_is_one_place(qtbot):
    page = PaintedPage("page")
    qtbot.addWidget(page)
    page.resize(700, 300)
    page.show_page(lambda width: page_of([Columns(cards(2), 200.0)], width))
    page.show()
    qtbot.waitExposed(page)
    first, second = page.reached
    assert (first.key, first.words, first.said) == (("card", 0), "all of it", "Card 0")
    assert [node.name for node in page.page.nodes] == ["Card 0", "Card 1"]
    with qtbot.waitSignal(page.acted) as told:
        place = second.box.bottomRight().toPoint() - QPoint(20, 20)
        qtbot.mouseClick(page, Qt.MouseButton.LeftButton, pos=place)
    assert told.args == [Select(1)]


def test_no_card_stands_alone_below_three_others(qapp):
    def rows(count, width):
        spots = page_of([Columns(cards(count), 200.0)], width).spots
        return [
            sum(s.box.top() == top for s in spots) for top in sorted({s.box.top() for s in spots})
        ]

    assert rows(4, 900.0) == [4]
    assert rows(4, 700.0) == [2, 2]
    assert rows(3, 700.0) == [3]
    assert rows(5, 700.0) == [3, 2]
    assert rows(4, 430.0) == [2, 2]


def test_a_last_row_that_is_not_full_takes_the_whole_width_where_it_may(qapp):
    plain = [Card([Text(f"card {n}")], f"card {n}") for n in range(5)]
    for filled, right in ((False, 595), (True, 900)):
        nodes = Columns(plain, narrowest=250, filled=filled).at(900).nodes
        ends = {node.name: round(node.box.right()) for node in reversed(nodes)}
        assert (ends["card 2"], ends["card 4"]) == (900, right)


def test_cards_stand_side_by_side_only_where_large_letters_fit(qapp):
    def side_by_side():
        first, second = Columns(cards(2), narrowest=300).at(700).spots
        return first.box.top() == second.box.top()

    try:
        assert side_by_side()
        chrome.scale_font(qapp, 1.5)
        assert not side_by_side()
    finally:
        chrome.scale_font(qapp, 1.0)
