"""A model is fine-tuned in the real window, and opened next to what it was before."""

import pytest

from explorer.learning.runs.trainings import Trainings
from explorer.learning.tuning.former_heads import former_folder
from explorer.learning.tuning.plan import TuningPlan
from explorer.questions.learning.run_page import newest
from explorer.questions.learning.tune.page import BUTTONS
from tests.journeys.acting import SLOW, brought

# Training gives way to everybody else, tests at work beside it too.
pytestmark = [pytest.mark.usefixtures("warm_engine"), pytest.mark.timeout(900)]
PATIENT = 4 * SLOW

SMALL = {
    "tune.examples": 32,
    "tune.epochs": 1,
    "tune.batch": 16,
    "tune.length": 24,
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
    blocks = BUTTONS.blocks(newest(view.shown()))
    return {chip.key: chip.act for block in blocks for chip in getattr(block, "chips", ())}


def test_a_model_learns_a_task_from_the_click_to_both_slots(running, trainings, qtbot):
    bench = running.bench
    for key, value in SMALL.items():
        bench.edits.set_option(key, value)
    view = brought(running, qtbot, "tune")
    assert view.result.run is None
    assert view.result.models
    view.act(chips(view)["run"])
    qtbot.waitUntil(
        lambda: view.result.run is not None and view.result.run.listed.status == "done",
        timeout=PATIENT,
    )
    qtbot.waitUntil(lambda: bench.asking.is_idle, timeout=PATIENT)
    (one,) = trainings.list()
    assert one.kind == "tune"
    assert one.plan == TuningPlan.of(bench.state.document)
    assert view.result.judged is not None
    last = view.result.run.frames[-1]
    assert last.accuracy == pytest.approx(one.measured()[-1]["accuracy"])
    # One click lays what it was before next to what it is now.
    view.act(chips(view)["before"])
    qtbot.waitUntil(lambda: {"A", "B"} <= bench.models.cards.keys(), timeout=PATIENT)
    qtbot.waitUntil(
        lambda: (
            bench.models.cards["A"].folder.endswith("bert-miniature")
            and bench.models.cards["B"].folder == str(former_folder(one.model))
        ),
        timeout=PATIENT,
    )
    # Its body has the heads that it had before, and so it predicts words: both do.
    assert all("masked_tokens" in card.operations for card in bench.models.cards.values())
