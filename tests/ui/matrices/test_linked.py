"""Matrices of the same tokens: pointed at together, laid out evenly, painted into pictures."""

import numpy as np
import pytest
from PySide6.QtCore import Qt

from explorer.ui.blocks.block import page_of
from explorer.ui.blocks.widget.painted import PaintedPage
from explorer.ui.matrices.heat_layout import HeatContent
from explorer.ui.matrices.linked import LinkedMatrices, LinkedMatrix, MatricesView
from explorer.ui.matrices.scale import Scale
from explorer.ui.theme.schemes import theme_of
from tests.ui.charts.test_charts import svg_of

LABELS = ("the", "soup", "was", "hot")
VALUES = np.linspace(-1.0, 1.0, 16, dtype=np.float32).reshape(4, 4)


def said(cell):
    return "Point at a cell." if cell is None else f"{LABELS[cell[0]]} → {LABELS[cell[1]]}"


def drawn(figure):
    return svg_of(figure.paint, figure.width, figure.height)


def block(count=5, chosen=None):
    content = HeatContent(VALUES, LABELS, LABELS, Scale.about_zero(VALUES), row_title="query")
    matrices = [LinkedMatrix(f"m{n}", f"Matrix {n}", "of words", content) for n in range(count)]
    return LinkedMatrices(matrices, said, chosen, lambda row, column: ("look", row, column))


@pytest.fixture
def page(qtbot):
    made = PaintedPage("page")
    qtbot.addWidget(made)
    made.resize(900, 700)
    made.show_page(lambda width: page_of([block()], width))
    made.show()
    return made


@pytest.fixture
def view(page):
    (found,) = page.findChildren(MatricesView)
    return found


def test_a_cell_is_marked_in_all_and_chosen_in_any(page, view, qtbot):
    assert view.sentence.text() == "Point at a cell."
    one = view.maps["m3"]
    place = one.layout_now().box(1, 2).center().toPoint()
    qtbot.mouseMove(one, place)
    assert {m.pointed for m in view.maps.values()} == {(1, 2)}
    assert view.sentence.text() == "soup → was"
    told = []
    page.acted.connect(told.append)
    qtbot.mouseClick(one, Qt.MouseButton.LeftButton, pos=place)
    assert told == [("look", 1, 2)]


def test_what_was_chosen_is_marked_while_nothing_is_pointed_at(page, view):
    page.show_page(lambda width: page_of([block(chosen=(3, 0))], width))
    assert {m.pointed for m in view.maps.values()} == {(3, 0)}
    view.maps["m0"].point_at((0, 1))
    assert view.sentence.text() == "the → soup"
    view.maps["m0"].point_at(None)
    assert {m.pointed for m in view.maps.values()} == {(3, 0)}
    assert view.sentence.text() == "hot → the"


def test_one_that_stays_keeps_its_zoom(page, view):
    one = view.maps["m1"]
    one.zoom_by(2.0)
    page.show_page(lambda width: page_of([block(3)], width))
    assert list(view.maps) == ["m0", "m1", "m2"]
    assert view.maps["m1"] is one
    assert one.zoom == pytest.approx(2.0)


@pytest.mark.parametrize(("width", "columns"), [(300.0, 1), (520.0, 2), (1300.0, 5)])
def test_as_many_stand_side_by_side_as_have_room_for_their_numbers(width, columns):
    laid = block().at(width)
    tops = [box.top() for box in laid.boxes]
    assert tops.count(tops[0]) == columns
    assert all(box.right() <= width + 0.5 and box.bottom() <= laid.height for box in laid.boxes)
    assert not any(a.intersects(b) for a in laid.boxes for b in laid.boxes if a is not b)


def test_many_tokens_make_small_matrices_that_are_seen_at_a_glance():
    labels = tuple(f"token{n}" for n in range(15))
    values = np.zeros((15, 15), np.float32)
    content = HeatContent(values, labels, labels, Scale(), row_title="query")
    five = LinkedMatrices([LinkedMatrix(f"m{n}", "", "", content) for n in range(5)], str)
    assert len({box.top() for box in five.at(1240.0).boxes}) == 1


def test_six_in_two_rows_are_three_and_three():
    laid = block(6).at(900.0)
    tops = [box.top() for box in laid.boxes]
    assert [tops.count(top) for top in sorted(set(tops))] == [3, 3]


def test_a_picture_says_what_the_screen_shows():
    svg = drawn(page_of([block(chosen=(3, 0))], 900.0).figure(theme_of("light")))
    for words in ("Matrix 4", "of words", "hot → the", "soup", "−0.73", "0.73"):
        assert words in svg, words


def test_numbers_stand_in_all_cells_or_in_none():
    from explorer.ui.matrices.heat_painting import heat_figure

    content = block().matrices[0].content
    seen = set()
    for width in range(120, 420, 12):
        svg = drawn(heat_figure(content, float(width), theme_of("dark"), 30.0))
        assert (">0.73<" in svg) is (">−0.73<" in svg), width
        seen.add(">0.73<" in svg)
    assert seen == {True, False}
