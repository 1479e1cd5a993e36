"""Claims of the exact answers that a page lays beside its own."""

import pytest
from PySide6.QtTest import QTest

from explorer.api.question import BESIDE, Blame, Failure
from explorer.exact_answers.answers import ExactAnswersResult, ExactPlace, ExactWord
from explorer.exact_answers.asking import ExactAnswersRequest
from explorer.ui.lectures.claims.verdict import Verdict
from tests.lectures.scene_texts import one_mask
from tests.ui.lectures.panel.scenes import KEY, click, said, shows

REST = """options = {{ "exact_answers.beside" = {switch} }}
claims = ["{claim}"]
[steps.en]
claim = "What the model is sure of can be in its world."
[[steps]]
claims = ["exact_answers[0].places == before.exact_answers[0].places"]
[steps.en]
claim = "It is asked of words once more."
"""
SCENE = 'chapter = "masks"\n' + one_mask(
    "The model and its world", "The gardener dug the garden.", "dug", REST
)
ASK = """options = { "exact_answers.beside" = true }
[steps.ask]
kind = "number"
answer = "100 * exact_answers[0].places[0].words[0].exact"
[steps.ask.en]
question = "How likely is the word in this world, in per cent?"
"""
"""No claim names them, so that nothing is judged when they come."""
CLAIM = "exact_answers[0].places[0].words[0].exact > masks[0].predictions[0].probability"


@pytest.fixture
def folder(folder):
    """The lecture, and in it a scene whose claims need the exact answers."""
    for name, switch in (("exact", "true"), ("off", "false")):
        text = SCENE.format(switch=switch, claim=CLAIM)
        (folder / f"{name}.toml").write_text(text, "utf-8")
    asked = one_mask("A question", "The gardener dug the garden.", "dug", ASK)
    (folder / "asked.toml").write_text(f'chapter = "masks"\n{asked}', "utf-8")
    return folder


@pytest.fixture
def engine(engine):
    """An engine whose exact answer is that "cooked" has 0.75."""
    word = ExactWord("cooked", 1, "cooked", exact=0.75, model=0.5, rank=1)
    engine.answers[ExactAnswersRequest] = lambda _request, card: ExactAnswersResult(
        card.stamp, (), (ExactPlace(2, (word,), 0.5, 0.1),)
    )
    return engine


def verdict(window, wanted):
    return lambda: window.lecture_actions.lecturing.told.verdict is wanted


def test_it_is_judged_with_what_is_laid_beside_the_answer(window, qtbot):
    click(window, "exact")
    qtbot.waitUntil(verdict(window, Verdict.HOLDS))
    assert "places[0].words[0].exact = 0.75" in window.lecture_actions.lecturing.told.values
    # The step before has its own beside it.
    QTest.keyClick(window, KEY.Key_PageDown)
    qtbot.waitUntil(verdict(window, Verdict.HOLDS))


def test_it_waits_until_that_has_come(window, running, engine, qtbot):
    lane = "detail:masked_tokens:exact-answers"
    engine.held = {lane}
    click(window, "exact")
    qtbot.waitUntil(shows(running, "The gardener dug the garden."))
    qtbot.waitUntil(lambda: lane in engine.waiting)
    assert verdict(window, Verdict.WAITING)()
    engine.release(lane)
    qtbot.waitUntil(verdict(window, Verdict.HOLDS))


def test_a_question_of_them_waits_until_they_have_come(window, running, engine, qtbot):
    lane = "detail:masked_tokens:exact-answers"
    engine.held = {lane}
    click(window, "asked")
    asking = window.lectures.card.asking
    qtbot.waitUntil(shows(running, "The gardener dug the garden."))
    qtbot.waitUntil(lambda: lane in engine.waiting)
    assert (asking.live, asking.problem) == (None, "")
    engine.release(lane)
    qtbot.waitUntil(lambda: asking.live is not None or bool(asking.problem))
    assert (asking.live, asking.problem) == (75, "")
    # Whoever has changed the page reads no expression.
    running.bench.edits.set_option(BESIDE.key, False)
    qtbot.waitUntil(lambda: asking.problem.startswith("The page as it is now doesn't say"))
    running.bench.edits.set_option(BESIDE.key, True)
    qtbot.waitUntil(lambda: (asking.live, asking.problem) == (75, ""))


def test_without_the_switch_it_is_said_which_one_to_turn_on(window, running, qtbot):
    click(window, "off")
    qtbot.waitUntil(verdict(window, Verdict.UNKNOWN))
    assert said(window, "claim_why").endswith(
        "can't be judged: it needs the exact answers: switch on “Exact answers”."
    )
    running.bench.edits.set_option(BESIDE.key, True)
    qtbot.waitUntil(verdict(window, Verdict.HOLDS))
    running.bench.edits.set_option(BESIDE.key, False)
    qtbot.waitUntil(verdict(window, Verdict.UNKNOWN))


def test_why_there_is_none_is_said(window, engine, qtbot):
    engine.failures = {"detail:": Failure(Blame.USER, "The text is not of the world.", "")}
    click(window, "exact")
    qtbot.waitUntil(verdict(window, Verdict.UNKNOWN))
    assert "there is no exact answer (The text is not of the world.)" in said(window, "claim_why")
