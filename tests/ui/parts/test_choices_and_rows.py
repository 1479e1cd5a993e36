"""Choices, rows with gestures and a picture of one's own: what is drawn, and what a click does."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import pytest

from explorer.api.question import (
    Asks,
    Choices,
    ModelStamp,
    OneChoice,
    OwnPicture,
    Question,
    Rows,
    Runs,
    Turns,
    Words,
    column,
    sets,
)
from explorer.document import Document
from explorer.text import N_, Phrase, said, verbatim
from explorer.ui.blocks.chips import Chips
from explorer.ui.blocks.page.page import Run, Select
from explorer.ui.blocks.page.shown import Shown
from explorer.ui.blocks.tables.bar_table import BarTable
from explorer.ui.blocks.tables.rows_block import SORTED
from explorer.ui.blocks.text import Text
from explorer.ui.parts.page import page_of_parts
from explorer.ui.parts.rows import KEPT_AS

EXPLORER = Path(__file__).resolve().parents[3] / "explorer"
TEXT = Document("the chef cooked")
WORD = Words(N_("Word"), "", redraws=True, key="made.word")


@dataclass(frozen=True)
class Request(Asks, question="made"):
    text: str


@dataclass(frozen=True)
class Result:
    model: ModelStamp


@dataclass(frozen=True)
class Row:
    word: str = column(N_("word"), key=True)
    kind: str = column(N_("kind"), shown=False)
    first: int = column(N_("first"), ink=lambda one: "danger" if one > 3 else "")
    second: int | None = column(N_("second"))
    told: str = column(N_("told"), filed=False, default="only here")


ROWS = (Row("chef", "noun", 4, 2), Row("meal", "noun", 2, None), Row("cooked", "verb", 3, 8))


def parts(_result: Result) -> Sequence[Choices | Rows | OwnPicture]:
    return (
        Choices(
            (
                OneChoice(verbatim("chef"), sets(WORD, "chef", N_("choose")), chosen=True),
                OneChoice(N_("Cancel"), Runs(), pressed=False, tip=N_("First"), key="run"),
                OneChoice(verbatim("turn"), Turns(2)),
            ),
            N_("Word"),
        ),
        Rows(
            Row,
            ROWS,
            "first",
            second_bar="second",
            group="kind",
            gesture=lambda row: sets(WORD, row.word, Phrase(N_("{count} tokens"), count=1)),
            words=lambda row: verbatim(row.word.upper()),
            chosen=lambda row: row.word == "meal",
        ),
        OwnPicture("mine"),
        Rows(Row, ROWS[:1], title="twice", in_files=False),
    )


QUESTION = Question(
    "made", "Made", "What?", Request, Result, run=lambda *_all: None, parts=parts, options=(WORD,)
)


@pytest.fixture
def shown():
    return Shown(Result(ModelStamp("one", "bert", "0" * 64, "cpu", "float32")), TEXT, TEXT)


@pytest.fixture
def page():
    return page_of_parts(QUESTION, {"mine": lambda shown: [Text(shown.asked.text)]})


def of_kind(blocks, kind):
    return [one for one in blocks if isinstance(one, kind)]


def test_a_choice_says_what_it_does_and_does_it(page, shown):
    (chips,) = of_kind(page.drawn(shown), Chips)
    chef, cancel, turn = chips.chips
    assert chips.title == said("Word")
    assert (chef.words, chef.chosen, cancel.pressed, cancel.tip) == ("chef", True, False, "First")
    assert WORD.of(chef.act.on(TEXT)) == "chef"
    assert chef.act.name == "choose"
    assert isinstance(cancel.act, Run)
    assert turn.act == Select(2)
    assert not of_kind(page.alone(shown), Chips), "a picture has nothing to click"


def test_a_row_has_a_gesture_words_bars_and_stands_below_its_group(page, shown):
    table = of_kind(page.drawn(shown), BarTable)[0]
    chef, meal, cooked = table.rows
    assert [row.apart for row in table.rows] == ["noun", "", "verb"]
    assert [[bar and bar.value for bar in row.bars] for row in table.rows] == [
        [4, 2],
        [2, None],
        [3, 8],
    ]
    assert table.axis.top == 8
    assert chef.inks[0] == "danger"
    assert not cooked.inks[0]
    assert meal.ground
    assert not chef.ground
    assert chef.words == "CHEF"
    assert chef.cells == ("4", "2", "only here")
    assert WORD.of(cooked.act.on(TEXT)) == "cooked"
    paper = of_kind(page.alone(shown), BarTable)[0]
    assert paper.rows[0].act is None


def test_rows_that_are_sorted_have_no_groups(page, shown):
    now = TEXT.with_option(SORTED.key, {"made.Row": "-first"})
    table = of_kind(page.drawn(Shown(shown.result, TEXT, now)), BarTable)[0]
    assert [row.label for row in table.rows] == ["chef", "cooked", "meal"]
    assert not any(row.apart for row in table.rows)


def test_a_table_stays_sorted_under_the_name_that_its_rows_had_once(shown):
    kind = dataclass(frozen=True)(type("MergeRow", (Row,), {}))
    rows = [kind("chef", "noun", 2, None), kind("meal", "noun", 4, None)]
    question = replace(QUESTION, parts=lambda _result: [Rows(kind, rows)])
    now = TEXT.with_option(SORTED.key, {f"made.{KEPT_AS['MergeRow']}": "-first"})
    drawn = page_of_parts(question, {}).drawn(Shown(shown.result, TEXT, now))
    (table,) = of_kind(drawn, BarTable)
    assert [row.label for row in table.rows] == ["meal", "chef"]


def test_rows_that_are_kept_under_a_former_name_are_there():
    sources = "".join(path.read_text("utf-8") for path in EXPLORER.rglob("*.py"))
    assert [name for name in KEPT_AS if f"class {name}" not in sources] == []


def test_files_have_no_columns_of_the_screen_and_no_rows_twice(page, shown):
    table = QUESTION.table(shown.result)
    assert table.columns == ("word", "kind", "first", "second")
    assert table.rows[0] == ("chef", "noun", 4, 2)
    assert list(page.tables(shown)) == [""]
    assert QUESTION.summary(shown.result) == {"rows": 3}


def test_what_the_page_paints_itself_stands_in_its_place(page, shown):
    drawn = page.drawn(shown)
    (text,) = (one for one in of_kind(drawn, Text) if one.text == TEXT.text)
    first, second = of_kind(drawn, BarTable)
    assert drawn.index(first) < drawn.index(text) < drawn.index(second)


def test_a_word_of_the_user_stays_as_it_is(speak):
    speak("en_XA")
    assert said("Cancel") != "Cancel"
    assert said(verbatim("Cancel")) == "Cancel"
