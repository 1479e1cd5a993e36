"""The sentence with a bar under every token: the longer, the more the token surprises."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from PySide6.QtCore import QLineF, QRectF, Qt
from PySide6.QtGui import QPainter, QPen

from explorer.questions.masking.surprisal.question import TokenSurprisal
from explorer.text import _
from explorer.ui.blocks.block import Spot
from explorer.ui.blocks.spacing import Space
from explorer.ui.sentence.pieces import Piece
from explorer.ui.sentence.tokens.layout import text_height, text_width
from explorer.ui.sentence.tokens.lines import lines_of
from explorer.ui.sentence.tokens.painting import draw_text
from explorer.ui.theme.schemes import FontRole, Theme
from explorer.ui.theme.shapes import rounded

BAR = 58.0
"""Height of the longest bar."""
WIDEST_BAR = 26.0
NARROWEST = 30.0
PAD = 6.0
LINE_GAP = 14.0
LEAST_TOP = 3.0
"""Nats at the end of the longest bar, at least: a sentence without surprises looks calm."""


@dataclass(frozen=True)
class _Column:
    """One token's place: the token above, its bar, the number, the better word."""

    piece: Piece
    surprise: TokenSurprisal | None
    box: QRectF


@dataclass(frozen=True)
class StripBlock:
    """A block of a page: lines of tokens, each with its bar.

    Attributes:
        pieces: The input.
        surprises: Of the tokens that were asked about.
        per_nat: How many of what the numbers are written in a nat is.
        better: The word that fits better, by position, where the model disagrees.
        words: The tooltip of each token, by position.
        before: Surprises of a pinned answer in nats, by position; drawn as marks.
        acts: What choosing a token ("token", position) or its better word ("put", position) does.
        above: The room above it.
    """

    pieces: Sequence[Piece]
    surprises: Sequence[TokenSurprisal]
    per_nat: float
    better: Mapping[int, str]
    words: Mapping[int, str] = field(default_factory=dict)
    before: Mapping[int, float] = field(default_factory=dict)
    acts: Callable[[str, int], Any] = lambda _what, _position: None
    above: Space = Space.APART

    def at(self, width: float) -> "Strip":
        """The lines at a width."""
        return Strip(self, width)


class Strip:
    """The lines at a width, in pixels."""

    def __init__(self, block: StripBlock, width: float) -> None:
        self._block = block
        self._asked = {one.position: one for one in block.surprises}
        longest = (one.nats for one in block.surprises)
        self._top = max([LEAST_TOP, *longest, *block.before.values()])
        self._token_high = text_height("token") + 8
        self._small = text_height("small")
        wide = [*map(self._wide, block.pieces)]
        self._columns = self._placed(lines_of(block.pieces, wide, width))
        self.height = max((column.box.bottom() for column in self._columns), default=0.0)
        self.spots = tuple(self._make_spots())

    def _placed(self, lines: "list[list[tuple[Piece, float, float]]]") -> list[_Column]:
        """Each line is as high as its longest bar makes it."""
        columns = []
        y = 0.0
        for line in lines:
            asked = [self._asked.get(piece.position or 0) for piece, _unused, _unused in line]
            longest = max((self._tall(one) for one in asked if one is not None), default=0.0)
            high = self._token_high + 4 + longest + 2 * (self._small + 2)
            for (piece, x, wide), one in zip(line, asked, strict=True):
                columns.append(_Column(piece, one, QRectF(x, y, wide, high)))
            y += high + LINE_GAP
        return columns

    def _tall(self, one: TokenSurprisal) -> float:
        nats = max(0.0, one.nats, self._block.before.get(one.position, 0.0))
        return max(1.5, nats / self._top * BAR)

    def _wide(self, piece: Piece) -> float:
        position = piece.position or 0
        role: FontRole = "small" if piece.special else "token"
        widest = text_width(role, piece.text or "[MASK]")
        if position in self._asked:
            number = self._number(self._asked[position])
            widest = max(widest, text_width("small", number), NARROWEST - 2 * PAD)
            if position in self._block.better:
                widest = max(widest, text_width("small", self._block.better[position]))
        return widest + 2 * PAD

    def _number(self, one: TokenSurprisal) -> str:
        return f"{max(0.0, one.nats) * self._block.per_nat:.1f}"

    def _make_spots(self) -> "list[Spot]":
        block, spots = self._block, []
        for column in self._columns:
            position = column.piece.position
            one = column.surprise
            if one is None or position is None:
                continue
            said = block.words.get(position, "")
            if position in block.better:
                low = self._word_box(column, one)
                put = _("Click to put “{better}” into the sentence.", better=block.better[position])
                spots.append(Spot(low, ("put", position), put, put, block.acts("put", position)))
            high = QRectF(column.box)
            high.setBottom(self._word_box(column, one).top())
            act = block.acts("token", position)
            spots.append(Spot(high, ("token", position), said, said, act))
        return sorted(spots, key=lambda spot: (spot.key[1], spot.key[0] == "put"))

    def _word_box(self, column: _Column, one: TokenSurprisal) -> QRectF:
        """Where the better word stands: below the number."""
        top = column.box.top() + self._token_high + 4 + self._tall(one) + self._small + 2
        return QRectF(column.box.left(), top, column.box.width(), self._small + 2)

    def paint(self, painter: QPainter, theme: Theme) -> None:
        """Tokens, bars, numbers, better words."""
        for column in self._columns:
            self._paint_token(painter, theme, column)
            if column.surprise is not None:
                self._paint_bar(painter, theme, column, column.surprise)

    def _paint_token(self, painter: QPainter, theme: Theme, column: _Column) -> None:
        piece, box = column.piece, column.box
        joined = piece.joined
        token = QRectF(box.left(), box.top(), box.width(), self._token_high)
        if column.surprise is not None:
            disagrees = column.surprise.rank > 1
            fill = theme.mask_fill if disagrees else theme.pair_fill if piece.part else theme.raised
            rounded(painter, token.adjusted(-1 if joined else 0, 0, 0, 0), 5, fill)
            draw_text(painter, token.adjusted(3, 0, -3, 0), piece.text, "token", theme.text)
        else:
            role: FontRole = "small" if piece.special else "token"
            text = piece.text or "[MASK]"
            draw_text(painter, token.adjusted(2, 0, -2, 0), text, role, theme.muted)
        if joined and column.box.left() > 0:
            painter.setPen(QPen(theme.muted, 1.5, Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap))
            y = token.bottom() + 1.5
            painter.drawLine(QLineF(token.left() - 5, y, token.left() + 5, y))

    def _paint_bar(
        self, painter: QPainter, theme: Theme, column: _Column, one: TokenSurprisal
    ) -> None:
        box, position = column.box, one.position
        wide = min(WIDEST_BAR, box.width() - 8)
        left = box.center().x() - wide / 2
        top = box.top() + self._token_high + 4
        tall = max(1.5, max(0.0, one.nats) / self._top * BAR)
        bar = QRectF(left, top, wide, tall)
        rounded(painter, bar, 2, theme.bar_original if one.rank > 1 else theme.bar)
        if position in self._block.before:
            y = top + max(0.0, self._block.before[position]) / self._top * BAR
            painter.setPen(QPen(theme.accent, 2.0))
            painter.drawLine(QLineF(left - 3, y, left + wide + 3, y))
        number = QRectF(box.left(), top + self._tall(one) + 1, box.width(), self._small)
        draw_text(painter, number, self._number(one), "small", theme.muted)
        if position in self._block.better:
            low = self._word_box(column, one)
            draw_text(painter, low, self._block.better[position], "small", theme.accent)
