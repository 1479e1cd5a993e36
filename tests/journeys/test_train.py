"""A model is trained in the real window: begun, paused, taken up again, opened and asked."""

import pytest

from explorer.learning.plan.plan import TrainingPlan
from explorer.learning.runs.trainings import Trainings
from explorer.questions.learning.run_page import newest
from explorer.questions.learning.train.page import BUTTONS
from explorer.questions.learning.training_curves.options import SOURCES
from explorer.ui.blocks.page.page import Run
from tests.journeys.acting import SLOW, answered, brought

# Training gives way to everybody else, tests at work beside it too.
pytestmark = [pytest.mark.usefixtures("warm_engine"), pytest.mark.timeout(900)]
PATIENT = 4 * SLOW

NAME = "train"
SMALL = {
    "train.corpus": "small",
    "train.layers": 1,
    "train.width": 16,
    "train.heads": 1,
    "train.batch": 4,
    "train.vocabulary": 200,
}


@pytest.fixture
def trainings(running, qtbot):
    """The user's runs; nobody trains any of them in the end."""
    found = Trainings.of(running.bench.program.paths)
    yield found
    for one in found.list():
        found.cancel(one)
    qtbot.waitUntil(lambda: not found.is_at_work, timeout=PATIENT)


def chips(view):
    """What can be done, by the keys of its buttons."""
    shown = newest(view.shown())
    return {
        chip.key: chip.act
        for block in BUTTONS.blocks(shown)
        for chip in getattr(block, "chips", ())
    }


def status_of(view):
    run = None if view.result is None else view.result.run
    return "" if run is None else run.listed.status


def test_a_model_is_trained_from_the_click_to_the_curve_and_asked(running, trainings, qtbot):
    bench = running.bench
    for key, value in {**SMALL, "train.steps": 60}.items():
        bench.edits.set_option(key, value)
    view = brought(running, qtbot, NAME)
    assert view.result.run is None
    view.act(chips(view)["run"])
    qtbot.waitUntil(lambda: status_of(view) == "done", timeout=PATIENT)
    qtbot.waitUntil(lambda: bench.asking.is_idle, timeout=PATIENT)
    (one,) = trainings.list()
    assert one.plan == TrainingPlan.of(bench.state.document)
    assert view.result.run.record.steps == one.curve()[-1]["step"]

    # The same run is a curve of the other page.
    bench.edits.set_option(SOURCES.key, [str(one.place)])
    curves = brought(running, qtbot, "training_curves")
    assert curves.result.records[0].seed == 1

    # And its result is a model like any other.
    running.window.view_area.bring_forward(NAME)
    answered(running, qtbot, NAME)
    view.act(chips(view)["open", "A"])
    qtbot.waitUntil(
        lambda: "A" in bench.models.cards and bench.models.cards["A"].folder == str(one.model),
        timeout=PATIENT,
    )
    words = brought(running, qtbot, "masked_tokens")
    assert words.result.model == bench.models.cards["A"].stamp


def test_it_is_paused_and_taken_up_again(running, trainings, qtbot):
    bench = running.bench
    for key, value in {**SMALL, "train.steps": 100_000}.items():
        bench.edits.set_option(key, value)
    view = brought(running, qtbot, NAME)
    view.act(Run())
    qtbot.waitUntil(lambda: status_of(view) == "training", timeout=PATIENT)
    qtbot.waitUntil(lambda: view.result.run.listed.step > 0, timeout=PATIENT)
    view.act(chips(view)["pause"])
    qtbot.waitUntil(lambda: status_of(view) == "paused", timeout=PATIENT)
    qtbot.waitUntil(lambda: bench.asking.is_idle, timeout=PATIENT)
    (one,) = trainings.list()
    kept = one.state.step
    assert kept > 0
    view.act(chips(view)["run"])
    qtbot.waitUntil(
        lambda: status_of(view) == "training" and view.result.run.listed.step > kept,
        timeout=PATIENT,
    )
    view.act(chips(view)["cancel"])
    qtbot.waitUntil(lambda: status_of(view) == "cancelled", timeout=PATIENT)
