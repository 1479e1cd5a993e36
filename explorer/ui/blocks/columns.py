"""Cards side by side, as many as the width holds; each is a small page of blocks."""

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from PySide6.QtCore import QRectF
from PySide6.QtGui import QPainter, QPen

from explorer.ui.blocks.block import Block, LaidPage, Node, PlacedBlock, Spot, fills, page_of
from explorer.ui.blocks.page.parts import InlinePart
from explorer.ui.blocks.spacing import CardWidth, Space, columns_for
from explorer.ui.theme.chrome import zoomed
from explorer.ui.theme.schemes import Theme
from explorer.ui.theme.shapes import draw_rounded, painter_moved

GAP = 14.0
UNFRAMED_GAP = 22.0
PAD = 14.0
CORNER = 8.0


@dataclass(frozen=True)
class Card:
    """A few blocks that belong together.

    Attributes:
        blocks: From above.
        name: For a screen reader.
        anchor: By what a page is asked to bring it into sight, as a token's position.
        act: What choosing it does, a gesture; it is one place then, and what stands in it is said
            in `words`.
        key: Which place that is.
        words: The place's.
        chosen: It is the one that was chosen.
    """

    blocks: Sequence[Block]
    name: str = ""
    anchor: Any = None
    act: Any = None
    key: Any = None
    words: str = ""
    chosen: bool = False


@dataclass(frozen=True)
class Columns:
    """Rows of equally wide cards; each row is as tall as its tallest.

    Attributes:
        cards: In reading order.
        narrowest: A card's least width at the usual size of text, unless there is less room.
        widest: A card's greatest width.
        above: The room above it.
        framed: Cards have frames.
        shares: How wide cards are, each against the others, where all of them stand side by side;
            none for equal widths.
        side: Width of the last of two cards where it stands beside the first, which is then at
            least as wide as `narrowest`, at the usual size of text; 0 for any.
        filled: The cards of a last row that is not full are wider; else all are equally wide, so
            that what is in them can be compared.
    """

    cards: Sequence[Card]
    narrowest: CardWidth = CardWidth.MEDIUM
    widest: float = math.inf
    above: Space = Space.APART
    framed: bool = True
    shares: Sequence[float] = ()
    side: float = 0.0
    filled: bool = False

    def at(self, width: float) -> PlacedBlock:
        """In as many columns as fit."""
        return LaidColumns(self, width)

    @property
    def parts(self) -> list[InlinePart]:
        """The cards."""
        return [InlinePart(card.name, card.blocks) for card in self.cards]

    def with_parts(self, kept: Mapping[int, Sequence[Block]]) -> "Columns":
        """Some of the cards."""
        cards = [replace(self.cards[n], blocks=blocks) for n, blocks in kept.items()]
        shares = [self.shares[n] for n in kept] if self.shares else ()
        return replace(self, cards=cards, shares=shares)

    @property
    def fills(self) -> bool:
        """Cards that stand side by side fill the room where one of their blocks does."""
        return any(fills(block) for card in self.cards for block in card.blocks)

    def filling(self, width: float, height: float) -> PlacedBlock:
        """As high as the room where all cards stand side by side."""
        return LaidColumns(self, width, height)


def inside(blocks: Iterable[Block], make: Callable[[Block], Iterable[Block]]) -> list[Block]:
    """Blocks with others in the place of each, in cards as well."""
    found: list[Block] = []
    for block in blocks:
        if isinstance(block, Columns):
            cards = enumerate(block.cards)
            found.append(block.with_parts({n: inside(card.blocks, make) for n, card in cards}))
        else:
            found += make(block)
    return found


def _needs(card: Card) -> float:
    """Pixels below which a block of the card loses something; 0 where none says so."""
    return max((getattr(block, "least_width", 0.0) for block in card.blocks), default=0.0)


