"""No exception of Python's crosses into Qt."""

import importlib
import pkgutil
from dataclasses import replace

import pytest
from PySide6.QtCore import QAbstractListModel, QSize, QSortFilterProxyModel, Qt
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QListView, QStyledItemDelegate, QWidget

import explorer.ui
from explorer.ui.guarded import guarded, is_guarded, overrides
from tests.ui.fake_engine import CACHED, CATALOGUE


def classes():
    for found in pkgutil.walk_packages(explorer.ui.__path__, "explorer.ui."):
        module = importlib.import_module(found.name)
        for kind in vars(module).values():
            if isinstance(kind, type) and kind.__module__ == module.__name__:
                yield kind


def test_whatever_qt_calls_is_guarded():
    found = [(kind, name) for kind in classes() for name in overrides(kind)]
    assert len(found) > 150
    bare = [
        f"{kind.__qualname__}.{name}" for kind, name in found if not is_guarded(vars(kind)[name])
    ]
    assert not bare, f"Decorate with @guarded: {bare}"


@guarded
class Model(QAbstractListModel):
    def rowCount(self, _parent=None):
        return 3

    def data(self, _index, _role=Qt.ItemDataRole.DisplayRole):
        raise TypeError("no data")


@guarded
class Filter(QSortFilterProxyModel):
    def filterAcceptsRow(self, _row, _parent):
        raise TypeError("no filter")


@guarded
class Delegate(QStyledItemDelegate):
    def paint(self, painter, _option, _index):
        painter.save()
        painter.restore()
        raise SystemExit("no paint")

    def sizeHint(self, _option, _index):
        raise KeyboardInterrupt


@guarded
class Canvas(QWidget):
    asked = 0

    def paintEvent(self, _event):
        painter = QPainter(self)
        painter.drawLine(0, 0, 5, 5)
        self.asked += 1
        raise ValueError("no picture")

    def event(self, event):
        super().event(event)
        raise ValueError("no event")

    def sizeHint(self):
        raise ValueError("no size")


def test_a_list_whose_model_filter_and_delegate_fail_lives_on(qtbot):
    with qtbot.captureExceptions() as raised:
        view = QListView()
        qtbot.addWidget(view)
        rows = Filter(view)
        rows.setSourceModel(Model(view))
        view.setModel(rows)
        view.setItemDelegate(Delegate(view))
        view.show()
        qtbot.waitExposed(view)
        view.grab()
        assert rows.rowCount() == 3
        assert rows.data(rows.index(0, 0)) is None
    told = {kind for kind, _, _ in raised}
    assert {TypeError, KeyboardInterrupt} <= told


def test_a_painter_of_a_picture_that_failed_is_ended(qtbot):
    with qtbot.captureExceptions() as raised:
        canvas = Canvas()
        qtbot.addWidget(canvas)
        canvas.resize(40, 40)
        canvas.show()
        qtbot.waitUntil(lambda: canvas.asked > 0)
        # A painter that is still at work is a warning of Qt's, and fails the test.
        canvas.grab()
        canvas.grab()
        assert canvas.sizeHint() == QSize()
    assert canvas.asked >= 3
    messages = [str(error) for _, error, _ in raised]
    # Every fault once, however often it is painted.
    assert messages.count("no picture") == 1


@pytest.mark.parametrize("value", [7, None, ["a"]])
def test_a_row_of_the_library_that_can_not_be_read_costs_nothing_else(engine, start, qtbot, value):
    engine.catalogue = (*CATALOGUE, replace(CACHED, id="odd", title="Odd", architecture=value))
    with qtbot.captureExceptions() as raised:
        running = start()
        running.window.open_library()
        library = running.window.library
        library.filter_box.setText("large")
        library.filter_box.setText("")
        qtbot.waitUntil(lambda: library.tree.model().rowCount() > 0)
        library.tree.grab()
        running.window.grab()
    assert raised
    assert running.window.view_of("masked_tokens").has_result
