"""Cards side by side, as many as the width holds; each is a small page of blocks."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QPainter, QPen

from explorer.ui.blocks.block import Block, Laid, LaidPage, Node, page_of
from explorer.ui.theme.schemes import Theme
from explorer.ui.widgets.column_flow import columns_for

GAP = 14.0
PAD = 14.0
CORNER = 8.0


@dataclass(frozen=True)
class Card:
    """A few blocks that belong together.

    Attributes:
        blocks: From above.
        name: For a screen reader.
        anchor: By what a page is asked to bring it into sight, as a token's position.
    """

    blocks: Sequence[Block]
    name: str = ""
    anchor: Any = None


@dataclass(frozen=True)
class Columns:
    """Rows of equally wide cards; each row is as tall as its tallest.

    Attributes:
        cards: In reading order.
        narrowest: A card's least width, unless there is less.
        widest: A card's greatest width.
        above: The room above it.
    """

    cards: Sequence[Card]
    narrowest: float = 340.0
    widest: float = math.inf
    above: float = 12.0

    def at(self, width: float) -> Laid:
        """In as many columns as fit."""
        return LaidColumns(self, width)


class LaidColumns:
    """Cards at a width."""

    def __init__(self, columns: Columns, width: float) -> None:
        cards = columns.cards
        count, wide = columns_for(width, len(cards), columns.narrowest, columns.widest, GAP)
        pages = [page_of(card.blocks, wide - 2 * PAD) for card in cards]
        self._cards: list[tuple[Card, LaidPage, QRectF]] = []
        y = 0.0
        for first in range(0, len(cards), count):
            row = range(first, min(first + count, len(cards)))
            tall = max(pages[n].height for n in row) + 2 * PAD
            for n in row:
                box = QRectF((n - first) * (wide + GAP), y, wide, tall)
                self._cards.append((cards[n], pages[n], box))
            y += tall + GAP
        self.height = max(0.0, y - GAP)
        self.anchors = {card.anchor: box for card, _, box in self._cards if card.anchor is not None}
        self.spots = tuple(
            spot.moved(box.left() + PAD, box.top() + PAD)
            for _, page, box in self._cards
            for spot in page.spots
        )

        self.live = tuple(
            replace(one, box=one.box.translated(box.left() + PAD, box.top() + PAD))
            for _, page, box in self._cards
            for one in page.live
        )

    @property
    def nodes(self) -> tuple[Node, ...]:
        """What stands in the cards, card by card, each after its name."""
        found: list[Node] = []
        for card, page, box in self._cards:
            if card.name:
                found.append(Node(card.name, box))
            found += [node.moved(box.left() + PAD, box.top() + PAD) for node in page.nodes]
        return tuple(found)

    def paint(self, painter: QPainter, theme: Theme) -> None:
        """Every card with its frame."""
        self._paint(painter, theme, still=False)

    def paint_still(self, painter: QPainter, theme: Theme) -> None:
        """Everything but what is a widget on the screen."""
        self._paint(painter, theme, still=True)

    def _paint(self, painter: QPainter, theme: Theme, *, still: bool) -> None:
        for _, page, box in self._cards:
            painter.setPen(QPen(theme.border, 1.0))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRoundedRect(box.adjusted(0.5, 0.5, -0.5, -0.5), CORNER, CORNER)
            painter.save()
            painter.translate(box.left() + PAD, box.top() + PAD)
            (page.paint_still if still else page.paint)(painter, theme)
            painter.restore()
