"""What becomes of a chosen token, with the colours that stand for it."""

from collections.abc import Sequence

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QPainter

from explorer.questions.masking.masking_policy.question import Fate
from explorer.questions.masking.masking_policy.steps import chip, fate_colours
from explorer.ui.blocks.block import Spot
from explorer.ui.sentence.token_layout import text_height, text_width
from explorer.ui.sentence.token_painting import draw_text
from explorer.ui.theme.schemes import Theme

MARK = 14.0
GAP = 18.0


class Legend:
    """A block: a mark and a few words for each fate.

    Args:
        entries: Fates and what is said of each.
        width: In pixels.
    """

    spots: Sequence[Spot] = ()

    def __init__(self, entries: Sequence[tuple[Fate, str]], width: float) -> None:
        self._entries = entries
        self._high = text_height("small") + 4
        self._places: list[QRectF] = []
        x = y = 0.0
        for _, words in entries:
            wide = MARK + 6 + text_width("small", words)
            if x and x + wide > width:
                x, y = 0.0, y + self._high
            self._places.append(QRectF(x, y, min(wide, width), self._high))
            x += wide + GAP
        self.height = y + self._high

    def paint(self, painter: QPainter, theme: Theme) -> None:
        """Marks and words."""
        for (fate, words), box in zip(self._entries, self._places, strict=True):
            edge, ground = fate_colours(theme, fate)
            mark = QRectF(box.left(), box.top() + (box.height() - MARK) / 2, MARK, MARK)
            chip(painter, mark, ground, edge)
            rest = box.adjusted(MARK + 6, 0, 0, 0)
            draw_text(painter, rest, words, "small", theme.text, Qt.AlignmentFlag.AlignLeft)
