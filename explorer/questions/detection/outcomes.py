"""The four outcomes of a verdict: their names, signs and colours, and their numbers in a line.

The names of signal detection theory stand beside those of classification: a hit is a true
positive, a miss a false negative, a false alarm a false positive, a correct rejection a true
negative.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPen, QPolygonF

from explorer.numerics.evaluation.outcomes import Counts, Outcome
from explorer.questions.detection.wording import told
from explorer.ui.blocks import PlacedBlock, Space, Spot, Theme, draw_text, text_height, text_width

LEFT = Qt.AlignmentFlag.AlignLeft
APART = 18.0
SIGN = 18.0


@dataclass(frozen=True)
class Outcomes:
    """A block: the outcomes side by side.

    Attributes:
        counts: At the threshold of now.
        above: The room above it.
    """

    counts: Counts
    above: Space = Space.APART

    def at(self, width: float) -> PlacedBlock:
        """In as many lines as they need."""
        return LaidOutcomes(self.counts, width)


class LaidOutcomes(PlacedBlock):
    """The outcomes at a width."""

    def __init__(self, counts: Counts, width: float) -> None:
        self._told = told(counts)
        self.name = ", ".join(one.text for one in self._told)
        high = text_height("body") + 4
        self._boxes: list[QRectF] = []
        x = y = 0.0
        for one in self._told:
            sign = SIGN if one.outcome is not None else 0.0
            wide = min(sign + text_width("body", one.text) + 2, width)
            if x > 0 and x + wide > width + 0.5:
                x, y = 0.0, y + high
            self._boxes.append(QRectF(x, y, wide, high))
            x += wide + APART
        self.height = y + high
        self.spots = tuple(
            Spot(box, None, one.words, one.text)
            for box, one in zip(self._boxes, self._told, strict=True)
        )

    def paint(self, painter: QPainter, theme: Theme) -> None:
        """Each with its sign; what there is none of stands back."""
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        for box, one in zip(self._boxes, self._told, strict=True):
            colour, place = theme.text, QRectF(box)
            if one.outcome is not None:
                paint_sign(painter, theme, QPointF(box.left() + 6, box.center().y()), one.outcome)
                place.adjust(SIGN, 0, 0, 0)
                if one.outcome is not Outcome.CORRECT_REJECTION:
                    colour = outcome_colour(theme, one.outcome)
            draw_text(painter, place, one.text, "body", colour if one.count else theme.muted, LEFT)


def outcome_colour(theme: Theme, outcome: Outcome) -> QColor:
    """Errors stand out; each outcome has a sign of its own too."""
    return {
        Outcome.HIT: theme.positive,
        Outcome.MISS: theme.mask,
        Outcome.FALSE_ALARM: theme.danger,
        Outcome.CORRECT_REJECTION: theme.muted,
    }[outcome]


def paint_sign(painter: QPainter, theme: Theme, centre: QPointF, outcome: Outcome) -> None:
    """A full circle for a hit, a ring for a miss, a triangle for a false alarm, else a dot."""
    colour = outcome_colour(theme, outcome)
    painter.setPen(QPen(colour, 1.8))
    painter.setBrush(colour)
    if outcome is Outcome.HIT:
        painter.drawEllipse(centre, 5.0, 5.0)
    elif outcome is Outcome.MISS:
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawEllipse(centre, 5.0, 5.0)
    elif outcome is Outcome.FALSE_ALARM:
        corners: Sequence[QPointF] = [QPointF(0, -5.5), QPointF(5.5, 4.5), QPointF(-5.5, 4.5)]
        painter.drawPolygon(QPolygonF([centre + corner for corner in corners]))
    else:
        painter.setPen(Qt.PenStyle.NoPen)
        painter.drawEllipse(centre, 2.2, 2.2)
