import pytest
from PySide6.QtWidgets import QSizePolicy, QWidget

from explorer.api.question import Entry
from explorer.ui.blocks.spacing import columns_for
from explorer.ui.controls.buttons.segmented import Segmented
from explorer.ui.controls.row_flow import RowFlow
from explorer.ui.typesetting.one_line import text_width
from explorer.ui.typesetting.wrapping import wrapped_lines


@pytest.mark.parametrize(
    ("width", "items", "expected"),
    [(300, 6, (1, 300)), (660, 6, (2, 325)), (990, 6, (3, 323.33)), (990, 1, (1, 640))],
)
def test_as_many_columns_as_the_width_holds(width, items, expected):
    count, wide = columns_for(width, items, narrowest=320, widest=640, gap=10)
    assert (count, wide) == (expected[0], pytest.approx(expected[1], abs=0.01))


def laid_out(qtbot, widths, growing=(), width=400):
    """Controls in a line of some width: where each stands."""
    board = QWidget()
    qtbot.addWidget(board)
    flow = RowFlow(board, gap=10, line_gap=5)
    flow.setContentsMargins(0, 0, 0, 0)
    fields = []
    for number, wide in enumerate(widths):
        field = QWidget(board)
        grows = number in growing
        field.setMinimumSize(wide, 20)
        policy = QSizePolicy.Policy
        field.setSizePolicy(policy.Expanding if grows else policy.Fixed, policy.Fixed)
        field.setMaximumWidth(300 if grows else wide)
        flow.addWidget(field)
        fields.append(field)
    board.resize(width, flow.heightForWidth(width))
    board.show()
    qtbot.waitExposed(board)
    return board, flow, fields


def test_controls_stand_in_one_line_where_they_fit(qtbot):
    _board, flow, fields = laid_out(qtbot, (100, 120, 80))
    assert [one.x() for one in fields] == [0, 110, 240]
    assert {one.y() for one in fields} == {0}
    assert flow.heightForWidth(400) == 20
    fields[1].hide()
    flow.activate()
    assert fields[2].x() == 110


def test_what_does_not_fit_stands_in_the_next_line(qtbot):
    _board, flow, fields = laid_out(qtbot, (100, 120, 80), width=250)
    assert [one.y() for one in fields] == [0, 0, 25]
    assert flow.heightForWidth(250) == 45
    assert flow.heightForWidth(90) == 70


def test_fields_for_words_share_what_a_line_has_left(qtbot):
    _board, _flow, fields = laid_out(qtbot, (100, 60, 60), growing=(1, 2))
    assert [one.width() for one in fields] == [100, 140, 140]


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
