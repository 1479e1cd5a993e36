"""The film of a pass on the screen: stepped, played, looked into, and what is kept of it."""

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QImage, QPainter
from PySide6.QtTest import QTest

from explorer.api.question import Context
from explorer.api.question.parts.steps import PassScene, SceneRow
from explorer.questions.layers.forward_pass.compute import run
from explorer.questions.layers.forward_pass.parts import scenes_of
from explorer.questions.layers.forward_pass.question import ForwardPassRequest
from explorer.ui.pass_film import film as film_module
from explorer.ui.pass_film.film import FilmBlock, FilmView
from explorer.ui.pass_film.scene import FilmLayout, PassFilm, controls_height
from explorer.ui.theme.schemes import current_theme
from tests.hf.kept import miniature

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support", extend=True)
TEXT = "The chef cooked the meal in the [MASK] ."


@pytest.fixture(scope="module")
def result():
    return run(miniature("bert-miniature"), ForwardPassRequest(TEXT), Context())


@pytest.fixture
def film(result, qtbot):
    made = FilmView()
    qtbot.addWidget(made)
    made.resize(900, 520)
    made.show_content(PassFilm(scenes_of(result), 0, lambda name: ("stop", name)))
    made.show()
    qtbot.waitExposed(made)
    return made


def name_of(film):
    return film.scenes[film.at].name


def press(film, *keys):
    for key in keys:
        QTest.keyClick(film, key)


def test_keys_go_from_step_to_step_and_from_layer_to_layer(film):
    assert name_of(film) == "emb.piece"
    press(film, Qt.Key.Key_Left)
    assert name_of(film) == "emb.piece"
    press(film, Qt.Key.Key_Right, Qt.Key.Key_Right)
    assert film.at == 2
    while name_of(film) != "0.weights":
        press(film, Qt.Key.Key_Right)
    press(film, Qt.Key.Key_Up)
    assert name_of(film) == "1.weights"
    press(film, Qt.Key.Key_Down)
    assert name_of(film) == "0.weights"
    press(film, Qt.Key.Key_End)
    assert name_of(film) == "head.softmax"
    press(film, Qt.Key.Key_Home)
    assert film.at == 0


def test_where_nothing_may_move_a_step_is_there_at_once(film):
    press(film, Qt.Key.Key_Right)
    assert film.share == 1.0


def test_things_move_from_one_step_to_the_next_and_then_are_still(film, qtbot, monkeypatch):
    monkeypatch.setattr(film_module, "may_move", lambda: True)
    shares = []
    painted = film.glide
    monkeypatch.setattr(film, "glide", lambda share: (shares.append(share), painted(share)))
    press(film, Qt.Key.Key_Right)
    assert film.share < 1.0
    qtbot.waitUntil(lambda: film.share == 1.0)
    assert film.moving().top() > 0
    assert film.moving().bottom() < film.height() - controls_height() + 1


def test_a_strip_is_on_its_way_between_its_places(film):
    # What leaves the first norm is what attention is given: the same strip, elsewhere.
    layout = FilmLayout(film.scenes, 900.0, 480.0)
    names = [one.name for one in film.scenes]
    before, after = names.index("emb.norm"), names.index("0.query")
    (key,) = {one.key for one in film.scenes[after].rows}
    assert key == film.scenes[before].result.key
    start, end = (layout.placed(n).strips[key].box for n in (before, after))
    assert start.top() != end.top()
    pictures = [drawn(layout, after, before, share) for share in (0.0, 0.5, 1.0)]
    assert len({one.tobytes() for one in pictures}) == 3


def drawn(layout, number, before, share):
    from explorer.ui.pass_film.painting import FilmPainter

    image = QImage(int(layout.width), int(layout.height), QImage.Format.Format_RGB32)
    image.fill(current_theme().surface)
    painter = QPainter(image)
    FilmPainter(layout, current_theme()).paint(painter, number, before, share)
    painter.end()
    bits = np.frombuffer(image.constBits(), np.uint8)
    return bits.reshape(image.height(), image.bytesPerLine()).copy()


