"""A method of one's own, dropped in as a file: on both pages, and kept with its answer."""

import pytest
from PySide6.QtCore import QMimeData, QPoint, QPointF, Qt, QUrl
from PySide6.QtGui import QDragEnterEvent, QDropEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel

from explorer.questions.cause.attribution.options import METHOD
from explorer.questions.cause.attribution_benchmark.question import PLACES
from explorer.ui.blocks.widget.painted import PaintedPage
from explorer.ui.views.frame.view_frame import FrameState
from tests.attribution import own_method
from tests.journeys.acting import SLOW, answered, newest
from tests.ui.page_tree import click_page
from tests.ui.pages import words_on

pytestmark = [
    pytest.mark.usefixtures("warm_engine"),
    pytest.mark.qt_log_ignore("This plugin does not support", extend=True),
]
COPY = Qt.DropAction.CopyAction
LEFT, NONE = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier


def drop(widget, path):
    """A file is dragged onto a page and let go."""
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(path))])
    entering = QDragEnterEvent(QPoint(5, 5), COPY, data, LEFT, NONE)
    QApplication.sendEvent(widget, entering)
    assert entering.isAccepted()
    QApplication.sendEvent(widget, QDropEvent(QPointF(5, 5), COPY, data, LEFT, NONE))


def run_again(running, qtbot, name):
    """The same on a page that shows an earlier answer still."""
    frame = running.bench.asking.askers[name].frame
    qtbot.waitUntil(frame.bar.again.isVisible, timeout=SLOW)
    said = [one.text() for one in frame.bar.findChildren(QLabel)]
    assert any("may do whatever you may" in one for one in said)
    QTest.mouseClick(frame.bar.again, LEFT)


def run(running, qtbot, name):
    """Press Run on a page that waits for it, and says whose rights the file has."""
    frame = running.bench.asking.askers[name].frame
    qtbot.waitUntil(frame.empty_page.button.isVisible, timeout=SLOW)
    assert frame.state is FrameState.EMPTY
    said = [one.text() for one in frame.empty_page.findChildren(QLabel)]
    assert any("may do whatever you may" in one for one in said)
    QTest.mouseClick(frame.empty_page.button, LEFT)


def test_a_dropped_file_waits_for_run_and_is_in_both_tables(running, hands, paths, qtbot, tmp_path):
    window, bench = running.window, running.bench
    mark = tmp_path / "was_run"
    path = own_method.write(
        tmp_path, **{"METHOD = ": f"import pathlib\npathlib.Path({str(mark)!r}).touch()\nMETHOD = "}
    )
    hands.type_text("the chef cooked the meal in the kitchen.")
    click_page(window, "attribution")
    hands.click_token("meal")
    answered(running, qtbot, "attribution", lambda one: one.result.explained.place is not None)
    drop(bench.asking.askers["attribution"].frame, path)
    hands.settle()
    assert METHOD.of(bench.state.document) == str(path)
    assert not mark.exists()
    run_again(running, qtbot, "attribution")
    view = answered(
        running, qtbot, "attribution", lambda one: one.result.methods[0].method == "first_head"
    )
    assert mark.exists()
    assert "First head" in words_on(view)
    box = view.bar.fields[METHOD.key]
    assert box.currentText() == "first_head.py"
    assert newest(paths, "attribution").result.methods[0].digest
    # The benchmark takes it likewise, beside the program's own.
    bench.edits.set_option(PLACES.key, 3)
    bench.edits.set_option("attribution_benchmark.methods", ["occlusion", "chefer"])
    window.view_area.bring_forward("attribution_benchmark")
    qtbot.waitUntil(lambda: "attribution_benchmark" in bench.asking.askers, timeout=SLOW)
    drop(bench.asking.askers["attribution_benchmark"].frame, path)
    hands.settle()
    run(running, qtbot, "attribution_benchmark")
    view = answered(running, qtbot, "attribution_benchmark")
    assert {one.way.name for one in view.result.ways} == {"occlusion", "chefer", "first_head"}
    spots = view.findChild(PaintedPage, "attribution_benchmarkPage").page.spots
    assert any("First head" in f"{one.spoken} {one.words}" for one in spots)
