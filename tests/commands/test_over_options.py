"""`over FILE --ask QUESTION` takes the question's own options, as `ask` does."""

import csv
import json
from functools import partial
from importlib.util import find_spec

import pytest

from explorer.command_line.asking.request_arguments import ENTITIES, MASKS, PAIR, TEXT, arguments_of
from explorer.paths import Paths
from explorer.questions import all_questions
from explorer.sessions.read.listing import RunFilter
from explorer.sessions.read.reader import SessionReader

LINES = "the cat sat.\nthe chef disentangled the meal.\n"
# They are places in one text, and a file has many.
OF_ONE_TEXT = {MASKS, ENTITIES}
OFFERED = sorted(name for name, one in all_questions().items() if one.summary is not None)


@pytest.fixture
def over(run, tmp_path):
    """Run the command on two sentences."""
    file = tmp_path / "two.txt"
    file.write_text(LINES, "utf-8")
    return partial(run, "over", file)


@pytest.mark.parametrize("name", OFFERED)
def test_every_option_of_the_question_is_there(over, name):
    status, out, _ = over("--ask", name, "--help")
    assert status == 0
    wanted = [one for one in arguments_of(all_questions()[name]) if one.name not in (TEXT, PAIR)]
    for one in wanted:
        assert (f"--{one.name.replace('_', '-')}" in out) == (one.name not in OF_ONE_TEXT)


def test_a_file_that_is_not_answered_at_all_has_no_table_of_means(over):
    status, out, err = over("--ask", "joint_decoding", "--no-log")
    assert status == 2  # no sentence has an answer
    assert "2 sentences failed" in err
    assert "mean" not in out


def test_an_option_is_asked_with(over):
    status, out, err = over("--ask", "surprisal", "--json", "--no-log")
    assert status == 0, err
    usual = json.loads(out)
    whole = json.loads(over("--method", "whole-word", "--json", "--no-log")[1])
    assert whole["results"] != usual["results"]
    means = [
        next(one["mean"] for one in told["spreads"] if one["column"] == "pseudo-log-likelihood")
        for told in (usual, whole)
    ]
    assert means[0] != means[1]
    assert json.loads(over("--method", "original", "--json", "--no-log")[1]) == usual


def test_what_must_be_told_is_told_by_its_option(over):
    asked = ("--ask", "joint-decoding", "--json", "--no-log")
    assert json.loads(over(*asked, "--width", "2")[1])["failures"][0][2].startswith(
        "Nothing is masked."
    )
    status, out, err = over("--ask", "masking_policy", "--selected", "0.5", "--json", "--no-log")
    assert status == 0, err
    usual = json.loads(over("--ask", "masking_policy", "--json", "--no-log")[1])
    assert json.loads(out)["results"] != usual["results"]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("--ask", "surprisal", "--method", "sideways"), "'sideways' is none of original"),
        (("--ask", "tokens", "--method", "original"), "unrecognized arguments: --method"),
        (("--ask", "masked_tokens", "--top-k", "many"), "'many' is not a whole number"),
        (("--ask", "masked_tokens", "--mask", "cat"), "unrecognized arguments: --mask"),
        (("--ask", "architecture"), "can't be asked about a file"),
        (("--processes", "-1"), "'-1' is not a number from 0 to 64"),
        (("--processes", "two"), "'two' is not a number from 0 to 64"),
        (("--address", "10.0.0.5:6379"), "Add --runner ray."),
        (("--ask", "architecture", "--length", "5"), "can't be asked about a file"),
    ],
)
def test_mistakes_are_those_of_ask(over, arguments, words):
    status, out, err = over(*arguments)
    assert (status, out) == (2, "")
    assert words in err


@pytest.mark.skipif(find_spec("ray") is not None, reason="Ray is installed")
def test_without_ray_a_line_says_how_to_get_it(over):
    status, out, err = over("--runner", "ray")
    assert (status, out) == (2, "")
    assert err.splitlines() == [
        "Ray is not installed. Install it: pip install plm-explorer[cluster]."
    ]


def test_answers_are_kept_as_they_were_asked(over, tmp_path):
    arguments = ("--ask", "surprisal", "--method", "whole-word", "--keep-answers", "--no-log")
    assert over(*arguments)[0] == 0
    reader = SessionReader(Paths.profile(tmp_path / "profile").sessions)
    kept = [reader.run(one.id) for one in reader.runs(RunFilter(operation="surprisal"))]
    assert [one.request.method.value for one in kept] == ["whole_word"] * 2
    assert {one.request.text for one in kept} == set(LINES.split("\n")[:2])
    assert [one.document.option("surprisal.method") for one in kept] == ["whole_word"] * 2


def test_a_sentence_of_unknown_words_is_said_to_be_left_out(over, tmp_path):
    (tmp_path / "two.txt").write_text(f"{LINES}요리사는 부엌에서 식사를 요리했다.\n", "utf-8")
    rows = tmp_path / "rows.csv"
    status, out, err = over("--ask", "surprisal", "--no-log", "--csv", str(rows))
    assert status == 0, err
    assert "1 row is left out of the means: most of its tokens are unknown" in out
    told = list(csv.DictReader(rows.read_text("utf-8-sig").splitlines()))
    assert [int(one["unknown tokens"]) for one in told] == [0, 0, 4]
    assert [one["not in the means"] for one in told] == ["", "", "most tokens are unknown"]
