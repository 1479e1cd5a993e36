"""Predictions as rows of bars: how long, how written, how reached and chosen."""

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QColor
from PySide6.QtWidgets import QScrollArea

from explorer.api.question import Prediction
from explorer.text.formatting.probabilities import in_digits, scale_for
from explorer.ui.blocks.block import page_of
from explorer.ui.blocks.widget.painted import PaintedPage
from explorer.ui.parts.predictions.word_table import predictions_table, rows_of
from explorer.ui.theme.schemes import apply_theme, theme_of
from explorer.ui.typesetting.one_line import text_width

LEFT = Qt.MouseButton.LeftButton


def predictions(count, words=None, first=0.4):
    words = words or [f"word{n}" for n in range(count)]
    return tuple(
        Prediction("Ġ" + word, 100 + n, first / 2**n, word, n + 1) for n, word in enumerate(words)
    )


TOP = predictions(5, ["exciting", "great", "happy", "fun", "dull"])
FAR = Prediction("boring", 7, 2.3e-6, "boring", 1214)


def table(found, original=None, scale=None, peers=()):
    rows = rows_of(found, original, 3, lambda one: (one.word, one.id))
    scale = scale or scale_for(max((row.bars[0].value for row in rows), default=1.0))
    return predictions_table(rows, 3, peers, scale)


class Shown(PaintedPage):
    """A page of one table of predictions."""

    def show_rows(self, *args, **kwargs):
        self.table = table(*args, **kwargs)
        self.show_page(lambda width: page_of([self.table], width))

    @property
    def laid(self):
        return self.table.at(float(self.width()))


@pytest.fixture
def bars(qtbot, qapp):
    apply_theme(qapp, "light")
    made = Shown("predictions")
    qtbot.addWidget(made)
    made.show_rows(TOP)
    made.resize(420, made.heightForWidth(420))
    made.show()
    qtbot.waitExposed(made)
    return made


def middle(bars, row) -> QPoint:
    return bars.page.spots[row].box.center().toPoint()


def colours_at(bars, x, row):
    """From left to right along a row's middle."""
    image = bars.grab().toImage()
    y = middle(bars, row).y()
    return [image.pixelColor(at, y).name() for at in x]


def room(bars):
    laid = bars.laid
    return range(int(laid.x_of(0.0)), int(laid.x_of(bars.table.axis.top)))


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
    with qtbot.waitSignal(bars.acted) as told:
        qtbot.mouseClick(bars, LEFT, pos=middle(bars, 2))
    assert told.args == [("happy", 102)]


def test_a_press_that_leaves_its_row_chooses_nothing(bars, qtbot):
    qtbot.mousePress(bars, LEFT, pos=middle(bars, 0))
    with qtbot.assertNotEmitted(bars.acted):
        qtbot.mouseRelease(bars, LEFT, pos=middle(bars, 3))


def test_the_axis_chooses_nothing(bars, qtbot):
    with qtbot.assertNotEmitted(bars.acted):
        qtbot.mouseClick(bars, LEFT, pos=QPoint(200, 3))


def test_the_keyboard_moves_and_chooses(bars, qtbot):
    for key in (Qt.Key.Key_Down, Qt.Key.Key_Down, Qt.Key.Key_Up, Qt.Key.Key_End, Qt.Key.Key_Up):
        qtbot.keyClick(bars, key)
    assert bars.current.key == ("prediction", 3, 103)
    with qtbot.waitSignal(bars.acted) as told:
        qtbot.keyClick(bars, Qt.Key.Key_Return)
    assert told.args == [("fun", 103)]
    assert bars.accessibleDescription() == "Rank 4: fun, 0.0500"


def test_reached_by_tab_the_first_row_is_the_current_one(bars):
    bars.clearFocus()
    bars.setFocus(Qt.FocusReason.TabFocusReason)
    assert bars.current.key == ("prediction", 3, 100)


def test_enter_without_a_row_chooses_nothing(bars, qtbot):
    with qtbot.assertNotEmitted(bars.acted):
        qtbot.keyClick(bars, Qt.Key.Key_Return)


def test_the_length_of_a_bar_is_its_probability(bars):
    assert bars.table.axis.top == 0.5
    blue = theme_of("light").bar.name()
    for row, probability in enumerate((0.4, 0.2, 0.1)):
        drawn = colours_at(bars, room(bars), row).count(blue)
        assert drawn == pytest.approx(len(room(bars)) * probability / 0.5, abs=2)


def test_several_lists_can_share_a_scale(bars):
    bars.show_rows(TOP, scale=1.0)
    drawn = colours_at(bars, room(bars), 0).count(theme_of("light").bar.name())
    assert drawn == pytest.approx(len(room(bars)) * 0.4, abs=2)


