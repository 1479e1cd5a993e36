"""LaidCharts: looked into with mouse, wheel and keys; exported as lines and letters."""

from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from PySide6.QtCore import QBuffer, QEvent, QIODevice, QPoint, QPointF, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QImage, QPainter, QWheelEvent
from PySide6.QtSvg import QSvgGenerator
from PySide6.QtWidgets import QApplication, QScrollArea

from explorer.ui.blocks.block import page_of
from explorer.ui.blocks.widget.painted import PaintedPage
from explorer.ui.charts.block import ChartBlock, LaidCharts
from explorer.ui.charts.chart_view import ChartView
from explorer.ui.charts.description import Axis, Bars, Chart, Line, Marker, Points, RowName
from explorer.ui.charts.drawing import Mapping, paint_series, room_for_names
from explorer.ui.charts.layout import ChartLayout
from explorer.ui.charts.limits import limits, limits_of, round_up, ticks_in
from explorer.ui.controls import gliding
from explorer.ui.theme import chrome
from explorer.ui.theme.schemes import apply_theme, theme_of
from tests.ui.painted_texts import Recording

X = np.linspace(0.0, 10.0, 21)
LEFT = Qt.MouseButton.LeftButton


def chart(y=X, marker=None, **axis):
    lines = (Line("rises", X, y, "bar"), Line("falls", X, y[::-1], "bar_second", "dash"))
    return Chart("Title", "What it means.", lines, Axis("step"), Axis(**axis), marker=marker)


@pytest.fixture
def view(qtbot, qapp):
    apply_theme(qapp, "light")
    widget = ChartView()
    qtbot.addWidget(widget)
    widget.resize(420, 200)
    widget.show_content(chart())
    widget.show()
    widget.grab()
    return widget


def turn(widget, point, steps, modifiers=Qt.KeyboardModifier.NoModifier):
    at = QPointF(point)
    wheel = QWheelEvent(
        at,
        QPointF(widget.mapToGlobal(QPoint(int(at.x()), int(at.y())))),
        QPoint(),
        QPoint(0, 120 * steps),
        Qt.MouseButton.NoButton,
        modifiers,
        Qt.ScrollPhase.NoScrollPhase,
        False,
    )
    QApplication.sendEvent(widget, wheel)
    return wheel.isAccepted()


def middle(widget):
    return widget.layout_now().plane.center()


def image_of(paint, width, height, scheme):
    theme = theme_of(scheme)
    image = QImage(int(width), int(height), QImage.Format.Format_RGB32)
    image.fill(theme.surface)
    painter = QPainter(image)
    paint(painter)
    painter.end()
    return image


def svg_of(paint, width, height):
    buffer = QBuffer()
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    generator = QSvgGenerator()
    generator.setOutputDevice(buffer)
    generator.setSize(QSize(int(width), int(height)))
    generator.setViewBox(QRect(0, 0, int(width), int(height)))
    painter = QPainter(generator)
    paint(painter)
    painter.end()
    return bytes(buffer.data().data()).decode()


def test_the_wheel_zooms_about_the_pointer_with_ctrl_and_else_leaves_the_page_to_scroll(view):
    view.clearFocus()
    about = middle(view) + QPointF(40, -10)
    before = view.canvas.place_at(about.x(), about.y())
    assert not turn(view, about, 2)
    assert not view.canvas.is_zoomed
    assert turn(view, about, 2, Qt.KeyboardModifier.ControlModifier)
    (left, right), (low, high) = view.canvas.seen
    assert right - left == pytest.approx(10 / 1.25**2)
    assert high - low == pytest.approx(10 / 1.25**2)
    assert view.canvas.place_at(about.x(), about.y()) == pytest.approx(before)
    turn(view, about, -9, Qt.KeyboardModifier.ControlModifier)
    assert not view.canvas.is_zoomed


def test_a_chart_with_the_keyboard_takes_the_wheel(view):
    view.setFocus()
    assert turn(view, middle(view), 1)
    assert view.canvas.is_zoomed


