"""Accuracy over a file of graph questions: by the real command, and on the page of files."""

import csv
import json
from dataclasses import replace

import pytest

from explorer import cli
from explorer.api.question import Context, UserMistake
from explorer.files_of_sentences.sentences import FileSentence, read_sentences, survey
from explorer.questions.knowledge.graph_question import pooling
from explorer.questions.knowledge.graph_question.compute import number_of
from explorer.questions.knowledge.graph_question.question import QUESTION, GraphQuestionRequest
from tests.hf import tiny
from tests.hf.kept import miniature

TOOLS = ("excavator", "trowel", "pan", "needle", "computer")
DIG, BUILD = (
    "I will plant flowers, so I dug the ground. With what?",
    "I will build a house. With what?",
)
ROWS = (
    (DIG, TOOLS, "trowel"),
    (BUILD, TOOLS, "A"),
    (BUILD, TOOLS, "needle"),
    (DIG, ("trowel", "hope"), "spade"),
)
"""Two that are answered rightly, one that is not, and one whose answer is none of its choices."""


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "questions.csv"
    with path.open("w", newline="", encoding="utf-8") as opened:
        rows = ((text, "|".join(choices), right) for text, choices, right in ROWS)
        csv.writer(opened).writerows([("question", "choices", "answer"), *rows])
    return path


@pytest.fixture(scope="module")
def alone():
    """Each question that can be answered, asked alone."""
    models = {"reasoner": miniature("kagnet-miniature"), "encoder": miniature("bert-miniature")}
    return [
        tiny.ask(models["reasoner"], GraphQuestionRequest(text, choices), Context(models=models))
        for text, choices, _right in ROWS[:3]
    ]


def test_a_row_is_a_question_with_its_choices_and_what_is_right(file):
    first, second, *_ = read_sentences(file)
    assert first == FileSentence(
        2, f"{DIG} A) excavator B) trowel C) pan D) needle E) computer", None, "trowel"
    )
    assert second.expected == "A"
    assert (survey(file).column, survey(file).choices_column) == ("question", "choices")
    assert survey(file).pair_column == "", "the answer is no second text"


@pytest.mark.parametrize("between", ["|", "; ", ", "])
def test_choices_stand_apart_by_bars_semicolons_or_commas(tmp_path, between):
    path = tmp_path / "questions.tsv"
    path.write_text(f"question\tchoices\tanswer\nWhat?\t{between.join(('a pan', 'a pot'))}\tB\n")
    assert list(read_sentences(path)) == [FileSentence(2, "What? A) a pan B) a pot", None, "B")]
    path.write_text("question\tchoices\nWhat?\t\nWhy?\n")
    assert [one.text for one in read_sentences(path)] == ["What?", "Why?"]


@pytest.mark.parametrize(
    ("right", "number"), [("Trowel.", 1), ("a", 0), ("(C)", 2), ("2", 1), ("computer", 4)]
)
def test_what_is_right_is_said_in_words_or_by_its_letter_or_number(right, number):
    assert number_of(right, TOOLS) == number


@pytest.mark.parametrize("right", ["spade", "F", "0", "6", "AB"])
def test_what_is_no_choice_is_refused(right):
    with pytest.raises(UserMistake, match="none of the choices") as told:
        number_of(right, TOOLS)
    assert "excavator, trowel" in told.value.hint


def test_accuracy_over_a_file_is_that_of_its_questions_asked_alone(file, alone, tmp_path, capsys):
    table = tmp_path / "rows.csv"
    everywhere = ["--profile", str(tmp_path / "profile"), "--device", "cpu"]
    models = ["--model", "kagnet-miniature", "--second", "bert-miniature"]
    # Choices that are named for rows without their own are none of these rows'.
    named = ["--choices", "hope,glory"]
    asked = ["over", str(file), "--ask", "graph_question", *named, *models]
    status = cli.main([*everywhere, *asked, "--json", "--csv", str(table), "--caption", "none"])
    out, err = capsys.readouterr()
    assert status == 0, err
    told = json.loads(out)
    assert (told["done"], told["failed"]) == (4, 1)
    assert "“spade” is none of the choices" in told["failures"][0][2]
    with table.open(encoding="utf-8", newline="") as opened:
        rows = list(csv.DictReader(opened))
    for row, one, (_text, _choices, _right) in zip(rows, alone, ROWS, strict=False):
        best = one.choices[one.best]
        assert row["answer"] == best.text
        assert float(row["score"]) == pytest.approx(best.score, abs=1e-6)
        assert int(row["paths"]) == best.count
        read = sum(choice.count for choice in one.choices)
        every = read + sum(choice.pruned + choice.unknown for choice in one.choices)
        assert float(row["paths_used"]) == pytest.approx(read / every)
    assert [row["right"] for row in rows] == ["1", "1", "0", ""]
    right = (1, 0, 3)
    without = [
        max(range(5), key=lambda at, one=one: one.choices[at].without) == number
        for one, number in zip(alone, right, strict=True)
    ]
    scores = [one.choices[one.best].score for one in alone]
    pool = told["pooled"]
    assert (pool["questions"], pool["right"]) == (3, 2)
    assert pool["accuracy"] == pytest.approx(2 / 3)
    assert pool["accuracy_without_paths"] == pytest.approx(sum(without) / 3)
    assert pool["score_where_right"] == pytest.approx(sum(scores[:2]) / 2, abs=1e-6)
    assert pool["score_where_wrong"] == pytest.approx(scores[2], abs=1e-6)
    read, every = map(sum, zip(*(one.read_and_found for one in alone), strict=True))
    assert pool["paths_used"] == pytest.approx(read / every)


def test_the_page_of_files_tells_the_accuracy():
    found = pooling.gather([(1, 0, 0.9, 30, 40), (0, 0, 0.4, 20, 60), (None,) * 5])
    assert found == pooling.Accuracy(2, 1, 0, 0.9, 0.4, 50, 100)
    told = {one.title: one.said for one in shown_of(found)}
    assert told["answered rightly"] == "50.0 %"
    assert told["of the paths read"] == "50.0 %"
    assert pooling.gather([(None,) * 5]) is None
    assert len(shown_of(replace(found, sure_wrong=None, paths_found=0))) == 4
    told = QUESTION.pool.told_of(replace(found, sure_wrong=None))
    assert (told["right"], told["score_where_wrong"]) == (1, None)


def shown_of(found):
    """The numbers that stand on the page of files."""
    (amounts,) = QUESTION.pool.parts_of(found, {})
    return [one for one in amounts.known if one.shown]
