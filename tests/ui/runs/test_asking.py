"""The window asks when something changes, and shows an answer once it is on record."""

from dataclasses import replace

import pytest

from explorer.api.question import Blame, Failure
from explorer.questions.masking.masked_tokens.question import MaskedTokensRequest
from explorer.samples.samples import first_sample
from explorer.sessions.read.reader import SessionReader
from explorer.settings import Settings
from explorer.ui.views.frame.view_frame import FrameState
from tests.ui.fake_engine import MINIATURE, VERSIONS
from tests.ui.page_tree import tip

LANE = "view:masked_tokens"


@pytest.fixture
def asker(running):
    return running.bench.asking.askers["masked_tokens"]


def shown(asker, text):
    return (
        asker.frame.state is FrameState.RESULT
        and asker.view.document is not None
        and asker.view.document.text == text
    )


def test_a_first_start_shows_predictions_that_are_in_the_log(running, asker, engine, paths):
    assert asker.frame.state is FrameState.RESULT
    assert asker.view.document == first_sample().document()
    (run,) = SessionReader(paths.sessions).runs()
    stored = SessionReader(paths.sessions).run(run.id)
    assert stored.result == asker.view.result
    assert stored.document == first_sample().document()
    assert stored.versions == VERSIONS
    assert stored.summary.duration == 0.012
    assert stored.model == running.bench.models.cards["A"].stamp


def test_the_answer_is_shown_only_once_it_is_on_disk(running, asker, qtbot, monkeypatch):
    waiting = []
    monkeypatch.setattr(
        running.bench.recording._log, "record", lambda _run, told: waiting.append(told) or "01R"
    )
    running.bench.edits.toggle_mask(4, 8, 0)
    qtbot.waitUntil(lambda: len(waiting) == 1)
    assert asker.frame.state is FrameState.WORKING
    waiting[0](None)
    qtbot.waitUntil(lambda: asker.frame.state is FrameState.RESULT)


def test_a_slow_disk_does_not_hold_an_answer_back_for_ever(running, asker, qtbot, monkeypatch):
    monkeypatch.setattr("explorer.ui.runs.recording.PATIENCE_MS", 20)
    monkeypatch.setattr(running.bench.recording._log, "record", lambda _run, _told: "01R")
    running.bench.edits.toggle_mask(4, 8, 0)
    qtbot.waitUntil(lambda: asker.view.document.is_masked(4, 8))


def test_typing_is_asked_once_it_pauses_and_a_click_at_once(running, asker, engine, qtbot):
    before = len(engine.requests(MaskedTokensRequest))
    asker.typing_pause_ms = 60
    for end in range(1, 5):
        running.bench.edits.type_text(first_sample().text + " now"[:end], 0)
    assert len(engine.requests(MaskedTokensRequest)) == before
    assert not asker.is_idle
    qtbot.waitUntil(lambda: shown(asker, first_sample().text + " now"))
    assert len(engine.requests(MaskedTokensRequest)) == before + 1
    running.bench.edits.toggle_mask(4, 8, 0)
    assert asker._timer.interval() == 0


def typed_on(running, asker, qtbot, words):
    """Type word by word, and see every answer; gives the whole text."""
    text = first_sample().text
    for word in words:
        text += f" {word}"
        running.bench.edits.type_text(text, 0)
        qtbot.waitUntil(lambda text=text: shown(asker, text))
    return text


def logged(paths):
    return [run.text for run in reversed(SessionReader(paths.sessions).runs())]


def test_a_text_that_is_typed_on_leaves_one_run_and_no_half_of_itself(running, asker, qtbot, paths):
    asker.half_typed.brief = 1e9
    whole = typed_on(running, asker, qtbot, ("and", "the", "soup"))
    qtbot.waitUntil(lambda: logged(paths) == [first_sample().text, whole])
    # A mask is no letter: what was asked before it stays.
    running.bench.edits.toggle_mask(4, 8, 0)
    qtbot.waitUntil(lambda: logged(paths) == [first_sample().text, whole, whole])


def test_what_was_looked_at_stays_in_the_log(running, asker, qtbot, paths):
    asker.half_typed.brief = 0.0
    typed_on(running, asker, qtbot, ("and", "the", "soup"))
    qtbot.waitUntil(lambda: len(logged(paths)) == 4)


def test_more_predictions_of_the_same_take_the_place_of_fewer_and_fewer_lose_none(
    running, asker, engine, qtbot, paths
):
    def kept():
        runs = SessionReader(paths.sessions).runs()
        return [SessionReader(paths.sessions).run(run.id).document.top_k for run in runs]

    usual = running.bench.state.document.top_k
    for more in (usual + 1, usual + 2):
        running.bench.edits.set_option("top_k", more)
        qtbot.waitUntil(lambda more=more: kept() == [more])
    running.bench.edits.set_option("top_k", 3)
    qtbot.waitUntil(lambda: kept() == [3, usual + 2])
    # What is another question is another run.
    running.bench.edits.toggle_mask(4, 8, 0)
    qtbot.waitUntil(lambda: kept() == [3, 3, usual + 2])


