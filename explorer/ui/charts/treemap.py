"""Amounts as areas, squarified (Bruls, Huizing and van Wijk 2000)."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPen

from explorer.ui.blocks.block import PlacedBlock, Spot
from explorer.ui.blocks.spacing import Space
from explorer.ui.theme.schemes import Theme
from explorer.ui.typesetting.one_line import draw_text, text_height, text_width

LEFT = Qt.AlignmentFlag.AlignLeft
SHARE, LOWEST, HIGHEST = 0.32, 180.0, 300.0
"""Of the width, how high it is; within these pixels."""


@dataclass(frozen=True)
class Tile:
    """One area.

    Attributes:
        words: What it is.
        amount: How large, from 0 on.
        says: The number as it is written, with its unit.
        colour: By its name in the theme.
        key: Which one it is, so that the keyboard finds it again; None where it has no gesture.
        act: What choosing it does, a gesture.
    """

    words: str
    amount: float
    says: str
    colour: str
    key: Any = None
    act: Any = None


@dataclass(frozen=True)
class Treemap:
    """A block of a page: what a whole consists of, as areas.

    Attributes:
        tiles: In any order; those of nothing are left out.
        above: The room above it.
    """

    tiles: tuple[Tile, ...]
    above: Space = Space.APART

    def at(self, width: float) -> "LaidTreemap":
        """As high as it can be read at a width."""
        return LaidTreemap(self.tiles, width, max(LOWEST, min(HIGHEST, width * SHARE)))


def squarified(amounts: Sequence[float], box: QRectF) -> list[QRectF]:
    """Rectangles with areas in proportion to the amounts, which must fall, as square as can be."""
    total = sum(amounts)
    if total <= 0:
        return [QRectF() for _ in amounts]
    areas = [amount / total * box.width() * box.height() for amount in amounts]
    found: list[QRectF] = []
    rest = QRectF(box)
    start = 0
    while start < len(areas):
        side = min(rest.width(), rest.height())
        end = start + 1
        while end < len(areas) and _worst(areas[start : end + 1], side) <= _worst(
            areas[start:end], side
        ):
            end += 1
        rest = _lay(areas[start:end], rest, found)
        start = end
    return found


def _worst(row: Sequence[float], side: float) -> float:
    """The largest ratio of a rectangle's sides, if a row is laid along a side."""
    total = sum(row)
    if total <= 0 or side <= 0:
        return float("inf")
    return max(
        max(side * side * area / total**2, total**2 / (side * side * area)) if area else 1e9
        for area in row
    )


def _lay(row: Sequence[float], rest: QRectF, found: list[QRectF]) -> QRectF:
    """Lay a row along the shorter side; what is left of the box."""
    total = sum(row)
    upright = rest.width() >= rest.height()
    side = rest.height() if upright else rest.width()
    thick = total / side if side else 0.0
    at = rest.top() if upright else rest.left()
    for area in row:
        long = area / thick if thick else 0.0
        if upright:
            found.append(QRectF(rest.left(), at, thick, long))
        else:
            found.append(QRectF(at, rest.top(), long, thick))
        at += long
    return rest.adjusted(thick, 0, 0, 0) if upright else rest.adjusted(0, thick, 0, 0)


class LaidTreemap(PlacedBlock):
    """Tiles in a box, in pixels."""

    def __init__(self, tiles: Sequence[Tile], width: float, height: float) -> None:
        self._tiles = sorted((t for t in tiles if t.amount > 0), key=lambda t: -t.amount)
        self.width, self.height = width, height
        amounts = [tile.amount for tile in self._tiles]
        self.boxes = squarified(amounts, QRectF(0, 0, width, height))
        self.spots = tuple(
            Spot(
                box, tile.key, f"{tile.words}\n{tile.says}", f"{tile.words}, {tile.says}", tile.act
            )
            for tile, box in zip(self._tiles, self.boxes, strict=True)
        )

    def paint(self, painter: QPainter, theme: Theme) -> None:
        """Areas, and words where they fit."""
        high = text_height("small")
        for tile, box in zip(self._tiles, self.boxes, strict=True):
            colour = QColor(theme.colour(tile.colour))
            colour.setAlpha(110)
            painter.setPen(QPen(theme.surface, 2.0))
            painter.setBrush(colour)
            painter.drawRect(box)
            inner = box.adjusted(6, 4, -4, -4)
            if inner.width() < 34 or inner.height() < high:
                continue
            words = QRectF(inner.left(), inner.top(), inner.width(), high)
            draw_text(painter, words, tile.words, "small", theme.text, LEFT)
            if inner.height() >= 2 * high and text_width("small", tile.says) <= inner.width():
                draw_text(painter, words.translated(0, high), tile.says, "small", theme.text, LEFT)
