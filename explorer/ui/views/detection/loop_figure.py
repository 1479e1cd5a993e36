"""What the views of detection show, as pictures for export."""

from collections.abc import Sequence

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QPainter, QPen

from explorer.ui.sentence.token_layout import text_height
from explorer.ui.sentence.token_painting import draw_text
from explorer.ui.theme.schemes import Theme
from explorer.ui.views.detection.measures import Measure
from explorer.ui.widgets.column_flow import columns_for

GAP = 14.0
PAD = 12.0


class MeasureBoard:
    """Measures on cards, in as many columns as the width holds."""

    def __init__(self, measures: Sequence[Measure], width: float, narrowest: float) -> None:
        count, self.wide = columns_for(width, len(measures), narrowest, width, GAP)
        self.title = text_height("strong") + 6
        inner = self.wide - 2 * PAD
        self.lines = [measures[i : i + count] for i in range(0, len(measures), count)]
        self.heights = [
            max(one.height(inner) for one in line) + 2 * PAD + self.title for line in self.lines
        ]
        self.height = sum(self.heights) + GAP * (len(self.lines) - 1)

    def paint(self, painter: QPainter, theme: Theme, y: float) -> None:
        """Paint them from a height on."""
        left = Qt.AlignmentFlag.AlignLeft
        for line, tall in zip(self.lines, self.heights, strict=True):
            for column, measure in enumerate(line):
                box = QRectF(column * (self.wide + GAP), y, self.wide, tall)
                painter.setPen(QPen(theme.border, 1.0))
                painter.setBrush(Qt.BrushStyle.NoBrush)
                painter.drawRoundedRect(box.adjusted(0.5, 0.5, -0.5, -0.5), 8, 8)
                head = box.adjusted(PAD, PAD, -PAD, 0)
                head.setHeight(self.title - 6)
                draw_text(painter, head, measure.title, "strong", theme.text, left)
                inside = box.adjusted(PAD, PAD + self.title, -PAD, -PAD)
                measure.paint(painter, theme, inside)
            y += tall + GAP
