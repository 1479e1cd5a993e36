"""The slider of steps beside a model's chip: frames, keys, play, and what happens meanwhile."""

from dataclasses import replace

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from explorer.api.family.checkpoint import Source
from explorer.api.question import Blame, Failure
from explorer.engine.messages import LoadModel
from explorer.series.series import CheckpointSeries, Frame
from explorer.text import Phrase
from explorer.ui.blocks.columns import inside
from explorer.ui.blocks.tables.bar_table import BarTable
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
        drawn = view.laid, view.declared.alone(view.shown(alone=True))
        return [{one.axis.top for one in tables_of(blocks)} for blocks in drawn]

    assert ends(id_of(1)) == [{1.0}, {1.0}]
    keys(film, Qt.Key.Key_End)
    assert ends(id_of(1000)) == [{1.0}, {1.0}]
    film.bench.actions.load_by_id(MINIATURE.id, "A")
    assert ends(MINIATURE.id) == [{0.5}, {0.5}]


def tables_of(blocks):
    """The tables of bars on a page, those in cards among them."""
    found = []

    def take(block):
        found.extend([block] if isinstance(block, BarTable) else [])
        yield block

    inside(blocks, take)
    return found
