"""A model at the steps of its training: Trainer's folder and a hub's steps, window and engine."""

from dataclasses import replace

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from explorer.command_line.asking.asked_again import ask_again
from explorer.command_line.asking.loaded_once import ModelsLoadedOnce
from explorer.paths import Paths
from explorer.program import Program
from explorer.sessions.read.reader import SessionReader
from explorer.tour.hands import Hands, wait_until
from explorer.ui.library.hub.revisions_dialog import RevisionsDialog
from tests.hub.small_hub import small_hub
from tests.journeys.acting import brought
from tests.series.moments import MODELS, damage, frames_of, trained

pytestmark = [
    pytest.mark.usefixtures("warm_engine"),
    pytest.mark.qt_log_ignore("This plugin does not support", extend=True),
]
NAME = "google-bert/bert-base-uncased"
STEPS = (10, 100, 1000)


@pytest.fixture
def paths(tmp_path):
    """A cache of its own, for what is downloaded."""
    return replace(Paths.profile(tmp_path / "profile", {}), hub_cache=tmp_path / "hub")


def shown(running):
    return running.bench.models.cards["A"].stamp.id


def play(running, qtbot):
    """Play the film; the frames that masked tokens were shown of, with what was predicted."""
    view = brought(
        running, qtbot, "masked_tokens", lambda view: view.result.model.id in ids(running)
    )
    seen = {}

    def look():
        result = view.result
        seen[result.model.id] = [one.probability for one in result.masks[0].predictions]

    view.settled.connect(look)
    look()
    moments = running.bench.moments
    moments.play_at(10)
    QTest.keyClick(running.window.model_bar.steps["A"].slider, Qt.Key.Key_Space)
    assert moments.playing == {"A"}
    wait_until(lambda: not moments.playing, "the end of the film", 90)
    wait_until(lambda: len(seen) == len(ids(running)), "its last answer", 30)
    return seen


def ids(running):
    return [one.id for one in running.bench.moments.frames("A")]


def asked_again(paths):
    """Every frame's run on record, asked again of whoever has its fingerprint."""
    reader, found = SessionReader(paths.sessions), {}
    models = ModelsLoadedOnce(Program(paths), allow_pickle=False)
    for one in reader.runs():
        if one.operation == "masked_tokens" and one.id not in found:
            run = reader.run(one.id)
            again = ask_again(run, models, log=False)
            assert again.answered.run.models["model"].fingerprint == run.models["model"].fingerprint
            found[run.models["model"].id] = again.found
    return found


def test_trainers_folder_opens_plays_without_its_damaged_frame_and_replays(
    running, hands, tmp_path, paths, qtbot
):
    run = trained(tmp_path / "run", steps=8, every=2)
    damage(run / "checkpoint-4")
    running.bench.actions.open_path(run / "checkpoint-2", "A")
    slider = running.window.model_bar.steps["A"]
    wait_until(slider.isVisible, "the slider of its steps", 60)
    hands.settle()
    wanted = [str(run / f"checkpoint-{step}") for step in (2, 6, 8)]
    assert ids(running) == wanted
    assert "checkpoint-4 is left out: " in slider.slider.toolTip()
    assert slider.losses.isVisible(), "Trainer logged it"
    assert ", loss " in slider.slider.accessibleDescription()
    seen = play(running, qtbot)
    assert [*seen] == wanted
    assert len({*map(tuple, seen.values())}) == 3
    hands.settle()
    again = asked_again(paths)
    assert {*wanted} <= again.keys()
    assert all(again[one].same for one in wanted)


SCENE = """[en]
title = "A film by its name"
[[steps]]
models = ["bert-film"]
question = "masked_tokens"
text = "The movie was fun."
masked = ["fun"]
[[steps]]
models = ["bert-film@step512"]
"""


def test_a_scene_arrives_with_a_film_by_its_name_and_by_that_of_a_frame(running, tmp_path):
    """The library lists a film's last frame alone, by a name of its own."""
    path = tmp_path / "mine.scene.toml"
    path.write_text(SCENE, "utf-8")
    lecturing = running.window.lecture_actions.lecturing
    running.open(path)
    for number, wanted in enumerate(("bert-film@step8000", "bert-film@step512")):
        if number:
            lecturing.step(1)
        wait_until(
            lambda wanted=wanted: (
                lecturing.result is not None and lecturing.result.model.id == wanted
            ),
            wanted,
            60,
        )
        assert shown(running) == wanted
        assert not lecturing.going.is_under_way
    listed = [one.id for one in running.bench.checkpoints.all if one.id.startswith("bert-film")]
    assert listed == ["bert-film@step8000"]


@pytest.fixture
def hub(tmp_path, monkeypatch):
    """A hub with three steps of a model, one of them a tag; there before the engine begins."""
    made = frames_of("bert-miniature", tmp_path / "made", STEPS)
    with small_hub() as hub:
        monkeypatch.setenv("HF_ENDPOINT", hub.address)
        monkeypatch.setenv("NO_PROXY", "127.0.0.1")
        hub.add(NAME, files_of(MODELS / "bert-miniature"))
        for step in STEPS:
            files = files_of(made / f"checkpoint-{step}")
            hub.add_revision(NAME, f"step{step}", files, is_tag=step == 100)
        yield hub


def files_of(folder):
    return {one.name: one.read_bytes() for one in folder.iterdir()}


def test_steps_of_a_hub_are_chosen_fetched_played_and_replayed(hub, open_window, paths, qtbot):
    running = open_window()
    hands = Hands(running.window)
    asked = len(hub.requests)
    running.window.commands.choose_revision(NAME, "", "A")
    dialog = running.window.findChild(RevisionsDialog)
    assert len(hub.requests) == asked
    dialog.ask.click()
    wait_until(lambda: dialog.listed.count() == 5, "the list", 30)
    for row in range(len(STEPS)):
        dialog.listed.item(row).setSelected(True)
    dialog.measure.click()
    wait_until(dialog.fetch.isVisible, "the size", 30)
    assert "Together at most" in dialog.about.text()
    assert not hub.asked_for("model.safetensors")
    dialog.fetch.click()
    here = "3 revisions are on this computer"
    wait_until(lambda: dialog.about.text() == here, "all of them", 60)
    dialog.load.click()
    slider = running.window.model_bar.steps["A"]
    wait_until(slider.isVisible, "the slider of its steps", 60)
    hands.settle()
    wanted = [f"{NAME}@step{step}" for step in STEPS]
    wait_until(lambda: ids(running) == wanted, "all steps", 30)
    seen = play(running, qtbot)
    assert [*seen] == wanted
    hands.settle()
    again = asked_again(paths)
    assert all(again[one].same for one in wanted)
