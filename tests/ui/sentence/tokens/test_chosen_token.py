"""The chosen token is a place in the text: ring and details stay on its word, or go with it."""

from dataclasses import replace

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QTextCursor

from explorer.api.family import LoadOptions
from explorer.questions.tokenizers.tokens.question import TokensRequest
from tests.ui.fake_engine import CACHED, MINIATURE, answer_of

LEFT = Qt.MouseButton.LeftButton
CAUSAL = replace(CACHED, id="gpt2", title="GPT-2")


def tokens(request, card):
    """A model that reads from the left adds nothing, but for what begins a masked first word."""
    answer = answer_of(request, card)
    if card.stamp.id != CAUSAL.id:
        return answer
    own = tuple(
        replace(one, id=-1 if one.masked else one.id) for one in answer.tokens if not one.special
    )
    if own and own[0].masked:
        own = (replace(answer.tokens[0], text="<|endoftext|>"), *own)
    return replace(answer, tokens=own)


@pytest.fixture
def running(engine, start):
    engine.answers[TokensRequest] = tokens
    engine.catalogue = (MINIATURE, CAUSAL)
    return start()


def settle(running, qtbot):
    qtbot.waitUntil(lambda: running.bench.asking.is_idle)


def load(running, qtbot, checkpoint):
    running.bench.models.load("A", checkpoint.id, checkpoint.title, LoadOptions())
    qtbot.waitUntil(lambda: running.bench.models.active_card.stamp.id == checkpoint.id)
    settle(running, qtbot)


def click_token(running, qtbot, text):
    strip = running.window.sentence.strip
    index = next(i for i, p in enumerate(strip.pieces) if p.text == text)
    qtbot.mouseClick(strip, LEFT, pos=strip.box_of(index).center().toPoint())
    settle(running, qtbot)


def ringed(running):
    strip = running.window.sentence.strip
    return None if strip.focus_index is None else strip.pieces[strip.focus_index].text


def told(running):
    return running.window.token.toPlainText()


def test_the_word_stays_chosen_with_another_model(running, qtbot):
    load(running, qtbot, CAUSAL)
    click_token(running, qtbot, "cooked")
    assert "“cooked”" in told(running)
    load(running, qtbot, MINIATURE)
    assert ringed(running) == "cooked"
    assert "“cooked”" in told(running)
    assert "3 (of 0 to 10)" in told(running)


def test_words_written_before_it_leave_it_chosen(running, qtbot):
    click_token(running, qtbot, "kitchen")
    editor = running.window.sentence.editors[0]
    editor.moveCursor(QTextCursor.MoveOperation.Start)
    qtbot.keyClicks(editor, "now and then ")
    settle(running, qtbot)
    assert ringed(running) == "kitchen"
    assert "“kitchen”" in told(running)


def test_another_sentence_has_no_chosen_token(running, qtbot):
    click_token(running, qtbot, "kitchen")
    running.bench.edits.take_text("we watched a movie that night, and it was long.", "")
    settle(running, qtbot)
    assert ringed(running) is None
    assert "Choose a token" in told(running)


def test_a_masked_first_word_stays_chosen_and_has_no_number(running, qtbot):
    load(running, qtbot, CAUSAL)
    click_token(running, qtbot, "the")
    assert running.window.sentence.strip.pieces[0].text == "<|endoftext|>"
    assert ringed(running) == "the"
    assert "“the”" in told(running)
    assert "-1" not in told(running)
    assert "Vocabulary id" not in told(running)


def test_an_added_token_stays_chosen(running, qtbot):
    click_token(running, qtbot, "[SEP]")
    running.bench.edits.type_text("the chef cooked", 0)
    settle(running, qtbot)
    assert ringed(running) == "[SEP]"