def test_dragging_pans_no_further_than_there_is_something_and_a_double_click_shows_all(view, qtbot):
    view.zoom_by(4)
    start = view.canvas.seen
    at = middle(view).toPoint()
    qtbot.mousePress(view, LEFT, pos=at)
    qtbot.mouseMove(view, at + QPoint(30, 0))
    qtbot.mouseRelease(view, LEFT, pos=at + QPoint(30, 0))
    moved = view.canvas.seen
    wide = start[0][1] - start[0][0]
    assert moved[0][0] == pytest.approx(start[0][0] - 30 / view.canvas.plane.width() * wide)
    assert moved[1] == pytest.approx(start[1])
    qtbot.mousePress(view, LEFT, pos=at)
    qtbot.mouseMove(view, at + QPoint(3000, 0))
    qtbot.mouseRelease(view, LEFT, pos=at + QPoint(3000, 0))
    assert view.canvas.seen[0] == pytest.approx((0.0, wide))
    qtbot.mouseDClick(view, LEFT, pos=at)
    assert not view.canvas.is_zoomed


def test_the_cross_hair_goes_with_the_pointer_and_stays_with_the_keys(view, qtbot):
    place = middle(view).toPoint()
    at_rest = view.accessibleDescription()
    qtbot.mouseMove(view, place)
    qtbot.mouseClick(view, LEFT, pos=place)
    view.setFocus(Qt.FocusReason.MouseFocusReason)
    qtbot.waitUntil(view.hasFocus)
    QApplication.sendEvent(view, QEvent(QEvent.Type.Leave))
    assert view.accessibleDescription() == at_rest
    qtbot.keyClick(view, Qt.Key.Key_Right)
    QApplication.sendEvent(view, QEvent(QEvent.Type.Leave))
    assert view.accessibleDescription() != at_rest


def test_the_cross_hair_reads_the_value_under_the_pointer(view, qtbot):
    mapping = view.canvas.mapping()
    place = mapping.point(X[7], X[7]).toPoint()
    qtbot.mouseMove(view, place)
    assert view.accessibleDescription() == "step 3.5. rises: 3.5. falls: 6.5"
    plain, read = view.grab().toImage(), None
    qtbot.mouseMove(view, QPoint(place.x() + 60, place.y()))
    read = view.grab().toImage()
    assert plain != read
    qtbot.mouseMove(view, QPoint(2, 2))
    assert "step" not in view.accessibleDescription()


def test_the_keyboard_goes_from_value_to_value_and_zooms(view, qtbot):
    view.setFocus()
    for _ in range(3):
        qtbot.keyClick(view, Qt.Key.Key_Right)
    assert view.accessibleDescription().startswith("step 1.")
    qtbot.keyClick(view, Qt.Key.Key_Left)
    assert view.accessibleDescription().startswith("step 0.5.")
    qtbot.keyClick(view, Qt.Key.Key_Plus)
    assert view.canvas.is_zoomed
    qtbot.keyClick(view, Qt.Key.Key_0)
    assert not view.canvas.is_zoomed
    qtbot.keyClick(view, Qt.Key.Key_Escape)
    assert "step" not in view.accessibleDescription()


def test_a_click_on_a_name_hides_its_line(view, qtbot):
    bar = theme_of("light").bar_second.rgb()

    def is_drawn():
        image = view.grab().toImage()
        plane = view.canvas.plane.toAlignedRect()
        return any(
            image.pixelColor(x, y).rgb() == bar
            for x in range(plane.left(), plane.right())
            for y in range(plane.top(), plane.bottom(), 3)
        )

    assert is_drawn()
    name = view.layout_now().legend[1].center().toPoint()
    qtbot.mouseClick(view, LEFT, pos=name)
    assert view.hidden == {"falls"}
    assert not is_drawn()
    qtbot.mouseClick(view, LEFT, pos=name)
    assert is_drawn()


def test_a_marker_is_dragged_and_told_once(view, qtbot):
    view.show_content(chart(marker=Marker(5.0, "now", key="now", least=1.0, most=9.0)))
    view.grab()
    told = []
    view.chosen.connect(told.append)
    mapping = view.canvas.mapping()
    y = int(middle(view).y())
    at = QPoint(round(mapping.x(5.0)), y)
    qtbot.mousePress(view, LEFT, pos=at)
    for x in (6.0, 7.0, 7.5):
        qtbot.mouseMove(view, QPoint(round(mapping.x(x)), y))
    assert told == []
    assert "rises 7.5" in view.accessibleDescription().replace("7.49", "7.5").replace("7.51", "7.5")
    qtbot.mouseRelease(view, LEFT, pos=QPoint(round(mapping.x(7.5)), y))
    ((key, value),) = told
    assert key == "now"
    assert value == pytest.approx(7.5, abs=0.05)
    qtbot.mousePress(view, LEFT, pos=QPoint(round(mapping.x(value)), y))
    qtbot.mouseMove(view, QPoint(5000, y))
    qtbot.mouseRelease(view, LEFT, pos=QPoint(5000, y))
    assert told[-1] == ("now", 9.0)


