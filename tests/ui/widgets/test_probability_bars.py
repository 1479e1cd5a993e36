import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QColor
from PySide6.QtWidgets import QScrollArea

from explorer.api import Prediction
from explorer.ui.theme import theme_of
from explorer.ui.widgets.bar_rows import (
    arrange_rows,
    in_digits,
    rows_of,
    scale_for,
)
from explorer.ui.widgets.probability_bars import ProbabilityBars
from explorer.ui.widgets.token_layout import text_width

LEFT = Qt.MouseButton.LeftButton


def predictions(count, words=None, first=0.4):
    words = words or [f"word{n}" for n in range(count)]
    return tuple(
        Prediction("Ġ" + word, 100 + n, first / 2**n, word, n + 1) for n, word in enumerate(words)
    )


TOP = predictions(5, ["exciting", "great", "happy", "fun", "dull"])
FAR = Prediction("boring", 7, 2.3e-6, "boring", 1214)


@pytest.fixture
def bars(qtbot):
    made = ProbabilityBars()
    qtbot.addWidget(made)
    made.set_rows(TOP)
    made.resize(420, made.sizeHint().height())
    made.show()
    qtbot.waitExposed(made)
    return made


def middle(bars, row) -> QPoint:
    return bars.columns().boxes[row].center().toPoint()


def colours_at(bars, x, row):
    """From left to right along a row's middle."""
    image = bars.grab().toImage()
    y = middle(bars, row).y()
    return [image.pixelColor(at, y).name() for at in x]


@pytest.mark.parametrize(
    ("probability", "digits"),
    [
        (1.0, "1.0000"),
        (0.99999, "> 0.9999"),
        (0.9999, "0.9999"),
        (0.3312, "0.3312"),
        (0.0312, "0.0312"),
        (0.0001, "0.0001"),
        (0.00009, "9.0 × 10⁻⁵"),
        (2.34e-12, "2.3 × 10⁻¹²"),
        (0.0, "0"),
    ],
)
def test_digits(probability, digits):
    assert in_digits(probability) == digits


@pytest.mark.parametrize(
    ("largest", "scale"),
    [(0.004, 0.01), (0.05, 0.05), (0.051, 0.1), (0.33, 0.5), (0.51, 1), (1, 1)],
)
def test_the_axis_ends_at_a_round_number_that_holds_every_bar(largest, scale):
    assert scale_for(largest) == scale


def test_a_click_chooses(bars, qtbot):
    with qtbot.waitSignal(bars.chosen) as told:
        qtbot.mouseClick(bars, LEFT, pos=middle(bars, 2))
    assert told.args == ["happy", 102]


def test_a_press_that_leaves_its_row_chooses_nothing(bars, qtbot):
    qtbot.mousePress(bars, LEFT, pos=middle(bars, 0))
    with qtbot.assertNotEmitted(bars.chosen):
        qtbot.mouseRelease(bars, LEFT, pos=middle(bars, 3))


def test_the_axis_chooses_nothing(bars, qtbot):
    with qtbot.assertNotEmitted(bars.chosen):
        qtbot.mouseClick(bars, LEFT, pos=QPoint(200, 3))


def test_the_keyboard_moves_and_chooses(bars, qtbot):
    for key in (Qt.Key.Key_Down, Qt.Key.Key_Down, Qt.Key.Key_Up, Qt.Key.Key_End, Qt.Key.Key_Up):
        qtbot.keyClick(bars, key)
    assert bars.current == 3
    with qtbot.waitSignal(bars.chosen) as told:
        qtbot.keyClick(bars, Qt.Key.Key_Return)
    assert told.args == ["fun", 103]
    assert bars.accessibleDescription() == "Rank 4: fun, 0.0500"


def test_enter_without_a_row_chooses_nothing(bars, qtbot):
    with qtbot.assertNotEmitted(bars.chosen):
        qtbot.keyClick(bars, Qt.Key.Key_Return)


def test_the_length_of_a_bar_is_its_probability(bars):
    at = bars.columns()
    assert bars.scale == 0.5
    whole = at.bar_end - at.bar
    blue = theme_of("light").bar.name()
    for row, probability in enumerate((0.4, 0.2, 0.1)):
        drawn = colours_at(bars, range(int(at.bar), int(at.bar_end)), row).count(blue)
        assert drawn == pytest.approx(whole * probability / 0.5, abs=2)


def test_several_lists_can_share_a_scale(bars):
    bars.set_rows(TOP, scale=1.0)
    at = bars.columns()
    blue = theme_of("light").bar.name()
    drawn = colours_at(bars, range(int(at.bar), int(at.bar_end)), 0).count(blue)
    assert drawn == pytest.approx((at.bar_end - at.bar) * 0.4, abs=2)


