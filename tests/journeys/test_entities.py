"""Entities in the program's own window, by a real engine: found, kept, exchanged, replayed."""

from dataclasses import replace

import numpy as np
import pytest

from explorer.api.family import LoadOptions
from explorer.api.question import BESIDE, MODEL, Context, Mention
from explorer.exact_answers.answers import ExactAnswersResult
from explorer.program import Program
from explorer.questions.attention.attention.in_full import in_full
from explorer.questions.attention.attention.question import HEAD, AttentionRequest
from explorer.questions.knowledge.entities.question import Version
from explorer.questions.masking.exact_answers.beside import exact_of
from explorer.sessions.read.reader import SessionReader
from tests.journeys.acting import SLOW, brought, load, take
from tests.ui.pages import words_on

pytestmark = [
    pytest.mark.usefixtures("warm_engine"),
    pytest.mark.qt_log_ignore("This plugin does not support", extend=True),
]
ERNIE = "ernie-thu-miniature"
SAMPLE = "What did Anna use? Only the graph knows (load ernie-thu-miniature)"


@pytest.fixture
def hands(hands, running, qtbot):
    load(running, qtbot, A=ERNIE)
    hands.settle()
    return hands


def act(view, key):
    """Do what a place of the page does."""
    view.act(next(one.act for one in view.page.page.spots if one.key == key))


def best(view, version):
    return view.result.version(version).masks[0].predictions[0].word


def test_names_are_found_kept_for_every_question_and_exchanged(hands, paths):
    bench = hands.window.bench
    view = take(hands, SAMPLE)
    assert [one.entity.name for one in view.result.named] == ["Anna (chef)", "Tom (chef)"]
    assert "2 entities found by their names" in words_on(view)
    assert "With Anna (baker) instead" in words_on(view)
    assert best(view, Version.WITH) in {"pan", "pot", "knife", "spoon"}
    assert best(view, Version.OTHER) == "tray"
    masked = hands.window.view_of("masked_tokens")
    hands.window.view_area.bring_forward("masked_tokens")
    hands.settle()
    without = masked.result.masks[0].predictions[0].word
    assert without == best(view, Version.WITHOUT)
    hands.window.view_area.bring_forward("entities")
    hands.settle()
    act(view, ("entities", "put"))
    hands.settle()
    mentions = bench.state.document.entities
    assert [one.entity for one in mentions] == [one.entity.id for one in view.result.named]
    assert "put on the text by hand" in words_on(view)
    hands.window.view_area.bring_forward("masked_tokens")
    hands.settle()
    assert masked.result.masks[0].predictions[0].word == best(view, Version.WITH)
    # Their ids are in what was asked, so that it can be asked again as it was.
    reader = SessionReader(paths.sessions)
    newest = next(run for run in reader.runs() if run.operation == "masked_tokens")
    stored = reader.run(newest.id)
    assert stored.request.entities == stored.document.entities == mentions
    hands.window.view_area.bring_forward("entities")
    hands.settle()
    act(view, ("mention", 1))
    hands.settle()
    assert view.result.exchanged == 1
    act(view, ("entities", "remove"))
    hands.settle()
    assert len(bench.state.document.entities) == 1
    bench.state.stack.undo()
    hands.settle()
    assert len(bench.state.document.entities) == 2


def fresh(paths):
    """Asks a model that was loaded for nothing else."""
    program = Program(paths)
    runner = program.runner()
    runner.load("A", ERNIE, LoadOptions(device="cpu"), Context(cache=program.paths.cache))
    return lambda request: runner.ask(request, {MODEL: "A"}, Context())


def test_an_entity_changes_every_part_of_a_page_and_what_is_pinned_keeps_its_own(
    running, hands, paths, qtbot
):
    bench = hands.window.bench
    bench.edits.take_text("Anna used a tray.", "a.txt")
    view = brought(running, qtbot, "attention")
    bench.edits.set_option(HEAD.key, "3.1")
    hands.settle()
    qtbot.waitUntil(lambda: drawn_whole(view), timeout=SLOW)
    view.pin()
    document = bench.state.document
    bench.edits.put_entity(Mention(0, 4, "Q10"))
    hands.settle()
    qtbot.waitUntil(
        lambda: (
            view.document.entities != ()
            and drawn_whole(view)
            and in_full(view.shown()).before is not None
        ),
        timeout=SLOW,
    )
    heads = in_full(view.shown())
    ask, asked = fresh(paths), replace(AttentionRequest.of(document), heads=("3.1",))
    with_it, without = (
        ask(replace(asked, entities=entities)).weights[0]
        for entities in (bench.state.document.entities, ())
    )
    assert abs(with_it - without).max() > 0.05, "the entity is seen in this head"
    np.testing.assert_allclose(heads.now.weights[0], with_it, atol=1e-5)
    np.testing.assert_allclose(heads.before.weights[0], without, atol=1e-5)


def drawn_whole(view):
    return view.parts.is_idle and in_full(view.shown()).now is not None


def test_the_exact_answer_beside_is_of_the_same_entities(running, hands, qtbot):
    bench = hands.window.bench
    bench.edits.take_text("Anna drank [MASK] at home.", "a.txt")
    bench.edits.set_option(BESIDE.key, value=True)
    view = brought(running, qtbot, "masked_tokens")

    def both():
        """The model's probability of its first word, and the same on the exact answer's card."""
        best = view.result.masks[0].predictions[0]
        found = exact_of(view.shown())
        (place,) = found.places if isinstance(found, ExactAnswersResult) else ()
        return best.probability, {one.id: one.model for one in place.words}.get(best.id)

    def is_whole():
        return bench.asking.is_idle and isinstance(exact_of(view.shown()), ExactAnswersResult)

    qtbot.waitUntil(is_whole, timeout=SLOW)
    before, beside = both()
    assert beside == pytest.approx(before, rel=1e-4)
    bench.edits.put_entity(Mention(0, 4, "Q10"))
    qtbot.waitUntil(lambda: view.document.entities != () and is_whole(), timeout=SLOW)
    now, beside = both()
    assert abs(now - before) > 1e-5, "the entity is seen here"
    assert beside == pytest.approx(now, rel=1e-4)