def test_an_axis_is_switched_between_powers_of_ten_and_a_straight_one(view, qtbot):
    view.show_content(chart(10.0 ** np.linspace(-3, 1, 21), switched=True))
    view.setFocus()
    assert view.canvas.full[1] == (0.0, 10.0)
    qtbot.keyClick(view, Qt.Key.Key_L)
    assert view.canvas.full[1] == (-3.0, 1.0)
    mapping = view.canvas.mapping()
    assert mapping.y(0.1) == pytest.approx(mapping.plane.center().y())
    qtbot.keyClick(view, Qt.Key.Key_L)
    assert view.canvas.full[1] == (0.0, 10.0)


@pytest.mark.parametrize("value", [1e-3, 1.0, 0.0, float("nan"), 5e-9])
@pytest.mark.parametrize("logarithmic", [True, False])
def test_values_that_are_all_the_same_are_drawn(view, value, logarithmic):
    same = chart(np.full(21, value), logarithmic=logarithmic, low=None)
    for low, high in limits_of(same):
        assert high > low
    view.show_content(same)
    assert not view.grab().isNull()
    block = LaidCharts([same], 400.0)
    theme = theme_of("dark")
    image_of(lambda p: block.paint(p, theme), 400, block.height, "dark")


def test_another_chart_of_the_same_axes_keeps_what_is_in_sight(view):
    view.zoom_by(2)
    seen = view.canvas.seen
    view.show_content(chart(X**2 / 10))
    assert np.allclose(view.canvas.seen, seen)
    assert view.canvas.is_zoomed


def test_an_axis_that_ends_elsewhere_goes_there_and_says_where_it_was(view, qtbot, monkeypatch):
    monkeypatch.setattr(gliding, "may_move", lambda: True)
    view.show_content(chart(y=X * 3))
    assert view.canvas.full[1] == (0.0, 30.0)
    qtbot.waitUntil(lambda: view.canvas.seen[1][1] < 30.0)
    qtbot.waitUntil(lambda: view.canvas.seen[1] == (0.0, 30.0))
    image = QImage(420, 200, QImage.Format.Format_RGB32)
    told = Recording(image)
    view._paint_before(told, theme_of("light"), view.canvas.plane)
    told.end()
    assert [text for _box, text in told.texts] == ["axis was 0 to 10"]
    # What is shown from now on has nothing to do with it, as in another scene of a lecture.
    view._glide.finish()
    assert view._before is None
    assert not view._glide.is_told
    # Rows have no measure upwards: more of them are no longer axis.
    rows = tuple(RowName(float(n), str(n)) for n in range(3))
    for high in (1.0, 2.0):
        view.show_content(replace(chart(), rows=rows, y=Axis("", 0.0, high)))
    assert view._before is None


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_picture_is_lines_and_letters_and_no_pixels(qapp, scheme):
    theme = theme_of(scheme)
    points = Points(X[::5], X[::5], tuple("abcde"), tuple("abcde"), ("bar",), (True, False) * 2)
    bars = Bars(X[:-1], X[1:], 0.0, X[:-1], ("above", "below") * 10)
    many = [
        chart(marker=Marker(5.0, "now")),
        Chart("Points", "", (points,), Axis("size"), Axis("score", grid=True), frame=True),
        Chart("Bars", "", (bars,), Axis("place")),
    ]
    block = LaidCharts(many, 760.0)
    svg = svg_of(lambda p: block.paint(p, theme), 760, block.height)
    assert "<image" not in svg
    for words in ("Title", "Points", "Bars", "size", "score", "place", "rises 5", "0", "10", "c"):
        assert f">{words}" in svg, words
    assert svg.count("<polyline") >= 2
    assert svg.count("<text") > 20
    assert theme.bar.name() in svg
    assert theme.bar_second.name() in svg


def test_lines_are_as_thick_in_a_larger_picture(qapp):
    """A pen of pyqtgraph's own has as many pixels on paper as on screen: too thin to be seen."""
    block = LaidCharts([chart()], 400.0)
    theme = theme_of("light")

    def ink(scale):
        def paint(painter):
            painter.scale(scale, scale)
            block.paint(painter, theme)

        image = image_of(paint, 400 * scale, block.height * scale, "light")
        raw = np.frombuffer(image.constBits(), np.uint32)
        return float((raw == theme.bar.rgb()).mean())

    assert ink(4) > 0.8 * ink(1)