class LaidColumns(PlacedBlock):
    """Cards at a width.

    Args:
        columns: The cards.
        width: In pixels.
        room: The height to fill where they stand in one row; 0 for none.
    """

    def __init__(self, columns: Columns, width: float, room: float = 0.0) -> None:
        cards = columns.cards
        self._framed, self._pad = columns.framed, PAD if columns.framed else 0.0
        gap = GAP if columns.framed else UNFRAMED_GAP
        least = zoomed(round(columns.narrowest))
        count, wide = columns_for(width, len(cards), least, columns.widest, gap)
        # Rows are as full as can be: no card stands alone below three others.
        even = math.ceil(len(cards) / math.ceil(len(cards) / count)) if cards else 1
        count, wide = columns_for(width, even, least, columns.widest, gap)
        alone = count == len(cards)
        widths = [wide] * len(cards)
        if columns.shares and alone:
            whole = wide * count / sum(columns.shares)
            widths = [share * whole for share in columns.shares]
        if columns.side and len(cards) > 1:
            spare = width - columns.side - gap - least
            alone = spare >= 0
            count = len(cards) if alone else 1
            # Larger letters need a wider side; the first card gives up a part of its spare room.
            wider = max(0.0, zoomed(round(columns.side)) - columns.side)
            side = columns.side + min(max(spare, 0.0) / 4, wider)
            widths = [width - side - gap, side] if alone else [width] * len(cards)
        if alone and any(
            _needs(card) > w - 2 * self._pad for card, w in zip(cards, widths, strict=True)
        ):
            # A picture that loses something stands on its own line.
            count, alone, widths = 1, len(cards) == 1, [width] * len(cards)
        over = len(cards) % count if columns.filled and columns.widest == math.inf else 0
        if over:
            widths[-over:] = [(width - gap * (over - 1)) / over] * over
        inner = max(0.0, room - 2 * self._pad) if alone else 0.0
        pages = [
            page_of(card.blocks, one - 2 * self._pad, inner)
            for card, one in zip(cards, widths, strict=True)
        ]
        self._cards: list[tuple[Card, LaidPage, QRectF]] = []
        y = 0.0
        for first in range(0, len(cards), count):
            row = range(first, min(first + count, len(cards)))
            tall = max(pages[n].height for n in row) + 2 * self._pad
            x = 0.0
            for n in row:
                self._cards.append((cards[n], pages[n], QRectF(x, y, widths[n], tall)))
                x += widths[n] + gap
            y += tall + gap
        self.height = max(0.0, y - gap)
        self.axes = tuple(axis for _, page, _box in self._cards for axis in page.axes)
        self.live = tuple(
            replace(one, box=one.box.translated(*self._corner(box)))
            for _, page, box in self._cards
            for one in page.live
        )

    def _corner(self, box: QRectF) -> tuple[float, float]:
        """Of what stands in a card."""
        return box.left() + self._pad, box.top() + self._pad

    @cached_property
    def anchors(self) -> Mapping[Any, QRectF]:  # type: ignore[override]
        """Those in the cards, and the cards that have one."""
        found: dict[Any, QRectF] = {}
        for card, page, box in self._cards:
            corner = self._corner(box)
            found |= {key: one.translated(*corner) for key, one in page.anchors.items()}
            if card.anchor is not None:
                found[card.anchor] = box
        return found

    @cached_property
    def spots(self) -> Sequence[Spot]:  # type: ignore[override]
        """Those in the cards, or the card."""
        return tuple(
            spot for card, page, box in self._cards for spot in self._spots(card, page, box)
        )

    def _spots(self, card: Card, page: LaidPage, box: QRectF) -> list[Spot]:
        if card.act is not None:
            return [Spot(box, card.key, card.words, card.name, card.act)]
        return [spot.moved(*self._corner(box)) for spot in page.spots]

    @cached_property
    def nodes(self) -> Sequence[Node]:  # type: ignore[override]
        """What stands in the cards, card by card, each after its name."""
        found: list[Node] = []
        for card, page, box in self._cards:
            if card.act is not None:
                found.append(Node(card.name, box, tuple(self._spots(card, page, box))))
                continue
            if card.name:
                found.append(Node(card.name, box))
            found += [node.moved(*self._corner(box)) for node in page.nodes]
        return tuple(found)

    def paint(self, painter: QPainter, theme: Theme) -> None:
        """Every card with its frame."""
        self._paint(painter, theme, still=False)

    def paint_still(self, painter: QPainter, theme: Theme) -> None:
        """The same but for what is a widget on the screen."""
        self._paint(painter, theme, still=True)

    def _paint(self, painter: QPainter, theme: Theme, *, still: bool) -> None:
        for card, page, box in self._cards:
            if self._framed:
                draw_rounded(
                    painter,
                    box.adjusted(0.5, 0.5, -0.5, -0.5),
                    CORNER,
                    edge=QPen(theme.mask, 1.6) if card.chosen else QPen(theme.border, 1.0),
                )
            with painter_moved(painter, *self._corner(box)):
                (page.paint_still if still else page.paint)(painter, theme)
