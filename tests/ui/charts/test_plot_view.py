"""Charts and matrices are looked into alike: one wheel, one drag, the same keys, one view state."""

import numpy as np
import pytest
from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QKeyEvent, QNativeGestureEvent, QPointingDevice, QWheelEvent
from PySide6.QtWidgets import QApplication

from explorer.ui.charts.chart_view import ChartView
from explorer.ui.charts.description import Axis, Chart, Line
from explorer.ui.matrices.block import Matrix, MatrixView
from explorer.ui.matrices.heads.grid import HeadGrid
from explorer.ui.matrices.heads.painting import GridContent
from explorer.ui.matrices.heat_layout import HeatContent
from explorer.ui.matrices.map_block import Map, MapView

X = np.linspace(0.0, 10.0, 21)
NAMES = tuple(map(str, range(40)))
CONTENT = HeatContent(np.random.default_rng(0).random((40, 40), dtype=np.float32), NAMES, NAMES)
HEADS = GridContent(np.zeros((12, 12, 8, 8), dtype=np.float32))
CTRL, SHIFT = Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.ShiftModifier
PLOTS = {
    "chart": lambda: shown(ChartView(), Chart("t", "", (Line("a", X, X, "bar"),), Axis("x"))),
    "matrix": lambda: shown(MatrixView(), Matrix(CONTENT)),
    "map": lambda: shown(MapView(), Map(Matrix(CONTENT))),
    "heads": lambda: shown(HeadGrid(), HEADS),
}


def shown(made, content):
    made.resize(420, 360)
    (made.set_content if isinstance(made, HeadGrid) else made.show_content)(content)
    return made


@pytest.fixture(params=PLOTS)
def plot(request, qtbot, qapp):
    made = PLOTS[request.param]()
    qtbot.addWidget(made)
    made.show()
    made.grab()
    return made


def turn(plot, across, down, modifiers):
    at = plot.canvas.plane.center() + QPointF(20, 10)
    wheel = QWheelEvent(
        at, QPointF(plot.mapToGlobal(at.toPoint())), QPoint(), QPoint(across, down),
        Qt.MouseButton.NoButton, modifiers, Qt.ScrollPhase.NoScrollPhase, False,
    )  # fmt: skip
    QApplication.sendEvent(plot, wheel)
    return at, wheel.isAccepted()


def test_ctrl_and_the_wheel_zoom_about_the_pointer_and_shift_pans(plot):
    plot.clearFocus()
    at, taken = turn(plot, 0, 240, Qt.KeyboardModifier.NoModifier)
    assert not taken
    assert not plot.canvas.is_zoomed
    before = plot.canvas.place_at(at.x(), at.y())
    assert turn(plot, 0, 240, CTRL)[1]
    assert plot.zoom == pytest.approx(1.25**2)
    assert plot.canvas.place_at(at.x(), at.y()) == pytest.approx(before)
    (left, right), up = plot.canvas.seen
    assert turn(plot, 0, -40, CTRL | SHIFT)[1]
    assert plot.canvas.seen[0][0] == pytest.approx(
        left + 20 / plot.canvas.plane.width() * (right - left)
    )
    assert plot.canvas.seen[1] == pytest.approx(up)


def test_fingers_and_keys_zoom_and_nothing_is_seen_beyond_the_ends(plot, qtbot):
    at = plot.canvas.plane.center()
    pinch = QNativeGestureEvent(
        Qt.NativeGestureType.ZoomNativeGesture, QPointingDevice.primaryPointingDevice(), 2,
        at, at, QPointF(plot.mapToGlobal(at.toPoint())), 1.0, QPointF(),
    )  # fmt: skip
    QApplication.sendEvent(plot, pinch)
    assert plot.zoom == pytest.approx(2)
    qtbot.keyClick(plot, Qt.Key.Key_Plus)
    assert plot.zoom == pytest.approx(2.5)
    plot.pan_by(1e6, 1e6)
    plot.pan_by(-1e6, -1e6)
    (_left, right), (low, high) = plot.canvas.seen
    across, up = plot.canvas.ends(plot.zoom)
    assert right == pytest.approx(across)
    assert (high if plot.canvas.downwards else low) == pytest.approx(
        up if plot.canvas.downwards else plot.canvas.full[1][0]
    )
    qtbot.keyClick(plot, Qt.Key.Key_0)
    assert not plot.canvas.is_zoomed


def test_what_is_in_sight_is_handed_to_a_plot_of_another_size(plot, qtbot, request):
    assert not plot.look()
    plot.zoom_by(4, plot.canvas.plane.center())
    other = PLOTS[request.node.callspec.params["plot"]]()
    qtbot.addWidget(other)
    other.resize(560, 460)
    other.take_look(plot.look())
    assert other.zoom == pytest.approx(4)
    assert [first for first, _last in other.canvas.seen] == pytest.approx(
        [first for first, _last in plot.canvas.seen]
    )


def test_the_mouse_points_and_leaves(plot, qtbot):
    qtbot.mouseMove(plot, QPoint(2, 2))
    told = []
    plot.hovered.connect(told.append)
    qtbot.mouseMove(plot, plot.canvas.plane.center().toPoint())
    assert len(told) == 1
    assert told[0] is not None
    QApplication.sendEvent(plot, QEvent(QEvent.Type.Leave))
    assert told[1:] == [None]


def test_escape_is_left_to_the_window_unless_the_keys_point_at_something(plot, qtbot):
    passed = QKeyEvent(QEvent.Type.KeyPress, Qt.Key.Key_Escape, Qt.KeyboardModifier.NoModifier)
    qtbot.mouseMove(plot, QPoint(2, 2))
    qtbot.mouseMove(plot, plot.canvas.plane.center().toPoint())
    QApplication.sendEvent(plot, passed)
    assert not passed.isAccepted()
    plot.setFocus()
    qtbot.keyClick(plot, Qt.Key.Key_Right)
    taken = QKeyEvent(passed.type(), passed.key(), passed.modifiers())
    QApplication.sendEvent(plot, taken)
    # Keys choose a head, and point at none.
    assert taken.isAccepted() != isinstance(plot, HeadGrid)