def test_it_plays_to_the_end_and_stops_when_it_is_told(film, qtbot):
    film.pace(5)
    press(film, Qt.Key.Key_Space)
    assert film.is_playing
    qtbot.waitUntil(lambda: film.at > 3)
    press(film, Qt.Key.Key_Space)
    at = film.at
    assert not film.is_playing
    qtbot.wait(40)
    assert film.at == at
    film.play_button.click()
    qtbot.waitUntil(lambda: not film.is_playing, timeout=20_000)
    assert name_of(film) == "head.softmax"
    # From the end it begins again.
    film.play_button.click()
    assert film.at == 0
    film.play_button.click()


def test_the_page_stays_where_it_is_stopped(film, qtbot):
    with qtbot.waitSignal(film.acted) as told:
        press(film, Qt.Key.Key_Right, Qt.Key.Key_Right)
    assert told.args == [("stop", film.scenes[2].name)]


def test_a_click_in_the_line_of_all_steps_goes_there(film):
    wide = film.width() / len(film.scenes)
    QTest.mouseClick(film, Qt.MouseButton.LeftButton, pos=QPoint(int(10.5 * wide), 10))
    assert film.at == 10


def test_a_strip_is_looked_into_until_its_numbers_can_be_read(film):
    press(film, Qt.Key.Key_Right)
    layout = FilmLayout(film.scenes, 900.0, 486.0)
    (one,) = [each for each in layout.placed(1).strips.values() if each.row.values is not None]
    film.setFocus()
    whole = grabbed(film)
    place = one.strip.center().toPoint()
    QTest.mouseClick(film, Qt.MouseButton.LeftButton, pos=place)
    assert grabbed(film) != whole
    assert len(film.parts) == 1
    ((width, part),) = film.parts.items()
    assert width == len(one.row.values)
    assert part.start <= width // 2 < part.stop
    press(film, Qt.Key.Key_Escape)
    assert not film.parts
    QTest.mouseMove(film, QPoint(5, 300))
    assert grabbed(film) == whole


def grabbed(film):
    return film.grab().toImage().convertToFormat(QImage.Format.Format_RGB32)


def test_an_answer_to_another_question_is_shown_from_where_its_page_is(film, result):
    press(film, Qt.Key.Key_End)
    other = scenes_of(run(miniature("gpt2-miniature"), ForwardPassRequest(TEXT), Context()))
    film.show_content(PassFilm(other, 4))
    film.show_content(PassFilm(tuple(scenes_of(result)), 4))
    film.show_content(PassFilm(other, 4))
    assert film.at == 4
    assert len(film.scenes) == len(other)


def test_on_paper_it_is_one_step_as_high_as_that_is(result):
    scenes = scenes_of(result)
    names = [one.name for one in scenes]
    low, high = (
        FilmBlock(PassFilm(scenes, names.index(name))).at(600.0)
        for name in ("0.norm", "0.products")
    )
    assert low.height < high.height
    assert high.height < FilmBlock(PassFilm(scenes, 0)).filling(600.0, 900.0).height


def test_a_screen_reader_is_told_every_step(film, result):
    laid = FilmBlock(PassFilm(scenes_of(result), 0)).at(800.0)
    told = [one.words for one in laid.told()]
    assert len(told) == len(film.scenes)
    assert any("Where does the meaning come in?" in one for one in told)
    press(film, Qt.Key.Key_Right)
    assert film.scenes[1].title.said in film.accessibleName()


def test_strips_are_coloured_by_sign_and_size():
    row = SceneRow("a", "a", np.array([-2.0, 0.0, 2.0], np.float32))
    layout = FilmLayout((PassScene("x", "0", "layer 0", "x", "x", result=row),), 400.0)
    placed = layout.placed(0)
    theme = current_theme()
    image = placed.image(row, theme, slice(None))
    low, middle, high = (image.pixelColor(n, 0) for n in range(3))
    assert low == QImageColour(theme.diverging[0])
    assert high == QImageColour(theme.diverging[-1])
    assert middle not in (low, high)


def QImageColour(rgba):  # noqa: N802 - named as what it makes
    from PySide6.QtGui import QColor

    return QColor(*(int(one) for one in rgba))
