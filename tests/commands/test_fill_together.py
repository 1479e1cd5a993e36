"""`fill --joint`, `--candidates` and `--against`: real miniatures, in this process."""

import csv
import json
import math
import re
from functools import partial

import pytest

WRITER = "The name of the writer is [MASK] [MASK]."


@pytest.fixture
def fill(run):
    return partial(run, "fill")


def test_joint_filling_for_people(fill):
    status, out, _ = fill(WRITER, "--joint", "beam", "--top", "3", "--width", "4")
    assert status == 0
    assert "victor · hale" in out
    assert "each alone" in out
    assert "Step by step" in out
    assert "probability moved" in out


def test_shares_are_written_as_the_language_has_them(fill):
    arguments = (WRITER, "--joint", "beam", "--top", "3", "--width", "4")
    english, korean = (fill("--language", code, *arguments)[1] for code in ("en", "ko"))
    shares = re.findall(r"  ([\d.]+) %", english)
    assert shares
    assert re.findall(r"  ([\d.]+)%", korean) == shares


def test_joint_filling_as_json_and_csv(fill, tmp_path):
    target = tmp_path / "table.csv"
    status, out, _ = fill(WRITER, "--joint", "confident", "--json", "--csv", target)
    answer = json.loads(out)
    assert status == 0
    assert answer["method"] == "confident"
    best = answer["fillings"][0]
    total = sum(math.log(one["probability"]) for one in best["chosen"])
    assert best["log_joint"] == pytest.approx(total, abs=1e-5)
    rows = list(csv.DictReader(target.read_text(encoding="utf-8-sig").splitlines()))
    assert [row["method"] for row in rows] == ["confident", "confident", "alone", "alone"]
    assert float(rows[0]["log_joint"]) == pytest.approx(total, abs=1e-5)


def test_an_order_by_hand(fill):
    status, out, _ = fill(WRITER, "--joint", "by-hand", "--order", "2,1", "--json")
    assert status == 0
    assert json.loads(out)["order"] == [1, 0]
    status, out, _ = fill(WRITER, "--joint", "beam", "--order", "2", "--json")
    assert json.loads(out)["order"] == [1, 0]
    status, _, complaint = fill(WRITER, "--joint", "by-hand", "--order", "0,1")
    assert status == 2
    assert "no list of numbers from 1 on" in complaint


def test_a_beam_is_as_wide_as_was_asked_or_refused(fill):
    text = "the [MASK] cooked the [MASK] in the [MASK] ."
    arguments = (text, "--joint", "beam", "--top", "20", "--json", "--width")
    status, out, _ = fill(*arguments, 256)
    assert (status, len(json.loads(out)["fillings"])) == (0, 20)
    status, out, complaint = fill(*arguments, 257)
    assert (status, out) == (2, "")
    assert "a beam keeps at most 256 fillings" in complaint


def test_a_model_that_reads_from_the_left(fill):
    status, out, _ = fill(WRITER, "--joint", "left-to-right", "-m", "gpt2-miniature")
    assert status == 0
    assert "reads from the left" in out
    assert "alone |" not in out
    status, out, complaint = fill(WRITER, "--joint", "confident", "-m", "gpt2-miniature")
    assert (status, out) == (2, "")
    assert "in reading order only" in complaint


def test_candidates(fill):
    text = "The chef cooked the [MASK]."
    status, out, _ = fill(text, "--candidates", "fried rice, soup, [SEP]")
    assert status == 0
    lines = [line.split() for line in out.splitlines()]
    words = [line[0] for line in lines if line and line[0] in ("soup", "fried", "[SEP]")]
    assert words == ["soup", "fried", "[SEP]"]
    assert "is a special token" in out
    assert "chain rule" in out
    status, out, _ = fill(text, "--candidates", "soup", "--json")
    (gap,) = json.loads(out)["gaps"]
    assert gap["scores"][0]["rank"] == 1
    status, _, complaint = fill(text, "--candidates", " , ")
    assert status == 2
    assert "no words to score" in complaint


def test_against_a_second_model(fill):
    text = "I liked the movie. The movie was [MASK]."
    status, out, _ = fill(text, "--against", "roberta-miniature", "--top", "3")
    assert status == 0
    assert out.startswith("teacher: BERT miniature  (")
    assert "student: RoBERTa miniature  (" in out
    assert "KL(teacher || student)" in out
    status, out, _ = fill(text, "--against", "distilbert-miniature", "--json", "--no-log")
    assert json.loads(out)["vocabulary"]["same"] is True


def test_only_one_of_them_at_a_time(fill):
    status, _, complaint = fill(WRITER, "--joint", "beam", "--candidates", "a")
    assert status == 2
    assert "not allowed with" in complaint
    status, _, _ = fill(WRITER, "--joint", "sideways")
    assert status == 2


def test_a_table_that_cannot_be_written_is_told_of_before_anything_is_loaded(fill, monkeypatch):
    from explorer import headless

    monkeypatch.setattr(headless, "load_all", lambda *_unused, **_also: pytest.fail("loaded"))
    status, out, complaint = fill(WRITER, "--csv", "/no/such/folder/x.csv")
    assert (status, out) == (1, "")
    assert "can't be written" in complaint
