"""`ask --look`: the step, the order, the number of bars that a page would be set to."""

import dataclasses
import re

import pytest

from explorer.command_line.options.look_options import looks_of
from explorer.questions import all_questions
from tests import warm_program

TEXT = "I will plant the flower, so I dug the ground. I used a [MASK]."


def ask(tmp_path, question, *arguments):
    return warm_program.run(
        *("ask", question, TEXT, "--no-log", "--profile", tmp_path / "profile"),
        *arguments,
        folder=tmp_path,
        environment={"PLM_EXPLORER_OFFLINE": "1"},
    )


def written(path):
    return re.findall(r"<text[^>]*>([^<]*)</text>", path.read_text(encoding="utf-8"))


def test_the_step_that_a_picture_shows_is_chosen(tmp_path):
    plain, chosen = tmp_path / "plain.svg", tmp_path / "chosen.svg"
    assert ask(tmp_path, "forward_pass", "--picture", plain).returncode == 0
    done = ask(tmp_path, "forward_pass", "--look", "step=3.activation", "--picture", chosen)
    assert (done.returncode, done.stderr) == (0, "")
    assert "Layer 3 · Activation" in written(chosen)
    assert "Layer 3 · Activation" not in written(plain)
    assert "Layer 0 · Residual: attention is added" in written(plain)


def test_order_and_number_of_bars_are_chosen(tmp_path):
    how = ("--words", "trowel,hose", "--no-totals", "--look", "most=5")
    done = ask(tmp_path, "logit_parts", *how, "--look", "order=model")
    assert done.returncode == 0
    told = done.stdout.partition("31 other parts")[0]
    bars = re.findall(r"^(Head \d\.\d|Feed-forward \d) +[+−]", told, re.MULTILINE)
    assert bars == sorted(bars, key=lambda one: re.findall(r"\d", one)[0])
    strongest = ask(tmp_path, "logit_parts", *how).stdout
    assert strongest.index("Feed-forward 3 ") < strongest.index("Head 3.1 ")
    assert len(bars) == 5


@pytest.mark.parametrize("typed", ["ordr=model", "order", "words=trowel,hose"])
def test_what_no_page_has_is_refused(tmp_path, typed):
    done = ask(tmp_path, "logit_parts", "--look", typed)
    assert done.returncode != 0
    assert f"--look {typed} sets nothing of this page." in done.stderr
    assert "most and order" in done.stderr


def test_a_value_that_is_none_is_refused(tmp_path):
    done = ask(tmp_path, "logit_parts", "--look", "order=backwards")
    assert done.returncode != 0
    assert "Give one of strongest, model." in done.stderr


def test_no_name_of_a_look_is_a_field_of_the_request():
    assert {"step"} <= looks_of(all_questions()["forward_pass"]).keys()
    for question in all_questions().values():
        fields = {one.name for one in dataclasses.fields(question.request)}
        assert not fields & looks_of(question).keys()


def test_a_step_that_no_answer_has_is_refused_once_there_is_one(tmp_path):
    picture = tmp_path / "step.svg"
    done = ask(tmp_path, "forward_pass", "--look", "step=3.activatoin", "--picture", picture)
    assert done.returncode == 2
    assert done.stderr.startswith("This answer has nothing for --look step=3.activatoin.")
    assert "such as 3.activation" in done.stderr
    assert not picture.exists()
