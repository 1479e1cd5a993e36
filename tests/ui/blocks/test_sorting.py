"""Tables that pages make by hand are sorted by their titles, wherever they stand."""

import pytest

from explorer.document import Document
from explorer.ui.blocks.columns import Card, Columns
from explorer.ui.blocks.page.shown import Shown
from explorer.ui.blocks.tables.bar_table import NOT_THERE, BarTable
from explorer.ui.blocks.tables.rows import BarColumn, BarRow
from explorer.ui.blocks.tables.rows_block import SORTED
from explorer.ui.blocks.tables.sorting import with_sorting

pytestmark = pytest.mark.gui

CELLS = (
    ("soup", "9.1 %", "12 ms"),
    ("Tea", "< 0.01 %", "1,200 ms"),
    ("no one", NOT_THERE, ""),
    ("rice", "12.0 %", "−3 ms"),
    ("bread", "0.01 %", "2 × 10⁻⁶ ms"),
)
COLUMNS = (BarColumn("probability"), BarColumn("took"))


def table(cells=CELLS, columns=COLUMNS, **more):
    return BarTable(
        [BarRow(label, tuple(rest)) for label, *rest in cells],
        columns,
        title="Words",
        label=BarColumn("word"),
        **more,
    )


def drawn(block, document, *, alone=False):
    (made,) = with_sorting([block], Shown(None, document, document, alone=alone), "test")
    return made


def click(block, number, document):
    """The document once a title was chosen."""
    column = (block.label, *block.columns)[number]
    return column.act.on(document)


def labels(block):
    return [row.label for row in block.rows]


def test_numbers_fall_first_then_rise_then_stand_as_they_were(qapp):
    before = document = Document()
    orders = []
    for _ in range(3):
        document = click(drawn(table(), document), 1, document)
        orders.append((labels(drawn(table(), document)), arrow(document, 1)))
    # What is not there comes last both ways, and what is below a number before that number.
    assert orders[0] == (["rice", "soup", "bread", "Tea", "no one"], "down")
    assert orders[1] == (["Tea", "bread", "soup", "rice", "no one"], "up")
    assert orders[2] == ([label for label, *_rest in CELLS], "")
    assert SORTED.of(document) == SORTED.of(before)


def arrow(document, number):
    block = drawn(table(), document)
    return (block.label, *block.columns)[number].sorted


def test_words_rise_first_and_powers_and_signs_are_numbers(qapp):
    document = click(drawn(table(), Document()), 0, Document())
    assert labels(drawn(table(), document)) == ["bread", "no one", "rice", "soup", "Tea"]
    document = click(drawn(table(), Document()), 2, Document())
    assert labels(drawn(table(), document)) == ["Tea", "soup", "bread", "rice", "no one"]


def test_it_is_found_in_cards_and_a_picture_keeps_the_order_without_the_gesture(qapp):
    inside = Columns([Card([table()], "A card")])
    document = click(drawn(inside, Document()).cards[0].blocks[0], 1, Document())
    still = drawn(inside, document, alone=True).cards[0].blocks[0]
    assert labels(still)[0] == "rice"
    assert all(column.act is None for column in still.columns)


@pytest.mark.parametrize(
    "cells",
    [
        [("a", "2 GB"), ("b", "300 MB")],
        [("a", "2 of 3"), ("b", "1")],
        [("a", "1"), ("b", "1")],
    ],
)
def test_what_cannot_be_compared_sorts_nothing(cells, qapp):
    block = drawn(table(cells, COLUMNS[:1]), Document())
    assert block.columns[0].act is None


def test_a_page_that_gives_titles_a_meaning_keeps_it(qapp):
    own = (BarColumn("probability", act="mine"), BarColumn("took"))
    assert drawn(table(columns=own), Document()).columns == own
    assert drawn(BarTable([BarRow("a"), BarRow("b", apart="group")], title="Groups"), Document())
