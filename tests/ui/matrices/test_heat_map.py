"""Cells where the labels say, values under the pointer, zoom, pan, keys, pictures."""

import numpy as np
import pytest
from PySide6.QtCore import (
    QBuffer,
    QCoreApplication,
    QEvent,
    QIODevice,
    QPoint,
    QPointF,
    QRectF,
    Qt,
)
from PySide6.QtGui import QHelpEvent, QImage, QPainter, QWheelEvent
from PySide6.QtSvg import QSvgGenerator
from PySide6.QtWidgets import QApplication

from explorer.ui.matrices.heat_layout import (
    LONGEST_ROW,
    HeatContent,
    fit,
    labelled,
    row_label_box,
)
from explorer.ui.matrices.heat_map import HeatMap
from explorer.ui.matrices.heat_painting import paint_row_labels
from explorer.ui.matrices.scale import Scale, in_cell
from explorer.ui.theme.schemes import current_theme, theme_of
from explorer.ui.typesetting.one_line import text_width

ROWS = ("the", "cat", "sat", "down")
COLUMNS = ("a", "dog", "ran")
VALUES = np.arange(12, dtype=np.float32).reshape(4, 3) / 11


@pytest.fixture
def heat(shown):
    return shown(HeatMap(), HeatContent(VALUES, ROWS, COLUMNS), (640, 420), "dark")


def middle(heat, row, column):
    return heat.layout_now().box(row, column).center().toPoint()


def colour(image, point, ratio=1.0):
    return image.pixelColor(round(point.x() * ratio), round(point.y() * ratio)).getRgb()[:3]


def test_every_cell_has_its_colour(heat):
    image = heat.grab().toImage()
    ratio = heat.devicePixelRatioF()
    table = current_theme().sequential
    for row in range(4):
        for column in range(3):
            # Off the middle, where the number is written.
            corner = heat.layout_now().box(row, column).topLeft() + QPointF(3, 3)
            expected = tuple(table[round(float(VALUES[row, column]) * 255)][:3].tolist())
            assert colour(image, corner, ratio) == expected


def test_a_cell_under_the_pointer_says_its_number(heat, qtbot):
    with qtbot.waitSignal(heat.hovered) as told:
        qtbot.mouseMove(heat, middle(heat, 2, 1))
    assert told.args == [(2, 1)]
    assert heat.words_at(2, 1) == f"sat → dog: {VALUES[2, 1]:.4f}"
    assert heat.accessibleDescription() == heat.words_at(2, 1)
    with qtbot.waitSignal(heat.hovered) as told:
        qtbot.mouseMove(heat, QPoint(2, 2))
    assert told.args == [None]


def leave(heat):
    QCoreApplication.sendEvent(heat, QEvent(QEvent.Type.Leave))


def test_a_cell_that_was_clicked_is_told_of_no_more_once_the_pointer_left(heat, qtbot):
    qtbot.mouseMove(heat, middle(heat, 2, 1))
    qtbot.mouseClick(heat, Qt.MouseButton.LeftButton, pos=middle(heat, 2, 1))
    heat.setFocus(Qt.FocusReason.MouseFocusReason)
    qtbot.waitUntil(heat.hasFocus)
    marked = heat.grab().toImage()
    leave(heat)
    assert heat.pointed is None
    assert heat.grab().toImage() != marked
    # The keys go on from there, and what they mark stays while they are here.
    qtbot.keyClick(heat, Qt.Key.Key_Down)
    qtbot.keyClick(heat, Qt.Key.Key_Down)
    leave(heat)
    assert heat.pointed == (3, 1)
    heat.clearFocus()
    assert heat.pointed is None


def test_a_click_tells_the_cell_and_a_drag_does_not(heat, qtbot):
    with qtbot.waitSignal(heat.clicked) as told:
        qtbot.mouseClick(heat, Qt.MouseButton.LeftButton, pos=middle(heat, 3, 2))
    assert told.args == [3, 2]
    with qtbot.assertNotEmitted(heat.clicked):
        qtbot.mousePress(heat, Qt.MouseButton.LeftButton, pos=middle(heat, 0, 0))
        qtbot.mouseMove(heat, middle(heat, 2, 2))
        qtbot.mouseRelease(heat, Qt.MouseButton.LeftButton, pos=middle(heat, 2, 2))


def test_zooming_keeps_the_cell_under_the_pointer(heat):
    point = QPointF(middle(heat, 2, 1))
    before = heat.layout_now().cell_width
    heat.zoom_by(3, point)
    assert heat.layout_now().cell_width == pytest.approx(before * 3)
    assert heat.layout_now().cell_at(point, heat.content) == (2, 1)
    heat.zoom_by(0.01)
    assert heat.zoom == pytest.approx(1)
    assert heat.layout_now().cell_width == pytest.approx(before)


