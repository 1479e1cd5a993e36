"""Moments of a model's training, asked by `--step`, `--steps` and @."""

import csv
import json
from pathlib import Path

import pytest

from explorer.paths import Paths
from explorer.sessions.read.reader import SessionReader
from tests.series.moments import damage, frames_of

STEPS = (10, 100, 1000)
ASK = ("ask", "masked_tokens", "The chef [MASK] the meal.")


@pytest.fixture(scope="module")
def series(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return frames_of("distilbert-miniature", tmp_path_factory.mktemp("made") / "run", STEPS)


def asked(run, *typed):
    status, out, err = run(*ASK, *typed, "--json")
    assert status == 0, err
    return json.loads(out)


def test_one_step_is_asked(run, series):
    frame = str(series / "checkpoint-100")
    told = asked(run, "--model", str(series), "--step", "100")
    assert told["model"]["id"] == frame
    assert told["masks"] == asked(run, "--model", frame)["masks"]
    assert told["masks"] == asked(run, "--model", f"{series}@100")["masks"]
    assert asked(run, "--model", str(series))["model"]["id"].endswith("checkpoint-1000")


def test_every_step_is_a_block_of_rows_in_one_table(run, series, tmp_path):
    target = tmp_path / "steps.csv"
    told = asked(run, "--model", str(series), "--steps", "all", "--csv", target)
    assert [one["model"]["id"] for one in told["models"]] == [
        str(series / f"checkpoint-{step}") for step in STEPS
    ]
    with target.open(encoding="utf-8-sig", newline="") as file:
        first, *rows = csv.reader(file)
    assert first[:2] == ["model", "training_step"]
    assert sorted({int(row[1]) for row in rows}) == [*STEPS]
    for step, one in zip(STEPS, told["models"], strict=True):
        alone = asked(run, "--model", str(series / f"checkpoint-{step}"))
        assert one["model"]["fingerprint"] == alone["model"]["fingerprint"]
        assert one["masks"] == alone["masks"]
    some = asked(run, "--model", str(series), "--steps", "50-1000")
    assert len(some["models"]) == 2


def test_a_damaged_step_is_named_and_the_others_are_asked(run, tmp_path):
    series = frames_of("distilbert-miniature", tmp_path / "run", STEPS)
    damage(series / "checkpoint-100")
    status, out, err = run(*ASK, "--model", str(series), "--steps", "all", "--json")
    assert (status, len(json.loads(out)["models"])) == (0, 2)
    assert err.startswith("checkpoint-100 is left out: ")
    status, _, err = run(*ASK, "--model", str(series), "--step", "100")
    assert status == 1
    assert "cut short" in err


def test_what_has_no_such_step_is_refused(run, series):
    status, _, err = run(*ASK, "--model", str(series), "--step", "11")
    assert status == 2
    assert "Its steps are 10, 100, 1000." in err
    status, _, err = run(*ASK, "--step", "10")
    assert status == 2
    assert "bert-miniature has no steps of training here." in err
    status, _, err = run(*ASK, "--model", str(series), "--step", "10", "--steps", "all")
    assert status == 2
    assert "Leave one of them out." in err


def test_an_answer_of_a_step_is_replayed_by_its_fingerprint(run, series, profile):
    told = asked(run, "--model", str(series), "--step", "10")
    (logged,) = SessionReader(Paths.profile(profile).sessions).runs()
    assert logged.model_id == told["model"]["id"] == str(series / "checkpoint-10")
    status, out, err = run("sessions", "replay", logged.id)
    assert status == 0, err
    assert "same" in out.lower()


def test_a_file_of_sentences_is_asked_at_every_step(run, series, tmp_path):
    sentences = tmp_path / "two.txt"
    sentences.write_text("The chef cooked the meal.\nShe washed a pan.\n", "utf-8")
    status, out, err = run(
        "over", sentences, "--model", str(series), "--steps", "10,1000", "--json"
    )
    assert status == 0, err
    assert [one["model"]["id"] for one in json.loads(out)["models"]] == [
        str(series / "checkpoint-10"),
        str(series / "checkpoint-1000"),
    ]
    assert len(json.loads(out)["table"]["rows"]) == 4
