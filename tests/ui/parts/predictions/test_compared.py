"""Two distributions over the same words as a part: places, gestures, pins, the headline."""

from collections.abc import Iterator
from dataclasses import dataclass, replace

import pytest

from explorer.api.question import (
    Amount,
    Apart,
    Asks,
    Compared,
    ComparedPlace,
    ComparedSide,
    ComparedWord,
    Models,
    ModelStamp,
    Player,
    Question,
    Said,
    Sets,
    Token,
    column,
)
from explorer.document import Document, Mask
from explorer.text import N_
from explorer.ui.blocks.columns import Columns
from explorer.ui.blocks.legend import Legend
from explorer.ui.blocks.page.beside import Beside
from explorer.ui.blocks.page.shown import Origin, Pinned, Shown
from explorer.ui.blocks.tables.bar_table import BarTable
from explorer.ui.blocks.text import Text
from explorer.ui.parts.page import page_of_parts

TEXT = Document("a fun film", masks=(Mask(2, 5), Mask(6, 10)))
TOKENS = (
    Token("a", 1, 0, 1, special=False),
    Token("[MASK]", 4, 2, 5, special=False, masked=True, original=7),
    Token("[MASK]", 4, 6, 10, special=False, masked=True, original=8),
)
STAMP = ModelStamp("one", "bert", "0" * 32, "cpu", "float32")
SIDES = (ComparedSide("teacher", N_("teacher")), ComparedSide("student", N_("student")))
DIFFER = Apart(
    0.1,
    N_("At position {position} “{word}”: {teacher}, {student}."),
    alike=N_("Nearly the same, even on “{word}”."),
)


@dataclass(frozen=True)
class Request(Asks, question="compared"):
    text: str


@dataclass(frozen=True)
class Result:
    model: ModelStamp
    student: float


@dataclass(frozen=True)
class Row:
    word: str = column(N_("word"), key=True)
    student: float = column(N_("student"))


def made(student: float, **declared: object) -> Compared:
    words = (
        ComparedWord("fun", (0.5, student), (1, 2), N_("original"), put="fun"),
        ComparedWord("sad", (0.0, 0.1), instead=N_("impossible here")),
        ComparedWord("long", (None, 0.3)),
    )
    distance = Amount("kl", N_("divergence"), student, digits=2)
    places = (
        ComparedPlace(1, words, measures=(distance,)),
        ComparedPlace(2, words[1:], measures=(distance,)),
    )
    rows = (Row("fun", student),)
    return Compared(SIDES, TOKENS, places, Row, lambda: rows, DIFFER, **declared)


def parts(result: Result) -> Iterator[Models | Compared | Said]:
    yield Models((Player("model", N_("Teacher"), result.model, "bar"),))
    yield made(result.student)


QUESTION = Question("compared", N_("Compared"), N_("Compared?"), Request, Result, None, parts=parts)


def page(student: float, **shown: object) -> list[object]:
    here = Shown(Result(STAMP, student), TEXT, TEXT, **shown)
    return list(page_of_parts(QUESTION).blocks(here))


def table(blocks: list[object], place: int = 0) -> BarTable:
    (columns,) = [one for one in blocks if isinstance(one, Columns)]
    (found,) = [one for one in columns.cards[place].blocks if isinstance(one, BarTable)]
    return found


def test_a_place_is_a_card_with_both_numbers_of_every_word():
    rows = {row.label: row for row in table(page(0.2)).rows}
    assert rows["fun"].cells == ("0.5000 (1)", "0.2000 (2)", "−0.3000")
    assert (rows["fun"].tag, rows["fun"].ground) == ("original", "mask_fill")
    assert rows["sad"].cells[0] == "impossible here"
    assert (rows["long"].cells[1:], rows["long"].bars[0]) == (("0.3000", ""), None)


