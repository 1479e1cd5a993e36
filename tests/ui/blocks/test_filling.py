"""Blocks that take what height is left in the window, alone and in columns."""

from dataclasses import dataclass

import pytest
from PySide6.QtCore import QRectF
from PySide6.QtWidgets import QWidget

from explorer.ui.blocks.block import EmbeddedWidget, PlacedBlock, page_of
from explorer.ui.blocks.columns import UNFRAMED_GAP, Card, Columns

LEAST = 50.0


class LaidMap(PlacedBlock):
    def __init__(self, width, height):
        self.height = height
        self.live = (EmbeddedWidget(QRectF(0, 0, width, height), QWidget, "map"),)

    def paint(self, painter, theme):
        pass


@dataclass(frozen=True)
class Map:
    """As high as it is wide, unless it is to fill something."""

    above: float = 10.0
    fills: bool = True

    def at(self, width):
        return LaidMap(width, width)

    def filling(self, width, height):
        return LaidMap(width, max(height, LEAST))


@dataclass(frozen=True)
class Line:
    above: float = 6.0

    def at(self, width):
        laid = LaidMap(width, 20.0)
        laid.live = ()
        return laid


@pytest.mark.parametrize("room", [300.0, 40.0])
def test_a_block_takes_what_the_others_leave_but_not_less_than_it_needs(room):
    page = page_of([Line(), Map(), Line()], 200.0, room)
    (live,) = page.live
    assert live.box.top() == 20 + 10
    assert live.box.height() == max(room - 20 - 10 - 6 - 20, LEAST)
    assert page.height == max(room, 20 + 10 + LEAST + 6 + 20)


def test_a_picture_has_no_room_to_fill():
    page = page_of([Line(), Map()], 200.0)
    assert page.live[0].box.height() == 200


def test_two_blocks_share_the_room():
    page = page_of([Map(above=0), Map()], 200.0, 310.0)
    assert [one.box.height() for one in page.live] == [150, 150]


def test_columns_side_by_side_fill_the_room_and_those_below_each_other_do_not():
    columns = Columns(
        [Card([Line(), Map()]), Card([Map()])], narrowest=100, framed=False, shares=(1, 2)
    )
    page = page_of([columns], 300 + UNFRAMED_GAP, 400.0)
    left, right = (one.box for one in page.live)
    assert (left.width(), left.top(), left.bottom()) == (100, 30, 400)
    assert (right.left(), right.width(), right.bottom()) == (100 + UNFRAMED_GAP, 200, 400)
    page = page_of([columns], 150, 400.0)
    first, second = (one.box for one in page.live)
    assert (first.width(), first.height()) == (150, 150)
    assert second.top() == first.bottom() + UNFRAMED_GAP


def test_columns_of_what_has_a_height_of_its_own_fill_nothing():
    assert not Columns([Card([Line()]), Card([Map(fills=False)])]).fills
