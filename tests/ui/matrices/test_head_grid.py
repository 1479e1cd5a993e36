"""All heads as one picture, and lines between tokens: what is drawn is what is there."""

import numpy as np
import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QColor, QWheelEvent

from explorer.ui.matrices.heads.grid import HeadGrid
from explorer.ui.matrices.heads.painting import (
    GridContent,
    arrange,
    grid_figure,
    grid_image,
    head_at,
    place_of,
)
from explorer.ui.matrices.heat_layout import scale_box
from explorer.ui.matrices.lines import painting as lines
from explorer.ui.matrices.lines.attention_lines import AttentionLines
from explorer.ui.matrices.lines.painting import FROM, TO, LinesContent, drawn_lines
from explorer.ui.matrices.scale import Scale
from explorer.ui.theme import chrome
from explorer.ui.theme.schemes import apply_theme, theme_of
from tests.ui.whole import is_whole

pytestmark = pytest.mark.usefixtures("qapp")


def maps(layers=3, heads=5, tokens=90):
    """One strong cell a head, somewhere else in each."""
    found = np.zeros((layers, heads, tokens, tokens), dtype=np.float32)
    generator = np.random.default_rng(0)
    for layer in range(layers):
        for head in range(heads):
            found[layer, head, *generator.integers(0, tokens, 2)] = 1.0
    return found


@pytest.mark.parametrize(("width", "height"), [(260, 120), (500, 300), (900, 700)])
def test_no_head_loses_its_strong_cell(width, height):
    content = GridContent(maps())
    theme = theme_of("dark")
    at = arrange(content, width, height)
    image = grid_image(content, at, theme, 1.0)
    strong = QColor(*(int(part) for part in theme.sequential[255])).rgb()
    for index in range(content.count):
        box = at.box(index).toAlignedRect()
        seen = {
            image.pixelColor(x, y).rgb()
            for x in range(box.left(), min(box.right() + 1, image.width()))
            for y in range(box.top(), min(box.bottom() + 1, image.height()))
        }
        assert strong in seen, index


def test_heads_stand_in_lines_of_a_layer_or_in_their_order():
    content = GridContent(maps())
    at = arrange(content, 500, 300)
    assert (at.columns, at.rows) == (5, 3)
    assert head_at(content, 7) == (1, 2)
    assert place_of(content, (1, 2)) == 7
    assert place_of(content, (3, 0)) is None
    assert at.index_at(at.box(7).center(), content.count) == 7
    assert at.index_at(QPointF(0, 0), content.count) is None
    order = tuple((layer, head) for head in range(5) for layer in range(3))
    ranked = GridContent(maps(), Scale(), order, ("x",) * 15)
    assert head_at(ranked, 1) == (1, 0)
    assert place_of(ranked, (1, 2)) == order.index((1, 2))


def test_a_small_area_scrolls_and_a_large_one_is_filled():
    content = GridContent(maps(24, 16, 8))
    assert arrange(content, 300, 100).height > 24 * 14
    assert arrange(content, 900, 900).height <= 900.001


