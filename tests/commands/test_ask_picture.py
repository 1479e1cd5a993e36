"""`ask --picture`: the page of an answer as a file, without a window or a screen."""

import re
from pathlib import Path

import pytest

from tests import warm_program

ROOT = Path(__file__).parents[2]
SENTENCE = "the chef [MASK] a soup"


def ask(tmp_path, *arguments):
    return warm_program.run(
        *("ask", "masked_tokens", SENTENCE, "--no-log", "--profile", tmp_path / "profile"),
        *arguments,
        folder=tmp_path,
        environment={"PLM_EXPLORER_OFFLINE": "1"},
    )


def test_a_picture_as_wide_as_a_column(tmp_path):
    target = tmp_path / "figure.svg"
    done = ask(tmp_path, "--picture", target, "--picture-width", "84")
    assert (done.returncode, done.stderr) == (0, "")
    text = target.read_text(encoding="utf-8")
    assert '<svg width="84mm"' in text
    said = re.findall(r"<text[^>]*>([^<]*)</text>", text)
    assert {"chef", "0.3823"} <= set(said)
    assert "Masked tokens" not in said
    assert "0.382" in done.stdout


def test_a_picture_of_another_form_is_refused_before_the_model_is_asked(tmp_path):
    done = ask(tmp_path, "--picture", tmp_path / "figure.bmp")
    assert done.returncode != 0
    assert ".pdf, .svg or .png" in done.stderr
    assert done.stdout == ""


@pytest.mark.parametrize("width", ["5", "wide"])
def test_a_width_that_can_not_be_is_said(tmp_path, width):
    done = ask(tmp_path, "--picture", tmp_path / "figure.pdf", "--picture-width", width)
    assert done.returncode != 0
    assert f"{width} is no width from 60 to 600 mm" in done.stderr
