"""A logged run that was brought back is redrawn by options, whatever models are loaded."""

import pytest
from PySide6.QtCore import Qt

from explorer.api.family import LoadOptions
from explorer.questions.masking.surprisal.question import SurprisalRequest
from explorer.ui.views.frame.view_frame import FrameState
from tests.ui.fake_engine import CACHED
from tests.ui.late_answers import teach

LEFT = Qt.MouseButton.LeftButton


@pytest.fixture
def restored(engine, start, qtbot, request):
    """A sweep of a model that is not loaded any more, brought back from the log."""
    teach(engine)
    running = start()
    bench, window = running.bench, running.window
    window.view_area.bring_forward("surprisal")
    log = window.log
    qtbot.waitUntil(lambda: bench.asking.is_idle and log.model.rowCount() == 2)
    bench.models.unload("A")
    qtbot.waitUntil(lambda: "A" not in bench.models.cards)
    if request.param:
        bench.models.load("A", CACHED.id, CACHED.title, LoadOptions())
        qtbot.waitUntil(lambda: "A" in bench.models.cards)
        qtbot.waitUntil(lambda: bench.asking.is_idle and log.model.rowCount() >= 3)
    rows = [log.model.run_at(row) for row in range(log.model.rowCount())]
    row = next(
        n
        for n, run in enumerate(rows)
        if run.operation == "surprisal" and run.model_id != CACHED.id
    )
    place = log.table.visualRect(log.model.index(row, 2)).center()
    qtbot.mouseClick(log.table.viewport(), LEFT, pos=place)
    qtbot.mouseDClick(log.table.viewport(), LEFT, pos=place)
    qtbot.waitUntil(lambda: bench.state.run_id == rows[row].id)
    asker = bench.asking.askers["surprisal"]
    assert asker.frame.state is FrameState.RESULT
    return running, asker, rows[row].id


def choose_bits(view, qtbot):
    unit = view.bar.fields["surprisal.unit"]
    unit.setFocus()
    qtbot.keyClick(unit, Qt.Key.Key_Down)


@pytest.mark.parametrize("restored", [False, True], indirect=True, ids=["no model", "another"])
def test_an_option_redraws_the_run_and_asks_nothing(restored, engine, qtbot):
    running, asker, run_id = restored
    state, view = running.bench.state, asker.view
    result, asked = view.result, len(engine.calls)

    def told():
        return next(s.words for s in view.page.page.spots if s.key == ("token", 3))

    in_nats = told()
    running.bench.edits.set_option("attention.log", True)
    qtbot.mouseClick(running.window.sentence.whole, LEFT)
    assert (state.run_id, view.result) == (run_id, result)
    choose_bits(view, qtbot)
    assert state.document.option("surprisal.unit") == "bits"
    assert (state.run_id, view.result) == (run_id, result)
    assert asker.frame.state is FrameState.RESULT
    assert "bits" in told()
    state.stack.undo()
    assert (state.run_id, view.result, told()) == (run_id, result, in_nats)
    state.stack.redo()
    assert "bits" in told()
    qtbot.waitUntil(lambda: running.bench.asking.is_idle)
    assert not [call for call in engine.calls[asked:] if call.lane == asker.lane]
    assert view.result is result


@pytest.mark.parametrize("restored", [True], indirect=True)
def test_what_changes_the_question_asks_the_model_of_now(restored, engine, qtbot):
    running, asker, _ = restored
    asked = len(engine.requests(SurprisalRequest))
    view = asker.view
    method = view.bar.fields["surprisal.method"]
    method.setFocus()
    qtbot.keyClick(method, Qt.Key.Key_Down)
    assert running.bench.state.run_id == ""
    qtbot.waitUntil(lambda: running.bench.asking.is_idle)
    assert len(engine.requests(SurprisalRequest)) == asked + 1
    assert view.result.model.id == CACHED.id


@pytest.mark.parametrize("restored", [True], indirect=True)
def test_run_again_asks_after_an_option_was_changed(restored, qtbot):
    running, asker, _ = restored
    choose_bits(asker.view, qtbot)
    running.bench.asking.run_again()
    assert running.bench.state.run_id == ""
    qtbot.waitUntil(lambda: running.bench.asking.is_idle)
    assert asker.view.result.model.id == CACHED.id


@pytest.mark.parametrize("restored", [False], indirect=True)
def test_a_run_whose_model_is_gone_is_asked_again_by_one_button(restored, engine, qtbot):
    running, asker, run_id = restored
    asked = len(engine.requests(SurprisalRequest))
    running.bench.asking.run_again()
    bar = asker.frame.bar
    qtbot.waitUntil(bar.isVisible)
    assert running.bench.state.run_id == run_id
    assert bar.way.text() == "Load BERT miniature and ask again"
    assert not bar.again.isVisible()
    qtbot.mouseClick(bar.way, LEFT)
    qtbot.waitUntil(lambda: len(engine.requests(SurprisalRequest)) == asked + 1)
    qtbot.waitUntil(lambda: asker.frame.state is FrameState.RESULT and asker.is_idle)
    assert running.bench.state.run_id == ""
    assert not bar.isVisible()
