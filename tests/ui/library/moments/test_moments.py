"""The slider of steps beside a model's chip: frames, keys, play, and what happens meanwhile."""

import gc
import math
from dataclasses import replace

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QMenu, QToolButton

from explorer.api.family.checkpoint import Source
from explorer.api.question import Blame, Failure
from explorer.engine.messages import LoadModel
from explorer.questions.masking.masked_tokens.question import MaskedTokensRequest
from explorer.series.loss_curve import LossCurve
from explorer.series.series import CheckpointSeries, Frame
from explorer.sessions.read.reader import SessionReader
from explorer.text import Phrase
from explorer.ui.blocks.columns import inside
from explorer.ui.blocks.page.shown import Shown
from explorer.ui.blocks.tables.bar_table import BarTable
from explorer.ui.library.moments.loss_line import EDGE
from explorer.ui.views.held_scales import HeldScales
from tests.ui.fake_engine import MINIATURE

STEPS = (1, 10, 100, 1000)
NAME = "owner/grown"


def id_of(step: int) -> str:
    return f"{NAME}@step{step}"


@pytest.fixture
def film(start, engine, qtbot):
    """The program whose model A is the first of four frames; a fifth one is damaged."""
    engine.catalogue = (
        *engine.catalogue,
        *(
            replace(MINIATURE, id=id_of(step), title=id_of(step), source=Source.CACHE)
            for step in STEPS
        ),
    )
    frames = [Frame(step, id_of(step), f"step{step}") for step in STEPS]
    frames.insert(2, Frame(50, id_of(50), "step50", problem=Phrase("It is cut short.")))
    engine.series = CheckpointSeries(NAME, NAME, tuple(frames))
    running = start()
    running.bench.actions.load_by_id(id_of(1), "A")
    slider = running.window.model_bar.steps["A"]
    qtbot.waitUntil(slider.isVisible)
    return running


def shown(film) -> str:
    return film.bench.models.cards["A"].stamp.id


def keys(film, *typed):
    for key in typed:
        QTest.keyClick(film.window.model_bar.steps["A"].slider, key)


def test_other_models_have_no_slider(running):
    assert not any(one.isVisible() for one in running.window.model_bar.steps.values())


def test_keys_show_the_next_frame_and_the_page_follows(film, qtbot):
    slider = film.window.model_bar.steps["A"]
    assert (slider.slider.minimum(), slider.slider.maximum()) == (0, len(STEPS) - 1)
    view = film.bench.asking.askers["masked_tokens"].view
    qtbot.waitUntil(lambda: view.result.model.id == id_of(1))
    keys(film, Qt.Key.Key_Right)
    qtbot.waitUntil(lambda: view.result.model.id == id_of(10))
    assert shown(film) == id_of(10)
    assert not film.bench.models.loading
    assert "Step 10 " in slider.slider.accessibleDescription()
    assert "step50 is left out: It is cut short." in slider.slider.toolTip()
    keys(film, Qt.Key.Key_End)
    qtbot.waitUntil(lambda: shown(film) == id_of(1000))
    keys(film, Qt.Key.Key_Home)
    qtbot.waitUntil(lambda: shown(film) == id_of(1))
    assert slider.slider.value() == 0


def test_of_many_wishes_the_newest_comes_next(film, engine, qtbot):
    engine.held.add("load:A")
    keys(film, Qt.Key.Key_Right, Qt.Key.Key_Right, Qt.Key.Key_Right)
    engine.held.clear()
    engine.release("load:A")
    qtbot.waitUntil(lambda: shown(film) == id_of(1000))
    moves = [one.checkpoint_id for one in engine.requests(LoadModel)][-2:]
    assert moves == [id_of(10), id_of(1000)]


def test_a_frame_that_fails_leaves_the_model_where_it_was(film, engine, qtbot):
    engine.failures["load:A"] = Failure(Blame.CHECKPOINT, "It is damaged.", "Take another.")
    told = []
    film.bench.models.failed.connect(lambda name, _failure: told.append(name))
    keys(film, Qt.Key.Key_Right)
    qtbot.waitUntil(lambda: told == [id_of(10)])
    assert shown(film) == id_of(1)
    assert film.window.model_bar.steps["A"].slider.value() == 0
    engine.failures.clear()
    keys(film, Qt.Key.Key_End)
    qtbot.waitUntil(lambda: shown(film) == id_of(1000))


def test_a_film_plays_to_its_end_and_waits_for_answers(film, engine, qtbot):
    film.bench.moments._pace.setInterval(5)
    engine.held.add("view:")
    keys(film, Qt.Key.Key_Space)
    assert film.bench.moments.playing == {"A"}
    engine.held.clear()
    seen = []
    film.bench.models.changed.connect(lambda: seen.append(shown(film)))
    for lane in tuple(engine.waiting):
        engine.release(lane)
    qtbot.waitUntil(lambda: not film.bench.moments.playing)
    assert shown(film) == id_of(1000)
    assert seen == [id_of(10), id_of(100), id_of(1000)]
    keys(film, Qt.Key.Key_Space)
    qtbot.waitUntil(lambda: shown(film) == id_of(10))
    QTest.mouseClick(film.window.model_bar.steps["A"].button, Qt.MouseButton.LeftButton)
    assert not film.bench.moments.playing


