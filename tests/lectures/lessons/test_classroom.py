"""Thirty files of answers as one table, and what is broken or foreign among them."""

import csv
import io
import json
from dataclasses import asdict, replace

import pytest

from explorer import lectures
from explorer.api.question import UserMistake
from explorer.given_answers import GivenAnswer
from explorer.lectures.lessons.answers_file import (
    ENDING,
    KIND,
    AnswerSheet,
    StepAnswer,
    read_sheet,
    sheet_of,
    write_sheet,
)
from explorer.lectures.lessons.classroom import read_class
from explorer.paths import own_resources
from explorer.text import language

LESSON = lectures.lessons().scene("lesson_2_prediction")


def given(number):
    """What one of thirty answered: every third guesses 40, the others their own number."""
    guess = 40 if number % 3 == 0 else 30 + number
    return {
        0: GivenAnswer("kitchen" if number % 2 else "Kitchen", True, hints=number % 3),
        1: GivenAnswer(str(guess), abs(guess - 36.1) <= 10),
        3: GivenAnswer(str(number % 2), number % 2 == 0),
        4: GivenAnswer(shown=True),
        6: GivenAnswer(right=True),
    }


@pytest.fixture
def speak_fully():
    """Speak a language of the program, with its own catalogue."""
    before = language.current()
    yield lambda code: language.use(language.find(code, own_resources() / "locale"))
    language.use(before)


@pytest.fixture
def folder(tmp_path):
    for number in range(30):
        sheet = sheet_of(LESSON, given(number), "Anna" if number == 7 else "")
        write_sheet(sheet, tmp_path / f"{number:02}{ENDING}")
    return tmp_path


def test_a_sheet_is_read_as_it_was_written(tmp_path):
    sheet = sheet_of(LESSON, given(3), " 안나 ")
    assert (sheet.name, len(sheet.answers)) == ("안나", 5)
    assert sheet.answers[2].said.startswith("hospital")
    assert [one.first for one in sheet.answers] == [False, True, True, False, False]
    write_sheet(sheet, tmp_path / "a.json")
    assert read_sheet(tmp_path / "a.json") == sheet


def test_no_name_is_in_a_file_unless_it_was_typed(tmp_path):
    write_sheet(sheet_of(LESSON, given(0)), tmp_path / "a.json")
    held = json.loads((tmp_path / "a.json").read_text("utf-8"))
    assert held["name"] == ""
    assert set(held) == {"kind", "version", *asdict(AnswerSheet("", ""))}


def test_thirty_files_are_a_table_and_distributions(folder):
    found = read_class([folder])
    assert (len(found.sheets), found.broken) == (30, ())
    word, guess, choice, shown, done = found.questions
    assert [one.step for one in found.questions] == [1, 2, 4, 5, 7]
    (only,) = word.distribution
    assert (only.said, only.count, only.right) == ("Kitchen", 30, True), "letters are one answer"
    counts = {one.said: one.count for one in guess.distribution}
    assert counts["40 %"] == 11
    numbers = [float(one.said.split()[0]) for one in guess.distribution]
    assert numbers == sorted(numbers)
    # What is within of the page's is marked, and what is not.
    assert [one.right for one in guess.distribution] == [abs(one - 36.1) <= 10 for one in numbers]
    assert sum(counts.values()) == 30
    assert guess.right == sum(abs(float(given(one)[1].given) - 36.1) <= 10 for one in range(30))
    assert [(one.right, one.given) for one in (choice, shown, done)] == [
        (15, 30),
        (0, 30),
        (30, 30),
    ]
    rows = found.rows()
    assert len(rows) == 31
    assert rows[8][0] == "Anna"
    assert rows[1][0] == "Nr. 1"
    assert list(csv.reader(io.StringIO(found.csv()))) == rows


