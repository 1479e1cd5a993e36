"""Attention as lines between two columns of tokens: where they stand and how they look."""

from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPen

from explorer.text import _
from explorer.ui.blocks.figure import Figure
from explorer.ui.matrices.scale import short
from explorer.ui.theme.schemes import Theme
from explorer.ui.theme.shapes import painter_moved
from explorer.ui.typesetting.one_line import draw_text, text_height, text_width

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    Values = npt.NDArray[np.floating[Any]]

MOST_LINES = 12_000
"""Lines drawn at most, the strongest of all."""
LEVELS = 24
FAINTEST = 0.25
"""The share of its colour that the weakest line has."""
"""Strengths of a line's colour."""
LONGEST = 190.0
ROW_GAP = 5.0
TOP = 4.0
WIDEST = 640.0
"""Of a picture: longer lines say no more."""

_PALETTE = {
    # Okabe and Ito's hues, told apart by colour-blind eyes, light enough or dark enough.
    "light": ("#0a62a8", "#c96a00", "#006b4f", "#a3387a", "#5c6b00", "#2596be", "#8a2b10", "#444"),
    "dark": ("#74b9f0", "#f0a63c", "#46cfa4", "#e48bc0", "#d8d254", "#8fd8ff", "#ff8f6b", "#bbb"),
}

FROM, TO = 0, 1
"""The side of the tokens that look, and of those that are looked at."""


@cache
def head_colours(theme: Theme) -> tuple[QColor, ...]:
    """A colour for each of several heads.

    Args:
        theme: In force.
    """
    return tuple(QColor(name) for name in _PALETTE[theme.scheme])


@dataclass(frozen=True)
class LinesContent:
    """What the lines show.

    Attributes:
        names: A name a head, in the order of its colours.
        weights: heads x queries x keys; below zero only where it is a difference.
        queries: Labels on the left, of the tokens that look.
        keys: Labels on the right.
        threshold: Weaker ones are not drawn.
        signed: It is a difference: colours say the sign, not the head.
        from_right: The tokens that look stand at the right, and all is as in a mirror.
    """

    names: tuple[str, ...]
    weights: "Values"
    queries: tuple[str, ...]
    keys: tuple[str, ...]
    threshold: float = 0.0
    signed: bool = False
    from_right: bool = False

    @property
    def strongest(self) -> float:
        """The weight with the full colour: 1, or the largest difference."""
        if not self.signed or not self.weights.size:
            return 1.0
        return float(abs(self.weights).max()) or 1.0


def first_top() -> float:
    """Where the first token stands, below what the sides are called."""
    return TOP + text_height("small") + 2