def test_a_word_is_put_where_it_is_masked_and_nowhere_else():
    rows = {row.label: row for row in table(page(0.2)).rows}
    assert rows["fun"].act.on(TEXT).text == TEXT.with_words(2, 5, "fun", 0).text
    assert rows["sad"].act is None
    bare = Shown(Result(STAMP, 0.2), TEXT.without_masks(), TEXT.without_masks())
    assert not [row for row in table(list(page_of_parts(QUESTION).blocks(bare))).rows if row.act]


def test_files_have_the_rows_of_the_question_and_the_exact_answer_has_its_places():
    assert QUESTION.table(Result(STAMP, 0.2)).rows == (("fun", 0.2),)
    blocks = page(0.2)
    (columns,) = [one for one in blocks if isinstance(one, Columns)]
    places = [
        one.position for card in columns.cards for one in card.blocks if isinstance(one, Beside)
    ]
    assert places == [1, 2]
    assert [one.position for one in blocks if isinstance(one, Beside)] == [None]


def test_the_word_on_which_both_differ_most_is_told_first_or_that_they_do_not():
    told = QUESTION.headline_of(Result(STAMP, 0.2))
    assert (told.sentence, told.position) == ("At position 1 “fun”: 50 %, 20 %.", 1)
    alike = replace(made(0.5), places=made(0.45).places[:1])
    words = tuple(one for one in alike.places[0].words if one.word != "sad")
    alike = replace(alike, places=(replace(alike.places[0], words=words),))
    assert alike.headline().sentence == "Nearly the same, even on “fun”."
    assert not replace(alike, apart=replace(DIFFER, alike="")).headline().sentence
    assert not replace(alike, apart=None).headline().sentence


def test_a_pinned_answer_marks_the_bars_of_the_same_place():
    pinned = Pinned(Result(STAMP, 0.4), TEXT, Origin("2026-01-01"))
    blocks = page(0.2, pinned=pinned)
    rows = {row.label: row for row in table(blocks).rows}
    assert rows["fun"].mark == 0.4
    assert "Pinned: 0.4000; now −0.2000" in rows["fun"].words
    (columns,) = [one for one in blocks if isinstance(one, Columns)]
    said = [one.text for one in columns.cards[0].blocks if isinstance(one, Text)]
    assert any(one.startswith("Pinned → now: divergence 0.40 → 0.20.") for one in said)


@pytest.mark.parametrize("only", [0, 1])
def test_one_place_alone_is_looked_at_and_the_others_are_chosen(only):
    def choose(number: int) -> Sets:
        return Sets({"compared.place": number}, N_("change mask"))

    def alone(_result: Result) -> Iterator[Compared]:
        side = (Said(N_("Cancel")),)
        part = made(0.2, only=(only,), choose=choose)
        yield replace(part, places=tuple(replace(one, beside=side) for one in part.places))

    question = replace(QUESTION, parts=alone)
    here = Shown(Result(STAMP, 0.2), TEXT, TEXT)
    blocks = list(page_of_parts(question).blocks(here))
    (places,) = [one for one in blocks if isinstance(one, BarTable)]
    assert [row.ground for row in places.rows] == ["" if n != only else "selection" for n in (0, 1)]
    assert places.rows[1].cells[-1] == "0.20"
    chosen = places.rows[1].act.on(TEXT)
    assert chosen == TEXT.with_option("compared.place", 1)
    (columns,) = [one for one in blocks if isinstance(one, Columns)]
    assert [one.text for one in columns.cards[1].blocks] == ["Cancel"]


def test_models_say_who_they_are_and_who_was_pinned():
    other = replace(STAMP, id="two")
    pinned = Pinned(Result(other, 0.2), TEXT, Origin("2026-01-01"))
    blocks = page(0.2, pinned=pinned)
    (legend,) = [one for one in blocks if isinstance(one, Legend)]
    assert legend.entries == [("Teacher: one", "bar")]
    assert "Pinned: Teacher: two" in [one.text for one in blocks if isinstance(one, Text)]
    assert "Pinned: " not in "".join(one.text for one in page(0.2) if isinstance(one, Text))
