import pytest
from PySide6.QtWidgets import QWidget

from explorer.api.question import Entry
from explorer.ui.controls.column_flow import ColumnFlow, columns_for
from explorer.ui.controls.segmented import Segmented
from explorer.ui.typesetting.one_line import text_width
from explorer.ui.typesetting.wrapping import wrapped_lines


@pytest.mark.parametrize(
    ("width", "items", "expected"),
    [(300, 6, (1, 300)), (660, 6, (2, 325)), (990, 6, (3, 323.33)), (990, 1, (1, 640))],
)
def test_as_many_columns_as_the_width_holds(width, items, expected):
    count, wide = columns_for(width, items, narrowest=320, widest=640, gap=10)
    assert (count, wide) == (expected[0], pytest.approx(expected[1], abs=0.01))


def test_cards_flow(qtbot):
    window = QWidget()
    qtbot.addWidget(window)
    board = QWidget(window)
    flow = ColumnFlow(board, narrowest=200, widest=400, gap=10)
    flow.setContentsMargins(0, 0, 0, 0)
    cards = [QWidget(board) for _ in range(5)]
    for number, card in enumerate(cards):
        card.setMinimumHeight(40 + 10 * number)
        flow.addWidget(card)
    cards[4].hide()
    board.resize(630, flow.heightForWidth(630))
    window.resize(board.size())
    window.show()
    qtbot.waitExposed(window)
    assert len({card.y() for card in cards[:3]}) == 1
    assert cards[3].y() > cards[2].y()
    assert cards[0].height() == cards[2].height()
    assert flow.heightForWidth(250) > flow.heightForWidth(630)
    assert board.height() >= cards[3].geometry().bottom()


def test_what_can_not_be_narrow_takes_several_columns(qtbot):
    window = QWidget()
    qtbot.addWidget(window)
    flow = ColumnFlow(window, narrowest=100, widest=150, gap=10)
    flow.setContentsMargins(0, 0, 0, 0)
    fields = [QWidget(window) for _ in range(3)]
    fields[1].setMinimumWidth(260)
    for field in fields:
        field.setMinimumHeight(20)
        flow.addWidget(field)
    window.resize(900, 100)
    window.show()
    qtbot.waitExposed(window)
    assert [field.width() for field in fields] == [150, 310, 150]
    assert [field.x() for field in fields] == [0, 160, 480]
    window.resize(330, 100)
    qtbot.waitUntil(lambda: fields[1].y() > fields[0].y())
    assert fields[1].width() >= 260
    assert fields[2].y() > fields[1].y()


def test_what_is_a_little_wider_than_the_narrowest_takes_one_column(qtbot):
    window = QWidget()
    qtbot.addWidget(window)
    flow = ColumnFlow(window, narrowest=100, widest=150, gap=10)
    flow.setContentsMargins(0, 0, 0, 0)
    fields = [QWidget(window) for _ in range(6)]
    for number, field in enumerate(fields):
        field.setMinimumSize(110 + number, 20)
        flow.addWidget(field)
    window.resize(660, 100)
    window.show()
    qtbot.waitExposed(window)
    assert {field.width() for field in fields} == {124}
    assert [field.y() for field in fields] == [0, 0, 0, 0, 0, 30]


def test_segments_tell_only_what_the_user_chose(qtbot):
    segments = Segmented("topK", "Top", [Entry(n, str(n)) for n in (5, 10, 20)])
    qtbot.addWidget(segments)
    with qtbot.assertNotEmitted(segments.chosen):
        segments.set_choice(10)
    assert segments.choice == 10
    button = segments.findChild(QWidget, "topK20")
    with qtbot.waitSignal(segments.chosen) as told:
        button.click()
    assert told.args == [20]
    segments.set_choice(7)
    assert segments.choice is None
    segments.set_choice(5)
    assert segments.choice == 5


@pytest.mark.parametrize("width", [40, 100, 300])
def test_wrapped_lines_fit_and_lose_nothing(qapp, width):
    text = "A caption with some words and oneverylongwordthatfitsnowhereatall at the end"
    lines = wrapped_lines("small", text, width)
    assert all(text_width("small", line) <= width for line in lines)
    assert "".join(lines).replace(" ", "") == text.replace(" ", "")