def test_another_model_takes_the_slider_away(film, qtbot):
    film.bench.actions.load_by_id(MINIATURE.id, "A")
    qtbot.waitUntil(lambda: not film.window.model_bar.steps["A"].isVisible())
    assert shown(film) == MINIATURE.id


def test_scales_are_held_while_the_model_is_moved(film, qtbot):
    view = film.bench.asking.askers["masked_tokens"].view

    def ends(of):
        qtbot.waitUntil(lambda: view.result.model.id == of)
        drawn = view.laid, view.declared.alone(view.shown(beside=True))
        return [{one.axis.top for one in tables_of(blocks)} for blocks in drawn]

    assert ends(id_of(1)) == [{1.0}, {1.0}]
    keys(film, Qt.Key.Key_End)
    assert ends(id_of(1000)) == [{1.0}, {1.0}]
    film.bench.actions.load_by_id(MINIATURE.id, "A")
    assert ends(MINIATURE.id) == [{0.5}, {0.5}]


def test_a_frame_that_proves_damaged_is_named_and_the_film_goes_on(film, engine, qtbot):
    failures = {id_of(10): Failure(Blame.CHECKPOINT, "Its weights are no numbers.", "Take others.")}
    seen = []

    def fail(call):
        told = getattr(call.request, "checkpoint_id", "")
        engine.failures = {"load:A": failures[told]} if told in failures else {}
        return answer(call)

    answer, engine._answer = engine._answer, fail
    film.bench.moments._pace.setInterval(5)
    film.bench.models.changed.connect(lambda: seen.append(shown(film)))
    keys(film, Qt.Key.Key_Space)
    qtbot.waitUntil(lambda: not film.bench.moments.playing)
    assert seen == [id_of(100), id_of(1000)]
    slider = film.window.model_bar.steps["A"].slider
    assert slider.maximum() == len(STEPS) - 2
    assert "step10 is left out: Its weights are no numbers." in slider.toolTip()


def test_a_film_that_repeats_begins_again_after_its_last_frame(film, qtbot):
    moments, seen = film.bench.moments, []
    menu = opened(film)
    act(menu, "Repeat from the first step")
    act(child(menu, "paces"), "10 steps a second")
    assert (moments.pace, moments.repeats, moments._pace.interval()) == (10, True, 100)
    moments._pace.setInterval(5)
    film.bench.models.changed.connect(lambda: seen.append(shown(film)))
    keys(film, Qt.Key.Key_Space)
    qtbot.waitUntil(lambda: len(seen) >= 5)
    assert seen[:5] == [id_of(step) for step in (10, 100, 1000, 1, 10)]
    keys(film, Qt.Key.Key_Space)
    assert not moments.playing
    assert [one.isChecked() for one in child(opened(film), "paces").actions()][-1]
    act(opened(film), "Repeat from the first step")
    assert not moments.repeats


def test_how_films_play_is_remembered_and_set_in_the_dialog_as_well(film):
    bench, menu = film.bench, opened(film)
    act(menu, "Repeat from the first step")
    act(child(menu, "paces"), "5 steps a second")
    kept = bench.settings_store.settings
    assert (kept.film_pace, kept.film_repeats) == (5, True)
    film.window.commands.in_force.put_all({"film_pace": 2, "film_repeats": False})
    assert (bench.moments.pace, bench.moments.repeats) == (2, False)


def test_another_frame_is_compared_as_the_other_model_by_one_click(film, engine, qtbot):
    models = film.bench.models
    act(opened(film), "10", "other_steps")
    qtbot.waitUntil(lambda: "B" in models.cards)
    assert (shown(film), models.cards["B"].stamp.id) == (id_of(1), id_of(10))
    other = film.window.model_bar.steps["B"]
    qtbot.waitUntil(other.isVisible)
    keys(film, Qt.Key.Key_End)
    qtbot.waitUntil(lambda: shown(film) == id_of(1000))
    # What is there already is moved, and not loaded anew.
    loads = len(engine.requests(LoadModel))
    for words, step in (("Previous step: 100", 100), ("First step: 1", 1)):
        act(opened(film), words)
        assert not models.loading
        qtbot.waitUntil(lambda step=step: models.cards["B"].stamp.id == id_of(step))
        assert other.slider.value() == STEPS.index(step)
    assert len(engine.requests(LoadModel)) == loads + 2
    act(opened(film, "B"), "1,000", "other_steps")
    assert shown(film) == id_of(1000)
    names = [one.text() for one in opened(film, "B").actions()]
    assert "Compare, loaded as model A:" in names
    assert not any(one.startswith("First step") for one in names)


