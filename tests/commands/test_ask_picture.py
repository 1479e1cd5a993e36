"""`ask --picture`: the page of an answer as a file, without a window or a screen."""

import re
from pathlib import Path

import pytest

from explorer import cli
from explorer.paths import Paths
from tests import plugin_question, warm_program

ROOT = Path(__file__).parents[2]
SENTENCE = "the chef [MASK] a soup"


def ask(tmp_path, *arguments, question="masked_tokens", sentence=SENTENCE):
    return warm_program.run(
        *("ask", question, sentence, "--no-log", "--profile", tmp_path / "profile"),
        *arguments,
        folder=tmp_path,
        environment={"PLM_EXPLORER_OFFLINE": "1"},
    )


def test_a_picture_as_wide_as_a_column(tmp_path):
    from explorer.ui.theme.schemes import theme_of

    target = tmp_path / "figure.svg"
    width = ("--picture-width", "84", "--scheme", "dark")
    done = ask(tmp_path, "--top-k", "3", "--picture", target, *width)
    assert (done.returncode, done.stderr) == (0, "")
    text = target.read_text(encoding="utf-8")
    assert '<svg width="84mm"' in text
    (ground, *_others) = re.findall(r'fill="#(\w{6})"', text)
    assert ground == theme_of("dark").surface.name()[1:]
    said = re.findall(r"<text[^>]*>([^<]*)</text>", text)
    assert {"chef", "0.3823"} <= set(said)
    assert "Masked tokens" not in said
    # A figure for print is bare: how it came about is in its description.
    told = re.findall(r"<desc>(.*?)</desc>", text, re.DOTALL)[0]
    assert "Model: bert-miniature (family bert, fingerprint " in told
    assert "Top = 3" in told
    assert "0.382" in done.stdout


def test_help_says_that_a_picture_of_a_width_is_bare(capsys):
    assert cli.main(["ask", "masked_tokens", "--help"]) == 0
    told = " ".join(capsys.readouterr().out.split())
    assert "has no title and no caption: both are in the file's metadata" in told


def test_a_picture_of_another_form_is_refused_before_the_model_is_asked(tmp_path):
    done = ask(tmp_path, "--picture", tmp_path / "figure.bmp")
    assert done.returncode != 0
    assert ".pdf, .svg or .png" in done.stderr
    assert done.stdout == ""


def test_parts_and_forms_are_chosen_and_what_is_left_out_is_told(tmp_path):
    files = [tmp_path / f"figure.{ending}" for ending in ("svg", "png", "pdf")]
    named = [one for path in files for one in ("--picture", path)]
    wanted = {"question": "attention", "sentence": "the chef ate the soup"}
    done = ask(tmp_path, *named, "--picture-width", "84", **wanted)
    assert done.returncode == 0
    assert "The picture leaves out: All heads. --part NAME shows a part" in done.stderr
    assert [path.read_bytes()[:4] for path in files] == [b"<?xm", b"\x89PNG", b"%PDF"]
    assert "One head" not in words_in(files[0])
    assert "layer 0, head 0" in words_in(files[0]).lower()
    asked = ("--part", "all-heads", "--slide", "--title", "--caption", "--points", "15")
    done = ask(tmp_path, *named, *asked, **wanted)
    assert done.returncode == 0
    words = words_in(files[0])
    assert words.startswith("Attention")
    assert "layer 0, head 0" not in words.lower()
    assert "fingerprint" in words
    assert '<svg width="254mm"' in files[0].read_text(encoding="utf-8")
    done = ask(tmp_path, *named, "--part", "all-head", **wanted)
    assert done.returncode == 2
    assert "Did you mean all-heads? Its parts: one-head, all-heads and all." in done.stderr


@pytest.mark.parametrize(
    ("option", "told"),
    [("--slide", "--slide is about a picture"), ("--points=3", "is no number from 7 to 24")],
)
def test_options_of_a_picture_that_can_not_be_are_told(tmp_path, option, told):
    done = ask(tmp_path, option)
    assert done.returncode == 2
    assert told in done.stderr


@pytest.mark.parametrize("width", ["5", "wide"])
def test_a_width_that_can_not_be_is_said(tmp_path, width):
    done = ask(tmp_path, "--picture", tmp_path / "figure.pdf", "--picture-width", width)
    assert done.returncode != 0
    assert f"{width} is no width from 60 to 600 mm" in done.stderr


def words_in(picture):
    """What is written in an SVG, one space between two pieces."""
    return " ".join(re.findall(r"<text[^>]*>([^<]*)</text>", picture.read_text(encoding="utf-8")))


def test_a_picture_has_what_its_page_brings_later(tmp_path):
    """On screen the prediction of the chosen cell comes after the table of all cells."""
    target = tmp_path / "figure.svg"
    done = ask(
        tmp_path,
        *("--swap", "chef=baker", "--picture", target),
        question="patching",
        sentence="the chef cooked the [MASK] .",
    )
    assert (done.returncode, done.stderr) == (0, "")
    words = words_in(target)
    assert "on its way" not in words
    assert "the state of “chef” at “baker”" in words


def test_a_page_that_a_browser_draws_is_in_its_picture(tmp_path):
    target = tmp_path / "figure.svg"
    done = ask(tmp_path, "--picture", target, question="bertviz", sentence="the chef ate")
    if done.returncode:
        # Where no browser can be had, nothing is written, and why.
        assert "There is no picture of this page" in done.stderr
        assert not target.exists()
        pytest.skip(done.stderr)
    words = words_in(target)
    assert "Layer:" in words
    assert "There is no picture" not in words


def test_letters_that_no_font_has_are_told(tmp_path, qapp):
    from explorer.ui.theme.letters import script_of, without_font
    from tests.ui.notices.test_missing_fonts import RARE

    lacking = without_font(RARE)
    if not lacking:
        pytest.skip("This computer has a font for every script.")
    target = tmp_path / "figure.svg"
    done = ask(tmp_path, "--picture", target, sentence=f"the {lacking[0]} [MASK] a soup")
    assert done.returncode == 0
    assert target.exists()
    assert f"the script {script_of(lacking[0]).capitalize()}, which are drawn as boxes" in (
        done.stderr
    )


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("digits = 0 if shown.value(ROUND) else 2", "digits = 1 // 0"),  # as it is drawn
        ("from .question import", "1 / 0\nfrom .question import"),  # as it is imported
    ],
)
def test_a_page_that_raises_is_no_picture(tmp_path, old, new):
    """In a paper's Makefile a picture of the fault would go unseen."""
    plugins = Paths.profile(tmp_path / "profile").user_plugins
    plugin = plugin_question.write(plugins)
    plugin_question.change(plugin, "page.py", old, new)
    target = tmp_path / "figure.png"
    done = ask(tmp_path, "--picture", target, question=plugin_question.NAME)
    assert done.returncode == 1
    assert not target.exists()
    assert "The plugin Word lengths failed (ZeroDivisionError: " in done.stderr
    assert "Traceback" not in done.stderr
