"""The vocabulary on the command line."""

import csv

import pytest

from explorer import cli


@pytest.fixture
def ask(tmp_path, capsys):
    def run(*arguments):
        profile = ["--profile", str(tmp_path / "profile"), "--device", "cpu"]
        status = cli.main([*profile, "ask", "vocabulary", *arguments, "--no-log"])
        return (status, *capsys.readouterr())

    return run


def test_a_pattern_that_is_none_is_one_line(ask):
    status, out, complaint = ask("--search", "(", "--by", "pattern")
    assert (status, out) == (2, "")
    assert "“(” is no regular expression" in complaint
    assert complaint.count("\n") == 1


def test_the_whole_table_goes_into_a_file(ask, tmp_path):
    path = tmp_path / "pieces.csv"
    status, out, complaint = ask("--tokenizer", "t5-miniature", "--most", "0", "--csv", str(path))
    assert status == 0, complaint
    with path.open(encoding="utf-8-sig", newline="") as file:
        rows = list(csv.DictReader(file))
    assert [int(row["id"]) for row in rows] == list(range(1298))
    assert next(row for row in rows if row["piece"] == "▁cooked")["text"] == "cooked"
    assert "more rows: --csv FILE writes all" in out
