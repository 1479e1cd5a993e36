"""A matrix of tokens that run from the right: the same, as in a mirror."""

from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QImage

from explorer.ui.matrices.heat_layout import HeatContent, fit
from explorer.ui.matrices.heat_map import HeatMap
from explorer.ui.matrices.heat_painting import heat_figure
from explorer.ui.theme.schemes import current_theme
from tests.ui.painted_texts import Recording

WORDS = ("שלום", "לכל", "העולם", "dog", "2024")
VALUES = np.arange(25, dtype=np.float32).reshape(5, 5) / 24
CONTENT = HeatContent(VALUES, WORDS, WORDS, row_title="from", column_title="to", from_right=True)
LARGE = HeatContent(
    np.random.default_rng(0).random((90, 80), dtype=np.float32),
    tuple(f"r{i}" for i in range(90)),
    tuple(f"c{i}" for i in range(80)),
    from_right=True,
)


@pytest.fixture
def heat(shown):
    return shown(HeatMap(), CONTENT, (640, 420))


def middle(heat, row, column):
    return heat.layout_now().box(row, column).center().toPoint()


def painted(content, width=640.0):
    figure = heat_figure(content, width, current_theme())
    image = QImage(round(figure.width), round(figure.height), QImage.Format.Format_RGB32)
    image.fill(current_theme().surface)
    painter = Recording(image)
    figure.paint(painter)
    painter.end()
    return image, painter.texts


def test_columns_run_from_the_right_and_rows_are_named_there(heat):
    image, texts = painted(CONTENT)
    at = fit(CONTENT, 640.0, image.height(), 40.0)
    columns = {words: box for box, words in texts if box.center().y() < at.plane.top()}
    across = [columns[one].center().x() for one in WORDS]
    assert across == sorted(across, reverse=True)
    assert at.box(0, 0).right() == pytest.approx(at.plane.right())
    rows = [box for box, words in texts if words in WORDS and box.center().y() > at.plane.top()]
    assert len(rows) == len(WORDS)
    assert all(at.plane.right() <= box.left() < box.right() <= 640.0 for box in rows)
    assert {words for _box, words in texts} >= {"← to", "from ↓"}


@pytest.mark.parametrize("content", [CONTENT, LARGE], ids=["shapes", "image"])
def test_every_cell_is_painted_where_it_is_said_to_be(heat, content):
    """In pictures of shapes, in pictures of one image, and on the screen."""
    content = replace(content, written=lambda _value: "")
    image, _texts = painted(content, 1300.0)
    heat.resize(1300, 1200)
    heat.set_content(content)
    screen = heat.grab().toImage()
    ratio = heat.devicePixelRatioF()
    table = current_theme().sequential
    for at, pixels, dots in (
        (fit(content, 1300.0, image.height(), 40.0), image, 1.0),
        (heat.layout_now(), screen, ratio),
    ):
        for row, column in ((0, 0), (1, 4), (4, 2), (3, 3)):
            point = at.box(row, column).center() * dots
            expected = table[round(float(content.values[row, column]) * 255)][:3].tolist()
            assert list(pixels.pixelColor(point.toPoint()).getRgb()[:3]) == expected
            assert at.cell_at(at.box(row, column).center(), content) == (row, column)


def test_cells_smaller_than_a_pixel_stand_on_their_side(heat):
    values = np.zeros((4, 3000), dtype=np.float32)
    values[:, :30] = 1.0
    labels = tuple(f"c{i}" for i in range(3000))
    heat.set_content(HeatContent(values, WORDS[:4], labels, from_right=True))
    image, at = heat.grab().toImage(), heat.layout_now()
    y = round(at.box(1, 0).center().y() * heat.devicePixelRatioF())
    last = round((at.plane.right() - 2) * heat.devicePixelRatioF())
    strongest = current_theme().sequential[255][:3].tolist()
    assert list(image.pixelColor(last, y).getRgb()[:3]) == strongest
    assert list(image.pixelColor(round(at.plane.left()) + 2, y).getRgb()[:3]) != strongest


def test_the_mouse_and_the_keys_go_where_they_point(heat, qtbot):
    with qtbot.waitSignal(heat.clicked) as told:
        qtbot.mouseClick(heat, Qt.MouseButton.LeftButton, pos=middle(heat, 3, 1))
    assert told.args == [3, 1]
    heat.setFocus()
    heat.point_at((1, 1))
    qtbot.keyClick(heat, Qt.Key.Key_Left)
    assert heat.pointed == (1, 2)
    qtbot.keyClick(heat, Qt.Key.Key_Right)
    qtbot.keyClick(heat, Qt.Key.Key_Right)
    assert heat.pointed == (1, 0)
    before = heat.layout_now().box(1, 2).center().x()
    assert before < heat.layout_now().box(1, 0).center().x()


def test_zooming_and_panning_keep_what_is_under_the_pointer(heat):
    heat.set_content(LARGE)
    point = QPointF(middle(heat, 30, 50))
    heat.zoom_by(4, point)
    assert heat.layout_now().cell_at(point, LARGE) == (30, 50)
    heat.pan_by(25, 0)
    moved = point + QPoint(25, 0)
    assert heat.layout_now().cell_at(moved, LARGE) == (30, 50)
    heat.point_at((5, 79))
    box, plane = heat.layout_now().box(5, 79), heat.layout_now().plane
    assert plane.adjusted(-1, -1, 1, 1).contains(box)
    heat.pan_by(-1e6, 0)
    assert heat.layout_now().box(0, 0).right() == pytest.approx(plane.right())
