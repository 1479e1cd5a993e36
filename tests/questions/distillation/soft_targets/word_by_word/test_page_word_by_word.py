"""Two models word by word, on screen."""

from dataclasses import replace

import pytest

from explorer.api.question import ComparedWord as TwoWords
from explorer.api.question import Token
from explorer.document import Document, Mask
from explorer.questions.distillation.soft_targets.parts import alignment_said, mask_said
from explorer.questions.distillation.soft_targets.question import QUESTION, SoftTargetsRequest
from explorer.questions.distillation.soft_targets.settings import (
    EVERY_WORD,
    ORDER,
    TEMPERATURE,
    WHAT,
    WORDS,
)
from explorer.questions.distillation.soft_targets.targets import SharedVocabulary, SoftTargetsResult
from explorer.questions.distillation.soft_targets.word_by_word.by_word import (
    AlignedWord,
    ComparedMask,
)
from explorer.ui.blocks.tables.bar_table import NOT_THERE
from explorer.ui.parts.predictions.compared_words import details, number
from explorer.ui.theme.schemes import theme_of
from tests.questions.distillation import answers
from tests.ui.pages import choose, kind_of, said_in, spot, words_on

DOCUMENT = Document("It was fun.", masks=(Mask(7, 10),)).with_option(WHAT.key, EVERY_WORD)
TOKENS = (
    Token("It", 10, 0, 2, special=False),
    Token("was", 11, 3, 6, special=False),
    Token("[MASK]", 4, 7, 10, special=False, masked=True),
    Token(".", 15, 10, 11, special=False),
)


@pytest.fixture
def compared():
    words = (
        AlignedWord("fun", 0.3, 1, 0.2, 2),
        AlignedWord("great", 0.1, 3, 0.4, 1),
        AlignedWord("…ish", 0.01, 5, 0.01, 7),
        AlignedWord("Spaß", None, None, 0.05, 4),
    )
    mask = ComparedMask(2, words, 1.0, 0.92, 0.4321, None, 0.25, agree=False)
    return SoftTargetsResult(
        answers.TEACHER,
        answers.STUDENT,
        TOKENS,
        (),
        SharedVocabulary(False, 1595, 1946, 1370, 0.92, folded=True),
        EVERY_WORD,
        notes=("A note.",),
        by_word=(mask,),
    )


@pytest.fixture
def view(shown):
    made = shown(kind_of("soft_targets"))
    made.set_document(DOCUMENT)
    return made


def test_it_is_chosen_in_the_bar_and_needs_a_mask(view, qtbot):
    assert QUESTION.cast({}, "B", DOCUMENT) == {"teacher": "A", "student": "B"}
    assert view.request_of(DOCUMENT) == SoftTargetsRequest(
        "It was fun.", masks=(Mask(7, 10),), what=EVERY_WORD
    )
    restricted = DOCUMENT.with_option(WORDS.key, ["fun"])
    assert view.request_of(restricted).words == ()
    bare = DOCUMENT.without_masks()
    assert view.request_of(bare) is None
    assert "mask" in view.empty_hint(bare).lower()
    assert "Type" in view.empty_hint(Document(""))
    with qtbot.waitSignal(view.option_changed) as told:
        view.bar.fields[WHAT.key].activated.emit(0)
    assert told.args == [WHAT.key, None]


def test_what_it_does_not_know_is_off_and_says_why(view, compared):
    view.show_result(compared, DOCUMENT)
    for option in (TEMPERATURE, WORDS, ORDER):
        assert not view.bar.widgets[option.key].isEnabled()
        assert "T = 1" in view.bar.widgets[option.key].toolTip()
    view.set_document(DOCUMENT.with_option(WHAT.key, None))
    assert view.bar.widgets[TEMPERATURE.key].isEnabled()


def test_how_vocabularies_were_aligned_is_said(view, compared):
    said = alignment_said(compared)
    words = "teacher has 1,595 words as one piece, the student 1,946, and 1,370, capital letters"
    assert f"{words} aside" in said
    same = replace(compared, vocabulary=replace(compared.vocabulary, same=True))
    assert alignment_said(same) == "Both models have the same vocabulary of 1,595 words."
    apart = mask_said(compared.by_word[0])
    assert apart.startswith("They expect different words. The total variation is 25.0 %")
    assert "teacher to student 0.432 nats, student to teacher infinite" in apart
    assert "100.0 % of the teacher's probability and 92.0 % of the student's" in apart
    agreed = replace(compared.by_word[0], agree=True, student_share=1.0)
    assert "Both expect the same word first" in mask_said(agreed)
    assert "hold" not in mask_said(agreed)
    view.show_result(compared, DOCUMENT)
    assert all(one in words_on(view) for one in ("A note.", said, apart))


def test_a_word_that_a_vocabulary_lacks(compared):
    one = compared.by_word[0].words[3]
    ranks = (one.teacher_rank, one.student_rank)
    pair = TwoWords(one.word, (one.teacher, one.student), ranks)
    assert number(one.teacher, one.teacher_rank) == NOT_THERE
    assert number(one.student, one.student_rank) == "0.0500 (4)"
    assert any("A: its vocabulary has no such word" in line for line in details(pair, ("A", "B")))


def test_words_on_screen_and_into_the_sentence(view, compared, qtbot):
    assert view.figure(500, theme_of("light")) is None
    view.show_result(compared, DOCUMENT)
    fun = spot(view, ("word", 2, "fun"))
    assert "Teacher: 0.3000, rank 1\nStudent: 0.2000, rank 2" in fun.words
    with qtbot.waitSignal(view.edit_requested) as put:
        choose(view, ("word", 2, "great"))
    assert put.args[0].on(DOCUMENT) == DOCUMENT.with_words(7, 10, "great", 0)
    # A part of a word is none to put in.
    assert not spot(view, ("word", 2, "…ish")).act
    for width in (300.0, 820.0):
        assert view.figure(width, theme_of("light")).height > 100
    table = view.table()
    rows = [dict(zip(table.columns, row, strict=True)) for row in table.rows]
    assert [(row["word"], row["teacher"], row["student_rank"]) for row in rows] == [
        ("fun", 0.3, 2),
        ("great", 0.1, 1),
        ("…ish", 0.01, 7),
        ("Spaß", None, 4),
    ]
    assert rows[0]["difference"] == pytest.approx(-0.1)
    assert rows[3]["difference"] is None
    assert {row["kl_student_teacher"] for row in rows} == {None}
    assert "It" in said_in(view.declared, view.shown(alone=True))


def test_a_pinned_answer_of_the_other_kind_is_not_compared(view, compared):
    view.show_result(answers.soft(), answers.DOCUMENT)
    view.pin()
    view.show_result(compared, DOCUMENT)
    assert view.table().columns == QUESTION.table(compared).columns
    view.pin()
    view.show_result(answers.soft(), answers.DOCUMENT)
    assert "pinned_student" not in view.table().columns
    assert view.figure(600.0, theme_of("dark")).height > 100
