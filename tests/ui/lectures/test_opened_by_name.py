"""A lecture, a text or a folder that the program was started with."""

import pytest

from tests.lectures.scene_texts import one_mask


@pytest.fixture
def lecturing(running):
    return running.window.lecture_actions.lecturing


def test_a_single_scene_is_shown_at_once(running, lecturing, tmp_path, qtbot):
    path = tmp_path / "mine.scene.toml"
    path.write_text(one_mask("Mine", "The movie was fun.", "fun"), "utf-8")
    running.open(path)
    qtbot.waitUntil(lambda: lecturing.at is not None)
    assert lecturing.at.scene.title() == "Mine"
    assert (lecturing.at.scene.name, lecturing.path) == ("mine", str(path))
    assert running.window.lecture_dock.isVisible()


def test_the_lecture_of_last_time_does_not_come_back_over_it(running, lecturing, tmp_path, qtbot):
    for name in ("one", "two"):
        (tmp_path / f"{name}.scene.toml").write_text(
            one_mask(name, "The movie was fun.", "fun"), "utf-8"
        )
    running.window.lecture_actions.open(str(tmp_path))
    # The panel comes on screen before the folder is read, and asks for what was there last.
    lecturing.begin()
    qtbot.waitUntil(lambda: lecturing.lecture is not None)
    assert lecturing.path == str(tmp_path)
    assert {scene.name for scene in lecturing.lecture.scenes} == {"one", "two"}


def test_a_text_becomes_the_sentence(running, tmp_path, qtbot):
    path = tmp_path / "note.txt"
    path.write_text("Mary had a little lamb.", "utf-8")
    running.open(path)
    qtbot.waitUntil(lambda: running.bench.state.document.text == "Mary had a little lamb.")
