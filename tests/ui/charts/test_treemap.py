"""What a whole consists of, as areas."""

import pytest
from PySide6.QtCore import QRectF

from explorer.ui.charts.treemap import Tile, Treemap, squarified


def test_the_areas_of_a_treemap_are_in_proportion():
    amounts = [50, 25, 13, 7, 3, 2]
    box = QRectF(10, 20, 300, 120)
    places = squarified(amounts, box)
    for amount, place in zip(amounts, places, strict=True):
        assert place.width() * place.height() == pytest.approx(
            box.width() * box.height() * amount / 100
        )
        assert box.adjusted(-1e-6, -1e-6, 1e-6, 1e-6).contains(place)
    for i, one in enumerate(places):
        for other in places[i + 1 :]:
            assert not one.adjusted(1e-6, 1e-6, -1e-6, -1e-6).intersects(other)
    assert squarified([], box) == []
    tiles = (Tile("a", 0, "0", "bar"), Tile("b", 3, "3", "bar"))
    assert len(Treemap(tiles).at(100).boxes) == 1