def test_labels_stay_beside_their_cells_when_panned(heat):
    large = np.random.default_rng(0).random((60, 60), dtype=np.float32)
    heat.set_content(HeatContent(large, [f"r{i}" for i in range(60)], [f"c{i}" for i in range(60)]))
    heat.zoom_by(6, QPointF(middle(heat, 30, 30)))
    at = heat.layout_now()
    rows, columns = at.rows_in_sight(heat.content), at.columns_in_sight(heat.content)
    assert 30 in rows
    assert 30 in columns
    assert len(rows) < 20
    assert at.plane.left() > 0
    assert at.plane.top() > 0
    # Never panned past the cells.
    heat.pan_by(1e6, 1e6)
    assert heat.layout_now().box(0, 0).topLeft() == heat.layout_now().plane.topLeft()
    heat.pan_by(-2e6, -2e6)
    end = heat.layout_now().box(59, 59).bottomRight()
    assert end.x() == pytest.approx(heat.layout_now().plane.right())
    assert end.y() == pytest.approx(heat.layout_now().plane.bottom())


def test_the_keyboard_reaches_everything(heat, qtbot):
    heat.setFocus()
    for key in (Qt.Key.Key_Right, Qt.Key.Key_Right, Qt.Key.Key_Down):
        qtbot.keyClick(heat, key)
    assert heat.pointed == (1, 1)
    with qtbot.waitSignal(heat.clicked) as told:
        qtbot.keyClick(heat, Qt.Key.Key_Return)
    assert told.args == [1, 1]
    qtbot.keyClick(heat, Qt.Key.Key_Plus)
    assert heat.zoom == pytest.approx(1.25)
    qtbot.keyClick(heat, Qt.Key.Key_0)
    assert heat.zoom == pytest.approx(1)
    for _ in range(9):
        qtbot.keyClick(heat, Qt.Key.Key_Down)
    assert heat.pointed == (3, 1)
    qtbot.keyClick(heat, Qt.Key.Key_Escape)
    assert heat.pointed is None


def test_the_marked_cell_comes_into_sight(heat):
    large = np.zeros((60, 60), dtype=np.float32)
    heat.set_content(HeatContent(large, ["r"] * 60, ["c"] * 60))
    heat.zoom_by(8, QPointF(middle(heat, 5, 5)))
    heat.point_at((50, 40))
    box, plane = heat.layout_now().box(50, 40), heat.layout_now().plane
    assert plane.adjusted(-0.01, -0.01, 0.01, 0.01).contains(box)


def test_what_is_blocked_is_said_and_hatched(heat):
    blocked = np.zeros((4, 3), dtype=bool)
    blocked[0, 2] = True
    heat.set_content(
        HeatContent(VALUES, ROWS, COLUMNS, blocked=blocked, blocked_words="comes later")
    )
    assert heat.words_at(0, 2) == "the → ran: comes later"
    box = heat.layout_now().box(0, 2)
    image = heat.grab(box.toAlignedRect()).toImage()
    seen = {
        image.pixelColor(x, y).name()
        for x in range(2, image.width() - 2)
        for y in range(2, image.height() - 2)
    }
    assert seen == {current_theme().surface.name(), current_theme().border.name()}


def test_the_same_labels_keep_zoom_and_mark(heat):
    heat.zoom_by(2)
    heat.point_at((2, 2))
    heat.set_content(HeatContent(1 - VALUES, ROWS, COLUMNS))
    assert heat.zoom == pytest.approx(2)
    assert heat.pointed == (2, 2)
    heat.set_content(HeatContent(VALUES[:, :2], ROWS, COLUMNS[:2]))
    assert heat.zoom == 1
    assert heat.pointed is None


def test_a_resize_keeps_what_is_zoomed_in_on(heat):
    large = np.zeros((60, 60), dtype=np.float32)
    heat.set_content(HeatContent(large, [f"r{i}" for i in range(60)], [f"c{i}" for i in range(60)]))
    heat.zoom_by(5, QPointF(middle(heat, 40, 40)))
    first = heat.layout_now().rows_in_sight(heat.content).start
    heat.resize(700, 470)
    assert heat.zoom == pytest.approx(5)
    assert abs(heat.layout_now().rows_in_sight(heat.content).start - first) <= 1


