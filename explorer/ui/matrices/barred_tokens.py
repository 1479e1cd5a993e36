"""A sentence with a bar below its tokens: the longer, the more a token costs the model."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from PySide6.QtCore import QLineF, QRectF, Qt
from PySide6.QtGui import QPainter, QPen

from explorer.text import N_, _
from explorer.ui.blocks.block import PlacedBlock, Spot
from explorer.ui.blocks.spacing import Space
from explorer.ui.sentence.tokens.lines import lines_of
from explorer.ui.theme.schemes import FontRole, Theme
from explorer.ui.theme.shapes import draw_rounded
from explorer.ui.typesetting.one_line import draw_text, text_height, text_width

BAR = 58.0
"""Height of the longest bar."""
LOW_BAR = 34.0
"""The same below two rows of tokens."""
WIDEST_BAR = 26.0
NARROWEST = 30.0
PAD = 6.0
LINE_GAP = 14.0
LABEL_GAP = 10.0
ROW_GAP = 6.0
LEAST_FOR_LABELS = 300.0
LABELS = (N_("text"), N_("model sees"), N_("loss"))
LEFT = Qt.AlignmentFlag.AlignLeft


@dataclass(frozen=True)
class BarredToken:
    """A token and its bar.

    Attributes:
        text: As a person reads it.
        position: In the input.
        value: What the bar is as long as; None for a token without one.
        number: The value as it is written.
        expected: The word that stands below; "" where the token is what was expected.
        before: Where a pinned answer's bar ends; None for nowhere.
        seen: What the model saw in its place; "" where that is not told.
        seen_colours: The edge and the ground of that, by their names in the theme.
        words: For the tooltip.
        act: What choosing it does.
        put: What choosing the word below does; None where that belongs to the token.
        joined: It continues the word before it.
        special: Added by the model.
        part: 0 for the text, 1 for the second text.
    """

    text: str
    position: int
    value: float | None = None
    number: str = ""
    expected: str = ""
    before: float | None = None
    seen: str = ""
    seen_colours: tuple[str, str] = ("border", "surface")
    words: str = ""
    act: Any = None
    put: Any = None
    joined: bool = False
    special: bool = False
    part: int = 0

    @property
    def role(self) -> FontRole:
        """Of the font."""
        return "small" if self.special else "token"

    @property
    def longest(self) -> float:
        """Of its bar and the pinned one."""
        return max(0.0, self.value or 0.0, self.before or 0.0)


@dataclass(frozen=True)
class BarredTokens:
    """A block.

    Attributes:
        tokens: In reading order.
        least: What the longest bar stands for at least.
        two_rows: What the model saw stands below the text.
        above: The room above it.
    """

    tokens: Sequence[BarredToken]
    least: float
    two_rows: bool = False
    above: Space = Space.APART

    def at(self, width: float) -> PlacedBlock:
        """In lines of a width."""
        return LaidBarred(self, width)


class LaidBarred(PlacedBlock):
    """The lines at a width, in pixels."""

    def __init__(self, block: BarredTokens, width: float) -> None:
        self._bar = LOW_BAR if block.two_rows else BAR
        self._top = max([block.least, *(one.longest for one in block.tokens)])
        self._token, self._small = text_height("token") + 8, text_height("small")
        # From the top of a token to that of its bar.
        self._down = 2 * self._token + 2 * ROW_GAP if block.two_rows else self._token + 4
        self._two_rows = block.two_rows
        widest = max(text_width("small", _(label)) for label in LABELS) + LABEL_GAP
        self._label = widest if block.two_rows and width >= LEAST_FOR_LABELS else 0.0
        self._lines: list[tuple[float, bool]] = []
        self._boxes: list[tuple[BarredToken, QRectF]] = []
        y = 0.0
        wides = [*map(self._wide, block.tokens)]
        for line in lines_of(block.tokens, wides, width - self._label):
            tall = [self._tall(one) for one, _x, _wide in line if one.value is not None]
            # A line is as high as its longest bar makes it.
            high = self._down + max(tall) + 2 * (self._small + 2) if tall else self._down
            self._lines.append((y, bool(tall)))
            self._boxes += [(one, QRectF(self._label + x, y, wide, high)) for one, x, wide in line]
            y += high + LINE_GAP
        self.height = max(0.0, y - LINE_GAP)

    def _tall(self, one: BarredToken) -> float:
        return max(1.5, one.longest / self._top * self._bar)

    def _wide(self, one: BarredToken) -> float:
        widest = text_width(one.role, one.text)
        if one.value is not None:
            small = max(text_width("small", words) for words in (one.number, one.expected))
            widest = max(widest, text_width("token", one.seen), small, NARROWEST - 2 * PAD)
        return widest + 2 * PAD

    @cached_property
    def spots(self) -> Sequence[Spot]:  # type: ignore[override]
        """Tokens with a value, and words that may be put in their place."""
        return tuple(self._spots())

    def _spots(self) -> Iterator[Spot]:
        for one, box in self._boxes:
            if one.value is None:
                continue
            word, whole = self._word_box(one, box), QRectF(box)
            is_one = bool(one.expected) and one.put is None
            whole.setBottom(word.bottom() if is_one else word.top())
            yield Spot(whole, ("token", one.position), one.words, one.words, one.act)
            if one.put is not None:
                said = _("Click to put “{better}” into the sentence.", better=one.expected)
                key = ("put", one.position)
                yield Spot(word, key, said, said, one.put)

    def _word_box(self, one: BarredToken, box: QRectF) -> QRectF:
        """Where the expected word stands: below the number."""
        top = box.top() + self._down + self._tall(one) + self._small + 2
        return QRectF(box.left(), top, box.width(), self._small + 2)

    def paint(self, painter: QPainter, theme: Theme) -> None:
        """Names of the rows, then every token."""
        if self._label:
            for top, has_bars in self._lines:
                for row, label in enumerate(LABELS if has_bars else LABELS[:2]):
                    high = self._token if row < 2 else self._small
                    y = top + row * (self._token + ROW_GAP)
                    box = QRectF(0, y, self._label - LABEL_GAP, high)
                    draw_text(painter, box, _(label), "small", theme.muted, LEFT)
        for one, box in self._boxes:
            self._paint_token(painter, theme, one, box)
            if one.value is not None:
                self._paint_bar(painter, theme, one, box, one.value)

    def _paint_token(self, painter: QPainter, theme: Theme, one: BarredToken, box: QRectF) -> None:
        token = QRectF(box.left(), box.top(), box.width(), self._token)
        below = token.translated(0, self._token + ROW_GAP)
        colour = theme.muted if one.value is None else theme.text
        if one.value is not None:
            stands_out = one.expected and not self._two_rows
            fill = theme.mask_fill if stands_out else theme.pair_fill if one.part else theme.raised
            draw_rounded(painter, token.adjusted(-1 if one.joined else 0, 0, 0, 0), 5, fill)
        draw_text(painter, token.adjusted(2, 0, -2, 0), one.text, one.role, colour)
        if one.joined and box.left() > 0 and not self._two_rows:
            painter.setPen(QPen(theme.muted, 1.5, Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap))
            y = token.bottom() + 1.5
            painter.drawLine(QLineF(token.left() - 5, y, token.left() + 5, y))
        if not self._two_rows or one.special:
            return
        inside = below.adjusted(2, 0, -2, 0)
        if one.seen:
            edge, ground = map(theme.colour, one.seen_colours)
            draw_rounded(painter, below.adjusted(1, 0.5, -1, -0.5), 5, ground, QPen(edge, 1.4))
            draw_text(painter, inside, one.seen, "token", edge)
        else:
            draw_text(painter, inside, one.text, one.role, theme.muted)

    def _paint_bar(
        self, painter: QPainter, theme: Theme, one: BarredToken, box: QRectF, value: float
    ) -> None:
        wide = min(WIDEST_BAR, box.width() - 8)
        left, top = box.center().x() - wide / 2, box.top() + self._down
        bar = QRectF(left, top, wide, max(1.5, max(0.0, value) / self._top * self._bar))
        draw_rounded(painter, bar, 2, theme.bar_original if one.expected else theme.bar)
        if one.before is not None:
            y = top + max(0.0, one.before) / self._top * self._bar
            painter.setPen(QPen(theme.accent, 2.0))
            painter.drawLine(QLineF(left - 3, y, left + wide + 3, y))
        number = QRectF(box.left(), top + self._tall(one) + 1, box.width(), self._small)
        draw_text(painter, number, one.number, "small", theme.muted)
        if one.expected:
            word = self._word_box(one, box)
            draw_text(painter, word, one.expected, "small", theme.accent)
