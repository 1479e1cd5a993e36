"""What was on screen before a lecture began is not lost by another lecture, nor by the end."""

import pytest

from explorer.document import Document
from explorer.settings import SettingsFile
from tests.ui.fake_engine import CACHED
from tests.ui.lectures.panel.scenes import SCENES, click, open_panel, shows

OWN = Document("my own words stay here").with_option("soft_targets.temperature", 4.0)


@pytest.fixture
def other(tmp_path):
    made = tmp_path / "other lecture"
    made.mkdir()
    for name in ("second", "third"):
        (made / f"{name}.toml").write_text(SCENES["second"], "utf-8")
    return made


@pytest.fixture
def within(start, folder, qtbot):
    """A window in a scene; before it the user had words, a page and a model of their own."""
    from explorer.settings import Settings

    running = start(Settings(lecture=str(folder)))
    bench, window = running.bench, running.window
    bench.actions.load_by_id(CACHED.id, "A")
    qtbot.waitUntil(lambda: bench.models.slots_of(CACHED.id) == ("A",))
    bench.state.edit("typing", OWN)
    window.view_area.bring_forward("tokens")
    qtbot.waitUntil(lambda: bench.asking.is_idle)
    open_panel(window, qtbot)
    click(window, "first")
    qtbot.waitUntil(shows(running, "The gardener dug the garden."))
    return running


def open_other(running, other, qtbot):
    lecturing = running.window.lecture_actions.lecturing
    with qtbot.waitSignal(lecturing.opened):
        running.window.lecture_actions.open(str(other))
    assert not lecturing.runs
    return lecturing


def leave(running, qtbot):
    qtbot.waitUntil(running.window.lectures.card.leave.isVisible)
    running.window.lectures.card.leave.click()


@pytest.mark.parametrize("scenes", [1, 2])
def test_leaving_a_second_lecture_brings_back_ones_own_work(within, other, qtbot, scenes):
    """One of a single scene, as one's own is at first, is on screen at once."""
    if scenes == 1:
        (other / "third.toml").unlink()
        within.window.lecture_actions.open(str(other))
    else:
        lecturing = open_other(within, other, qtbot)
        lecturing.show(lecturing.lecture.scenes[0])
    qtbot.waitUntil(shows(within, "The chef ate the meal."))
    leave(within, qtbot)
    qtbot.waitUntil(lambda: within.bench.state.document == OWN)
    assert within.bench.models.cards["A"].stamp.id == CACHED.id
    assert within.window.view_area.current.question == "tokens"


def test_work_between_two_lectures_is_what_comes_back(within, other, qtbot):
    lecturing = open_other(within, other, qtbot)
    within.bench.edits.type_text("words between", 0)
    between = within.bench.state.document
    lecturing.show(lecturing.lecture.scenes[0])
    qtbot.waitUntil(shows(within, "The chef ate the meal."))
    leave(within, qtbot)
    qtbot.waitUntil(lambda: within.bench.state.document == between)


@pytest.mark.parametrize("ends", ["quit", "killed"])
def test_the_next_start_brings_it_back(within, start, paths, qtbot, ends):
    if ends == "killed":
        # What is on disk by then is all that there will be.
        file = SettingsFile(paths.settings)
        qtbot.waitUntil(lambda: file.load().document.text == "The gardener dug the garden.")
        kept = paths.settings.read_bytes()
        within.close()
        paths.settings.write_bytes(kept)
    else:
        within.close()
    again = start()
    assert again.bench.state.document == OWN
    assert again.bench.models.slots_of(CACHED.id) == ("A",)
    assert again.window.view_area.current.question == "tokens"


def test_whoever_has_left_the_lecture_goes_on_from_there(within, start, qtbot):
    leave(within, qtbot)
    qtbot.waitUntil(lambda: within.bench.state.document == OWN)
    within.bench.edits.type_text("newer words", 0)
    within.close()
    assert start().bench.state.document.text == "newer words"


def test_a_scene_goes_on_in_another_language(within, start, qtbot):
    within.window.language_wanted.emit("ko")
    window = within.window
    qtbot.waitUntil(lambda: within.window is not window)
    qtbot.waitExposed(within.window)
    leave(within, qtbot)
    qtbot.waitUntil(lambda: within.bench.state.document == OWN)
