"""The `many_draws` command, in process."""

import json

import pytest

from explorer.cli import main

GENERATOR = "electra-miniature-generator"
KITCHEN = "The chef cooked the meal in the kitchen."


@pytest.fixture
def detect(tmp_path, capsys):
    def ask(*arguments, status=0):
        profile = ["--profile", str(tmp_path / "profile")]
        code = main([*profile, "detect-many", *arguments, "-g", GENERATOR])
        out, err = capsys.readouterr()
        assert code == status, err
        return out if not status else err

    return ask


def test_many_draws_of_a_sentence(detect, tmp_path):
    file = tmp_path / "places.csv"
    out = detect(KITCHEN, "--draws", "20", "--csv", str(file))
    assert "20 draws of one sentence: 20 tokens masked" in out
    assert "ROC area" in out
    assert "misses that look most original" in out
    assert len(file.read_text("utf-8-sig").splitlines()) == 1 + 1 + 9
    answer = json.loads(detect(KITCHEN, "--draws", "20", "--json"))
    assert len(answer["probability"]) == len(answer["truth"]) == 180
    assert answer["draws"] == 20


def test_a_file(detect, tmp_path):
    file = tmp_path / "sentences.txt"
    file.write_text(f"{KITCHEN}\nI liked the movie.\n[MASK] sat.\n", "utf-8")
    out = detect("--file", str(file), "--rate", "0.4")
    assert "2 draws of 2 sentences" in out


def test_mistakes(detect):
    assert "Give a sentence or a file" in detect(status=2)
    assert "can't be read" in detect("--file", "nowhere.txt", status=2)
