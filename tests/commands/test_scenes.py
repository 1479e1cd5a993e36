"""`scenes`: lists, shows, plays and judges; the exit status says whether all claims hold."""

import json
from functools import partial

import pytest

from explorer import lectures
from tests.lectures.scene_texts import one_mask

CLAIMS = """claims = ["masks[0].predictions[0].word == 'meal'", "masks[0].entropy {sign} 100"]
"""
SCENE = one_mask("My scene", "The chef cooked the meal in the kitchen.", "meal", CLAIMS)


@pytest.fixture
def scenes(run):
    return partial(run, "scenes")


@pytest.fixture
def mine(tmp_path):
    def write(sign="<", name="mine.toml"):
        path = tmp_path / name
        path.write_text(SCENE.format(sign=sign), "utf-8")
        return path

    return write


def test_all_are_listed_by_chapter(scenes):
    status, out, _ = scenes()
    assert status == 0
    lines = out.splitlines()
    for chapter in lectures.bundled().chapters:
        at = lines.index(chapter.title("en"))
        for scene in chapter.scenes:
            at += 1
            assert lines[at].split()[0] == scene.name
            assert lines[at].endswith(scene.title("en"))
    status, out, _ = scenes("list", "--json")
    (first, *_others) = json.loads(out)["chapters"]
    assert first["key"] == lectures.bundled().chapters[0].key
    assert first["scenes"][0]["titles"]["ko"]


def test_another_lecture_is_listed(scenes, mine):
    status, out, _ = scenes("list", mine())
    assert (status, out.split()) == (0, ["mine", "My", "scene"])


def test_one_is_shown(scenes, mine):
    status, out, _ = scenes("show", "both_sides_or_the_left_alone")
    assert status == 0
    scene = lectures.bundled().scene("both_sides_or_the_left_alone")
    for said in (scene.title(), *scene.sources, *scene.steps[2].look(), scene.steps[2].claims[1]):
        assert said in out
    status, out, _ = scenes("show", mine(), "--json")
    assert json.loads(out)["steps"][0]["masked"] == ["meal"]
    status, out, error = scenes("show", mine().parent)
    assert (status, out) == (2, "") or "My scene" in out
    mine(name="other.toml")
    status, out, error = scenes("show", mine().parent)
    assert (status, out) == (2, "")
    assert "is a lecture of several scenes." in error


def test_claims_that_hold(scenes, mine):
    status, out, _ = scenes("check", mine(), "both_sides_or_the_left_alone")
    assert status == 0
    lines = [line.strip() for line in out.splitlines()]
    assert lines[0] == "ok    mine: My scene"
    assert "ok    masks[0].predictions[0].word == 'meal'" in lines
    assert "masks[0].predictions[0].word = 'meal'" in lines
    assert lines[-1] == "2 scenes hold."


def test_a_claim_that_fails(scenes, mine):
    status, out, _ = scenes("check", mine(">"))
    assert status == 1
    lines = [line.strip() for line in out.splitlines()]
    at = lines.index("FAIL  masks[0].entropy > 100")
    assert lines[at + 1].startswith("masks[0].entropy = 1.8")
    assert lines[-1] == "1 of 1 scenes do not hold."
    status, out, _ = scenes("check", mine(">"), "--json")
    assert status == 1
    (scene,) = json.loads(out)["scenes"]
    assert (scene["name"], scene["holds"], scene["steps"][0]["holds"]) == ("mine", False, False)
    good, bad = scene["steps"][0]["claims"]
    assert (good["holds"], bad["holds"]) == (True, False)
    assert bad["sides"][0]["source"] == "masks[0].entropy"


def test_a_control_in_which_a_claim_holds(scenes, mine):
    """The entropy is below 100 in every text: that claim says nothing of this one."""
    path = mine()
    other = '[[steps.controls]]\ntext = "The teacher read a book."\nmasked = ["book"]\n'
    whole = path.read_text("utf-8") + other
    path.write_text(whole + "fails = [1]\n", "utf-8")
    status, out, _ = scenes("check", path)
    lines = [line.strip() for line in out.splitlines()]
    at = lines.index("Must fail in the control:")
    assert lines[at + 1] == "ok    masks[0].predictions[0].word == 'meal'"
    assert (status, lines[-1]) == (0, "1 scene holds.")
    path.write_text(whole, "utf-8")
    status, out, _ = scenes("check", path)
    lines = [line.strip() for line in out.splitlines()]
    assert "FAIL  masks[0].entropy < 100" in lines[lines.index("Must fail in the control:") :]
    assert (status, lines[-1]) == (1, "1 of 1 scenes do not hold.")
    status, out, _ = scenes("check", path, "--json")
    (scene,) = json.loads(out)["scenes"]
    (control,) = scene["steps"][0]["controls"]
    assert (status, scene["holds"], control["fails"]) == (1, False, False)
    assert [one["holds"] for one in control["claims"]] == [False, True]


def test_a_step_that_has_no_answer(scenes, mine):
    path = mine()
    path.write_text(path.read_text("utf-8").replace("masked_tokens", "no_question"), "utf-8")
    status, out, _ = scenes("check", path)
    assert status == 1
    assert "FAIL  There is no question no_question." in out
    status, out, _ = scenes("check", path, "--json")
    failures = json.loads(out)["scenes"][0]["steps"][0]["failures"]
    assert failures[0]["message"] == "There is no question no_question."


def test_a_zip_file_is_played(scenes, mine, tmp_path):
    path = tmp_path / "lecture.zip"
    lectures.write(lectures.read(mine()), path)
    assert scenes("check", path)[0] == 0


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("s99_nothing", "There is no scene s99_nothing in scenes."),
        ("nowhere/mine.toml", "mine.toml can't be read (No such file or directory)."),
        ("bad.toml", "bad.toml: the key steps is missing."),
    ],
)
def test_what_is_mistyped_is_one_line(scenes, tmp_path, monkeypatch, name, said):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "bad.toml").write_text('[en]\ntitle = "T"\n', "utf-8")
    status, out, error = scenes("check", "both_sides_or_the_left_alone", name)
    assert (status, out) == (2, "")
    assert said in error