def test_cells_smaller_than_a_pixel_lose_nothing_strong(heat):
    large = np.zeros((1500, 1500), dtype=np.float32)
    large[777, 333] = 1.0
    heat.set_content(HeatContent(large, [""] * 1500, [""] * 1500))
    image = heat.grab().toImage()
    strong = theme_of("dark").sequential[255][:3].tolist()
    found = [
        (x, y)
        for x in range(image.width())
        for y in range(image.height())
        if list(image.pixelColor(x, y).getRgb()[:3]) == strong
    ]
    at = heat.layout_now().box(777, 333)
    inside = [(x, y) for x, y in found if y < heat.layout_now().bar.top()]
    assert inside
    assert all(abs(x - at.x()) < 2 and abs(y - at.y()) < 2 for x, y in inside)


@pytest.mark.parametrize(
    ("value", "said"),
    [(0.1, "0.10"), (-0.3, "−0.30"), (0.14, "0.14"), (0.04, "0.04"), (0.003, "0.003"),
     (1.0, "1"), (0.0, "0"), (2.5, "2.50"), (12.34, "12.3")],
)  # fmt: skip
def test_numbers_in_cells_have_two_decimals_beside_others(value, said):
    assert in_cell(value) == said


def test_a_scale_of_shares_is_written_as_they_are():
    assert [text for _at, text in Scale(in_percent=True).ticks()] == ["0 %", "100 %"]


def test_labels_must_fit_the_numbers(heat):
    with pytest.raises(ValueError, match="labels are for"):
        heat.set_content(HeatContent(VALUES, ROWS[:2], COLUMNS))


def test_nothing_to_show_is_nothing_drawn(heat):
    heat.set_content(None)
    assert heat.figure(600, theme_of("light")) is None
    assert heat.layout_now() is None
    heat.zoom_by(2)
    assert heat.zoom == 1


def test_a_picture_holds_every_cell_as_a_shape(heat):
    theme = theme_of("light")
    figure = heat.figure(600, theme)
    buffer = QBuffer()
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    generator = QSvgGenerator()
    generator.setOutputDevice(buffer)
    painter = QPainter(generator)
    figure.paint(painter)
    painter.end()
    svg = bytes(buffer.data().data()).decode()
    for value in VALUES.ravel():
        red, green, blue, _ = theme.sequential[round(float(value) * 255)]
        assert f"#{red:02x}{green:02x}{blue:02x}" in svg
    for word in (*ROWS, *COLUMNS):
        assert f">{word}" in svg
    assert "<image" not in svg


def test_a_large_picture_is_one_image_with_every_cell(heat):
    values = np.random.default_rng(1).random((100, 100), dtype=np.float32)
    heat.set_content(
        HeatContent(values, [f"r{i}" for i in range(100)], [f"c{i}" for i in range(100)])
    )
    theme = theme_of("light")
    figure = heat.figure(900, theme)
    image = QImage(900, round(figure.height), QImage.Format.Format_RGB32)
    image.fill(theme.surface)
    painter = QPainter(image)
    figure.paint(painter)
    painter.end()
    at = fit(heat.content, 900, figure.height, 40.0)
    assert at.plane.bottom() < at.bar.top() < at.bar.bottom() <= figure.height
    for row, column in ((0, 0), (50, 20), (99, 99)):
        point = at.box(row, column).center()
        expected = tuple(Scale().colours(values[row, column], theme)[:3].tolist())
        assert image.pixelColor(int(point.x()), int(point.y())).getRgb()[:3] == expected
    assert at.plane.contains(QRectF(at.box(99, 99)).adjusted(0.1, 0.1, -0.1, -0.1))


def test_a_double_click_shows_everything_and_chooses_nothing(heat, qtbot, qapp):
    heat.zoom_by(3, QPointF(middle(heat, 2, 1)))
    told = []
    heat.clicked.connect(lambda *cell: told.append(cell))
    point = middle(heat, 2, 1)
    # As a mouse does it: press, release, double click, release.
    qtbot.mousePress(heat, Qt.MouseButton.LeftButton, pos=point)
    qtbot.mouseRelease(heat, Qt.MouseButton.LeftButton, pos=point)
    qtbot.mouseDClick(heat, Qt.MouseButton.LeftButton, pos=point)
    assert heat.zoom == pytest.approx(1)
    heat.zoom_by(3, QPointF(point))
    with qtbot.waitSignal(heat.clicked, timeout=5000):
        qtbot.mouseClick(heat, Qt.MouseButton.LeftButton, pos=point)
    assert told == [(2, 1)]


