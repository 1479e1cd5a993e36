"""Answers on screen: spans in the text, every span's score, no answer, windows."""

from dataclasses import replace

import numpy as np
import pytest

from explorer.api.question.options.passage import PASSAGE_QUESTION, question_of
from explorer.document import Document
from explorer.questions.pairs.answer_span.options import (
    DOC_STRIDE,
    MAX_SEQ_LEN,
    NO_ANSWER,
    THRESHOLD,
    WINDOW,
)
from explorer.questions.pairs.answer_span.question import AnswerSpanRequest
from explorer.ui.matrices.block import MatrixView
from tests.hf import tiny
from tests.questions.answers import QA
from tests.ui.pages import choose, kind_of, part, spot, words_on

PASSAGE = "We will build a school, so we need an excavator. Ten minus five is five."
ASKED = "What did they use in the garden?"
DOCUMENT = Document(PASSAGE).with_option(PASSAGE_QUESTION.key, ASKED)
IN_WINDOWS = DOCUMENT.with_option(MAX_SEQ_LEN.key, 20).with_option(DOC_STRIDE.key, 4)


@pytest.fixture(scope="module")
def model():
    return tiny.load(QA)


@pytest.fixture
def show(shown, model):
    def made(document):
        view = shown(kind_of("answer_span"))
        view.show_result(tiny.ask(model, AnswerSpanRequest.of(document)), document)
        return view

    return made


def keys(view, kind):
    return [one.key[1:] for one in view.page.page.spots if one.key and one.key[0] == kind]


def test_the_document_says_what_is_asked(show):
    view = show(DOCUMENT)
    assert view.request_of(DOCUMENT) == AnswerSpanRequest(PASSAGE, ASKED, 10)
    assert "question" in view.empty_hint(Document(PASSAGE))
    assert "passage" in view.empty_hint(Document(""))
    paired = Document(PASSAGE, ASKED)
    assert question_of(paired) == ASKED
    assert view.request_of(paired) == AnswerSpanRequest(PASSAGE, "", 10, pair=ASKED)
    windows = view.request_of(IN_WINDOWS)
    assert (windows.max_seq_len, windows.doc_stride) == (20, 4)
    unshared = view.request_of(IN_WINDOWS.with_option(DOC_STRIDE.key, 0))
    assert unshared.doc_stride == 0


def test_the_best_span_is_said_and_stands_in_the_text(show):
    view = show(replace(DOCUMENT, top_k=2))
    result = view.result
    assert f"is answered by “{result.best.text}”" in words_on(view)
    assert len(keys(view, "row")) == len(result.answers) == 2
    told = spot(view, ("answer", result.best.first)).words
    assert told.startswith(f"1: “{result.best.text}”")
    explained = {n for (n,) in keys(view, "answer")}
    covered = {n for one in result.answers for n in range(one.first, one.last + 1)}
    assert explained == covered < set(range(len(result.tokens)))
    assert all(one.there for one in view.declared.offers(DOCUMENT, view.shown(), None).values())


def test_the_triangle_has_every_span(show):
    view = show(DOCUMENT)
    result = view.result
    (window,) = result.windows
    scores = window.span_chances()
    first, last = result.best.first, result.best.last
    assert scores[first, last] == pytest.approx(max(scores[np.triu_indices(len(scores))]))
    matrix = part(view, MatrixView)._matrix.content
    assert matrix.values.shape == scores.shape
    np.testing.assert_allclose(matrix.values, scores)
    (mark,) = matrix.marks
    assert (mark.row, mark.column) == (first, last)
    assert matrix.blocked[last, first] == (last > first)
    assert matrix.said(first, last).startswith(f"“{result.best.text}”")
    assert "before the start" in matrix.said(3, 0)
    assert "Longer than an answer may be" in matrix.said(0, len(scores) - 1)


def test_no_answer_follows_the_threshold_and_asks_nothing(show):
    document = DOCUMENT.with_option(NO_ANSWER.key, True)
    view = show(document)
    gap = view.result.null_logit - view.result.best_logit
    assert gap < 0
    assert "Not above the threshold" in words_on(view)
    lower = document.with_option(THRESHOLD.key, round(gap - 1, 2))
    assert view.request_of(lower) == view.request_of(document)
    view.set_document(lower)
    assert "has no answer here" in words_on(view)
    left_out = show(DOCUMENT)
    assert "“No answer” is left out" in words_on(left_out)


def test_a_window_is_looked_at_with_a_click(show, qtbot):
    view = show(IN_WINDOWS)
    count = len(view.result.windows)
    assert count > 2
    assert f"in {count} windows of 20 pieces, which share 4" in words_on(view)
    assert keys(view, "answer_span.WindowRow") == [(n + 1,) for n in range(count)]
    with qtbot.waitSignal(view.edit_requested) as told:
        choose(view, ("answer_span.WindowRow", count))
    after = told.args[0].on(IN_WINDOWS)
    assert WINDOW.of(after) == (count - 1,)
    view.set_document(after)
    assert f"Every span’s score: window {count}" in words_on(view)


def test_of_a_very_long_passage_one_window_is_drawn(show):
    document = replace(DOCUMENT, text=" ".join([PASSAGE] * 45), top_k=2)
    view = show(document)
    assert len(view.result.tokens) > 700
    number = view.result.best.window
    window = view.result.windows[number]
    assert f"Of this long passage, window {number + 1} is drawn." in words_on(view)
    drawn = [n for (n,) in keys(view, "answer")]
    assert drawn
    assert all(window.first <= n < window.end for n in drawn)
    assert keys(view, "start")[-1] == (len(window.starts) - 1,)
