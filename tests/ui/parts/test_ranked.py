"""Ranked rows and the sentence as parts: how rows look, and what a pinned answer had."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import pytest

from explorer.api.question import (
    CHARACTERS,
    Asks,
    Changes,
    Mask,
    ModelStamp,
    Put,
    Puts,
    Question,
    Ranked,
    RowLook,
    Sentence,
    Token,
    column,
)
from explorer.document import Document
from explorer.text import N_, Phrase, verbatim
from explorer.text.formatting.probabilities import in_digits
from explorer.ui.blocks.page.shown import Origin, Pinned, Shown
from explorer.ui.blocks.tables.bar_table import BarTable
from explorer.ui.blocks.text import Text
from explorer.ui.blocks.tokens import Tokens
from explorer.ui.parts.page import page_of_parts

TEXT = Document("the chef cooked")
LONGER = Document("Look! the chef cooked")


@dataclass(frozen=True)
class Request(Asks, question="made"):
    text: str


@dataclass(frozen=True)
class Filled:
    """A word that is put in place of another."""

    word: str = column(N_("word"), key=True)
    rank: int | None = column(N_("rank"), shown=False)
    together: float | None = column(N_("together"), written=in_digits)
    alone: float | None = column(N_("alone"), written=in_digits)
    start: int = column(N_("first character"), key=True, place=CHARACTERS, shown=False, default=4)
    end: int = column(N_("one past the last"), shown=False, default=8)


@dataclass(frozen=True)
class Result:
    model: ModelStamp
    rows: tuple[Filled, ...]
    tokens: tuple[Token, ...] = ()
    of: str = "meal"
    powers: int = 0


def parts(result: Result) -> Sequence[Sentence | Ranked]:
    def look(row: Filled) -> RowLook:
        if row.together is None:
            return RowLook(below=Phrase(N_("Cancel")), muted=True)
        return RowLook(
            Mask(row.start, row.end) if row.word == "place" else verbatim(row.word.upper()),
            lead=str(row.rank),
            tag=Phrase(N_("original")) if row.rank == 2 else "",
            words=(verbatim("known"),),
            inks={"alone": "muted"},
            key=("filled", row.word),
        )

    def puts(row: Filled) -> Puts:
        return Puts((Put(Mask(4, 8), row.word, glued=row.rank == 2),))

    shouts = Changes(lambda now, _where: replace(now, text=now.text.upper()), N_("Cancel"))
    return (
        Sentence(result.tokens, {0: verbatim("1.")}, {0: N_("Cancel")}, {0: shouts}),
        Sentence(result.tokens, only_alone=True),
        Ranked(
            Filled,
            result.rows,
            "together",
            second_bar="alone",
            gesture=puts,
            look=look,
            hollow=True,
            powers=result.powers,
            place="rank",
            of=result.of,
        ),
    )


QUESTION = Question("made", "Made", "What?", Request, Result, run=lambda *_all: None, parts=parts)
PAGE = page_of_parts(QUESTION)
STAMP = ModelStamp("one", "bert", "0" * 64, "cpu", "float32")
ROWS = (Filled("soup", 1, 0.5, 0.25), Filled("meal", 2, 0.25, 0.5), Filled("none", 3, None, None))
RESULT = Result(STAMP, ROWS, (Token("the", 1, 0, 3, special=False),))


def shown(result=RESULT, then=None, document=TEXT, **more):
    pinned = None if then is None else Pinned(then, TEXT, Origin("2026-01-01T00:00:00"))
    return Shown(result, document, document, pinned, **more)


def table_of(**more) -> BarTable:
    (table,) = (one for one in PAGE.drawn(shown(**more)) if isinstance(one, BarTable))
    return table


def said(**more):
    return [one.text for one in PAGE.drawn(shown(**more)) if isinstance(one, Text)]


def test_rows_look_as_is_said_and_what_is_not_in_the_running_does_nothing():
    soup, meal, none = table_of().rows
    assert (soup.label, soup.lead, soup.tag) == ("SOUP", "1", "")
    assert meal.tag == "original"
    assert meal.inks == ("", "muted")
    assert [bar.hollow for bar in soup.bars] == [False, True]
    assert {one.title_colour for one in table_of().columns} == {"muted"}
    assert soup.words == "known\nClick to put it into the sentence."
    assert (soup.key, none.key) == (("filled", "soup"), None)
    assert (none.muted, none.below, none.words) == (True, "Cancel", "Cancel")
    place = replace(RESULT, rows=(replace(ROWS[0], word="place"),))
    assert table_of(result=place).rows[0].label == "chef"


def test_a_click_puts_words_and_what_goes_on_with_a_word_takes_the_space():
    soup, meal, _none = table_of().rows
    assert soup.act.on(TEXT) == TEXT.with_words(4, 8, "soup", 0)
    assert meal.act.on(TEXT).text == "themeal cooked"
    assert soup.act.on(LONGER).text == "Look! the soup cooked"


def test_the_sentence_has_notes_and_gestures_and_one_is_for_paper_alone():
    (tokens,) = (one for one in PAGE.drawn(shown()) if isinstance(one, Tokens))
    assert tokens.notes == {0: "1."}
    assert tokens.acts[0].on(TEXT).text == "THE CHEF COOKED"
    assert sum(isinstance(one, Tokens) for one in PAGE.alone(shown())) == 2


def test_axes_end_at_a_round_number_or_the_longest_bar_or_go_by_powers():
    assert table_of().axis.top == 0.5
    tiny = replace(RESULT, rows=(Filled("soup", 1, 2e-5, 1e-5),))
    assert (table_of(result=tiny).axis.top, table_of(result=tiny).axis.top_said) == (
        2e-5,
        in_digits(2e-5),
    )
    assert table_of(result=replace(RESULT, powers=6)).axis.powers == 6


def test_a_pinned_answer_has_its_marks_and_columns_at_the_same_place_of_the_text():
    then = replace(RESULT, rows=(Filled("soup", 2, 0.75, 0.1), Filled("tea", 1, 0.2, 0.2)))
    table = table_of(then=then, document=LONGER, result=moved(RESULT))
    soup, meal, none = table.rows
    titles = [one.title for one in table.columns]
    assert titles == ["together", "pinned", "change", "alone", "alone, change"]
    assert soup.cells[4] == "+0.1500"
    assert soup.mark == pytest.approx(0.75)
    assert soup.cells[1:3] == ("0.7500", "−0.2500")
    assert "Pinned answer: 0.7500, rank 2" in soup.words
    assert table.axis.top == 1.0
    # It lists two: what stands second now and was not there is new, of the third nobody knows.
    assert [row.cells[2] for row in (meal, none)] == ["new", "not kept"]
    assert "does not list it" in meal.words
    assert "pinned" not in [one.title for one in table_of().columns]


def moved(result):
    return replace(result, rows=tuple(replace(one, start=10, end=14) for one in result.rows))


def test_what_can_t_be_compared_is_said():
    other = replace(RESULT, rows=(Filled("tea", 1, 0.2, 0.2),), of="soup")
    assert said(then=other) == [
        "No row of this answer is in the pinned one, so no difference is shown.",
        "The pinned answer is of “soup”, this one of “meal”.",
    ]
    assert said(then=RESULT) == []
    assert PAGE.draws_pinned