def test_a_newer_question_cancels_the_older_and_its_late_answer_is_not_shown(
    running, asker, engine, qtbot
):
    engine.held.add(LANE)
    running.bench.edits.toggle_mask(4, 8, 0)
    qtbot.waitUntil(lambda: LANE in engine.waiting)
    running.bench.edits.clear_masks()
    qtbot.waitUntil(lambda: LANE in engine.cancelled)
    assert asker.frame.state is FrameState.EMPTY
    running.bench.edits.toggle_mask(0, 3, 0)
    qtbot.waitUntil(lambda: LANE in engine.waiting)
    engine.release(LANE)
    qtbot.waitUntil(lambda: asker.frame.state is FrameState.RESULT)
    assert asker.view.document.masks == running.bench.state.document.masks


def test_undo_shows_the_earlier_answer_without_asking(running, asker, engine, qtbot):
    first = asker.view.result
    running.bench.edits.toggle_mask(4, 8, 0)
    qtbot.waitUntil(lambda: asker.view.document.is_masked(4, 8))
    asked = len(engine.requests(MaskedTokensRequest))
    running.bench.state.stack.undo()
    assert asker.view.result == first
    assert asker.frame.state is FrameState.RESULT
    assert len(engine.requests(MaskedTokensRequest)) == asked


def test_run_again_asks_the_same_question_once_more(running, asker, engine, qtbot):
    asked = len(engine.requests(MaskedTokensRequest))
    running.bench.asking.run_again()
    qtbot.waitUntil(lambda: len(engine.requests(MaskedTokensRequest)) == asked + 1)
    qtbot.waitUntil(lambda: asker.frame.state is FrameState.RESULT)


def test_a_failure_is_shown_logged_and_can_be_tried_again(running, asker, engine, qtbot, paths):
    engine.failures[LANE] = Failure(Blame.MACHINE, "Out of memory.", "Close something.")
    running.bench.edits.toggle_mask(4, 8, 0)
    qtbot.waitUntil(lambda: asker.frame.state is FrameState.FAILED)
    assert asker.frame.failed_page.sentence.text() == "Out of memory."
    assert SessionReader(paths.sessions).runs()[0].failed
    running.bench.models.changed.emit()
    assert asker.frame.state is FrameState.FAILED  # not asked again by itself
    engine.failures.clear()
    asker.frame.failed_page.retry.click()
    qtbot.waitUntil(lambda: asker.frame.state is FrameState.RESULT)


def test_a_refusal_is_shown_and_not_logged(running, asker, engine, qtbot, paths):
    before = logged(paths)
    engine.failures[LANE] = Failure(Blame.USER, "Nothing is masked.", "Click a word.")
    running.bench.edits.toggle_mask(4, 8, 0)
    qtbot.waitUntil(lambda: asker.frame.state is FrameState.FAILED)
    assert asker.frame.failed_page.sentence.text() == "Nothing is masked."
    engine.failures.clear()
    running.bench.edits.toggle_mask(9, 15, 0)
    qtbot.waitUntil(lambda: len(logged(paths)) == len(before) + 1)
    assert not SessionReader(paths.sessions).runs()[0].failed


def test_an_edit_back_to_what_failed_asks_again(running, asker, engine, qtbot):
    engine.failures[LANE] = Failure(Blame.MACHINE, "Out of memory.")
    running.bench.edits.toggle_mask(4, 8, 0)
    qtbot.waitUntil(lambda: asker.frame.state is FrameState.FAILED)
    engine.failures.clear()
    asker.typing_pause_ms = 10_000
    running.bench.edits.type_text(first_sample().text + "!", 0)
    running.bench.state.stack.undo()
    qtbot.waitUntil(lambda: shown(asker, first_sample().text))


def test_cancel_stops_and_says_so(running, asker, engine, qtbot):
    engine.held.add(LANE)
    running.bench.edits.toggle_mask(4, 8, 0)
    qtbot.waitUntil(lambda: LANE in engine.waiting)
    running.window.commands.cancel()
    qtbot.waitUntil(lambda: asker.frame.state is FrameState.STALE)
    assert "Cancelled" in asker.frame.bar.label.text()
    assert asker.is_idle
    engine.held.clear()
    asker.ask_again()
    qtbot.waitUntil(lambda: asker.frame.state is FrameState.RESULT)


def test_nothing_masked_is_empty_with_a_hint(running, asker):
    running.bench.edits.clear_masks()
    assert asker.frame.state is FrameState.EMPTY
    assert "mask" in asker.frame.empty_page.sentence.text()


def test_a_model_without_the_head_says_why(start, engine, qtbot):
    headless = replace(MINIATURE, operations=("tokens",))
    engine.catalogue = (headless,)
    running = start()
    frame = running.bench.asking.askers["masked_tokens"].frame
    assert frame.state is FrameState.UNAVAILABLE
    assert frame.unavailable_page.sentence.text() == "This checkpoint has no masked-LM head."