def test_charts_on_a_page_are_widgets_and_are_painted_by_the_page_in_pictures(qtbot, qapp):
    apply_theme(qapp, "light")
    page = PaintedPage("page")
    area = QScrollArea()
    qtbot.addWidget(area)
    area.setWidgetResizable(True)
    area.setWidget(page)
    area.resize(500, 300)
    marked = chart(marker=Marker(5.0, "now", key="now"))
    page.show_page(lambda width: page_of([ChartBlock((marked,) * 4)], width))
    area.show()
    views = page.findChildren(ChartView)
    assert len(views) == 4
    boxes = [live.box.toAlignedRect() for live in page.page.live]
    assert [one.geometry() for one in views] == boxes
    told = []
    page.chosen.connect(told.append)
    views[2].chosen.emit(("now", 3.0))
    assert told == [("now", 3.0)]
    kept = views[0]
    page.show_page(lambda width: page_of([ChartBlock((marked,))], width))
    qtbot.waitUntil(lambda: page.findChildren(ChartView) == [kept])
    # The page scrolls although the pointer is on a chart.
    page.show_page(lambda width: page_of([ChartBlock((marked,) * 6)], width))
    qtbot.waitUntil(lambda: area.verticalScrollBar().maximum() > 0)
    assert not turn(kept, middle(kept), -1)
    page.show_page(None)
    qtbot.waitUntil(lambda: not page.findChildren(ChartView))


@pytest.mark.parametrize("width", [900.0, 420.0, 260.0, 180.0])
def test_words_below_a_narrow_plot_are_left_out_at_equal_distances(qapp, width):
    """One- and two-digit numbers: these had room beside each other for longer than those."""
    theme = theme_of("light")
    ticks = tuple(float(n) for n in range(32))
    names = tuple(str(n) for n in range(32))
    bars = Bars(np.arange(32) - 0.5, np.arange(32) + 0.5, 0.0, np.arange(32.0), ("above",))
    axis = Axis("dimension", ticks=ticks, words=names)
    block = LaidCharts([Chart("", "", (bars,), axis)], width)
    image = QImage(round(width), round(block.height), QImage.Format.Format_RGB32)
    painter = Recording(image)
    block.paint(painter, theme)
    painter.end()
    below = max(box.top() for box, text in painter.texts if text in names)
    shown = [(box, int(text)) for box, text in painter.texts if box.top() == below]
    steps = {b - a for (_, a), (_, b) in pairwise(shown)}
    assert len(steps) == 1
    assert len(shown) > 2
    assert all(a.right() < b.left() for (a, _), (b, _) in pairwise(shown))


def test_a_legend_has_as_many_digits_for_every_line(qapp):
    x = np.array([0.0, 1.0])
    lines = tuple(
        Line(name, x, np.array([0.0, end]), "bar")
        for name, end in (("a", 0.13), ("b", 0.1333), ("c", 1.8), ("d", 120.0), ("e", 0.0))
    )
    at = ChartLayout(Chart("", "", lines, Axis("x"), Axis("y")), 400.0, 100.0)
    said = [at.legend_words(line, 1.0) for line in lines]
    assert said == ["a 0.130", "b 0.133", "c 1.80", "d 120", "e 0"]


def test_round_numbers_stand_at_axes():
    assert [text for _, text in ticks_in(Axis(), 0.0, 2.0, 2)] == ["0", "1", "2"]
    assert [text for _, text in ticks_in(Axis(), 0.0, 1.0, 2)] == ["0", "0.5", "1"]
    assert [text for _, text in ticks_in(Axis(whole=True), 0.0, 1200.0, 3)] == ["0", "500", "1,000"]
    log = Axis(logarithmic=True)
    assert [at for at, _ in ticks_in(log, -3.0, 0.0, 4)] == [-3.0, -2.0, -1.0, 0.0]
    inside = ticks_in(log, 0.0, 0.9, 4)
    assert [text for _, text in inside] == ["1", "2", "5"]
    assert [text for _, text in ticks_in(log, 0.02, 0.03, 2)] != []
    own = Axis(logarithmic=True, ticks=(0.25, 1.0, 4.0))
    assert [text for _, text in ticks_in(own, -1.0, 1.0, 4)] == ["0.25", "1", "4"]


def test_limits_hold_every_value():
    assert limits([np.array([0.2, 7.4])], Axis()) == (0.0, 8.0)
    assert limits([np.array([-3.0, 1.0])], Axis()) == (-3.0, 1.0)
    assert limits([np.array([1e-3])], Axis(logarithmic=True)) == (-4.0, -3.0)
    assert limits([np.array([1e-30, 1.0])], Axis(logarithmic=True)) == pytest.approx((-6.0, 0.0))
    assert limits([], Axis()) == (0.0, 1.0)
    assert round_up(7.4) == 8.0


