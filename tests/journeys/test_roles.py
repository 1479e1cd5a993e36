"""A teacher in B, a discriminator in B: real window, real engine, and asked again elsewhere."""

import json

import pytest

from explorer.api import LoadOptions
from explorer.cli import main
from explorer.document import Document
from explorer.program import Program
from explorer.questions.distillation.roles import shown_pair
from explorer.sessions.read.reader import SessionReader

pytestmark = pytest.mark.usefixtures("warm_engine")

TEACHER, STUDENT = "bert-miniature", "distilbert-miniature"
JUDGE, FILLER = "electra-miniature-discriminator", "electra-miniature-generator"
SLOW = 90_000


@pytest.fixture
def running(paths, qtbot):
    from explorer.app import Running

    made = Running(Program(paths))
    made.window.resize(1300, 900)
    made.show()
    qtbot.waitExposed(made.window)
    yield made
    made.close()


@pytest.fixture
def load(running, qtbot):
    """Puts two models into A and B."""

    def both(*names):
        models = running.bench.models
        for slot, name in zip("AB", names, strict=True):
            models.load(slot, name, name, LoadOptions())
        wanted = dict(zip("AB", names, strict=True))
        qtbot.waitUntil(
            lambda: {slot: card.stamp.id for slot, card in models.cards.items()} == wanted,
            timeout=SLOW,
        )

    return both


def answered(running, qtbot, operation, then=lambda _view: True):
    """The view once it shows an answer."""
    from explorer.ui.views.view_frame import FrameState

    bench, window = running.bench, running.window
    window.view_area.bring_forward(operation)
    qtbot.waitUntil(lambda: operation in bench.asking.askers, timeout=SLOW)
    asker = bench.asking.askers[operation]
    qtbot.waitUntil(
        lambda: (
            asker.frame.state is FrameState.RESULT and bench.asking.is_idle and then(asker.view)
        ),
        timeout=SLOW,
    )
    return asker.view


def newest(paths, operation):
    reader = SessionReader(paths.sessions)
    return reader.run(next(run.id for run in reader.runs() if run.operation == operation))


def played(run):
    return {role: stamp.id for role, stamp in run.models.items()}


def test_who_played_which_role_plays_it_again(running, load, qtbot, paths, capsys):
    bench = running.bench
    qtbot.waitUntil(lambda: bench.checkpoints.find(TEACHER) is not None, timeout=SLOW)
    load(STUDENT, TEACHER)
    bench.state.edit("cook", Document("the chef cooked a soup").with_mask(9, 15))
    view = answered(running, qtbot, "soft_targets")
    assert view.result.model.id == STUDENT
    view.bar.fields["distillation_losses.swapped"].click()
    view = answered(running, qtbot, "soft_targets", lambda v: v.result.model.id == TEACHER)
    taught = newest(paths, "soft_targets")
    assert played(taught) == {"teacher": TEACHER, "student": STUDENT}

    # The other way round in the slots, the run comes back with the same roles.
    load(TEACHER, STUDENT)
    view = answered(running, qtbot, "soft_targets", lambda v: v.result.model.id == STUDENT)
    running.window.commands.restore_run(taught.summary.id)
    qtbot.waitUntil(lambda: bench.state.run_id == taught.summary.id, timeout=SLOW)
    assert view.result.model.id == TEACHER
    assert not view.bar.fields["distillation_losses.swapped"].isChecked()
    said = ("Teacher (A): BERT miniature", "Student (B): DistilBERT miniature")
    assert shown_pair(view.shown()).said == said
    with qtbot.waitSignal(bench.asking.replayed, timeout=SLOW) as told:
        bench.asking.run_again()
    then, now = told.args
    assert then.summary.id == taught.summary.id
    assert now.models == taught.models
    qtbot.waitUntil(
        lambda: any("The same answer" in text for text in running.window.notices.texts),
        timeout=SLOW,
    )
    # What is edited from there on is asked of the same roles.
    view = answered(running, qtbot, "soft_targets")
    bench.state.edit("a dish", Document("the chef cooked a dish").with_mask(9, 15))
    qtbot.waitUntil(
        lambda: newest(paths, "soft_targets").document.text == "the chef cooked a dish",
        timeout=SLOW,
    )
    assert played(newest(paths, "soft_targets")) == {"teacher": TEACHER, "student": STUDENT}

    # A discriminator in B.
    load(FILLER, JUDGE)
    answered(running, qtbot, "replaced_tokens", lambda v: v.result.other is not None)
    judged = newest(paths, "replaced_tokens")
    assert played(judged) == {"discriminator": JUDGE, "generator": FILLER}
    profile = str(paths.sessions.parents[1])
    for run in (taught, judged):
        words = ["--profile", profile, "--device", "cpu", "sessions", "replay", run.summary.id]
        assert main([*words, "--json"]) == 0
        told = json.loads(capsys.readouterr().out)
        assert told["same"], told
        again = SessionReader(paths.sessions).run(told["replayed_as"])
        assert played(again) == played(run)

    # A pair that is gone is named by what it did, and nobody else is asked instead.
    running.window.commands.restore_run(taught.summary.id)
    qtbot.waitUntil(lambda: bench.state.run_id == taught.summary.id, timeout=SLOW)
    (said,) = [text for text in running.window.notices.texts if "answer of" in text]
    assert f"{TEACHER} as the teacher and {STUDENT} as the student" in said
    running.window.view_area.bring_forward("soft_targets")
    asker = bench.asking.askers["soft_targets"]
    bench.asking.run_again()
    assert bench.state.run_id == taught.summary.id
    assert asker.is_idle
    assert f"{TEACHER} as the teacher and {STUDENT} as the student" in asker.frame.bar.label.text()