def test_why_a_model_does_not_answer_is_said_in_the_readers_language(start, engine, speak):
    speak("de", **{"This checkpoint has no masked-LM head.": "Der Kopf fehlt."})
    engine.catalogue = (replace(MINIATURE, operations=("tokens",)),)
    running = start()
    frame = running.bench.asking.askers["masked_tokens"].frame
    assert frame.state is FrameState.UNAVAILABLE
    assert frame.unavailable_page.sentence.text() == "Der Kopf fehlt."
    assert tip(running.window, "masked_tokens").endswith("Der Kopf fehlt.")


def test_without_a_model_the_view_says_so_and_while_it_loads_what_it_does(start, engine, qtbot):
    engine.held.add("load:")
    running = start(wait=False)
    asker = running.bench.asking.askers["masked_tokens"]
    qtbot.waitUntil(lambda: "A" in running.bench.models.loading)
    engine.progress("load:A", "Reading weights", 1, 4)
    qtbot.waitUntil(lambda: asker.frame.state is FrameState.WORKING)
    qtbot.waitUntil(lambda: "Reading weights" in asker.frame.working_page.sentence.text())
    asker.frame.cancel_requested.emit()
    qtbot.waitUntil(lambda: asker.frame.state is FrameState.EMPTY)
    assert "Load a model" in asker.frame.empty_page.sentence.text()


def test_a_hidden_view_asks_nothing_until_it_is_seen(running, engine, qtbot):
    area = running.window.view_area
    assert "tokens" not in running.bench.asking.askers
    area.bring_forward("tokens")
    tokens = running.bench.asking.askers["tokens"]
    qtbot.waitUntil(lambda: tokens.frame.state is FrameState.RESULT)
    asked = len(engine.requests(MaskedTokensRequest))
    running.bench.edits.toggle_mask(4, 8, 0)
    qtbot.waitUntil(lambda: running.bench.asking.is_idle)
    assert len(engine.requests(MaskedTokensRequest)) == asked


def test_after_the_engine_died_a_view_offers_to_ask_again(running, asker, engine, qtbot):
    engine.held.add(LANE)
    running.bench.edits.toggle_mask(4, 8, 0)
    qtbot.waitUntil(lambda: LANE in engine.waiting)
    engine.held.clear()
    engine.die("The engine ran out of memory.")
    qtbot.waitUntil(lambda: asker.frame.state is FrameState.FAILED)
    assert asker.frame.failed_page.sentence.text() == "The engine ran out of memory."
    assert running.window.notices.texts == ("The engine ran out of memory.",)
    qtbot.waitUntil(lambda: not running.bench.models.loading)
    bar = running.window.notices.findChild(object, "notice_action_0")
    assert bar.text() == "Ask again"
    bar.click()
    qtbot.waitUntil(lambda: asker.frame.state is FrameState.RESULT)
    assert running.window.notices.texts == ()


def test_an_engine_that_stays_dead_can_be_started(running, asker, engine, qtbot):
    engine.die("It ended at once.", restarting=False)
    qtbot.waitUntil(lambda: running.bench.models.cards == {})
    assert asker.frame.state is FrameState.EMPTY
    running.window.notices.findChild(object, "notice_action_0").click()
    assert engine.restarts == 1


def test_the_other_loaded_model_can_answer(running, asker, engine, qtbot):
    bench = running.bench
    bench.actions.load(bench.checkpoints.find("google-bert/bert-base-uncased"), "B")
    qtbot.waitUntil(lambda: "B" in bench.models.cards)
    bar = running.window.model_bar
    bar.slots["B"].click()
    qtbot.waitUntil(lambda: asker.view.result.model.id == "google-bert/bert-base-uncased")
    assert engine.calls[-1].request.models == {"model": "B"}
    bench.models.unload("B")
    assert bench.models.active == "A"
    assert not bar.other.isEnabled()


def test_without_a_log_answers_are_shown_at_once(start, engine, paths):
    running = start(Settings(log_enabled=False))
    assert running.bench.asking.askers["masked_tokens"].frame.state is FrameState.RESULT
    assert not running.bench.recording.is_on
    assert SessionReader(paths.sessions).runs() == []


def test_a_log_that_fails_is_a_notice_and_answers_still_come(start, paths, qtbot):
    paths.sessions.parent.mkdir(parents=True)
    paths.sessions.mkdir()  # no database can be opened here
    running = start()
    assert running.bench.asking.askers["masked_tokens"].frame.state is FrameState.RESULT
    qtbot.waitUntil(lambda: any("log" in text for text in running.window.notices.texts))


def test_options_of_a_view_are_steps(running, asker, engine, qtbot):
    asker.view.option_changed.emit("top_k", 5)
    qtbot.waitUntil(lambda: len(asker.view.result.masks[0].predictions) == 5)
    assert running.bench.state.stack.undoText() == "show 5 predictions"
