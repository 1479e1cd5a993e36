"""Classes and spans as parts: what follows from them in a question that declares nothing else."""

from dataclasses import dataclass

import numpy as np
import pytest

from explorer.api.question import (
    Asks,
    Classes,
    ClassScores,
    ModelStamp,
    Question,
    Span,
    Spans,
    Token,
)
from explorer.document import Document
from explorer.ui.blocks.page.shown import Shown
from explorer.ui.blocks.tables.bar_table import BarTable
from explorer.ui.parts.page import page_of_parts

TEXT = Document("the chef cooked")
TOKENS = tuple(
    Token(text, number, start, start + len(text), special=False)
    for number, (text, start) in enumerate((("the", 0), ("chef", 4), ("cooked", 9)))
)


@dataclass(frozen=True)
class Request(Asks, question="made"):
    text: str


@dataclass(frozen=True)
class Result:
    model: ModelStamp
    classes: Classes | None = None
    spans: Spans | None = None


QUESTION = Question("made", "Made", "What?", Request, Result, run=lambda *_all: None)


def scores(model, *logits):
    values = np.array(logits, np.float32)
    chances = np.exp(values) / np.exp(values).sum()
    return ClassScores(model, ("no", "yes", "perhaps")[: len(logits)], values, chances)


def tables(result):
    page = page_of_parts(QUESTION)
    drawn = page.blocks(Shown(result, TEXT, TEXT))
    return [one for one in drawn if isinstance(one, BarTable)]


@pytest.fixture
def stamp():
    return ModelStamp("one", "bert", "0" * 64, "cpu", "float32")


def test_every_model_has_its_classes_and_the_first_is_the_summary(stamp):
    first, second = scores("one", 0.0, 3.0), scores("other", 2.0, -1.0)
    result = Result(stamp, Classes((first, second), expected=0))
    rows = QUESTION.table(result)
    assert rows.column("model") == ("one", "one", "other", "other")
    np.testing.assert_allclose(
        rows.column("probability"), [*first.probabilities, *second.probabilities]
    )
    summary = QUESTION.summary(result)
    assert (summary["label"], summary["second_label"], summary["right"]) == ("yes", "no", 0)
    assert "The models disagree" in QUESTION.headline_of(result).sentence
    shown = tables(result)
    assert [[row.strong for row in table.rows] for table in shown] == [[False, True], [True, False]]
    alone = Result(stamp, Classes((first,)))
    assert "“yes” is nearly certain" in QUESTION.headline_of(alone).sentence
    assert "second_label" not in QUESTION.summary(alone)
    assert len(tables(alone)) == 1


def test_spans_stand_in_the_text_and_in_rows(stamp):
    spans = (Span("chef", 4, 8, 0.7, 1, 1), Span("", 0, 0, 0.2), Span("the chef", 0, 8, 0.1, 0, 1))
    result = Result(stamp, spans=Spans(TOKENS, spans))
    assert QUESTION.table(result).column("answer") == ("chef", "", "the chef")
    assert QUESTION.summary(result)["answer"] == "chef"
    assert QUESTION.headline_of(result).sentence == (
        "“chef” (70 %) leads clearly: the next, “no answer”, has only 20 %."
    )
    (table,) = tables(result)
    assert [row.label for row in table.rows] == ["chef", "no answer", "the chef"]
    assert [row.muted for row in table.rows] == [False, True, False]
    none = Result(stamp, spans=Spans(TOKENS, ()))
    assert not QUESTION.headline_of(none).sentence
    assert QUESTION.summary(none)["score"] is None
