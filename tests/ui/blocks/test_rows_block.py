"""Rows on the screen: the columns of the file, sorted by a click on a title."""

from dataclasses import dataclass

import pytest

from explorer.api.question import Rows, Table, Turns, column
from explorer.document import Document
from explorer.text import N_
from explorer.ui.blocks.page.page import Select
from explorer.ui.blocks.page.shown import Shown
from explorer.ui.blocks.tables.rows_block import BARS, LETTERS, SORTED, in_order, rows_block
from explorer.ui.export.legibility import LEAST_CONTRAST, contrast_of
from explorer.ui.theme.schemes import theme_of

pytestmark = pytest.mark.gui


@dataclass(frozen=True)
class Scored:
    """A row."""

    word: str = column(N_("word"), key=True)
    score: float | None = column(N_("score"), unit="nats", digits=1)
    hidden: int = column(N_("hidden"), shown=False, default=0)


ROWS = (Scored("b", 1.0), Scored("A", None), Scored("c", -3.0))
TABLE = Table.of(Scored, ROWS)


def drawn(document, part=None, **settings):
    shown = Shown(None, document, document)
    return rows_block(TABLE, shown, "test.words", "Words", part, **settings)


def test_it_has_the_files_columns_with_titles_and_units(qapp):
    block = drawn(Document())
    assert block.label.title == "word"
    assert [one.title for one in block.columns] == ["score (nats)"]
    assert [(row.label, row.cells) for row in block.rows] == [
        ("b", ("1.0",)),
        ("A", ("–",)),
        ("c", ("−3.0",)),
    ]


@dataclass(frozen=True)
class Sized:
    """A row whose numbers have units of their own."""

    name: str = column(N_("name"), key=True)
    size: str = column(N_("size"), ends_right=True)
    note: str = column(N_("note"))


@dataclass(frozen=True)
class Shared:
    """A row with shares, one of which stands only in files."""

    word: str = column(N_("word"), key=True)
    rank: int = column(N_("rank"))
    share: float = column(N_("share"))
    whole: float = column(N_("whole"), shown=False, default=1.0)


def shares(**looks):
    rows = (Shared("a", 1, 0.6), Shared("b", 2, 0.4))
    table = Table.of(Shared, rows)
    shown = Shown(None, Document(), Document())
    return rows_block(table, shown, "test.shares", "Shares", Rows(Shared, rows, **looks))


def test_bars_of_shares_have_the_ends_of_their_axis_above_them(qapp):
    assert shares(bar="share", scale=(0.0, 1.0)).axis.titled
    assert not shares(bar="share", scale=(0.0, 0.6)).axis.titled
    assert not shares(bar="whole", scale=(0.0, 1.0)).axis.titled


def test_a_title_has_the_colour_of_bars_that_are_away_from_it_or_several(qapp):
    def colours(**looks):
        return [one.title_colour for one in shares(**looks).columns]

    assert colours(bar="rank") == ["muted", "muted"]
    assert colours(bar="share") == ["muted", "bar"]
    assert colours(bar="rank", second_bar="share") == ["bar", "mask"]


def test_words_that_are_numbers_with_units_end_at_the_right(qapp):
    table = Table.of(Sized, [Sized("a", "4.2 MB", "large")])
    block = rows_block(table, Shown(None, Document(), Document()), "test.sizes", "Sizes")
    assert [(one.title, one.left) for one in block.columns] == [("size", False), ("note", True)]


def test_a_click_on_a_title_sorts_and_the_next_one_turns_it_round(qapp):
    document = Document()
    for words in (["b", "c", "A"], ["c", "b", "A"], ["b", "c", "A"]):
        spots = drawn(document).at(400.0).spots
        edit = next(s.act for s in spots if s.key == ("sort", "test.words", "score"))
        document = edit.on(document)
        assert [row.label for row in drawn(document).rows] == words
    assert SORTED.of(document) == {"test.words": "-score"}


def test_words_are_sorted_by_their_letters():
    assert in_order(TABLE, "word") == [1, 0, 2]
    assert in_order(TABLE, "-word") == [2, 0, 1]
    assert in_order(TABLE, "gone") == [0, 1, 2]


def test_rows_are_chosen_and_have_bars(qapp):
    part = Rows(
        Scored,
        ROWS,
        bar="score",
        gesture=lambda row: Turns(ROWS.index(row)),
        chosen=lambda row: row.word == "c",
    )
    block = drawn(Document(), part, act=lambda gesture: Select(gesture.position))
    assert [row.act for row in block.rows] == [Select(0), Select(1), Select(2)]
    assert [len(row.bars) for row in block.rows] == [1, 0, 1]
    assert (block.axis.low, block.axis.top) == (-3.0, 3.0)
    # As the column says its numbers.
    assert (block.axis.low_said, block.axis.top_said) == ("−3.0", "3.0")
    assert block.rows[2].ground == "selection"


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("colour", [*BARS, "bar_second"])
def test_titles_over_bars_of_their_own_colour_can_be_read(scheme, colour):
    theme = theme_of(scheme)
    letters = theme.colour(LETTERS.get(colour, colour))
    assert contrast_of(letters, theme.surface) >= LEAST_CONTRAST
