"""Thirty files of answers as one table, and what is broken or foreign among them."""

import csv
import io
import json
from dataclasses import asdict, replace

import pytest

from explorer import lectures
from explorer.api.question import UserMistake
from explorer.given_answers import GivenAnswer
from explorer.lectures.answers_file import (
    ENDING,
    KIND,
    AnswerSheet,
    StepAnswer,
    read_sheet,
    sheet_of,
    write_sheet,
)
from explorer.lectures.classroom import read_class

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
    assert word.distribution == (("Kitchen", 30),), "small and capital letters are one answer"
    assert dict(guess.distribution)["40 %"] == 11
    numbers = [float(said.split()[0]) for said, _count in guess.distribution]
    assert numbers == sorted(numbers)
    assert sum(count for _said, count in guess.distribution) == 30
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


def test_what_a_spreadsheet_would_reckon_is_text():
    answers = (StepAnswer(1, "?", "=1+1", "=1+1", None),)
    sheet = AnswerSheet("lesson", "Lesson", "=HYPERLINK(1)", answers)
    table = list(csv.reader(io.StringIO(replace(read_none(), sheets=(sheet,)).csv())))
    assert table[1] == ["'=HYPERLINK(1)", "'=1+1"]


def read_none():
    from explorer.lectures.classroom import ClassAnswers

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
