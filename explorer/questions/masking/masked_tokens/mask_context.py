"""A mask between the words around it, in one line."""

from dataclasses import dataclass

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QPainter

from explorer.questions.masking.mask_card_text import Context
from explorer.text.bidi import MARKS, in_direction
from explorer.ui.blocks.block import Laid, Spot
from explorer.ui.sentence.tokens.layout import MASK_LABEL, text_height, text_width
from explorer.ui.sentence.tokens.painting import draw_text
from explorer.ui.theme.schemes import Theme
from explorer.ui.theme.shapes import rounded

CLOSING = frozenset(".,;:!?")
"""Stands right after a word."""


@dataclass(frozen=True)
class ContextLine:
    """A block: the line.

    Attributes:
        context: The words.
        above: The room above it.
    """

    context: Context
    above: float = 0.0

    def at(self, width: float) -> Laid:
        """Cut to a width."""
        return LaidContext(self.context, width)


class LaidContext:
    """The line at a width; what does not fit is in its tooltip."""

    def __init__(self, context: Context, width: float) -> None:
        self.context, self.width = context, width
        self.height = text_height("body") + 8
        self.spots: tuple[Spot, ...] = ()
        whole = text_width("body", context.before) + text_width("body", context.after)
        if whole + text_width("strong", MASK_LABEL) + 24 > width:
            self.spots = (Spot(QRectF(0, 0, width, self.height), None, self.name),)

    @property
    def name(self) -> str:
        """The words with the mask among them."""
        line = f"{self.context.before} {MASK_LABEL} {self.context.after}".strip()
        return in_direction([line], turned=self.context.from_right)[0]

    def paint(self, painter: QPainter, theme: Theme) -> None:
        """The words before, the mask as a chip, the words after."""
        paint_context(painter, theme, QRectF(0, 0, self.width, self.height), self.context)


def fitting(words: str, room: float, *, last: bool) -> str:
    """As many whole words as there is room for, an ellipsis in the place of the others.

    Args:
        words: A line.
        room: In pixels.
        last: Keep the last words; else the first.
    """
    if text_width("body", words) <= room:
        return words
    kept = words.split()
    while kept:
        kept = kept[1:] if last else kept[:-1]
        line = " ".join(["…", *kept] if last else [*kept, "…"])
        if text_width("body", line) <= room:
            return line.replace("… …", "…")
    return "…"


def paint_context(painter: QPainter, theme: Theme, box: QRectF, context: Context) -> None:
    """One line: the words before, the mask as a chip, the words after.

    What does not fit is left out at the far ends, so that the mask is always in sight.
    """
    gap = 6.0
    chip = text_width("strong", MASK_LABEL) + 12
    before, after = text_width("body", context.before), text_width("body", context.after)
    room = max(box.width() - chip - 2 * gap, 40.0)
    before_room = max(room / 2, room - after)
    left = fitting(context.before, before_room, last=True)
    right = fitting(context.after, max(room / 2, room - before), last=False)
    turned = context.from_right
    left, right = in_direction([left, right], turned=turned)
    closes = right.strip(MARKS)[:1] in CLOSING

    def beside(x: float, wide: float) -> QRectF:
        """What comes next in the line, from the side where it begins."""
        left = box.right() - x - wide if turned else box.left() + x
        return QRectF(left, box.top(), wide, box.height())

    x, align = 0.0, Qt.AlignmentFlag.AlignLeft
    if left:
        wide = text_width("body", left)
        draw_text(painter, beside(x, wide), left, "body", theme.text, align)
        x += wide + gap
    mark = beside(x, chip).adjusted(0, 1, 0, -1)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    rounded(painter, mark, 4, theme.mask_fill, theme.mask)
    draw_text(painter, mark, MASK_LABEL, "strong", theme.mask)
    x += chip + (2 if closes else gap)
    draw_text(painter, beside(x, text_width("body", right)), right, "body", theme.text, align)
