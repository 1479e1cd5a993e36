"""`over` on tables as they are published: what is read of them is said, and can be named."""

import json
from pathlib import Path

import pytest

from explorer.files_of_sentences.rows import ResultsReader

QQP = "id\tqid1\tqid2\tquestion1\tquestion2\tis_duplicate\n" + "".join(
    f'{n}\t1\t2\t"{word} did the chef cook?\tWhat was cooked?\t1\n'
    for n, word in enumerate(("What", "Why"))
)


@pytest.fixture
def file(tmp_path):
    def write(text, name="some.tsv"):
        path = tmp_path / name
        path.write_text(text, encoding="utf-8")
        return path

    return write


def rows(out):
    told = json.loads(out)
    return told, [row[1:3] for row in ResultsReader(Path(told["results"])).every()]


def test_the_second_text_of_a_pair_is_found_and_said(run, file):
    path = file(QQP)
    status, out, err = run("over", path, "--ask", "sentence_pair", "--no-log")
    assert (status, err) == (0, "")
    assert (
        "Read as: a header; text from column 4, “question1”, second text from “question2”." in out
    )
    assert "sentence_pair of some.tsv: 2 of 2 sentences" in out
    told, found = rows(run("over", path, "--ask", "sentence_pair", "--no-log", "--json")[1])
    assert (told["has_names"], told["column"], told["pair_column"]) == (
        *(True, "question1", "question2"),
    )
    assert found == [
        ('"What did the chef cook?', "What was cooked?"),
        ('"Why did the chef cook?', "What was cooked?"),
    ]


def test_no_sentence_is_lost_where_there_is_no_header(run, file):
    path = file("The cat sat on the mat\t1\nThe chef cooked\t0\n")
    status, out, _ = run("over", path, "--ask", "tokens", "--no-log")
    assert status == 0
    assert "Read as: no header; text from column 1." in out
    assert "2 of 2 sentences" in out


def test_columns_of_other_names_are_named(run, file):
    path = file(
        "sent_more,sent_less,bias_type\nShe was the chef,He was the chef,gender\n"
        "She cooked,He cooked,gender\n",
        "pairs.csv",
    )
    asked = ("over", path, "--ask", "sentence_pair", "--no-log", "--json")
    told, found = rows(run(*asked, "--column", "sent_less", "--pair-column", "sent_more")[1])
    assert found == [("He was the chef", "She was the chef"), ("He cooked", "She cooked")]
    assert told["failed"] == 0
    other, turned = rows(run(*asked, "--column", "1", "--pair-column", "2")[1])
    assert turned == [pair[::-1] for pair in found]
    assert other["results"] != told["results"]
    status, _, err = run(*asked, "--pair-column", "sent_least")
    assert status == 2
    assert 'no column "sent_least"' in err
    assert "sent_more, sent_less, bias_type" in err


def test_a_file_of_lines_has_nothing_to_say_of_columns(run, file):
    assert "Read as" not in run("over", file("a cat\n", "s.txt"), "--ask", "tokens", "--no-log")[1]
