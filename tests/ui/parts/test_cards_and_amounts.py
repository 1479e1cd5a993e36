"""Sentences, amounts and cards as parts: what stands in files, in the summary, and on the page."""

from collections.abc import Sequence
from dataclasses import dataclass

import pytest

from explorer.api.question import (
    Amount,
    Amounts,
    Answered,
    Asks,
    Cards,
    Manner,
    ModelStamp,
    OneCard,
    Question,
    Rows,
    Said,
    Width,
    column,
)
from explorer.document import Document
from explorer.text import N_, Phrase
from explorer.ui.blocks.columns import Columns
from explorer.ui.blocks.page.shown import Shown
from explorer.ui.blocks.tables.numbers import NumbersBlock
from explorer.ui.blocks.text import Text
from explorer.ui.parts.drawing import blocks_of
from explorer.ui.parts.looking import Looking
from explorer.ui.parts.page import page_of_parts

TEXT = Document("the chef cooked")


@dataclass(frozen=True)
class Request(Asks, question="made"):
    text: str


@dataclass(frozen=True)
class Result:
    model: ModelStamp
    lost: float


@dataclass(frozen=True)
class Row:
    word: str = column(N_("word"), key=True)
    length: int = column(N_("length"))


def parts(result: Result) -> Sequence[Said | Amounts | Cards | Rows]:
    rows = Rows(Row, (Row("chef", 4),), title="words")
    return (
        Said(Phrase(N_("Nats: {count}"), count=result.lost), Manner.STRONG),
        Said(""),
        Said(N_("Cancel"), Manner.HINT),
        Amounts(
            (
                Amount("lost", N_("Loss"), result.lost, "nats", digits=1, is_signed=True),
                Amount("unknown", N_("Loss"), None),
            )
        ),
        Cards((OneCard(N_("First"), (rows,)), OneCard("", (), name=N_("Second"))), Width.NARROW),
    )


QUESTION = Question("made", "Made", "What?", Request, Result, run=lambda *_all: None, parts=parts)


@pytest.fixture
def result():
    return Result(ModelStamp("one", "bert", "0" * 64, "cpu", "float32"), -2.25)


def test_what_has_no_number_is_left_out_of_rows_and_keeps_its_cell(result):
    assert QUESTION.table(result).rows == (("lost", -2.25, "nats"),)
    assert QUESTION.summary(result) == {"rows": 1, "lost": -2.25, "unknown": None}


def test_a_number_for_scripts_alone_is_not_on_the_page(result):
    part = Amounts((Amount("lost", N_("Loss"), 1.0), Amount("all", N_("All"), 2, shown=False)))
    (numbers,) = blocks_of(part, Looking(QUESTION, Shown(result, TEXT, TEXT)))
    assert [one.name for one in numbers.numbers] == ["Loss"]
    assert part.summary() == {"lost": 1.0, "all": 2}


def test_what_stands_in_a_card_has_a_file_of_its_own(result):
    page = page_of_parts(QUESTION)
    tables = page.tables(Shown(result, TEXT, TEXT))
    assert tables["words"].rows == (("chef", 4),)


def test_a_page_has_sentences_numbers_and_cards_and_paper_has_no_hints(result):
    page = page_of_parts(QUESTION)
    drawn = page.drawn(Shown(result, TEXT, TEXT))
    texts = [one.text for one in drawn if isinstance(one, Text)]
    assert texts == ["Nats: −2.25", "Cancel"] or texts[0] == "Nats: −2.25"
    (numbers,) = (one for one in drawn if isinstance(one, NumbersBlock))
    assert [(one.value, one.name) for one in numbers.numbers] == [("−2.2 nats", "Loss")]
    (columns,) = (one for one in drawn if isinstance(one, Columns))
    assert [card.name for card in columns.cards] == ["First", "Second"]
    paper = [one.text for one in page.alone(Shown(result, TEXT, TEXT)) if isinstance(one, Text)]
    assert "Cancel" not in paper


def test_a_page_declares_beside_its_parts_what_only_it_has(result):
    page = page_of_parts(QUESTION, is_live=True)
    assert page.is_live
    assert not page.follows


def test_a_question_says_itself_when_it_waits_for_run(qtbot, result):
    from explorer.ui.views.view_of_page import view_of

    asked = []
    waiting = Question(
        "made",
        "Made",
        "What?",
        Request,
        Result,
        run=lambda *_all: None,
        parts=parts,
        is_expensive=lambda _document, card, answered: (
            bool(asked.append(answered)) or card == "large"
        ),
        waiting_hint="Press Run.",
        second_model_hint="Load two.",
    )
    view = view_of(page_of_parts(waiting))()
    qtbot.addWidget(view)
    assert not view.on_demand(TEXT)
    view.set_models({"A": "large"}, "A")
    assert view.on_demand(TEXT)
    assert asked == [None]
    assert view.empty_hint(TEXT) == "Press Run."
    assert view.second_model_hint == "Load two."
    assert Answered(result, TEXT).result is result
