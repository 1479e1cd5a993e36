"""Two models word by word: chosen in soft targets, and a run of the question it was once."""

import shutil
from pathlib import Path

import pytest

from explorer.document import Document
from explorer.questions.distillation.soft_targets.settings import EVERY_WORD, TEMPERATURE, WHAT
from explorer.sessions.read.comparing import difference
from explorer.sessions.read.listing import RunFilter
from explorer.sessions.read.reader import SessionReader
from tests.journeys.acting import SLOW, brought, load

pytestmark = pytest.mark.usefixtures("warm_engine")

OLD = Path(__file__).parents[1] / "stored_runs" / "two-models-schema-2.db"


@pytest.fixture
def stored(paths):
    """A log of a program that had a question of its own for two models."""
    paths.sessions.parent.mkdir(parents=True, exist_ok=True)
    return SessionReader(Path(shutil.copy(OLD, paths.sessions)))


@pytest.fixture
def running(stored, open_window):
    return open_window()


def by_word(view):
    return view.result is not None and view.result.what == EVERY_WORD


def test_models_that_can_not_be_softened_together_are_compared_word_by_word(running, qtbot):
    from explorer.ui.views.frame.view_frame import FrameState

    bench, window = running.bench, running.window
    load(running, qtbot, B="gpt2-miniature")
    text = "the chef cooked a soup"
    bench.state.edit("cook", Document(text).with_mask(9, 15))
    window.view_area.bring_forward("soft_targets")
    asker = bench.asking.askers["soft_targets"]
    qtbot.waitUntil(lambda: asker.frame.state is FrameState.FAILED, timeout=SLOW)
    assert "can't be the student here" in asker.frame.failed_page.sentence.text()
    field = asker.view.bar.fields[WHAT.key]
    field.setCurrentIndex(field.findData(EVERY_WORD))
    field.activated.emit(field.currentIndex())
    view = brought(running, qtbot, "soft_targets", by_word)
    assert WHAT.of(bench.state.document) == EVERY_WORD
    (mask,) = view.result.by_word
    assert view.result.tokens[mask.position].masked
    assert not view.bar.widgets[TEMPERATURE.key].isEnabled()
    word = next(one.word for one in mask.words if one.teacher and "…" not in one.word)
    spot = next(one for one in view.page.page.spots if one.key == ("word", mask.position, word))
    view.page.choose(spot)
    assert bench.state.document.text == text.replace("cooked", word)


def test_a_run_of_then_is_shown_and_asked_again(running, stored, qtbot):
    bench = running.bench
    then = next(
        run
        for run in (stored.run(one.id) for one in stored.runs(RunFilter(operation="two_models")))
        if run.request.what == EVERY_WORD
    )
    load(running, qtbot, A=then.models["teacher"].id, B=then.models["student"].id)
    running.window.commands.restore_run(then.summary.id)
    qtbot.waitUntil(lambda: bench.state.run_id == then.summary.id, timeout=SLOW)
    view = brought(running, qtbot, "soft_targets", by_word)
    assert view.result == then.result
    assert WHAT.of(bench.state.document) == EVERY_WORD
    assert view.bar.fields[WHAT.key].currentData() == EVERY_WORD
    with qtbot.waitSignal(bench.asking.replayed, timeout=SLOW) as told:
        bench.asking.run_again()
    _, now = told.args
    assert now.models == then.models
    assert now.request == then.request
    assert difference(then.table, now.table).largest < 1e-4
