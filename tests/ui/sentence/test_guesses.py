"""The word under a masked token is the first guess of the model and the text that are shown."""

from dataclasses import replace

import pytest
from PySide6.QtCore import Qt

from explorer.api.family import LoadOptions
from explorer.questions.masking.masked_tokens.question import MaskedTokensRequest
from explorer.samples.samples import first_sample
from explorer.ui.session_log.table import TIME
from tests.ui.fake_engine import CACHED, MINIATURE, answer_of

LEFT = Qt.MouseButton.LeftButton
DETECTOR = replace(CACHED, id="electra", title="ELECTRA", operations=("tokens",))


def guessed(request, card):
    """The first word tells who answered, and what was masked."""
    answer = answer_of(request, card)
    word = f"{card.stamp.id[:4]}{len(answer.masks)}"
    return replace(
        answer,
        masks=tuple(
            replace(m, predictions=(replace(m.predictions[0], word=word), *m.predictions[1:]))
            for m in answer.masks
        ),
    )


@pytest.fixture
def running(engine, start):
    engine.answers[MaskedTokensRequest] = guessed
    engine.catalogue = (MINIATURE, CACHED, DETECTOR)
    return start()


def words_under_masks(running):
    strip = running.window.sentence.strip
    return {strip.pieces[index].text: word for index, word in strip.notes.items()}


def is_settled(running):
    return running.bench.asking.is_idle


def load(running, qtbot, checkpoint):
    running.bench.models.load("A", checkpoint.id, checkpoint.title, LoadOptions())
    qtbot.waitUntil(lambda: running.bench.models.active_card.stamp.id == checkpoint.id)
    qtbot.waitUntil(lambda: is_settled(running))


def click_token(running, qtbot, text):
    strip = running.window.sentence.strip
    index = next(i for i, p in enumerate(strip.pieces) if p.text == text)
    qtbot.mouseClick(strip, LEFT, pos=strip.box_of(index).center().toPoint())
    qtbot.waitUntil(lambda: is_settled(running))


def test_a_model_that_predicts_nothing_has_no_other_models_word(running, qtbot):
    assert words_under_masks(running) == {"cooked": "bert1"}
    load(running, qtbot, DETECTOR)
    assert words_under_masks(running) == {}
    load(running, qtbot, CACHED)
    assert words_under_masks(running) == {"cooked": "goog1"}


def test_undo_and_redo_bring_the_words_of_then(running, qtbot):
    click_token(running, qtbot, "chef")
    assert words_under_masks(running) == {"chef": "bert2", "cooked": "bert2"}
    running.bench.state.stack.undo()
    qtbot.waitUntil(lambda: words_under_masks(running) == {"cooked": "bert1"})
    running.bench.state.stack.redo()
    qtbot.waitUntil(lambda: words_under_masks(running) == {"chef": "bert2", "cooked": "bert2"})


def test_a_second_text_that_is_taken_away_leaves_the_word(running, qtbot):
    running.window.sentence.set_pair(True)
    qtbot.keyClicks(running.window.sentence.editors[1], "a b")
    qtbot.waitUntil(lambda: is_settled(running))
    running.window.sentence.set_pair(False)
    qtbot.waitUntil(lambda: is_settled(running))
    assert words_under_masks(running) == {"cooked": "bert1"}


def test_a_run_brought_back_from_the_log_has_its_words(running, qtbot):
    running.window.sentence.editors[0].setFocus()
    running.bench.edits.type_text("the old man had fish", 0)
    qtbot.waitUntil(lambda: is_settled(running))
    assert words_under_masks(running) == {}
    log = running.window.log
    running.window.focus_log()
    qtbot.waitUntil(lambda: log.model.rowCount() >= 1)
    first = log.model.index(log.model.rowCount() - 1, TIME)
    place = log.table.visualRect(first).center()
    qtbot.mouseClick(log.table.viewport(), LEFT, pos=place)
    qtbot.mouseDClick(log.table.viewport(), LEFT, pos=place)
    qtbot.waitUntil(lambda: running.bench.state.document == first_sample().document())
    qtbot.waitUntil(lambda: words_under_masks(running) == {"cooked": "bert1"})


def test_with_the_answer_out_of_sight_other_masks_have_no_words(running, qtbot):
    running.window.view_area.bring_forward("tokens")
    qtbot.waitUntil(lambda: is_settled(running))
    click_token(running, qtbot, "chef")
    assert words_under_masks(running) == {}


def test_words_stay_until_those_of_the_next_answer(running, engine, qtbot):
    engine.held.add("view:masked_tokens")
    strip = running.window.sentence.strip
    high = strip.height()
    index = next(i for i, p in enumerate(strip.pieces) if p.text == "meal")
    qtbot.mouseClick(strip, LEFT, pos=strip.box_of(index).center().toPoint())
    qtbot.waitUntil(lambda: "view:masked_tokens" in engine.waiting)
    qtbot.waitUntil(lambda: running.bench.asking.tokenising.is_idle)
    assert words_under_masks(running) == {"cooked": "bert1"}
    assert strip.height() == high
    engine.release("view:masked_tokens")
    qtbot.waitUntil(lambda: words_under_masks(running) == {"cooked": "bert2", "meal": "bert2"})


def test_a_word_that_comes_moves_nothing(running, engine, qtbot):
    engine.held.add("view:masked_tokens")
    running.bench.edits.take_text("a chef had soup [MASK]", "")
    qtbot.waitUntil(lambda: "view:masked_tokens" in engine.waiting)
    qtbot.waitUntil(lambda: running.bench.asking.tokenising.is_idle)
    assert words_under_masks(running) == {}
    strip = running.window.sentence.strip
    before = strip.heightForWidth(strip.width())
    engine.release("view:masked_tokens")
    qtbot.waitUntil(lambda: words_under_masks(running) != {})
    assert strip.heightForWidth(strip.width()) == before


def test_a_page_that_guesses_nothing_leaves_no_empty_line_below_masks(running, qtbot):
    window, strip = running.window, running.window.sentence.strip
    with_guess = strip.height()
    window.view_area.bring_forward("tokens")
    qtbot.waitUntil(lambda: is_settled(running))
    assert words_under_masks(running) == {"cooked": "bert1"}, "the same text has them still"
    click_token(running, qtbot, "chef")
    assert words_under_masks(running) == {}
    qtbot.waitUntil(lambda: strip.height() < with_guess)
    # Where they come, there is room for them before they do.
    window.view_area.bring_forward("masked_tokens")
    qtbot.waitUntil(lambda: strip.height() == with_guess)
    qtbot.waitUntil(lambda: words_under_masks(running) == {"chef": "bert2", "cooked": "bert2"})
