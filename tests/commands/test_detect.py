"""The `detect` command, in process."""

import csv
import json
from functools import partial

import pytest

CHEF = "the chef cooked the meal"
GENERATOR = "electra-miniature-generator"


def corrupted(answer):
    """The tokens as the discriminator saw them."""
    return [token["text"] for token in answer["tokens"]]


@pytest.fixture
def detect(told):
    return partial(told, "detect")


def test_one_json_object_with_these_keys(detect):
    out = detect(CHEF, "--generator", GENERATOR, "--mask", "1,3", "--seed", "3", "--json")
    assert out.count("\n") == 1
    answer = json.loads(out)
    assert answer["model"]["id"] == "electra-miniature-discriminator"
    assert answer["other"]["id"] == GENERATOR
    assert answer["original"] == ["[CLS]", "the", "chef", "cooked", "the", "meal", "[SEP]"]
    count = len(answer["tokens"])
    for key in ("original", "probability", "truth"):
        assert len(answer[key]) == count
    assert [one["position"] for one in answer["chosen"]] == [1, 3]
    for one in answer["chosen"]:
        drawn = one["sampled"]
        assert corrupted(answer)[one["position"]] == drawn["token"]
        assert 0 < drawn["probability"] <= 1
    truth = [a != b for a, b in zip(answer["original"], corrupted(answer), strict=True)]
    assert answer["truth"] == truth
    losses = answer["losses"]
    assert losses["weight"] == 50
    assert losses["generator"] > 0
    assert losses["discriminator"] > 0


def test_the_same_seed_prints_the_same(detect):
    arguments = (CHEF, "--generator", GENERATOR, "--rate", "0.4", "--json", "--seed")
    first = detect(*arguments, "11")
    assert detect(*arguments, "11") == first
    assert any(detect(*arguments, str(seed)) != first for seed in (12, 13, 14))


def test_words_of_ones_own_and_a_threshold(detect):
    arguments = (CHEF, "--replace", "1=a", "--replace", "3=ate", "--threshold")
    low, high = (json.loads(detect(*arguments, value, "--json")) for value in ("0.01", "0.99"))
    assert corrupted(low)[1:4] == ["a", "chef", "ate"]
    assert low["other"] is None
    assert low["losses"]["generator"] is None
    assert low["probability"] == high["probability"]
    found, missed = (detect(*arguments, value) for value in ("0.01", "0.99"))
    assert sum(line.endswith("  hit") for line in found.splitlines()) == 2
    assert sum(line.endswith("  miss") for line in missed.splitlines()) == 2


def test_a_person_reads_a_line_a_token(detect, tmp_path):
    file = tmp_path / "tokens.csv"
    out = detect(CHEF, "--generator", GENERATOR, "--mask", "3", "--argmax", "--csv", str(file))
    assert "discriminator: ELECTRA miniature, discriminator  (" in out
    assert "generator: ELECTRA miniature, generator  (" in out
    assert "Losses, in nats" in out
    assert "correct rejection" in out
    assert len(file.read_text("utf-8-sig").splitlines()) == 8


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("--mask", "1"), "need a generator"),
        (("--replace", "9=ate"), "There is no token 9"),
        (("--replace", "0=ate"), "which the model adds itself"),
        (("--generator", "roberta-miniature"), "vocabularies differ"),
        (("--model", GENERATOR), "Load its discriminator"),
    ],
)
def test_mistakes_are_told_in_one_line(detect, arguments, words):
    err = detect(CHEF, *arguments, status=2)
    assert words in err
    assert "Traceback" not in err


@pytest.mark.parametrize("arguments", [("--mask", "a"), ("--replace", "4"), ("--threshold", "2")])
def test_arguments_that_can_not_be_read(detect, arguments):
    assert f"argument {arguments[0]}" in detect(CHEF, *arguments, status=2)


def test_over_a_file_the_second_model_draws(tmp_path, told):
    file, table = tmp_path / "two.txt", tmp_path / "rows.csv"
    file.write_text("The chef cooked the meal.\nI liked the movie.\n", "utf-8")
    judge = "electra-miniature-discriminator"
    arguments = ["over", str(file), "--ask", "replaced_tokens", "-m", judge]
    told(*arguments, "--second", GENERATOR, "--csv", table)
    rows = list(csv.DictReader(table.read_text("utf-8-sig").splitlines()))
    assert [row["chosen"] for row in rows] == ["1", "1"]
    assert all(float(row["generator_loss"]) > 0 for row in rows)
    assert [int(row["tokens"]) for row in rows] == [6, 5]
