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


@pytest.fixture
def both(targets, tmp_path):
    """What is printed as JSON, and the rows of the table."""

    def call(*words):
        path = tmp_path / "targets.csv"
        status, out, _ = targets(*words, "--json", "--csv", path, "--no-log")
        assert status == 0
        return json.loads(out), list(csv.DictReader(path.read_text("utf-8-sig").splitlines()))

    return call


def test_the_table_has_each_word_at_each_temperature(both):
    found, rows = both(TEXT, *PAIR, "--temperature", "1,2,4")
    assert (found["model"]["id"], found["other"]["id"]) == (PAIR[1], PAIR[3])
    (place,) = found["masks"]
    assert found["tokens"][place["position"]]["text"] == "[MASK]"
    assert [float(one) for one in dict.fromkeys(row["temperature"] for row in rows)] == [1, 2, 4]
    assert found["vocabulary"]["same"] is True
    assert found["vocabulary"]["shared_mass"] == 1.0
    for temperature in (1.0, 2.0, 4.0):
        some = [row for row in rows if float(row["temperature"]) == temperature]
        for model in ("teacher", "student"):
            # The tops of both are there, and no more is likely than what is shown.
            ranks = sorted(int(row[f"{model}_rank"]) for row in some)
            assert ranks[:10] == list(range(1, 11))
        entropy, crossed = (float(some[0][name]) for name in ("teacher_entropy", "cross_entropy"))
        kl = float(some[0]["kl_teacher_student"])
        assert crossed == pytest.approx(entropy + kl, rel=1e-6)
        assert float(some[0]["kl_student_teacher"]) > 0
    losses = found["distillation_losses"]["predictions"]
    at_two = next(row for row in rows if float(row["temperature"]) == 2.0)
    assert found["distillation_losses"]["temperature"] == 2.0
    assert losses["cross_entropy"] == pytest.approx(float(at_two["cross_entropy"]), rel=1e-5)
    assert losses["kl_teacher_student"] == pytest.approx(
        float(at_two["kl_teacher_student"]), rel=1e-4
    )
    assert losses["cross_entropy_t1"] == pytest.approx(float(rows[0]["cross_entropy"]), rel=1e-5)
    assert losses["student"] is None
    layers = found["distillation_losses"]["layers"]
    assert (layers["student_layers"], layers["teacher_layers"]) == (2, 4)
    assert layers["projection"] == "trained projection"


def test_words_are_renormalised(both):
    _found, rows = both(TEXT, *PAIR, "--words", WORDS)
    assert [row["token"] for row in rows] == WORDS.split(",")
    for model in ("teacher", "student"):
        assert sum(float(row[model]) for row in rows) == pytest.approx(1.0)
    # The small world's films: who liked one calls it fun or happy rather than boring.
    assert max(rows, key=lambda row: float(row["teacher"]))["token"] == "fun"


def test_a_position_is_masked_if_need_be_and_its_word_is_the_hard_label(both):
    text = TEXT.replace("[MASK]", "fun")
    found, rows = both(text, *PAIR, "--position", "13")
    (place,) = found["masks"]
    assert (place["position"], place["original"]["word"]) == (13, "fun")
    row = next(row for row in rows if row["token"] == "fun")
    loss = found["distillation_losses"]["predictions"]["student"]
    assert loss == pytest.approx(-math.log(float(row["student"])), rel=1e-5)
    typed, _rows = both(TEXT, *PAIR, "--position", "13")
    assert typed["masks"][0]["original"] is None


def test_a_person_reads_both_and_the_losses(targets):
    status, out, _ = targets(TEXT, *PAIR, "--temperature", "4", "--no-log")
    assert status == 0
    assert "teacher: BERT miniature  (" in out
    assert "T = 4" in out
    assert "Attention loss" in out
    assert "the true word is unknown" in " ".join(out.split())


def test_csv_has_a_row_for_each_word_and_temperature(both):
    _found, rows = both(TEXT, *PAIR, "--temperature", "1,8", "--words", WORDS)
    assert len(rows) == 10
    assert {row["temperature"] for row in rows} == {"1.0", "8.0"}


def test_next_sentences(both):
    found, rows = both(
        "The chef went to the kitchen.", "--pair", "The chef cooked the meal.", *PAIR
    )
    (place,) = found["masks"]
    assert place["position"] == -1
    assert {row["token"] for row in rows} == {"is next", "is not next"}
    assert "distillation_losses" not in found


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
        ((TEXT, "--student", "gpt2-miniature"), "GPT-2 miniature can't be the student"),
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