def test_the_loss_is_drawn_above_its_frames_and_said(film, qtbot):
    slider, moments = film.window.model_bar.steps["A"], film.bench.moments
    assert slider.losses.isHidden()
    assert "loss" not in slider.slider.accessibleDescription()
    curve = LossCurve((1, 10, 90, 1000), (4.0, 3.0, 2.0, 1.0), Phrase("masked words"), 0.5, True)
    moments.series["A"] = replace(moments.series["A"], losses=curve)
    moments.changed.emit()
    qtbot.waitUntil(slider.losses.isVisible)
    told = slider.slider.accessibleDescription()
    assert told == (
        f"Step 1 of the training of {NAME}, loss 4.000 nats, masked words, "
        "on texts that were not trained on, the least there can be is 0.500"
    )
    keys(film, Qt.Key.Key_Right, Qt.Key.Key_Right)
    qtbot.waitUntil(lambda: shown(film) == id_of(100))
    assert "loss 2.000 nats at step 90" in slider.slider.accessibleDescription()
    # Above the places of the slider, and the floor is the lowest.
    (first, wide), high = slider.slider.places(), slider.losses.height()
    points = slider.losses.points()
    across = [(one.x() - first) / wide * 3 for one in points]
    assert across[:2] == pytest.approx([0, 1])
    assert across[2] == pytest.approx(1 + math.log(91 / 11) / math.log(101 / 11), abs=1e-6)
    assert across[3] == pytest.approx(3)
    ups = [(high - EDGE - one.y()) / (high - 2 * EDGE) * 3.5 + 0.5 for one in points]
    assert ups == pytest.approx(curve.values)
    QTest.mouseClick(slider.losses, Qt.MouseButton.LeftButton, pos=points[1].toPoint())
    qtbot.waitUntil(lambda: shown(film) == id_of(10))


def test_nothing_is_kept_of_frames_that_were_shown(film, qtbot):
    view = film.bench.asking.askers["masked_tokens"].view

    def move(times):
        for number in range(times):
            keys(film, Qt.Key.Key_End if number % 2 else Qt.Key.Key_Home)
            step = STEPS[-1] if number % 2 else STEPS[0]
            qtbot.waitUntil(lambda step=step: view.result.model.id == id_of(step))
        gc.collect()
        return sum(isinstance(one, Shown | HeldScales) for one in gc.get_objects())

    few = move(4)
    assert move(20) <= few


def test_the_steps_are_on_the_stage_and_say_whose_they_are(film, qtbot):
    window, moments = film.window, film.bench.moments
    on_stage = window.stage_input.steps["A"]
    assert not on_stage.isVisible()
    window.presenting.start()
    try:
        qtbot.waitUntil(on_stage.isVisible)
        assert on_stage.step.text() == "Step 1"
        QTest.keyClick(on_stage.slider, Qt.Key.Key_Right)
        qtbot.waitUntil(lambda: shown(film) == id_of(10))
        moments.compare("A", 3)
        qtbot.waitUntil(window.stage_input.steps["B"].isVisible)
        told = {slot: one.step.text() for slot, one in window.stage_input.steps.items()}
        assert told == {"A": "A · Step 10", "B": "B · Step 1,000"}
    finally:
        window.presenting.stop()
    qtbot.waitUntil(lambda: not on_stage.isVisible())


def test_a_run_of_another_frame_is_asked_again_of_that_frame(film, paths, engine, qtbot):
    asker = film.bench.asking.askers["masked_tokens"]
    qtbot.waitUntil(lambda: asker.view.result.model.id == id_of(1))
    keys(film, Qt.Key.Key_End)
    qtbot.waitUntil(lambda: asker.view.result.model.id == id_of(1000))
    qtbot.waitUntil(lambda: film.bench.asking.is_idle)
    (run,) = [
        one.id
        for one in SessionReader(paths.sessions).runs()
        if (one.operation, one.model_id) == ("masked_tokens", id_of(1))
    ]
    film.window.commands.restore_run(run)
    notices = film.window.notices
    qtbot.waitUntil(lambda: notices.findChild(QToolButton, "notice_action_0") is not None)
    button = notices.findChild(QToolButton, "notice_action_0")
    assert button.text() == "Show step 1"
    button.click()
    qtbot.waitUntil(lambda: shown(film) == id_of(1))
    asked = len(engine.requests(MaskedTokensRequest))
    asker.ask_again()
    qtbot.waitUntil(lambda: len(engine.requests(MaskedTokensRequest)) == asked + 1)
    assert asker.view.result.model == film.bench.models.cards["A"].stamp


def opened(film, slot="A"):
    """The menu of a slider's step, as it is when it opens."""
    menu = film.window.model_bar.steps[slot].step.menu()
    menu.aboutToShow.emit()
    return menu


def child(menu, name):
    return menu.findChild(QMenu, name)


def act(menu, words, name=""):
    (action,) = [one for one in (child(menu, name) or menu).actions() if one.text() == words]
    action.trigger()


def tables_of(blocks):
    """The tables of bars on a page, those in cards among them."""
    found = []

    def take(block):
        found.extend([block] if isinstance(block, BarTable) else [])
        yield block

    inside(blocks, take)
    return found
