"""A student is distilled in the real window: its teacher is trained first, then it is opened."""

import pytest

from explorer.learning.distilling.plan import DistilPlan
from explorer.learning.runs.trainings import Trainings
from explorer.questions.learning.distil.page import BUTTONS
from explorer.questions.learning.run_page import newest
from tests.journeys.acting import SLOW, brought

# Training gives way to everybody else, tests at work beside it too.
pytestmark = [pytest.mark.usefixtures("warm_engine"), pytest.mark.timeout(900)]
PATIENT = 4 * SLOW

NAME = "distil"
SMALL = {
    "distil.teacher_layers": 1,
    "distil.teacher_width": 16,
    "distil.teacher_steps": 20,
    "distil.width": 16,
    "distil.heads": 1,
    "distil.batch": 4,
    "distil.vocabulary": 200,
    "distil.steps": 30,
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
    blocks = BUTTONS.blocks(shown)
    return {chip.key: chip.act for block in blocks for chip in getattr(block, "chips", ())}


def status_of(view):
    run = None if view.result is None else view.result.run
    return "" if run is None else run.listed.status


def test_a_student_is_distilled_from_the_click_to_the_model(running, trainings, qtbot):
    bench = running.bench
    for key, value in SMALL.items():
        bench.edits.set_option(key, value)
    view = brought(running, qtbot, NAME)
    assert view.result.run is None
    assert view.result.teachers
    view.act(chips(view)["run"])
    qtbot.waitUntil(lambda: status_of(view) == "done", timeout=PATIENT)
    qtbot.waitUntil(lambda: bench.asking.is_idle, timeout=PATIENT)
    teacher, student = sorted(trainings.list(), key=lambda one: one.state.queued)
    assert (teacher.kind, student.kind) == ("train", "distil")
    assert student.plan == DistilPlan.of(bench.state.document)
    last = view.result.run.frames[-1]
    assert last.step == 30
    assert last.teacher_excess == pytest.approx(teacher.measured()[-1]["excess"], abs=1e-4)
    view.act(chips(view)["open", "A"])
    qtbot.waitUntil(
        lambda: "A" in bench.models.cards and bench.models.cards["A"].folder == str(student.model),
        timeout=PATIENT,
    )