def test_the_wheel_zooms_and_a_drag_pans(heat, qtbot, qapp):
    large = np.random.default_rng(0).random((60, 60), dtype=np.float32)
    heat.set_content(HeatContent(large, [f"r{i}" for i in range(60)], [f"c{i}" for i in range(60)]))
    point = QPointF(middle(heat, 30, 30))
    wheel = QWheelEvent(
        point, QPointF(heat.mapToGlobal(point.toPoint())), QPoint(), QPoint(0, 480),
        Qt.MouseButton.NoButton, Qt.KeyboardModifier.NoModifier,
        Qt.ScrollPhase.NoScrollPhase, False,
    )  # fmt: skip
    qapp.sendEvent(heat, wheel)
    assert heat.zoom == pytest.approx(1.25**4)
    assert heat.layout_now().cell_at(point, heat.content) == (30, 30)
    before = heat.layout_now()
    at = point.toPoint()
    qtbot.mousePress(heat, Qt.MouseButton.LeftButton, pos=at)
    qtbot.mouseMove(heat, at + QPoint(20, -12))
    qtbot.mouseRelease(heat, Qt.MouseButton.LeftButton, pos=at + QPoint(20, -12))
    after = heat.layout_now()
    assert (after.x - before.x, after.y - before.y) == pytest.approx((20, -12))
    # What is seen is what the layout says.
    image = heat.grab().toImage()
    ratio = heat.devicePixelRatioF()
    for row, column in ((30, 30), (25, 33)):
        corner = after.box(row, column).center()
        expected = tuple(Scale().colours(large[row, column], current_theme())[:3].tolist())
        assert colour(image, corner, ratio) == expected


@pytest.mark.parametrize("masked", [7, 11, 59])
def test_a_row_that_is_looked_for_has_its_name_where_not_all_have_room(masked):
    def inked(named):
        """Whether anything is written beside the row, and beside those next to it."""
        count, size = 60, 200
        labels = tuple("[MASK]" if row == masked else "" for row in range(count))
        content = HeatContent(np.zeros((count, count)), labels, labels, named=named)
        at = fit(content, size, size)
        assert at.cell_height < 6
        image = QImage(size, size, QImage.Format.Format_RGB32)
        image.fill(theme_of("light").surface)
        painter = QPainter(image)
        paint_row_labels(painter, theme_of("light"), content, at)
        painter.end()
        ground = theme_of("light").surface.rgb()
        return any(
            image.pixel(x, y) != ground for x in range(int(at.plane.left())) for y in range(size)
        )

    assert inked(frozenset({masked}))
    assert not inked(frozenset())


def test_of_neighbours_one_is_named_and_the_pointed_one_before_all():
    assert labelled(range(10), 3, {4}) == [0, 4, 9]
    assert labelled(range(10), 3, {4, 5}) == [0, 4, 9]
    assert labelled(range(10), 3, {4, 5}, pointed=5) == [0, 9]
    assert labelled(range(3), 1, {1}) == [0, 1, 2]


LONG_NAME = "encoder.layer.11.attention.output.dense.weight"


def test_labels_of_rows_have_two_fifths_of_the_width_before_they_are_cut(qapp):
    content = HeatContent(VALUES, (LONG_NAME, *ROWS[1:]), COLUMNS)
    whole = text_width("small", LONG_NAME)
    assert whole > LONGEST_ROW
    wide, narrow = fit(content, 1200, 420), fit(content, 240, 420)
    assert row_label_box(wide, 0, 10).width() >= whole
    assert narrow.labels.width() == pytest.approx(LONGEST_ROW, abs=10)
    middle = fit(content, 0.9 * whole / 0.4, 420)
    assert middle.labels.width() == pytest.approx(0.9 * whole, abs=10)


def test_a_label_that_is_cut_is_told_in_full(shown, monkeypatch):
    content = HeatContent(VALUES, (LONG_NAME, *ROWS[1:]), ("a" * 60, *COLUMNS[1:]))
    heat = shown(HeatMap(), content, (300, 420))
    tips = []
    show = "explorer.ui.charts.plot_view.QToolTip.showText"
    monkeypatch.setattr(show, lambda _where, words, _widget: tips.append(words))

    def told(point):
        where = heat.mapToGlobal(point)
        QApplication.sendEvent(heat, QHelpEvent(QEvent.Type.ToolTip, point, where))
        return tips[-1]

    at = heat.layout_now()
    beside = at.labels.center().x()
    assert told(QPoint(int(beside), int(at.box(0, 0).center().y()))) == LONG_NAME
    assert told(QPoint(int(at.box(0, 0).center().x()), int(at.plane.top()) - 12)) == "a" * 60
    assert told(QPoint(int(beside), int(at.box(1, 0).center().y()))) == ""
    assert told(at.box(0, 0).center().toPoint()) == ""