def test_heads_that_can_not_grow_take_full_lines_and_few_of_them(qapp):
    maps = np.zeros((4, 4, 9, 9), np.float32)
    ranked = GridContent(maps, order=tuple((n // 4, n % 4) for n in range(16)), notes=("",) * 16)
    for width, columns in ((820, 4), (1200, 4), (1650, 8)):
        at = arrange(ranked, width, 1200)
        assert (at.columns, at.columns * at.rows) == (columns, 16)
        assert at.cell_height == 120


@pytest.mark.parametrize("scale", [1.0, 2.0])
def test_the_colour_scale_stands_below_the_heads_in_letters_of_any_size(qapp, qtbot, scale):
    content = GridContent(maps())
    chrome.scale_font(qapp, scale)
    try:
        is_whole(grid_figure(content, 700, theme_of("light")))
        at = arrange(content, 700, 500)
        last = at.box(content.count - 1).bottom()
        assert scale_box(0, last, 400).bottom() <= at.height <= 500
        grid = HeadGrid()
        qtbot.addWidget(grid)
        grid.resize(700, 500)
        grid.set_content(content)
        grid.show()
        picture = grid.grab().toImage()
        below = scale_box(at.left, last, 400).toAlignedRect()
        colours = {picture.pixel(x, below.center().y()) for x in range(below.left(), 400)}
        # The fill goes through the colours of the scale.
        assert len(colours) > 20
    finally:
        chrome.scale_font(qapp, 1.0)


WEIGHTS = np.array([[[0.7, 0.2, 0.1], [0.0, 0.5, 0.5]], [[0.0, 1.0, 0.0], [0.3, 0.3, 0.4]]])
CONTENT = LinesContent(("one", "two"), WEIGHTS, ("a", "b"), ("x", "y", "z"), threshold=0.3)


def test_lines_are_those_at_or_above_the_threshold():
    found = drawn_lines(CONTENT, None)
    expected = {tuple(place) for place in np.argwhere(WEIGHTS >= 0.3)}
    assert {tuple(line) for line in found.lines} == expected
    assert found.count == len(expected) == 7
    strengths = [WEIGHTS[tuple(line)] for line in found.lines]
    assert strengths == sorted(strengths)


@pytest.mark.parametrize(("side", "index"), [(FROM, 1), (TO, 1)])
def test_a_pointed_token_shows_its_own_lines(side, index):
    found = drawn_lines(CONTENT, (side, index))
    axis = 1 if side == FROM else 2
    assert len(found.lines) > 0
    assert all(line[axis] == index for line in found.lines)
    assert found.count == int((np.take(WEIGHTS, index, axis=axis) >= 0.3).sum())


def test_of_too_many_lines_the_strongest_are_drawn(monkeypatch):
    monkeypatch.setattr(lines, "MOST_LINES", 3)
    found = drawn_lines(CONTENT, None)
    assert found.count == 7
    assert sorted(WEIGHTS[tuple(line)] for line in found.lines) == [0.5, 0.7, 1.0]


def test_a_difference_counts_by_its_size():
    content = LinesContent(("d",), -WEIGHTS[:1], ("a", "b"), ("x", "y", "z"), 0.3, signed=True)
    assert drawn_lines(content, None).count == 3
    assert content.strongest == pytest.approx(0.7)


@pytest.fixture
def widget(shown):
    return shown(AttentionLines(), CONTENT, (500, 200))


def test_the_pointer_and_the_keyboard_show_a_token_alone(widget, qtbot):
    counts = []
    widget.counted.connect(counts.append)
    at = widget.layout_now().box(FROM, 1).center().toPoint()
    qtbot.mouseMove(widget, at)
    assert widget.alone == (FROM, 1)
    assert counts[-1] == 5
    qtbot.mouseClick(widget, Qt.MouseButton.LeftButton, pos=at)
    qtbot.mouseMove(widget, at + at)
    assert widget.alone == (FROM, 1)
    qtbot.keyClick(widget, Qt.Key.Key_Right)
    qtbot.keyClick(widget, Qt.Key.Key_Down)
    assert widget.alone == (TO, 2)
    assert "z is looked at by b 0.50" in widget.accessibleDescription()
    qtbot.keyClick(widget, Qt.Key.Key_Escape)
    assert widget.alone != (TO, 2)


def test_lines_have_their_heads_colours(widget):
    widget.set_content(LinesContent(("one",), np.ones((1, 1, 1)), ("a",), ("x",), 0.5))
    at = widget.layout_now()
    image = widget.grab().toImage()
    ratio = widget.devicePixelRatioF()
    x, y = (at.left + at.right) / 2 * ratio, at.middle(0) * ratio
    seen = image.pixelColor(round(x), round(y))
    wanted = lines.head_colours(theme_of("light"))[0]
    assert abs(seen.red() - wanted.red()) < 40
    assert abs(seen.blue() - wanted.blue()) < 40
    assert widget.figure(600, theme_of("light")).height > 0


@pytest.fixture
def grid(shown):
    return shown(HeadGrid(), GridContent(maps()), (420, 300), "dark")


def box(grid, index):
    return grid.layout_now().box(index)


def test_a_click_chooses_a_head_and_a_drag_none(grid, qtbot):
    with qtbot.waitSignal(grid.picked) as told:
        qtbot.mouseClick(grid, Qt.MouseButton.LeftButton, pos=box(grid, 7).center().toPoint())
    assert told.args == [1, 2]
    with qtbot.assertNotEmitted(grid.picked):
        qtbot.mousePress(grid, Qt.MouseButton.LeftButton, pos=box(grid, 7).center().toPoint())
        qtbot.mouseMove(grid, box(grid, 3).center().toPoint())
        qtbot.mouseRelease(grid, Qt.MouseButton.LeftButton, pos=box(grid, 3).center().toPoint())


def test_heads_are_zoomed_about_the_pointer_and_panned_no_further_than_there_are_any(
    grid, qtbot, qapp
):
    point = box(grid, 8).center()
    wheel = QWheelEvent(
        point, QPointF(grid.mapToGlobal(point.toPoint())), QPoint(), QPoint(0, 480),
        Qt.MouseButton.NoButton, Qt.KeyboardModifier.ControlModifier,
        Qt.ScrollPhase.NoScrollPhase, False,
    )  # fmt: skip
    before = box(grid, 8)
    qapp.sendEvent(grid, wheel)
    assert grid.zoom == pytest.approx(1.25**4)
    assert box(grid, 8).contains(point)
    assert box(grid, 8).width() > 2 * before.width()
    at = point.toPoint()
    moved = box(grid, 8).topLeft()
    qtbot.mousePress(grid, Qt.MouseButton.LeftButton, pos=at)
    qtbot.mouseMove(grid, at + QPoint(-20, 10))
    qtbot.mouseRelease(grid, Qt.MouseButton.LeftButton, pos=at + QPoint(-20, 10))
    now = box(grid, 8).topLeft()
    assert (now.x() - moved.x(), now.y() - moved.y()) == pytest.approx((-20, 10))
    qtbot.mousePress(grid, Qt.MouseButton.LeftButton, pos=at)
    qtbot.mouseMove(grid, at + QPoint(9000, 9000))
    qtbot.mouseRelease(grid, Qt.MouseButton.LeftButton, pos=at + QPoint(9000, 9000))
    fitting = arrange(grid.content, grid.width(), grid.height())
    assert box(grid, 0).topLeft() == fitting.box(0).topLeft()
    qtbot.keyClick(grid, Qt.Key.Key_0)
    assert grid.zoom == pytest.approx(1)


@pytest.mark.parametrize("zoom", [1.0, 1.6, 2.5])
def test_no_head_loses_its_strong_cell_however_far_it_is_zoomed(grid, zoom):
    strong = QColor(*(int(part) for part in theme_of("dark").sequential[255])).rgb()
    ratio = grid.devicePixelRatioF()
    for index in (0, 7, 14):
        grid.show_all()
        grid.zoom_by(zoom, box(grid, index).center())
        grid.canvas.bring_into_sight(box(grid, index))
        seen = box(grid, index).toAlignedRect().intersected(grid.rect())
        image = grid.grab().toImage()
        found = {
            image.pixelColor(round(x * ratio), round(y * ratio)).rgb()
            for x in range(seen.left(), seen.right() + 1)
            for y in range(seen.top(), seen.bottom() + 1)
        }
        assert strong in found


def test_the_chosen_head_comes_into_sight(grid, qtbot):
    grid.zoom_by(2.5, box(grid, 0).center())
    assert not grid.canvas.plane.intersects(box(grid, 14))
    grid.set_chosen((2, 4))
    plane = grid.canvas.plane.adjusted(-1, -1, 1, 1)
    assert plane.contains(box(grid, 14))
    grid.set_content(GridContent(maps(2, 2, 20)))
    assert grid.zoom == pytest.approx(1)
    grid.set_content(None)
    assert grid.layout_now() is None


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_weak_lines_are_seen_and_weaker_than_strong_ones(widget, qapp, scheme):
    """Below 0.1 they were nearly the colour of the ground."""
    apply_theme(qapp, scheme)
    ground = theme_of(scheme).surface

    def apart(weight):
        content = LinesContent(("one",), np.full((1, 1, 1), weight), ("a",), ("x",), 0.01)
        widget.set_content(content)
        at, image = widget.layout_now(), widget.grab().toImage()
        ratio = widget.devicePixelRatioF()
        x, y = (at.left + at.right) / 2 * ratio, at.middle(0) * ratio
        near = [image.pixelColor(round(x), round(y) + shift) for shift in (-1, 0, 1)]
        return max(
            max(abs(one.red() - ground.red()), abs(one.green() - ground.green()),
                abs(one.blue() - ground.blue()))
            for one in near
        )  # fmt: skip

    faint, middling, strong = apart(0.05), apart(0.4), apart(1.0)
    assert faint >= 30
    assert faint < middling < strong


def test_another_grid_of_as_many_heads_is_zoomed_in_on_the_same(grid, qtbot):
    assert grid.look() is None
    grid.zoom_by(4, box(grid, 8).center())
    other = HeadGrid()
    qtbot.addWidget(other)
    other.resize(grid.width() + 200, grid.height() + 100)
    other.set_content(GridContent(maps()))
    other.take_look(grid.look())
    assert other.zoom == pytest.approx(4)
    both = [
        {n for n in range(one.content.count) if box(one, n).intersects(one.canvas.plane)}
        for one in (grid, other)
    ]
    assert both[0] == both[1]
    fewer = HeadGrid()
    qtbot.addWidget(fewer)
    fewer.set_content(GridContent(maps(layers=2)))
    fewer.take_look(grid.look())
    assert fewer.zoom == pytest.approx(1)
