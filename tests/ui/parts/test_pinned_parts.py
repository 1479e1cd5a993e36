"""What the pinned answer had, beside the bars and the numbers of parts."""

from collections.abc import Sequence
from dataclasses import dataclass

from explorer.api.question import (
    Amount,
    Amounts,
    Asks,
    Cards,
    ModelStamp,
    OneCard,
    Question,
    Rows,
    column,
)
from explorer.document import Document
from explorer.text import N_
from explorer.ui.blocks.columns import Columns
from explorer.ui.blocks.page.shown import Origin, Pinned, Shown
from explorer.ui.blocks.tables.numbers import NumbersBlock
from explorer.ui.parts.page import page_of_parts

TEXT = Document("the chef")
STAMP = ModelStamp("one", "bert", "0" * 64, "cpu", "float32")


@dataclass(frozen=True)
class Request(Asks, question="made"):
    text: str


@dataclass(frozen=True)
class Result:
    model: ModelStamp
    rows: tuple[tuple[str, int], ...]


@dataclass(frozen=True)
class Row:
    word: str = column(N_("word"), key=True)
    uses: int = column(N_("uses"))


def parts(result: Result) -> Sequence[Amounts | Cards | Rows]:
    rows = tuple(Row(*one) for one in result.rows)
    total = sum(row.uses for row in rows)
    return (
        Amounts((Amount("total", N_("First"), total),)),
        Cards((OneCard("", (Rows(Row, rows, "uses"),)),)),
    )


PAGE = page_of_parts(
    Question("made", "Made", "What?", Request, Result, run=lambda *_all: None, parts=parts),
    draws_pinned=True,
)
NOW = Result(STAMP, (("chef", 2), ("meal", 5)))
THEN = Result(STAMP, (("soup", 1), ("chef", 9)))


def drawn(pinned):
    numbers, columns = PAGE.drawn(Shown(NOW, TEXT, TEXT, pinned=pinned))
    assert isinstance(numbers, NumbersBlock)
    assert isinstance(columns, Columns)
    (table,) = columns.cards[0].blocks
    return numbers.numbers[0], table


def test_a_bar_has_a_mark_where_that_of_the_same_row_ended():
    number, table = drawn(Pinned(THEN, TEXT, Origin("2026-11-28")))
    assert [(row.label, row.mark) for row in table.rows] == [("chef", 9.0), ("meal", None)]
    assert table.axis.top == 9
    assert (number.value, number.name) == ("7", "First, pinned 10")


def test_without_a_pin_there_is_none():
    number, table = drawn(None)
    assert not any(row.mark for row in table.rows)
    assert table.axis.top == 5
    assert number.name == "First"
