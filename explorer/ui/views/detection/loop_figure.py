"""What the views of detection show, as pictures for export."""

from collections.abc import Sequence

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QPainter, QPen

from explorer.numerics.outcomes import Counts
from explorer.ui.sentence.token_layout import text_height
from explorer.ui.sentence.token_painting import draw_text
from explorer.ui.theme.schemes import Theme
from explorer.ui.views.detection.loop_layout import arrange_loop
from explorer.ui.views.detection.loop_painting import LoopLook, paint_loop
from explorer.ui.views.detection.loop_rows import LoopRow
from explorer.ui.views.detection.measures import Measure
from explorer.ui.views.detection.outcome_bar import outcomes_height, paint_outcomes
from explorer.ui.widgets.column_flow import columns_for
from explorer.ui.widgets.figure import Figure
from explorer.ui.widgets.text_block import paint_block, wrapped

GAP = 14.0
PAD = 12.0
NARROWEST = 430.0


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


def loop_figure(
    rows: Sequence[LoopRow],
    look: LoopLook,
    counts: Counts,
    measures: Sequence[Measure],
    width: float,
    theme: Theme,
) -> Figure:
    """The loop, the outcomes and the measures, one below the other.

    Args:
        rows: Of the loop.
        look: Names and threshold.
        counts: The outcomes at the threshold.
        measures: Cards below the loop.
        width: In pixels.
        theme: Colours.
    """
    at = arrange_loop(rows, max(width, NARROWEST))
    whole = max(width, at.width)
    board = MeasureBoard(measures, whole, 230.0)
    outcomes = outcomes_height(counts, whole) + 12

    def paint(painter: QPainter) -> None:
        painter.save()
        painter.translate((whole - at.width) / 2, 0)
        paint_loop(painter, theme, rows, at, look)
        painter.restore()
        paint_outcomes(painter, theme, QRectF(0, at.height + GAP, whole, outcomes), counts)
        board.paint(painter, theme, at.height + GAP + outcomes)

    return Figure(whole, at.height + GAP + outcomes + board.height, paint)


def measures_figure(
    measures: Sequence[Measure], counts: Counts, said: str, width: float, theme: Theme
) -> Figure:
    """Sentences, outcomes and measures, one below the other."""
    lines = wrapped("small", said, width)
    words = len(lines) * text_height("small") + 8
    outcomes = outcomes_height(counts, width) + 12
    board = MeasureBoard(measures, width, 300.0)

    def paint(painter: QPainter) -> None:
        paint_block(painter, QRectF(0, 0, width, words), lines, "small", theme.muted)
        paint_outcomes(painter, theme, QRectF(0, words, width, outcomes), counts)
        board.paint(painter, theme, words + outcomes)

    return Figure(width, words + outcomes + board.height, paint)
