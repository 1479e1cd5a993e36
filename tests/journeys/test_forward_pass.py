"""One token followed through a model in the program's own window, by a real engine."""

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from explorer.api.question.parts.steps import STEP
from explorer.questions.layers.forward_pass.question import ENCODER, QUESTION, STACK
from explorer.ui.pass_film.film import FilmView
from tests.journeys.acting import SLOW, brought, load, newest, take

pytestmark = [
    pytest.mark.usefixtures("warm_engine"),
    pytest.mark.qt_log_ignore("This plugin does not support", extend=True),
]


def film_of(view):
    (film,) = (one for one in view.page.widgets if isinstance(one, FilmView))
    return film


def name_of(film):
    return film.scenes[film.at].name


def test_a_masked_word_is_followed_step_by_step_and_the_page_stays_there(hands, paths, qtbot):
    view = take(hands, "A masked word's way through the model, step by step")
    assert view.result.words[0].word == "kitchen"
    film, state = film_of(view), hands.window.bench.state
    assert name_of(film) == "0.sum"
    for _ in range(2):
        QTest.keyClick(film, Qt.Key.Key_Right)
    assert name_of(film) == "0.in"
    option = next(one for one in QUESTION.options if one.key == f"{QUESTION.name}.{STEP}")
    qtbot.waitUntil(lambda: option.of(state.document) == "0.in", timeout=SLOW)
    hands.settle()
    assert name_of(film_of(view)) == "0.in"
    state.stack.undo()
    hands.settle()
    assert name_of(film_of(view)) == "0.sum"
    kept = newest(paths, QUESTION.name).result
    for one, other in zip(kept.steps, view.result.steps, strict=True):
        np.testing.assert_array_equal(one.vector, other.vector)


def test_another_token_is_followed_by_a_click_in_the_sentence(hands, qtbot):
    view = take(hands, "A masked word's way through the model, step by step")
    page = view.page
    chef = next(n for n, one in enumerate(view.result.tokens) if one.text == "chef")
    spot = next(one for one in page.page.spots if one.key == ("mask", chef))
    QTest.mouseClick(page, Qt.MouseButton.LeftButton, pos=spot.box.center().toPoint())
    hands.settle()
    assert view.result.asked == chef


@pytest.mark.parametrize("name", ["gpt2-miniature", "t5-miniature", "deberta-v1-miniature"])
def test_every_kind_of_model_is_played_to_its_word(running, hands, qtbot, name):
    take(hands, "A masked word's way through the model, step by step")
    load(running, qtbot, A=name)
    view = brought(running, qtbot, QUESTION.name, lambda one: one.result.model.id == name)
    film = film_of(view)
    film.pace(5)
    QTest.keyClick(film, Qt.Key.Key_Home)
    QTest.keyClick(film, Qt.Key.Key_Space)
    qtbot.waitUntil(lambda: not film.is_playing, timeout=SLOW)
    assert name_of(film) == "head.softmax"
    words = [row.label for row in film.scenes[-1].rows]
    assert words[0] == view.result.words[0].word


def test_a_token_is_followed_through_the_encoder_and_the_answer_through_the_decoder(
    running, hands, qtbot
):
    take(hands, "A masked word's way through the model, step by step")
    load(running, qtbot, A="t5-miniature")
    view = brought(running, qtbot, QUESTION.name, lambda one: one.result.model.id == "t5-miniature")
    assert view.result.kind == "decoder"
    hands.window.bench.edits.set_option(STACK.key, ENCODER)
    hands.settle()
    assert view.result.kind == "encoder"
    film = film_of(view)
    QTest.keyClick(film, Qt.Key.Key_End)
    assert name_of(film) == "head.read"
    assert not any("cross" in one.name for one in film.scenes)
