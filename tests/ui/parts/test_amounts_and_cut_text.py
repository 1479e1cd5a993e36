"""Amounts as bars and shares, and pieces below a text: what is drawn, and what stands in files."""

from collections.abc import Sequence
from dataclasses import dataclass

import pytest

from explorer.api.question import Amount, Amounts, Asks, Look, ModelStamp, Question, Rows, column
from explorer.api.question.parts.tokens.cut_text import CutPiece, CutRow, CutText
from explorer.document import Document
from explorer.text import N_, verbatim
from explorer.ui.blocks.aligned.block import AlignedRows
from explorer.ui.blocks.legend import Legend
from explorer.ui.blocks.page.shown import Shown
from explorer.ui.blocks.tables.bar_table import BarTable
from explorer.ui.blocks.tables.shares import Shares
from explorer.ui.parts.page import page_of_parts

TEXT = Document("the chef")


@dataclass(frozen=True)
class Request(Asks, question="made"):
    text: str


@dataclass(frozen=True)
class Result:
    model: ModelStamp


@dataclass(frozen=True)
class Row:
    word: str = column(N_("word"), key=True)
    length: int = column(N_("length"))


AMOUNTS = (
    Amount("few", N_("First"), 3, written=lambda one: f"{one} pieces", colour="mask", was=5),
    Amount("many", N_("Second"), 7),
    Amount("none", N_("Cancel"), None),
)
PIECES = (
    CutPiece(0, 3, lines=(verbatim("the"), (N_("Id: {id}"), {"id": "7"})), spoken="the"),
    CutPiece(3, 8, "chef", dotted=True),
)


def parts(_result: Result) -> Sequence[Amounts | CutText | Rows]:
    return (
        Amounts(AMOUNTS, look=Look.BARS, in_files=False),
        Amounts(AMOUNTS, look=Look.SHARES, in_files=False, in_summary=False),
        Amounts((), look=Look.BARS, in_files=False),
        CutText(
            "the chef",
            (CutRow(N_("Second"), PIECES, (3,), strong=True),),
            N_("Steps"),
            ((N_("unknown"), "danger"),),
        ),
        Rows(Row, (Row("chef", 4), Row("the", 3)), "length", drawn=lambda row: row.length < 4),
    )


QUESTION = Question("made", "Made", "What?", Request, Result, run=lambda *_all: None, parts=parts)


@pytest.fixture
def shown():
    return Shown(Result(ModelStamp("one", "bert", "0" * 64, "cpu", "float32")), TEXT, TEXT)


@pytest.fixture
def drawn(shown):
    return page_of_parts(QUESTION).drawn(shown)


def of_kind(blocks, kind):
    return [one for one in blocks if isinstance(one, kind)]


def test_bars_are_on_one_scale_with_a_line_where_each_was(drawn):
    bars, _rows = of_kind(drawn, BarTable)
    assert [(row.label, row.cells, row.mark) for row in bars.rows] == [
        ("First", ("3 pieces",), 5.0),
        ("Second", ("7",), None),
    ]
    assert bars.axis.top == 7
    assert [row.bars[0].colour for row in bars.rows] == ["mask", "bar"]


def test_shares_are_of_what_is_known(drawn):
    (shares,) = of_kind(drawn, Shares)
    assert [(one.words, one.amount) for one in shares.parts] == [("First", 3), ("Second", 7)]


def test_what_files_do_not_have_is_no_row_of_theirs(shown):
    assert QUESTION.table(shown.result).columns == ("word", "length")
    assert QUESTION.summary(shown.result) == {"few": 3, "many": 7, "none": None, "rows": 2}


def test_pieces_stand_below_their_characters_and_say_what_is_known_of_them(drawn):
    (rows,) = of_kind(drawn, AlignedRows)
    (row,) = rows.rows
    the, chef = row.pieces
    assert (rows.text, rows.title, row.label, row.strong) == ("the chef", "Steps", "Second", True)
    assert the.words == "the\nId: 7"
    assert the.spoken == "the, the, Id: 7"
    assert (chef.start, chef.end, chef.text, chef.dotted) == (3, 8, "chef", True)
    (legend,) = of_kind(drawn, Legend)
    assert legend.entries == [("unknown", "danger")]


def test_rows_that_are_not_drawn_are_in_files(drawn, shown):
    _bars, rows = of_kind(drawn, BarTable)
    assert [row.label for row in rows.rows] == ["the"]
    (table,) = page_of_parts(QUESTION).tables(shown).values()
    assert table.rows == (("chef", 4), ("the", 3))
