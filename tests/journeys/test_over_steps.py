"""A question is asked at every step of a series in the real window, and a point moves the model."""

import pytest
from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QAction
from PySide6.QtTest import QTest

from explorer.questions.learning.over_steps.options import SHOWN
from explorer.ui.charts.chart_view import ChartView
from explorer.ui.charts.drawing import stops
from tests.journeys.acting import SLOW, answered, brought, newest
from tests.series.moments import damage, frames_of

pytestmark = pytest.mark.usefixtures("warm_engine")

STEPS = (1, 10, 100, 1000)
NAME = "over_steps"


@pytest.fixture
def film(running, tmp_path, qtbot):
    """The window with the last frame of a series loaded; its third frame is damaged."""
    folder = frames_of("distilbert-miniature", tmp_path / "run", STEPS)
    damage(folder / "checkpoint-100")
    bench = running.bench
    bench.actions.open_path(folder / "checkpoint-1000", "A")
    qtbot.waitUntil(lambda: len(bench.moments.frames("A")) == 3, timeout=SLOW)
    return running


def ask_at_every_step(running):
    running.window.findChild(QAction, "ask_steps").trigger()


def is_whole(view):
    return view.result is not None and not view.result.waiting


def charts(view, qtbot):
    qtbot.waitUntil(lambda: bool(view.page.findChildren(ChartView)), timeout=SLOW)
    return view.page.findChildren(ChartView)


def step_of(running):
    return int(running.bench.models.cards["A"].stamp.id.rpartition("-")[2])


def test_a_page_is_asked_at_every_step_and_a_click_on_the_curve_moves_the_slider(
    film, paths, qtbot
):
    bench = film.bench
    words = brought(film, qtbot, "masked_tokens")
    before = words.result
    ask_at_every_step(film)
    view = answered(film, qtbot, NAME, is_whole)
    series = view.result.series[0]
    assert series.steps == (1, 10, 1000)
    assert [one.name for one in series.left_out] == ["checkpoint-100"]
    stored = newest(paths, NAME)
    assert stored.request.operation == "masked_tokens"
    # The curve ends where the page's own answer is.
    best = before.masks[0].predictions[0]
    last = view.result.of_series(view.result.shown()[0], 0)[-1]
    assert last == pytest.approx(best.probability, abs=1e-6)

    (chart, *_others) = charts(view, qtbot)
    places = stops(chart.chart)
    at = next(n for n, (x, _y) in enumerate(places) if x == 10)
    qtbot.waitUntil(lambda: chart.canvas is not None, timeout=SLOW)
    point = chart.canvas.mapping().point(*places[at])
    QTest.mouseMove(chart, point.toPoint())
    QTest.mouseClick(chart, Qt.MouseButton.LeftButton, pos=QPointF(point).toPoint())
    qtbot.waitUntil(lambda: step_of(film) == 10, timeout=SLOW)
    assert bench.moments.place("A") == 1
    # The page is there at once for the other frame: nothing is asked anew.
    view = answered(
        film, qtbot, NAME, lambda one: is_whole(one) and one.result.model.id.endswith("-10")
    )
    assert view.result.of_series(view.result.shown()[0], 0)[-1] == last

    # And by the keys: to the point before, and Enter.
    chart = charts(view, qtbot)[0]
    chart.setFocus()
    for _point in places:
        QTest.keyClick(chart, Qt.Key.Key_Left)
    QTest.keyClick(chart, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: step_of(film) == 1, timeout=SLOW)
    answered(film, qtbot, NAME, is_whole)


def test_numbers_are_chosen_from_what_the_answer_has(film, qtbot):
    brought(film, qtbot, "attention")
    ask_at_every_step(film)
    view = answered(film, qtbot, NAME, is_whole)
    name = "separator layer=0 head=1"
    assert name in view.result.numbers
    film.bench.edits.set_option(SHOWN.key, [name])
    qtbot.waitUntil(
        lambda: [one.chart.title for one in charts(view, qtbot)] == ["separator"], timeout=SLOW
    )


def test_a_page_of_no_weights_says_so(film, qtbot):
    brought(film, qtbot, "train")
    ask_at_every_step(film)
    assert "steps" in film.window.notices.keys
