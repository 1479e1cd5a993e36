"""Maps and heads on a page: as high as the room, and higher where they could not be read."""

import numpy as np
import pytest
from PySide6.QtWidgets import QWidget

from explorer.ui.blocks.block import page_of
from explorer.ui.matrices.block import Matrix
from explorer.ui.matrices.heads.block import TOLD_APART, AllHeads, HeadsBlock
from explorer.ui.matrices.heads.painting import GridContent, arrange
from explorer.ui.matrices.heat_layout import HeatContent, every, fit
from explorer.ui.matrices.map_block import SPOKEN, Map, MapBlock, MapView

pytestmark = pytest.mark.usefixtures("qapp")


def content(count):
    draw = np.random.default_rng(count)
    values = draw.random((count, count)).astype(np.float32)
    labels = tuple(f"w{n}" for n in range(count))
    return HeatContent(values, labels, labels, row_title="from", column_title="to")


def block(count, **fields):
    return MapBlock(Map(Matrix(content(count), "One head"), wheel_zooms=True, **fields), fills=True)


def test_a_small_map_is_as_high_as_its_room():
    laid = block(12).filling(600, 500)
    assert laid.height == 500
    assert laid.live[0].content.wheel_zooms


def test_a_map_of_128_tokens_has_labels_that_can_be_read_and_the_page_scrolls():
    laid = block(128).filling(1150, 500)
    at = fit(content(128), 1150, laid.height)
    assert laid.height > 1000
    # At most every second label is left out, and cells are seen as squares.
    assert every(at.cell_height) <= 2
    assert at.cell_height == pytest.approx(at.cell_width, rel=0.05)
    # The wheel scrolls what is higher than its room.
    assert not laid.live[0].content.wheel_zooms


def test_a_screen_reader_hears_of_every_row_what_is_strongest():
    values = content(600).values
    (node,) = page_of([block(600)], 700).nodes
    assert node.name == "One head"
    assert len(node.rows) == SPOKEN
    best = int(values[3].argmax())
    assert node.rows[3].said == f"w3: most to w{best}, {values[3, best]:.4f}"


def test_looking_is_told_and_what_is_marked_is_told_to_nobody(qtbot):
    parent = QWidget()
    qtbot.addWidget(parent)
    view = MapView(parent)
    told = []
    view.looked_at.connect(told.append)
    matrix = Matrix(content(4), "One head")
    view.show_content(Map(matrix, lambda row, column: (row, column), marked=(1, 2)))
    assert (view.pointed, told) == ((1, 2), [])
    view.point_at((0, 3))
    view.point_at(None)
    assert told == [(0, 3), None]
    # Without something to tell, nothing is.
    view.show_content(Map(matrix))
    view.point_at((2, 2))
    assert told == [(0, 3), None]


@pytest.mark.parametrize("order", [(), tuple((n // 12, n % 12) for n in range(144))])
def test_144_heads_are_told_apart_in_a_low_room(order):
    notes = tuple(f"{layer}.{head}  0.50" for layer, head in order)
    grid = GridContent(np.zeros((12, 12, 8, 8), np.float32), order=order, notes=notes)
    heads = AllHeads(
        grid, None, (), "{0[0]}.{0[1]}".format, lambda one: one, lambda one: one, "All"
    )
    laid = HeadsBlock(heads).filling(540, 120)
    at = arrange(grid, 540, laid.height)
    assert min(at.cell_width, at.cell_height) > 0.7 * TOLD_APART
    assert [spot.act for spot in laid.told()[:2]] == [(0, 0), (0, 1)]
    assert HeadsBlock(heads).filling(540, 900).height == 900
