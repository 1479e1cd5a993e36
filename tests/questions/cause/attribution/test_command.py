"""`ask attribution`: one JSON object with a score a token, and one line where it can't be had."""

import json

import pytest

from explorer import cli

TEXT = "The chef cooked the [MASK] in the kitchen ."


@pytest.fixture
def run(tmp_path, capsys):
    """Ask; gives the exit status, what was printed, and what was complained of."""

    def command(*arguments):
        profile = ["--profile", str(tmp_path / "profile"), "--device", "cpu"]
        status = cli.main([*profile, "ask", "attribution", *arguments])
        return (status, *capsys.readouterr())

    return command


def test_json_has_a_score_a_token_and_the_gap(run):
    typed = ("--method", "integrated_gradients", "--steps", "20", "--json")
    status, printed, _complained = run(TEXT, *typed)
    assert status == 0
    told = json.loads(printed)
    assert len(told["scores"]) == len(told["tokens"])
    assert told["tokens"][2]["text"] == "chef"
    assert told["scores"][0] == 0.0
    whole = told["value"] - told["baseline_value"]
    assert told["gap"] == pytest.approx(sum(told["scores"]) - whole, abs=1e-6)
    assert abs(told["gap"]) < 0.05 * abs(whole)


def test_a_mask_past_the_end_is_one_line(run):
    long = "the chef cooked the soup . " * 60 + "the chef cooked the [MASK] ."
    status, printed, complained = run(long)
    assert (status, printed) == (2, "")
    (line,) = complained.strip().splitlines()
    assert "does not fit into the model" in line