def test_a_class_in_two_languages_is_told_in_that_of_its_teacher(tmp_path, speak_fully):
    choice = LESSON.steps[3].ask
    for number in range(4):
        speak_fully("ko" if number % 2 else "en")
        write_sheet(sheet_of(LESSON, given(number)), tmp_path / f"{number}{ENDING}")
    for code in ("en", "ko"):
        speak_fully(code)
        found = read_class([tmp_path])
        assert {one.title for one in found.questions} == {LESSON.title(code)}
        asked = [LESSON.steps[one.step - 1].ask.said(code).question for one in found.questions]
        assert [one.question for one in found.questions] == asked
        (which,) = (one for one in found.questions if one.step == 4)
        assert [(one.said, one.count, one.right) for one in which.distribution] == [
            (said, 2, number == 0) for number, said in enumerate(choice.said(code).choices[:2])
        ]
        column = [row[3].removeprefix("✓ ").removeprefix("✗ ") for row in found.rows()[1:]]
        assert column == [choice.said(code).choices[number % 2] for number in range(4)]


def test_what_is_right_is_told_where_nobody_gave_it():
    """Of guesses that all missed, and of choices that nobody took; old files had no answer."""
    scene = lectures.lessons().scene("lesson_1_token")
    answers = {1: GivenAnswer("0", right=False, live="1"), 0: GivenAnswer("7", right=False)}
    sheets = tuple(sheet_of(scene, answers) for _person in range(3))
    number, choice = replace(read_none(), sheets=sheets).questions
    choices = scene.steps[1].ask.said().choices
    assert [(one.said, one.count, one.right) for one in choice.distribution] == [
        (choices[0], 3, False),
        (choices[1], 0, True),
        (choices[2], 0, False),
    ]
    assert choice.told == f"0 of 3 were right. The answer is “{choices[1]}”."
    assert (number.told, number.answer) == ("0 of 3 were right.", "")
    # In a lesson that is not bundled it is told as whoever answered read it.
    known = (StepAnswer(1, "?", "7", "7 nat", right=False, answer="9 nat", live="9"),)
    (other,) = replace(read_none(), sheets=(AnswerSheet("mine", "Mine", "", known),)).questions
    assert other.told == "0 of 1 were right. It is 9 nat."


def test_numbers_stand_by_size_and_what_was_shown_below_them():
    answers = (
        *(StepAnswer(1, "?", one, one) for one in ("70", "70", "9", "36")),
        StepAnswer(1, "?", shown=True),
    )
    sheets = tuple(AnswerSheet("mine", "Mine", "", (one,)) for one in answers)
    (question,) = replace(read_none(), sheets=sheets).questions
    said = [one.said for one in question.distribution]
    assert said == ["9", "36", "70", "(shown)"]


def test_what_a_spreadsheet_would_reckon_is_text():
    answers = (StepAnswer(1, "?", "=1+1", "=1+1", None),)
    sheet = AnswerSheet("lesson", "Lesson", "=HYPERLINK(1)", answers)
    table = list(csv.reader(io.StringIO(replace(read_none(), sheets=(sheet,)).csv())))
    assert table[1] == ["'=HYPERLINK(1)", "'=1+1"]


def read_none():
    from explorer.lectures.lessons.classroom import ClassAnswers

    return ClassAnswers(())


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("[]", "holds no answers of a lesson"),
        ("{", "is left out"),
        ('{"kind": "something else"}', "holds no answers of a lesson"),
        (json.dumps({"kind": KIND, "version": 2}), "another version of the program"),
        (json.dumps({"kind": KIND, "version": 1, "lesson": 3, "title": ""}), "is left out"),
        ("[" * 5000, "is left out"),
        (
            json.dumps({"kind": KIND, "version": 1, "lesson": "x" * 5000, "title": ""}),
            "longer than any lesson's",
        ),
        ("x" * (2 << 20), "more than 1 MB"),
    ],
)
def test_a_broken_one_is_named_in_a_sentence_and_the_others_are_read(folder, content, said):
    (folder / f"zz{ENDING}").write_text(content, "utf-8")
    found = read_class([folder])
    assert len(found.sheets) == 30
    (sentence,) = found.broken
    assert f"zz{ENDING} is left out" in sentence
    assert said in sentence


def test_a_folder_without_answers_is_told(tmp_path):
    with pytest.raises(UserMistake):
        read_class([tmp_path])