def test_the_original_among_the_others_is_marked_once():
    rows = table(TOP, TOP[1]).rows
    assert [row.tag for row in rows] == ["", "original", "", "", ""]
    assert [row.strong for row in rows] == [False, True, False, False, False]
    assert not any(row.apart for row in rows)


def test_the_original_further_down_is_appended_with_its_true_rank(bars):
    before = bars.heightForWidth(420)
    bars.show_rows(TOP, FAR)
    spots = bars.page.spots
    assert len(spots) == 6
    last = bars.table.rows[-1]
    assert (last.tag, last.apart, last.lead) == ("original", "⋯  rank 1,214", "")
    gap = spots[5].box.top() - spots[4].box.bottom()
    assert gap > 10
    assert bars.heightForWidth(420) - before >= spots[5].box.height() + gap - 1
    bars.resize(420, bars.heightForWidth(420))
    theme = theme_of("light")
    assert theme.mask_fill.name() in colours_at(bars, range(2, 418), 5)
    assert theme.mask_fill.name() not in colours_at(bars, range(2, 418), 0)
    assert "Rank 1214: boring" in spots[5].spoken
    assert "under the mask" in spots[5].words


@pytest.mark.parametrize("width", [200, 320, 420, 900])
def test_columns_never_overlap(qapp, width):
    words = ["a", "internationalisation" * 3, "שלום", "🍵", "x y"]
    for made in (table(predictions(5, words), FAR), table(TOP, TOP[0])):
        laid = made.at(width)
        label, number = (cell.box for cell in laid.spots[0].cells)
        bars = laid.x_of(0.0), laid.x_of(made.axis.top)
        edges = [label.left(), label.right(), *bars, number.left(), number.right()]
        assert edges == sorted(edges)
        assert 0 <= edges[0] < edges[-1] < width
        assert number.width() >= max(text_width("body", row.cells[0]) for row in made.rows)
        assert laid.height >= laid.spots[-1].box.bottom()


def test_words_get_the_room_they_need(qapp):
    label, _probability = table(TOP, TOP[0]).at(420).spots[0].cells
    assert label.box.width() > text_width("strong", "exciting") + text_width("small", "original")


def test_a_word_that_is_too_long_is_elided_and_told_in_full(bars):
    long = "unbelievable" * 10
    bars.show_rows(predictions(1, [long]))
    assert text_width("body", long) > bars.page.spots[0].cells[0].box.width()
    around = range(room(bars).start - 8, room(bars).stop + 8)
    dark = [QColor(colour).lightness() for colour in colours_at(bars, around, 0)]
    # Nothing of the word, which is nearly black, runs into the bar.
    assert min(dark) > theme_of("light").bar.lightness() - 40
    assert long in bars.page.spots[0].words


def test_lists_that_stand_together_share_their_columns(qapp):
    one, two = TOP, predictions(2, ["internationalisation", "b"])
    peers = (*rows_of(one, None, 3, str), *rows_of(two, None, 3, str))

    def begin(found, beside=()):
        return table(found, peers=beside).at(420).x_of(0.0)

    assert begin(one, peers) == begin(two, peers)
    assert begin(one) != begin(two)


def test_hovering_highlights_a_row(bars, qtbot):
    hover = theme_of("light").hover.name()
    assert hover not in colours_at(bars, range(2, 418), 1)
    qtbot.mouseMove(bars, middle(bars, 1))
    qtbot.waitUntil(lambda: hover in colours_at(bars, range(2, 418), 1))
    assert bars.cursor().shape() == Qt.CursorShape.PointingHandCursor


def test_the_tooltip_has_the_id_and_the_piece(bars):
    lines = bars.page.spots[1].words.splitlines()
    assert "Id: 101" in lines
    assert "Piece: Ġgreat" in lines
    assert "Probability: 0.2000" in lines


def test_white_space_can_be_seen():
    found = (Prediction("Ċ", 5, 0.1, "\n", 1), Prediction("<x>", 6, 0.1, "", 2))
    assert [row.label for row in table(found).rows] == ["↵", "<x>"]


def test_a_hundred_rows_scroll_to_the_current_one(qtbot):
    area = QScrollArea()
    qtbot.addWidget(area)
    area.setWidgetResizable(True)
    bars = Shown("predictions")
    bars.show_rows(predictions(100))
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
    bars.show_rows(())
    qtbot.keyClick(bars, Qt.Key.Key_Down)
    qtbot.keyClick(bars, Qt.Key.Key_Return)
    assert bars.current is None
    assert bars.grab().width() == 420
