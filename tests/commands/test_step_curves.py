"""Numbers of answers as curves over steps, from the command line."""

import csv
import json

import pytest

from tests.series.moments import frames_of

STEPS = (1, 10, 100)
ASK = ("ask", "masked_tokens", "The chef [MASK] the meal.")


@pytest.fixture(scope="module")
def series(tmp_path_factory):
    return frames_of("distilbert-miniature", tmp_path_factory.mktemp("made") / "run", STEPS)


def test_a_curve_has_a_row_a_step_as_each_step_answers_alone(run, series, tmp_path):
    target, picture = tmp_path / "curve.csv", tmp_path / "curve.svg"
    typed = ("--model", str(series), "--steps", "all", "--curve", "probability cooked")
    status, out, err = run(*ASK, *typed, "--csv", target, "--picture", picture)
    assert status == 0, err
    assert "cooked" in out
    with target.open(encoding="utf-8-sig", newline="") as file:
        rows = list(csv.DictReader(file))
    assert [int(one["step"]) for one in rows] == [*STEPS]
    assert {(one["measured"], one["row"]) for one in rows} == {("probability", "cooked")}
    status, out, err = run(*ASK, "--model", str(series / "checkpoint-10"), "--json")
    (mask,) = json.loads(out)["masks"]
    alone = next(one["probability"] for one in mask["predictions"] if one["word"] == "cooked")
    assert float(rows[1]["value"]) == pytest.approx(alone, abs=1e-6)
    assert picture.read_text("utf-8").startswith("<?xml")
    status, out, err = run(*ASK, *typed, "--json", "--no-log")
    told = json.loads(out)
    assert told["series"][0]["steps"] == [*STEPS]
    assert [row[-1] for row in told["table"]["rows"]] == [float(one["value"]) for one in rows]


def test_a_curve_of_no_steps_and_words_that_nothing_has_are_refused(run, series):
    status, _, err = run(*ASK, "--model", str(series), "--curve")
    assert status == 2
    assert "none are named" in err
    typed = ("--model", str(series), "--steps", "10", "--curve", "nonsense")
    status, _, err = run(*ASK, *typed)
    assert status == 2
    assert "“nonsense”" in err