@dataclass(frozen=True)
class LinesLayout:
    """Where tokens stand.

    Attributes:
        left: Right end of the labels on the left, where lines begin.
        right: Left end of those on the right.
        row: Height of a token.
        width: Of everything.
        height: Of everything.
        from_right: The tokens that look are those on the right.
    """

    left: float
    right: float
    row: float
    width: float
    height: float
    from_right: bool = False

    def middle(self, index: int) -> float:
        """The height at which a token's lines end."""
        return first_top() + (index + 0.5) * self.row

    def box(self, side: int, index: int) -> QRectF:
        """Of a token's label."""
        at_left = (side == FROM) != self.from_right
        x, wide = (0.0, self.left) if at_left else (self.right, self.width - self.right)
        return QRectF(x, first_top() + index * self.row, wide, self.row)

    def towards_lines(self, side: int) -> Qt.AlignmentFlag:
        """How a side's labels are aligned, so that they stand at their lines."""
        at_left = (side == FROM) != self.from_right
        return Qt.AlignmentFlag.AlignRight if at_left else Qt.AlignmentFlag.AlignLeft

    def token_at(self, point: QPointF, content: LinesContent) -> tuple[int, int] | None:
        """Side and index of the token at a point."""
        index = int((point.y() - first_top()) // self.row)
        if self.left + 4 < point.x() < self.right - 4:
            return None
        side = FROM if (point.x() <= self.left + 4) != self.from_right else TO
        labels = content.queries if side == FROM else content.keys
        return (side, index) if 0 <= index < len(labels) else None

    @property
    def ends(self) -> tuple[float, float]:
        """Where lines begin at the tokens that look, and end at those that are looked at."""
        ends = self.left + 2, self.right - 2
        return ends[::-1] if self.from_right else ends


def arrange_lines(content: LinesContent, width: float) -> LinesLayout:
    """Labels on both sides, lines between them."""
    row = text_height("body") + ROW_GAP
    left = min(max((text_width("body", one) for one in content.queries), default=20), LONGEST) + 12
    right = min(max((text_width("body", one) for one in content.keys), default=20), LONGEST) + 12
    # Room for a number beside each token that is looked at.
    numbers = 8 + 52.0 * (len(content.names) if len(content.names) <= 2 else 1)
    left, right = min(left, width / 3), min(right + numbers, width / 2)
    if content.from_right:
        left, right = right, left
    count = max(len(content.queries), len(content.keys), 1)
    high = first_top() + count * row + TOP
    return LinesLayout(left, width - right, row, width, high, content.from_right)


@dataclass(frozen=True)
class DrawnLines:
    """Which lines are drawn.

    Attributes:
        lines: head, query and key of each, the weakest first: n x 3.
        count: How many there are at or above the threshold; MOST of them are drawn.
    """

    lines: Any
    count: int


def drawn_lines(content: LinesContent, pointed: tuple[int, int] | None) -> DrawnLines:
    """The lines at or above the threshold; of a pointed token (side and index), only its own."""
    import numpy as np

    weights = np.abs(content.weights)
    enough = weights >= max(content.threshold, 1e-6)
    if pointed is not None:
        only = np.zeros_like(enough)
        side, index = pointed
        only[(slice(None), index) if side == FROM else (slice(None), slice(None), index)] = True
        enough &= only
    found = np.argwhere(enough)
    order = np.argsort(weights[tuple(found.T)], kind="stable")[-MOST_LINES:]
    return DrawnLines(found[order], len(found))


def paint_lines(
    painter: QPainter, theme: Theme, content: LinesContent, at: LinesLayout, which: DrawnLines
) -> None:
    """The lines alone, the strongest on top."""
    import numpy as np

    chosen = which.lines
    if not len(chosen):
        return
    values = content.weights[tuple(chosen.T)]
    strengths = np.minimum(np.abs(values) / content.strongest, 1.0)
    levels = np.minimum((strengths * LEVELS).astype(int), LEVELS - 1)
    groups = (values < 0).astype(int) if content.signed else chosen[:, 0]
    colours = _colours(content, theme)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    x1, x2 = at.ends
    for level in range(LEVELS):
        for group in np.unique(groups[levels == level]):
            colour = QColor(colours[int(group)])
            strength = (level + 0.5) / LEVELS
            # The weakest that are drawn are to be seen too, on a white ground as on a dark one.
            colour.setAlphaF(FAINTEST + (1 - FAINTEST) * strength)
            painter.setPen(QPen(colour, 1.0 + 1.6 * strength))
            lines = chosen[(levels == level) & (groups == group)]
            painter.drawLines(
                [
                    QLineF(x1, at.middle(query), x2, at.middle(key))
                    for _, query, key in lines.tolist()
                ]
            )


def _colours(content: LinesContent, theme: Theme) -> list[QColor]:
    """By head; of a difference, by sign: more, then less."""
    if content.signed:
        table = theme.diverging
        return [QColor(*(int(part) for part in table[i][:3])) for i in (235, 20)]
    palette = head_colours(theme)
    return [palette[i % len(palette)] for i in range(len(content.names))]


def _paint_sides(painter: QPainter, theme: Theme, at: LinesLayout) -> None:
    """What the tokens of both sides are, above them."""
    high = text_height("small")
    for side, name in ((FROM, _("from")), (TO, _("to"))):
        box = at.box(side, 0)
        place = QRectF(box.left() + 4, TOP, box.width() - 10, high)
        draw_text(painter, place, name, "small", theme.muted, at.towards_lines(side))


def paint_tokens_beside(
    painter: QPainter,
    theme: Theme,
    content: LinesContent,
    at: LinesLayout,
    pointed: tuple[int, int] | None = None,
    clip: QRectF | None = None,
) -> None:
    """The labels on both sides; those that the pointed token is connected with have numbers."""
    colours = _colours(content, theme)
    _paint_sides(painter, theme, at)
    for side, labels in ((FROM, content.queries), (TO, content.keys)):
        align = at.towards_lines(side)
        for index, text in enumerate(labels):
            box = at.box(side, index)
            if clip is not None and not clip.intersects(box):
                continue
            if pointed == (side, index):
                painter.fillRect(box, theme.selection)
            values = _weights_between(content, pointed, side, index)
            words = QRectF(box.left() + 4, box.top(), box.width() - 10, box.height())
            if side == TO and values is not None:
                words = _paint_numbers(painter, theme, content, words, values, colours)
            elif side == FROM and values is not None:
                _paint_strip(painter, content, box, values, colours)
            strong = pointed == (side, index)
            ink = theme.text if strong or pointed is None or values is not None else theme.muted
            draw_text(painter, words, text, "strong" if strong else "body", ink, align)


def _weights_between(
    content: LinesContent, pointed: tuple[int, int] | None, side: int, index: int
) -> "Values | None":
    """The weights between the pointed token and one on the other side, a head each."""
    if pointed is None or pointed[0] == side:
        return None
    query, key = (pointed[1], index) if pointed[0] == FROM else (index, pointed[1])
    found: Values = content.weights[:, query, key]
    return found


def _paint_strip(
    painter: QPainter,
    content: LinesContent,
    box: QRectF,
    values: "Values",
    colours: list[QColor],
) -> None:
    """A box a head behind a label, as strong as its weight."""
    wide = box.width() / len(values)
    for number, value in enumerate(values.tolist()):
        colour = QColor(colours[(1 if value < 0 else 0) if content.signed else number])
        colour.setAlphaF(min(0.75, abs(value) / content.strongest))
        part = QRectF(box.left() + number * wide, box.top() + 1, wide, box.height() - 2)
        painter.fillRect(part, colour)


def _paint_numbers(
    painter: QPainter,
    theme: Theme,
    content: LinesContent,
    words: QRectF,
    values: "Values",
    colours: list[QColor],
) -> QRectF:
    """The weights as boxes behind the label, and as numbers beside it where they are few."""
    box = QRectF(words.left() - 4, words.top(), words.width() + 10, words.height())
    _paint_strip(painter, content, box, values, colours)
    if len(values) > 2 or float(abs(values).max()) < max(content.threshold, 1e-6):
        return words
    numbers = "  ".join(short(float(value)) for value in values)
    wide = text_width("small", numbers) + 6
    if content.from_right:
        place = QRectF(words.left(), words.top(), wide, words.height())
        draw_text(painter, place, numbers, "small", theme.text, Qt.AlignmentFlag.AlignLeft)
        return words.adjusted(wide, 0, 0, 0)
    place = QRectF(words.right() - wide, words.top(), wide, words.height())
    draw_text(painter, place, numbers, "small", theme.text, Qt.AlignmentFlag.AlignRight)
    return words.adjusted(0, 0, -wide, 0)


def picture_height(content: LinesContent, width: float) -> float:
    """Of the lines as a picture of this width, with a legend of the heads."""
    return arrange_lines(content, min(width, WIDEST)).height + _legend_height(content)


def _legend_height(content: LinesContent) -> float:
    return 0.0 if content.signed or len(content.names) < 2 else text_height("small") + 8


def lines_figure(
    content: LinesContent, width: float, theme: Theme, pointed: tuple[int, int] | None = None
) -> Figure:
    """The lines as a picture of this width, with a legend of the heads."""
    at = arrange_lines(content, min(width, WIDEST))
    legend = _legend_height(content)
    begin = width - at.width if content.from_right else 0.0

    def paint(painter: QPainter) -> None:
        if legend:
            paint_legend(painter, theme, content, QRectF(begin, 0, width, text_height("small")))
        with painter_moved(painter, begin, legend):
            paint_lines(painter, theme, content, at, drawn_lines(content, pointed))
            paint_tokens_beside(painter, theme, content, at, pointed)

    return Figure(width, at.height + legend, paint)


def paint_legend(painter: QPainter, theme: Theme, content: LinesContent, box: QRectF) -> None:
    """A line of colours and names."""
    x = box.left()
    for colour, name in zip(_colours(content, theme), content.names, strict=False):
        painter.fillRect(QRectF(x, box.center().y() - 2, 14, 4), colour)
        place = QRectF(x + 18, box.top(), text_width("small", name) + 2, box.height())
        draw_text(painter, place, name, "small", theme.muted, Qt.AlignmentFlag.AlignLeft)
        x = place.right() + 14