@pytest.mark.parametrize("letters", range(1, 12))
def test_names_of_points_stay_on_the_chart(qapp, letters):
    """Whatever is beyond it on the screen is cut off."""
    plane = QRectF(40, 20, 300, 150)
    points = Points(np.array([9.0]), np.array([5.0]), ("m" * letters,), ("",), ("bar",))
    shown = Chart("", "", (points,), Axis("size", 0.0, 10.0), Axis("score", 0.0, 10.0))
    ends = ((0.0, 10.0), (0.0, 10.0))
    at = Mapping(shown, ends, ends, plane)
    (box,) = room_for_names(at, points, at.points(points.x, points.y))
    assert box is None or box.right() <= plane.right()
    assert letters > 1 or box is not None


def painted(at):
    """What stands in a chart's plane, on white."""
    image = QImage(400, 200, QImage.Format.Format_RGB32)
    image.fill(QColor("#ffffff"))
    painter = QPainter(image)
    paint_series(painter, theme_of("light"), at, None, frozenset())
    painter.end()
    return image


def test_a_point_on_an_edge_is_whole_one_beyond_is_not_there_and_no_name_has_no_ground(qapp):
    plane = QRectF(40, 20, 300, 150)
    ends = ((0.0, 10.0), (0.0, 10.0))

    def drawn(x, *others):
        points = Points(np.array([x]), np.array([5.0]), ("",), ("",), ("text",), radius=6.0)
        shown = Chart("", "", (*others, points), Axis("", 0.0, 10.0), Axis("", 0.0, 10.0))
        at = Mapping(shown, ends, ends, plane)
        return painted(at), at.point(x, 5.0).toPoint()

    ink = theme_of("light").text
    image, place = drawn(0.0)
    assert image.pixelColor(place.x() - 4, place.y()) == ink
    image, place = drawn(-0.2)
    assert image.pixelColor(place.x() + 4, place.y()) == QColor("#ffffff")
    # A line below it is not broken where a name would stand.
    line = Line("", np.array([0.0, 10.0]), np.array([5.0, 5.0]), "text")
    image, place = drawn(2.0, line)
    assert image.pixelColor(place.x() + 10, place.y()).lightness() < 128


def test_a_legend_that_is_too_wide_says_the_value_before_its_place(qapp):
    marked = Line("without T squared", X, X, "bar", marked=True)
    marker = Marker(2.0, "T")
    what = Chart("", "", (marked,), Axis("temperature"), Axis(), marker=marker, at="T")
    said = []
    for width in (190, 400):
        at = ChartLayout(what, width, 60.0)
        image = QImage(width, 80, QImage.Format.Format_RGB32)
        painter = Recording(image)
        at.paint_head(painter, theme_of("light"), marker.x)
        painter.end()
        ((box, text),) = [one for one in painter.texts if "without" in one[1]]
        assert box.right() <= width + 0.5
        said.append(text)
    assert said[0] == said[1].removesuffix(" at T = 2")
    assert said[1].endswith("at T = 2")


@pytest.mark.parametrize("scale", [1.0, 1.5])
def test_a_title_goes_on_in_another_line_and_plots_of_a_row_stay_level(qapp, scale):
    title = "Probabilities of originals and replaced tokens, by what became of them"
    chrome.scale_font(qapp, scale)
    try:
        charts = [replace(chart(), title=one) for one in ("Short", title)]
        laid = LaidCharts(charts, 520.0)
        image = QImage(520, round(laid.height), QImage.Format.Format_RGB32)
        painter = Recording(image)
        laid.paint(painter, theme_of("light"))
        painter.end()
        texts = [text for _, text in painter.texts]
        first, second = laid.layouts
        assert len(second.title_lines) > 1
        assert " ".join(second.title_lines) == title
        assert {"Short", *second.title_lines} < set(texts)
        assert first.plane.top() == second.plane.top()
        assert not [text for text in texts if "…" in text]
    finally:
        chrome.scale_font(qapp, 1.0)


def test_titles_of_rows_have_less_than_half_of_the_width(qapp):
    rows = (RowName(0.5, "Query of this head", "of the token that looks"),)
    layout = ChartLayout(replace(chart(), rows=rows), 900.0, 120.0)
    assert layout.row_names > 120
    assert ChartLayout(replace(chart(), rows=rows), 200.0, 120.0).row_names == 98
