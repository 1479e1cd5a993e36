"""A mask between the words around it, in one line."""

from dataclasses import dataclass

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QPainter

from explorer.questions.masking.mask_card_text import Context
from explorer.ui.blocks.block import Laid, Spot
from explorer.ui.sentence.token_layout import MASK_LABEL, text_height, text_width
from explorer.ui.sentence.token_painting import draw_text
from explorer.ui.theme.schemes import Theme
from explorer.ui.theme.shapes import rounded


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
        return f"{self.context.before} {MASK_LABEL} {self.context.after}".strip()

    def paint(self, painter: QPainter, theme: Theme) -> None:
        """The words before, the mask as a chip, the words after."""
        paint_context(painter, theme, QRectF(0, 0, self.width, self.height), self.context)


def fitting(words: str, room: float, *, from_right: bool) -> str:
    """As many whole words as there is room for, an ellipsis in the place of the others.

    Args:
        words: A line.
        room: In pixels.
        from_right: Keep the last words; else the first.
    """
    if text_width("body", words) <= room:
        return words
    kept = words.split()
    while kept:
        kept = kept[1:] if from_right else kept[:-1]
        line = " ".join(["…", *kept] if from_right else [*kept, "…"])
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
    left = fitting(context.before, before_room, from_right=True)
    right = fitting(context.after, max(room / 2, room - before), from_right=False)
    x = box.left()
    if left:
        wide = text_width("body", left)
        place = QRectF(x, box.top(), wide, box.height())
        draw_text(painter, place, left, "body", theme.text, Qt.AlignmentFlag.AlignLeft)
        x += wide + gap
    mark = QRectF(x, box.top() + 1, chip, box.height() - 2)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    rounded(painter, mark, 4, theme.mask_fill, theme.mask)
    draw_text(painter, mark, MASK_LABEL, "strong", theme.mask)
    x += chip + (2 if right[:1] in {".", ",", ";", ":", "!", "?"} else gap)
    place = QRectF(x, box.top(), text_width("body", right), box.height())
    draw_text(painter, place, right, "body", theme.text, Qt.AlignmentFlag.AlignLeft)
