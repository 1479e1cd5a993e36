"""The `many_draws` command, in process."""

import json

import pytest

GENERATOR = "electra-miniature-generator"
KITCHEN = "The chef cooked the meal in the kitchen."


@pytest.fixture
def detect(told):
    return lambda *words, status=0: told("many-draws", *words, "-g", GENERATOR, status=status)


def test_many_draws_of_a_sentence(detect, tmp_path):
    file = tmp_path / "places.csv"
    out = detect(KITCHEN, "--draws", "20", "--csv", str(file))
    assert "20 draws of one sentence. Masked tokens: 20" in out
    assert "ROC" in out
    assert len(file.read_text("utf-8-sig").splitlines()) == 1 + 1 + 9
    answer = json.loads(detect(KITCHEN, "--draws", "20", "--json"))
    assert len(answer["probability"]) == len(answer["truth"]) == 180
    assert answer["draws"] == 20


def test_a_file(detect, tmp_path):
    file = tmp_path / "sentences.txt"
    file.write_text(f"{KITCHEN}\nI liked the movie.\n[MASK] sat.\n", "utf-8")
    out = detect("--file", str(file), "--rate", "0.4")
    assert "many_draws of sentences.txt: 3 of 3 sentences" in out
    assert "all sentences together:" in out
    assert "area under the ROC, lower end" in out
    told = json.loads(detect("--file", str(file), "--rate", "0.4", "--json"))
    assert (told["done"], told["failed"]) == (3, 1)
    pooled = told["pooled"]
    assert (pooled["sentences"], pooled["threshold"]) == (2, 0.5)
    assert (
        pooled["tokens"]
        == pooled["hits"]
        + pooled["misses"]
        + pooled["false_alarms"]
        + (pooled["correct_rejections"])
    )
    loose = json.loads(
        detect("--file", str(file), "--rate", "0.4", "--json", "--threshold", "0.01")
    )
    assert loose["results"] == told["results"]
    assert loose["pooled"]["false_alarms"] > pooled["false_alarms"]
    few = json.loads(detect("--file", str(file), "--limit", "1", "--json"))
    assert (few["count"], few["left_out"]) == (1, 2)


def test_its_old_name(tmp_path, told):
    file = tmp_path / "sentences.txt"
    file.write_text(f"{KITCHEN}\nI liked the movie.\n", "utf-8")
    out = told("detect-many", "--file", file, "-g", GENERATOR, "--draws", "2", "--no-log")
    assert "all sentences together:" in out


def test_mistakes(detect):
    assert "Give a sentence or a file" in detect(status=2)
    assert "can't be read" in detect("--file", "nowhere.txt", status=2)
