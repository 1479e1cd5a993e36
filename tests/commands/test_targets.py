"""`targets`, as a person or a script uses it."""

import csv
import json
import math
from functools import partial

import pytest

from explorer.paths import Paths

TEXT = "I liked the movie that I watched yesterday. The movie was [MASK]."
WORDS = "boring,fun,happy,sad,heavy"
PAIR = ("--teacher", "bert-miniature", "--student", "tinybert-miniature")


@pytest.fixture
def targets(run):
    return partial(run, "targets")


def test_json_has_what_was_promised(targets):
    status, out, _ = targets(TEXT, *PAIR, "--temperature", "1,2,4", "--json", "--no-log")
    assert status == 0
    found = json.loads(out)
    assert (found["teacher"], found["student"]) == (PAIR[1], PAIR[3])
    (place,) = found["positions"]
    assert found["tokens"][place["position"]] == "[MASK]"
    assert [one["temperature"] for one in place["temperatures"]] == [1.0, 2.0, 4.0]
    assert found["vocabulary"]["same"] is True
    assert found["vocabulary"]["shared_mass"] == 1.0
    for one in place["temperatures"]:
        assert {"token", "teacher", "student"} <= set(one["rows"][0])
        for model in ("teacher", "student"):
            # The tops of both are there, and no more is likely than what is shown.
            ranks = sorted(row[f"{model}_rank"] for row in one["rows"])
            assert ranks[:10] == list(range(1, 11))
        entropy, crossed = one["teacher_entropy"], one["cross_entropy"]
        assert crossed == pytest.approx(entropy + one["kl_teacher_student"], rel=1e-9)
        assert one["kl_student_teacher"] > 0
    losses = found["losses"]
    at_two = place["temperatures"][1]
    assert losses["temperature"] == 2.0
    assert losses["distillation"] == pytest.approx(4 * at_two["cross_entropy"], rel=1e-6)
    assert losses["kl_teacher_student"] == pytest.approx(4 * at_two["kl_teacher_student"])
    assert losses["tinybert_prediction"] == pytest.approx(
        place["temperatures"][0]["cross_entropy"], rel=1e-6
    )
    assert losses["total"] == pytest.approx(5 * losses["distillation"], rel=1e-6)
    assert losses["student"] is None
    assert "typed" in losses["why_not"]["student"]
    assert losses["layer_map"] == [2, 4]
    assert losses["projection"] == "trained projection"


def test_words_are_renormalised(targets):
    _, out, _ = targets(TEXT, *PAIR, "--words", WORDS, "--json", "--no-log")
    rows = json.loads(out)["positions"][0]["temperatures"][0]["rows"]
    assert [row["token"] for row in rows] == WORDS.split(",")
    for model in ("teacher", "student"):
        assert sum(row[model] for row in rows) == pytest.approx(1.0)
    # The small world's films: who liked one calls it fun or happy rather than boring.
    best = max(rows, key=lambda row: row["teacher"])
    assert best["token"] == "fun"


def test_a_position_is_masked_if_need_be_and_its_word_is_the_hard_label(targets):
    text = TEXT.replace("[MASK]", "fun")
    _, out, _ = targets(text, *PAIR, "--position", "13", "--json", "--no-log")
    found = json.loads(out)
    (place,) = found["positions"]
    assert (place["position"], place["original"]) == (13, "fun")
    row = next(r for r in place["temperatures"][0]["rows"] if r["token"] == "fun")
    assert found["losses"]["student"] == pytest.approx(-math.log(row["student"]), rel=1e-5)
    typed = targets(TEXT, *PAIR, "--position", "13", "--json", "--no-log")[1]
    assert json.loads(typed)["positions"][0]["original"] is None


def test_a_person_reads_bars_and_losses(targets):
    status, out, _ = targets(TEXT, *PAIR, "--temperature", "4", "--no-log")
    assert status == 0
    assert "teacher  bert-miniature" in out
    assert "T = 4" in out
    assert "TinyBERT: Attention loss" in out
    assert "Nobody knows the hidden words" in out


def test_csv_has_a_row_for_each_word_and_temperature(targets, tmp_path):
    path = tmp_path / "targets.csv"
    arguments = ("--temperature", "1,8", "--words", WORDS, "--csv", str(path), "--no-log")
    assert targets(TEXT, *PAIR, *arguments)[0] == 0
    rows = list(csv.DictReader(path.read_text("utf-8-sig").splitlines()))
    assert len(rows) == 10
    assert {row["temperature"] for row in rows} == {"1.0", "8.0"}


def test_next_sentences(targets):
    text = ("The chef went to the kitchen.", "--pair", "The chef cooked the meal.")
    _, out, _ = targets(*text, *PAIR, "--json", "--no-log")
    found = json.loads(out)
    (place,) = found["positions"]
    assert place["position"] == -1
    assert {row["token"] for row in place["temperatures"][0]["rows"]} == {
        "is next",
        "is not next",
    }
    assert found["losses"] == {}


def test_it_is_logged(targets, tmp_path):
    from explorer.sessions.read.reader import SessionReader

    assert targets(TEXT, *PAIR, "--json")[0] == 0
    reader = SessionReader(Paths.profile(tmp_path / "profile").sessions)
    assert {run.operation for run in reader.runs()} == {"soft_targets", "distillation_losses"}


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("no mask here",), "Nothing is masked"),
        ((TEXT, "--position", "99"), "no token of the text at position 99"),
        ((TEXT, "--position", "0"), "no token of the text at position 0"),
        ((TEXT, "--student", "no-such-model"), "no-such-model"),
        ((TEXT, "--student", "gpt2-miniature"), "gpt2-miniature can't be the student"),
    ],
)
def test_mistakes_are_one_line_and_status_2(targets, arguments, words):
    status, out, error = targets(*PAIR, *arguments, "--no-log")
    assert (status, out) == (2, "")
    assert words in error


@pytest.mark.parametrize("temperature", ["0", "-1", "warm", "1,", "inf"])
def test_a_temperature_is_a_number_above_zero(targets, temperature):
    status, out, error = targets(TEXT, f"--temperature={temperature}")
    assert (status, out) == (2, "")
    assert "is not a temperature above 0" in error
