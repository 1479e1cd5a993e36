"""`ask --steps --film`: a page at every step of a training as a film in a file."""

import re
import shutil
from pathlib import Path

import pytest

from explorer.paths import Paths
from explorer.series.row_scales import FILE
from explorer.ui.export.film import kinds

FILM = Paths.standard().bundled_models.with_name("films") / "bert-film"
ASK = ("ask", "masked_tokens", "The chef [MASK] the meal.", "--top-k", "3", "--no-log")


@pytest.fixture
def film(told, tmp_path, capsys):
    """Make a film of three frames; gives its file."""

    def make(name: str, *typed: str, model: str = "bert-film") -> Path:
        steps = ("--steps", "64,512,8000") if model == "bert-film" else ("--steps", "all")
        told(*ASK, "--model", model, *steps, "--film", tmp_path / name, *typed)
        return tmp_path / name

    return make


def texts(svg: str) -> list[str]:
    return re.findall(r"<text[^>]*>([^<]*)</text>", svg)


def test_numbered_pictures_of_one_size_on_one_scale(film):
    folder = film("frames", "--picture-width", "84", "--scheme", "dark")
    files = sorted(folder.iterdir())
    assert [one.name for one in files] == ["1-step-64.svg", "2-step-512.svg", "3-step-8000.svg"]
    drawn = [one.read_text("utf-8") for one in files]
    assert len({re.search(r"viewBox=\"(.*?)\"", one)[1] for one in drawn}) == 1
    assert all('width="84mm"' in one for one in drawn)
    for step, one in zip(("64", "512", "8,000"), drawn, strict=True):
        assert f"Step {step} of 8,000" in texts(one)
        # A probability's bars reach from 0 to 1 in every frame.
        assert texts(one).index("0") + 1 == texts(one).index("1")
        # They begin at the same place, whatever words stand before them.
        starts = {re.search(r'x="([\d.]+)"[^>]*>0</text>', each)[1] for each in drawn}
        assert len(starts) == 1
        caption = " ".join(texts(one))
        assert f"bert-film@step{step.replace(',', '')} (family bert, fingerprint" in caption


def test_a_gif_that_plays_for_ever(film):
    from PIL import Image

    with Image.open(film("film.gif", "--seconds-a-frame", "0.2")) as image:
        assert (image.n_frames, image.info["loop"]) == (3, 0)
        shown, seen = [], set()
        for number in range(3):
            image.seek(number)
            shown.append(image.info["duration"])
            seen.add(image.convert("RGB").tobytes())
        # Its ground is white and no other colour near it.
        assert image.convert("RGB").getpixel((2, 2)) == (255, 255, 255)
    assert shown == [200, 200, 600]
    assert len(seen) == 3


def test_a_page_that_plays_by_itself_and_needs_nothing_else(film):
    page = film("film.html").read_text("utf-8")
    assert page.count("<figure data-step=") == page.count("data:image/svg+xml;base64,") == 3
    assert re.findall(r"<figure data-step='(.*?)'( hidden)?>", page) == [
        ("Step 64 of 8,000", ""),
        ("Step 512 of 8,000", " hidden"),
        ("Step 8,000 of 8,000", " hidden"),
    ]
    assert "default-src 'none'" in page
    assert not re.search(r"(?:src|href)=['\"]?(?!data:)\w+:", page)
    for key in ("ArrowLeft", "ArrowRight", "Home", "End", '" "'):
        assert key in page


def test_the_pages_own_script_alone_may_run(film):
    import base64
    import hashlib

    page = film("film.html").read_text("utf-8")
    (script,) = re.findall(r"<script>(.*?)</script>", page, re.DOTALL)
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    assert f"script-src 'sha256-{digest}'" in page


def test_a_damaged_frame_is_named_and_left_out(run, tmp_path):
    """One whose header is whole, so that it is found when its weights are read."""
    import numpy as np
    from safetensors.numpy import load_file, save_file

    series = tmp_path / "mine"
    for step in (64, 512, 8000):
        shutil.copytree(FILM / f"checkpoint-{step}", series / f"checkpoint-{step}")
    shutil.copyfile(FILM / "tokenizer.json", series / "tokenizer.json")
    weights = load_file(series / "checkpoint-512" / FILE)
    weights["bert.embeddings.LayerNorm.bias"][0] = np.nan
    save_file(weights, series / "checkpoint-512" / FILE)
    cut = series / "checkpoint-64" / FILE
    target = tmp_path / "frames"
    asked = (*ASK, "--model", series, "--steps", "all", "--film", target)
    status, _, err = run(*asked)
    assert status == 0, err
    assert "checkpoint-512 is left out: The tensor" in err
    assert [one.name for one in sorted(target.iterdir())] == ["1-step-64.svg", "2-step-8000.svg"]
    shutil.rmtree(target)
    cut.write_bytes(cut.read_bytes()[:2000])
    status, _, err = run(*asked)
    assert status == 0, err
    assert "checkpoint-64 is left out" in err
    assert [one.name for one in target.iterdir()] == ["1-step-8000.svg"]


def test_the_student_moves_while_its_teacher_stays(told, tmp_path):
    target = tmp_path / "soft"
    told(
        *("ask", "soft_targets", "The chef [MASK] the meal.", "--no-log", "--student", "bert-film"),
        *("--teacher", "bert-miniature", "--steps", "64,8000", "--film", target),
    )
    for step in (64, 8000):
        (file,) = target.glob(f"*-step-{step}.svg")
        said = " ".join(texts(file.read_text("utf-8")))
        assert f"Student: bert-film@step{step}" in said
        assert "Teacher: bert-miniature" in said


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        (("--film", "film.gif"), "A film shows a model at many steps of its training"),
        (("--seconds-a-frame", "1"), "--seconds-a-frame is about a film"),
        (("--model", "bert-film", "--steps", "64", "--film", "film.avi"), "as avi"),
        (("--model", "bert-film", "--steps", "64", "--film", "no/where.gif"), "does not exist"),
    ],
)
def test_what_makes_no_film_is_refused_before_anybody_is_asked(run, typed, said):
    status, out, err = run(*ASK, *typed)
    assert (status, out) == (2, "") or "does not exist" in err
    assert said in err


def test_without_ffmpeg_there_is_no_mp4(run, tmp_path, monkeypatch):
    monkeypatch.setattr(kinds, "video_program", lambda: "")
    asked = ("--model", "bert-film", "--steps", "64", "--film", tmp_path / "film.mp4")
    status, _, err = run(*ASK, *asked)
    assert status == 2
    assert "An MP4 is written by ffmpeg, which is not installed here." in err
