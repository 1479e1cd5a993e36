"""A teacher in B, a discriminator in B: real window, real engine, and asked again elsewhere."""

import json

import pytest

from explorer.cli import main
from explorer.document import Document
from explorer.sessions.read.reader import SessionReader
from explorer.ui.blocks.legend import Legend
from tests.journeys.acting import SLOW, brought, load, newest

pytestmark = pytest.mark.usefixtures("warm_engine")

TEACHER, STUDENT = "bert-miniature", "distilbert-miniature"
JUDGE, FILLER = "electra-miniature-discriminator", "electra-miniature-generator"


def played(run):
    return {role: stamp.id for role, stamp in run.models.items()}


def test_who_played_which_role_plays_it_again(running, qtbot, paths, capsys):
    bench = running.bench
    qtbot.waitUntil(lambda: bench.checkpoints.find(TEACHER) is not None, timeout=SLOW)
    load(running, qtbot, A=STUDENT, B=TEACHER)
    bench.state.edit("cook", Document("the chef cooked a soup").with_mask(9, 15))
    view = brought(running, qtbot, "soft_targets")
    assert view.result.model.id == STUDENT
    view.bar.fields["distillation_losses.swapped"].click()
    view = brought(running, qtbot, "soft_targets", lambda v: v.result.model.id == TEACHER)
    taught = newest(paths, "soft_targets")
    assert played(taught) == {"teacher": TEACHER, "student": STUDENT}

    # The other way round in the slots, the run comes back with the same roles.
    load(running, qtbot, A=TEACHER, B=STUDENT)
    view = brought(running, qtbot, "soft_targets", lambda v: v.result.model.id == STUDENT)
    running.window.commands.restore_run(taught.summary.id)
    qtbot.waitUntil(lambda: bench.state.run_id == taught.summary.id, timeout=SLOW)
    assert view.result.model.id == TEACHER
    assert not view.bar.fields["distillation_losses.swapped"].isChecked()
    said = ("Teacher (A): BERT miniature", "Student (B): DistilBERT miniature")
    (legend,) = [b for b in view.declared.blocks(view.shown()) if isinstance(b, Legend)]
    assert tuple(words for words, _colour in legend.entries) == said
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
    view = brought(running, qtbot, "soft_targets")
    bench.state.edit("a dish", Document("the chef cooked a dish").with_mask(9, 15))
    qtbot.waitUntil(
        lambda: newest(paths, "soft_targets").document.text == "the chef cooked a dish",
        timeout=SLOW,
    )
    assert played(newest(paths, "soft_targets")) == {"teacher": TEACHER, "student": STUDENT}

    # A discriminator in B.
    load(running, qtbot, A=FILLER, B=JUDGE)
    brought(running, qtbot, "replaced_tokens", lambda v: v.result.other is not None)
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
    titled = "BERT miniature as the teacher and DistilBERT miniature as the student"
    assert titled in said
    running.window.view_area.bring_forward("soft_targets")
    asker = bench.asking.askers["soft_targets"]
    bench.asking.run_again()
    assert bench.state.run_id == taught.summary.id
    assert asker.is_idle
    assert titled in asker.frame.bar.label.text()

    # One button loads what is missing, where it was, and asks.
    assert asker.frame.bar.way.text() == (
        "Load BERT miniature and DistilBERT miniature, and ask again"
    )
    with qtbot.waitSignal(bench.asking.replayed, timeout=SLOW) as told:
        asker.frame.bar.way.click()
    assert told.args[1].models == taught.models
    held = {slot: card.stamp.id for slot, card in bench.models.cards.items()}
    assert held == {"A": TEACHER, "B": STUDENT}