def test_the_original_among_the_others_is_marked_once():
    rows = rows_of(TOP, TOP[1])
    assert [row.is_original for row in rows] == [False, True, False, False, False]
    assert not any(row.apart for row in rows)


def test_the_original_further_down_is_appended_with_its_true_rank(bars):
    before = bars.sizeHint().height()
    bars.set_rows(TOP, FAR)
    assert len(bars.rows) == 6
    last = bars.rows[-1]
    assert (last.is_original, last.apart, last.prediction.rank) == (True, True, 1214)
    at = bars.columns()
    gap = at.boxes[5].top() - at.boxes[4].bottom()
    assert gap == pytest.approx(at.separator_height)
    assert bars.sizeHint().height() - before >= at.row_height + gap - 1
    bars.resize(420, bars.sizeHint().height())
    theme = theme_of("light")
    drawn = colours_at(bars, range(2, 418), 5)
    assert theme.mask_fill.name() in drawn
    assert theme.mask_fill.name() not in colours_at(bars, range(2, 418), 0)
    assert "Rank 1214: boring" in last.spoken
    assert "original" in bars.tooltip(5) or "under the mask" in bars.tooltip(5)


@pytest.mark.parametrize("width", [200, 320, 420, 900])
def test_columns_never_overlap(width):
    words = ["a", "internationalisation" * 3, "שלום", "🍵", "x y"]
    for rows in (rows_of(predictions(5, words), FAR), rows_of(TOP, TOP[0])):
        at = arrange_rows(rows, width)
        assert 0 < at.rank < at.word < at.bar < at.bar_end < at.number < width
        numbers = max(text_width("body", in_digits(r.prediction.probability)) for r in rows)
        assert at.number - at.bar_end >= numbers
        assert at.height >= at.boxes[-1].bottom()


def test_words_get_the_room_they_need():
    rows = rows_of(TOP, TOP[0])
    at = arrange_rows(rows, 420)
    needed = text_width("strong", "exciting") + text_width("small", "original")
    assert at.bar - at.word > needed


def test_a_word_that_is_too_long_is_elided_and_told_in_full(bars):
    long = "unbelievable" * 10
    bars.set_rows(predictions(1, [long]))
    at = bars.columns()
    assert text_width("body", long) > at.bar - at.word
    dark = [
        QColor(colour).lightness()
        for colour in colours_at(bars, range(int(at.bar) - 8, int(at.bar_end) + 8), 0)
    ]
    # Nothing of the word, which is nearly black, runs into the bar.
    assert min(dark) > theme_of("light").bar.lightness() - 40
    assert long in bars.tooltip(0)


def test_lists_that_stand_together_share_their_columns():
    one, two = rows_of(TOP, None), rows_of(predictions(2, ["internationalisation", "b"]), None)
    peers = (*one, *two)
    assert arrange_rows(one, 420, peers).bar == arrange_rows(two, 420, peers).bar
    assert arrange_rows(one, 420).bar != arrange_rows(two, 420).bar


def test_hovering_highlights_a_row(bars, qtbot):
    hover = theme_of("light").hover.name()
    assert hover not in colours_at(bars, range(2, 418), 1)
    qtbot.mouseMove(bars, middle(bars, 1))
    qtbot.waitUntil(lambda: hover in colours_at(bars, range(2, 418), 1))
    assert bars.cursor().shape() == Qt.CursorShape.PointingHandCursor


def test_the_tooltip_has_the_id_and_the_piece(bars):
    lines = bars.tooltip(1).splitlines()
    assert "Id: 101" in lines
    assert "Piece: Ġgreat" in lines
    assert "Probability: 0.2000" in lines


def test_white_space_can_be_seen():
    row = rows_of((Prediction("Ċ", 5, 0.1, "\n", 1), Prediction("<x>", 6, 0.1, "", 2)), None)
    assert [r.word for r in row] == ["↵", "<x>"]


def test_a_hundred_rows_scroll_to_the_current_one(qtbot):
    area = QScrollArea()
    qtbot.addWidget(area)
    area.setWidgetResizable(True)
    bars = ProbabilityBars()
    bars.set_rows(predictions(100))
    area.setWidget(bars)
    area.resize(360, 200)
    area.show()
    qtbot.waitExposed(area)
    bars.setFocus()
    qtbot.keyClick(bars, Qt.Key.Key_End)
    assert area.verticalScrollBar().value() == pytest.approx(
        area.verticalScrollBar().maximum(), abs=40
    )
    assert area.verticalScrollBar().maximum() > 1000


def test_no_rows_are_no_trouble(bars, qtbot):
    bars.set_rows(())
    qtbot.keyClick(bars, Qt.Key.Key_Down)
    qtbot.keyClick(bars, Qt.Key.Key_Return)
    assert bars.current is None
    assert bars.grab().width() == 420
