"""What is drawn below strips: a sum in its plane, and the neurons next to a curve."""

import numpy as np
import pytest
from PySide6.QtCore import QRectF
from PySide6.QtGui import QImage, QPainter

from explorer.api.question.parts.steps import PassScene, SceneRow
from explorer.text import N_, Phrase
from explorer.ui.pass_film.pictures import SumInPlane, paint_picture, paint_strongest
from explorer.ui.pass_film.scene import FilmLayout, PlacedScene, label_said
from explorer.ui.theme.schemes import current_theme


def row(key, values):
    own = np.asarray(values, np.float32)
    return SceneRow(key, key, own, None, f"{np.linalg.norm(own):.2f}")


def adding(first, second, **how):
    total = row("sum", np.asarray(first) + np.asarray(second))
    rows = (row("before", first), row("attention", second))
    return PassScene("0.sum", "0", "layer 0", "Sum", "x", "+", rows, total, **how)


def test_lengths_and_angles_of_a_sum_are_what_they_are_in_many_dimensions():
    rng = np.random.default_rng(1)
    for _ in range(20):
        one, other = rng.normal(size=(2, 128))
        plane = SumInPlane.of(one, other)
        whole = one + other
        assert np.hypot(*plane.whole) == pytest.approx(np.linalg.norm(whole))
        assert plane.first == pytest.approx((np.linalg.norm(one), 0.0))
        added = np.subtract(plane.whole, plane.first)
        assert np.hypot(*added) == pytest.approx(np.linalg.norm(other))
        cosine = one @ whole / np.linalg.norm(one) / np.linalg.norm(whole)
        assert plane.angle == pytest.approx(np.degrees(np.arccos(cosine)))


def painted(paint):
    image = QImage(700, 300, QImage.Format.Format_RGB32)
    image.fill(current_theme().surface)
    painter = QPainter(image)
    paint(painter, current_theme())
    painter.end()
    return bytes(image.constBits())


@pytest.mark.parametrize("second", [[0.0, 3.0], [0.0, 0.0], [-3.9, 0.1], [-9.0, 1.0], [2.0, 0.0]])
def test_every_sum_can_be_drawn(second, qapp):
    box = QRectF(10, 10, 600, 200)
    scene, other = adding([4.0, 0.0], second), adding([4.0, 0.0], [1.0, 1.5])
    pictures = [
        painted(lambda painter, theme, one=one: paint_picture(painter, theme, one, box))
        for one in (scene, other)
    ]
    assert pictures[0] != pictures[1]


def test_the_strongest_neurons_are_named_where_there_is_room(qapp):
    made = row("neurons", [0.1, 5.0, -0.2, 0.0])
    scene = PassScene(
        "0.activation", "0", "x", "x", "x", "GELU", (row("in", [1, 2, 3, 4]),), made, curve="gelu"
    )
    nothing = painted(lambda *_: None)

    def drawn(width):
        room = QRectF(0, 0, width, 200)
        return painted(lambda painter, theme: paint_strongest(painter, theme, scene, room))

    assert drawn(40.0) == nothing
    assert drawn(400.0) != nothing


def test_room_goes_to_strips_and_the_picture_below_them(qapp):
    scene = adding([4.0, 0.0], [1.0, 1.5])
    low, high = (PlacedScene(scene, 40.0, 800.0, room) for room in (0.0, 500.0))
    assert high.picture.height() > low.picture.height() > 0
    assert high.row_height > low.row_height
    assert high.bottom <= 500.0
    plain = PassScene("0.out", "0", "x", "x", "x", "× W", scene.rows[:1], scene.result)
    assert PlacedScene(plain, 40.0, 800.0, 500.0).picture.isEmpty()


def test_what_is_read_after_a_layer_is_in_the_line_of_all_steps(qapp):
    scenes = (adding([4, 0], [1, 1]), adding([4, 0], [1, 1], read="trowel 53 %"))
    with_reading = FilmLayout(scenes, 600.0)
    without = FilmLayout(scenes[:1], 600.0)
    assert with_reading.readings == {"0": "trowel 53 %"}
    assert with_reading.bar > without.bar


def test_tokens_are_not_translated_and_names_are(speak):
    speak("ko", used="쓰인 것", attention="어텐션")
    # "used" is a text of the program, too, elsewhere.
    assert label_said(row("used", [1.0])) == "used"
    named = SceneRow("a", Phrase(N_("attention")), np.zeros(2, np.float32))
    assert label_said(named) == "어텐션"
