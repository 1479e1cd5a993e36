"""An answer from the log is told from a new one on its page."""

import re
from pathlib import Path

import pytest
from PySide6.QtCore import Qt

from explorer.questions.masking.masked_tokens.question import MaskedTokensRequest
from explorer.sessions.read.reader import SessionReader
from explorer.ui.notices.wording import when
from explorer.ui.runs.logged import from_the_log
from explorer.ui.views.frame.view_frame import FrameState
from tests.ui.pages import mask_cards

LEFT = Qt.MouseButton.LeftButton
OLD = Path(__file__).parents[2] / "stored_runs" / "two-models-schema-2.db"


@pytest.fixture
def frame(running):
    return running.window.view_area.frames["masked_tokens"]


@pytest.fixture
def bring_back(running, paths, qtbot):
    """Brings back a run: 0 is the latest."""

    def bring(number=0):
        state = running.bench.state
        qtbot.waitUntil(lambda: running.window.log.model.rowCount() > number)
        run = SessionReader(paths.sessions).runs()[number]
        running.window.commands.restore_run(run.id)
        qtbot.waitUntil(lambda: state.run_id == run.id)
        return run

    return bring


def test_it_says_when_it_was_given_and_by_whom(running, frame, bring_back):
    assert not frame.log_bar.isVisible()
    run = bring_back()
    assert frame.state is FrameState.RESULT
    assert frame.log_bar.isVisible()
    said = f"From the log: {when(run.created_at)}, BERT miniature"
    assert frame.log_bar.label.text() == said
    # And a screen reader hears it of the page.
    assert frame.accessibleDescription() == said


def test_it_is_asked_anew_by_its_button(running, frame, bring_back, engine, qtbot):
    bring_back()
    asked = len(engine.requests(MaskedTokensRequest))
    qtbot.mouseClick(frame.log_bar.button, LEFT)
    qtbot.waitUntil(lambda: len(engine.requests(MaskedTokensRequest)) == asked + 1)
    qtbot.waitUntil(lambda: running.bench.asking.is_idle)
    assert frame.state is FrameState.RESULT
    assert not frame.log_bar.isVisible()


def test_it_stays_said_until_another_answer_has_come(running, frame, bring_back, engine, qtbot):
    bring_back()
    engine.held.add("view:masked_tokens")
    running.bench.edits.type_text("the dog cooked the meal in the kitchen.", 0)
    qtbot.waitUntil(lambda: "view:masked_tokens" in engine.waiting)
    assert frame.log_bar.isVisible()
    engine.release("view:masked_tokens")
    qtbot.waitUntil(lambda: frame.state is FrameState.RESULT)
    assert not frame.log_bar.isVisible()


def test_a_new_answer_is_none_from_the_log(running, frame, bring_back, qtbot):
    bring_back()
    running.bench.edits.toggle_mask(4, 8, 0)
    qtbot.waitUntil(lambda: running.bench.asking.is_idle)
    assert not frame.log_bar.isVisible()
    running.bench.state.stack.undo()
    assert frame.log_bar.isVisible()
    running.bench.edits.clear_masks()
    assert frame.state is FrameState.EMPTY
    assert not frame.log_bar.isVisible()


def test_another_language_says_so_too(running, bring_back, qtbot):
    bring_back()
    before = running.window
    before.language_wanted.emit("en_XA")
    qtbot.waitUntil(lambda: running.window is not before)
    qtbot.waitExposed(running.window)
    bar = running.window.view_area.frames["masked_tokens"].log_bar
    qtbot.waitUntil(bar.isVisible)
    assert "BERT miniature" in bar.label.text()
    assert "\u27e6" in bar.label.text()


def test_of_an_older_day_the_date_is_said_and_of_two_models_what_they_did():
    runs = [run for run in SessionReader(OLD).runs() if run.operation == "soft_targets"]
    stored = SessionReader(OLD).run(runs[0].id)
    said = from_the_log(stored, lambda stamp: stamp.id.upper())
    assert re.search(r": \d\d [A-Z][a-z]{2} (\d{4}|\d\d:\d\d), ", said)
    teacher, student = (one.id.upper() for one in stored.models.values())
    assert said.endswith(f"{teacher} as the teacher and {student} as the student")


def test_words_that_the_pinned_answer_does_not_keep_are_not_called_new(
    running, frame, bring_back, qtbot
):
    """The pinned one has five, and the log's has ten: of the other five nobody knows."""
    bench = running.bench
    bench.edits.set_option("top_k", 5)
    qtbot.waitUntil(lambda: bench.asking.is_idle)
    running.window.view_of("masked_tokens").pin()
    bring_back(1)
    (card,) = mask_cards(running.window.view_of("masked_tokens")).values()
    assert len(card.rows) == 10
    assert card.changes[5:] == ["not kept"] * 5
    assert "not kept" not in card.changes[:5]
    assert "new" not in card.changes
    assert "keeps only its 5 likeliest words" in card.rows[7].words
