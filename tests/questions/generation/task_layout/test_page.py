"""Layouts on screen: pieces with positions and segments, what is read out, answers, pins."""

from dataclasses import replace

import numpy as np
import pytest

from explorer.document import Document
from explorer.questions.generation.task_layout.options import CHOICES, MAX_NEW_TOKENS, TASK
from explorer.questions.generation.task_layout.page import PAGE
from explorer.questions.generation.task_layout.question import QUESTION, TaskLayoutRequest
from explorer.ui.blocks.page.shown import Origin, Pinned
from explorer.ui.blocks.tables.bar_table import BarTable
from tests.hf import tiny
from tests.hf.kept import miniature
from tests.questions.generation.task_layout import made
from tests.ui.pages import kind_of, spot, words_on

TEXT = "the cat sat on the mat"


def document(task, choices="", pair=None):
    found = Document(TEXT, pair=pair).with_option(TASK.key, task)
    return found.with_option(CHOICES.key, choices) if choices else found


def answered(model, asked):
    return tiny.ask(model, TaskLayoutRequest.of(asked))


@pytest.fixture(scope="module")
def chooser(tmp_path_factory):
    return tiny.load(made.gpt1(tmp_path_factory.mktemp("page") / "choice", "DoubleHeadsModel"))


@pytest.fixture
def view(shown):
    return shown(kind_of("task_layout"), width=1000, height=800)


def show(view, model, asked):
    result = answered(model, asked)
    view.show_result(result, asked)
    view.set_document(asked)
    return result


def tables(view):
    """Every table of bars, those inside of cards too."""
    return list(_tables(view.declared.blocks(view.shown())))


def _tables(blocks):
    for block in blocks:
        if isinstance(block, BarTable):
            yield block
        for card in getattr(block, "cards", ()):
            yield from _tables(card.blocks)


def test_choices_stand_beside_the_layout_the_likeliest_first(view, chooser):
    asked = document("copa", "a dog run | the movie was great | it")
    result = show(view, chooser, asked)
    (table,) = tables(view)
    order = np.argsort(-np.array(result.judged.probabilities))
    assert [row.label for row in table.rows] == [result.judged.labels[n] for n in order]
    assert [row.cells[0] for row in table.rows] == [str(n + 1) for n in order]
    words = words_on(view)
    assert "Choice 3" in words
    assert "Each choice is read in a sequence of its own" in words
    extract = spot(view, ("piece", "gpt1", 0, len(result.layouts[0].sequences[0].pieces) - 1))
    assert "_classify_" in extract.words
    assert "feeds the head" in extract.words
    assert "of the context" in spot(view, ("piece", "gpt1", 0, 1)).words.lower()
    bert = next(one for one in result.layouts if one.style == "bert").sequences[0]
    at = next(n for n, one in enumerate(bert.pieces) if one.field == "choice 1")
    words = spot(view, ("piece", "bert", 0, at)).words
    assert "Of the choice 1." in words
    assert "Segment B" in words


def test_missing_pieces_and_the_missing_head_are_told(view):
    show(view, miniature("gpt1-miniature"), document("cola"))
    words = words_on(view)
    assert "Nothing is computed. This checkpoint has no sequence classifier head." in words
    assert "This vocabulary has no piece for: ‹start›, ‹extract›." in words
    assert not tables(view)
    start = spot(view, ("piece", "gpt1", 0, 0))
    assert "this vocabulary does not have" in start.words


def test_what_was_written_stands_with_its_pieces_and_the_texts_of_the_task(view):
    result = show(view, miniature("t5-miniature"), document("stsb", pair="it was great"))
    targets, pieces = tables(view)
    assert len(pieces.rows) == len(result.written.pieces)
    best = max(result.written.targets, key=lambda one: one.log_probability)
    assert targets.rows[0].label == best.text
    words = words_on(view)
    assert "a number from 0.0 to 5.0" in words
    assert "14 more are in the export" in words
    tables_of = PAGE.tables(view.shown())
    assert len(tables_of["Pieces"].rows) == sum(
        len(one.pieces) for told in result.layouts for one in told.sequences
    )
    assert sum(row[0] == "target" for row in tables_of["Answers and sequences"].rows) == 26


def test_a_pinned_answer_stands_beside_the_new_one(view, chooser):
    first, second = (document("copa", one) for one in ("a dog | it", "a dog | the movie"))
    before = answered(chooser, first)
    show(view, chooser, second)
    pinned = Pinned(before, first, Origin("2026-01-01T00:00:00Z"))
    shown = replace(view.shown(), pinned=pinned)
    rows = PAGE.tables(shown)["Answers and sequences"]
    by_label = dict(zip(rows.column("text"), rows.column("pinned_probability"), strict=True))
    assert by_label["a dog"] == before.judged.probabilities[0]
    assert by_label["the movie"] is None
    _answers, told = _tables(view.declared.drawn(shown))
    assert "a dog" in {cell for row in told.rows for cell in (row.label, *row.cells)}
    other = Pinned(answered(chooser, document("cola")), document("cola"), pinned.origin)
    shown = replace(view.shown(), pinned=other)
    rows = PAGE.tables(shown)["Answers and sequences"]
    answers = zip(rows.column("what"), rows.column("pinned_probability"), strict=True)
    assert all(then is None for what, then in answers if what == "answer")


def test_an_empty_page_says_what_is_missing():
    for asked, words in (
        (Document(""), "Type a sentence"),
        (document("mnli"), "asked of two texts"),
        (document("copa", "one alone"), "two choices at least"),
    ):
        assert QUESTION.request_of(asked) is None
        assert words in QUESTION.hint(asked)
    assert QUESTION.request_of(document("mnli", pair="it")).pair == "it"


def test_how_much_is_written_is_asked_of_who_writes(view, chooser):
    show(view, chooser, document("cola"))
    assert not PAGE.offers(view.shown().now, view.shown(), None)[MAX_NEW_TOKENS.key].there
    show(view, miniature("t5-miniature"), document("cola"))
    assert PAGE.offers(view.shown().now, view.shown(), None)[MAX_NEW_TOKENS.key].there
