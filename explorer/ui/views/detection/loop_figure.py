"""The loop with its outcomes and measures as one picture."""

from collections.abc import Sequence

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QPainter, QPen

from explorer.detection.outcomes import Counts
from explorer.ui.theme import Theme
from explorer.ui.views.detection.loop_layout import arrange_loop
from explorer.ui.views.detection.loop_painting import LoopLook, paint_loop
from explorer.ui.views.detection.loop_rows import LoopRow
from explorer.ui.views.detection.measures import Measure
from explorer.ui.views.detection.outcome_bar import paint_outcomes
from explorer.ui.widgets.column_flow import columns_for
from explorer.ui.widgets.figure import Figure
from explorer.ui.widgets.token_layout import text_height
from explorer.ui.widgets.token_painting import draw_text

GAP = 14.0
PAD = 12.0
NARROWEST = 430.0


def loop_figure(
    rows: Sequence[LoopRow],
    look: LoopLook,
    counts: Counts,
    measures: Sequence[Measure],
    width: float,
    _theme: Theme,
) -> Figure:
    """What the view shows, one below the other.

    Args:
        rows: Of the loop.
        look: Names and threshold.
        counts: The outcomes at the threshold.
        measures: Cards below the loop.
        width: In pixels.
        _theme: Heights do not depend on it.
    """
    at = arrange_loop(rows, max(width, NARROWEST))
    whole = max(width, at.width)
    count, wide = columns_for(whole, len(measures), 230.0, whole, GAP)
    inner = wide - 2 * PAD
    title = text_height("strong") + 6
    lines = [measures[i : i + count] for i in range(0, len(measures), count)]
    heights = [max(one.height(inner) for one in line) + 2 * PAD + title for line in lines]
    outcomes = text_height("body") * 2 + 12

    def paint(painter: QPainter) -> None:
        theme = _theme
        painter.save()
        painter.translate((whole - at.width) / 2, 0)
        paint_loop(painter, theme, rows, at, look)
        painter.restore()
        y = at.height + GAP
        paint_outcomes(painter, theme, QRectF(0, y, whole, outcomes), counts)
        y += outcomes
        for line, tall in zip(lines, heights, strict=True):
            for column, measure in enumerate(line):
                box = QRectF(column * (wide + GAP), y, wide, tall)
                painter.setPen(QPen(theme.border, 1.0))
                painter.setBrush(Qt.BrushStyle.NoBrush)
                painter.drawRoundedRect(box.adjusted(0.5, 0.5, -0.5, -0.5), 8, 8)
                head = box.adjusted(PAD, PAD, -PAD, 0)
                head.setHeight(title - 6)
                left = Qt.AlignmentFlag.AlignLeft
                draw_text(painter, head, measure.title, "strong", theme.text, left)
                measure.paint(painter, theme, box.adjusted(PAD, PAD + title, -PAD, -PAD))
            y += tall + GAP

    height = at.height + GAP + outcomes + sum(heights) + GAP * (len(lines) - 1)
    return Figure(whole, height, paint)
