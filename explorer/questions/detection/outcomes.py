"""The four outcomes of a verdict: their names, signs and colours, and their numbers in a line.

The names of signal detection theory stand beside those of classification: a hit is a true
positive, a miss a false negative, a false alarm a false positive, a correct rejection a true
negative.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPen, QPolygonF

from explorer.numerics.outcomes import Counts, Outcome
from explorer.text import N_, _, ngettext
from explorer.ui.blocks.block import Laid, Spot
from explorer.ui.sentence.token_layout import text_height, text_width
from explorer.ui.sentence.token_painting import draw_text
from explorer.ui.theme.schemes import Theme

LEFT = Qt.AlignmentFlag.AlignLeft
APART = 18.0
SIGN = 18.0

NAMES = {
    Outcome.HIT: N_("hit (TP)"),
    Outcome.MISS: N_("miss (FN)"),
    Outcome.FALSE_ALARM: N_("false alarm (FP)"),
    Outcome.CORRECT_REJECTION: N_("correct rejection (TN)"),
}
EXPLAINED = {
    Outcome.HIT: N_("A replaced token that is called replaced: a true positive."),
    Outcome.MISS: N_("A replaced token that is not called so: a false negative."),
    Outcome.FALSE_ALARM: N_("An original that is called replaced: a false positive."),
    Outcome.CORRECT_REJECTION: N_("An original that is not called replaced: a true negative."),
}


@dataclass(frozen=True)
class Told:
    """One of the numbers.

    Attributes:
        outcome: Which one it counts; None for a share.
        count: How many.
        text: As it is read.
        words: What it means.
    """

    outcome: Outcome | None
    count: int
    text: str
    words: str


def percent(share: float | None) -> str:
    """A share in per cent; a dash where it is not defined."""
    return "–" if share is None else f"{100 * share:.0f} %"


def told(counts: Counts) -> tuple[Told, ...]:
    """The four outcomes with their numbers, and precision and recall."""
    hits, misses = counts.hits, counts.misses
    alarms, rejections = counts.false_alarms, counts.correct_rejections
    texts = (
        (
            Outcome.HIT,
            hits,
            ngettext("{count} hit (true positive)", "{count} hits (true positives)", hits),
        ),
        (
            Outcome.MISS,
            misses,
            ngettext("{count} miss (false negative)", "{count} misses (false negatives)", misses),
        ),
        (
            Outcome.FALSE_ALARM,
            alarms,
            ngettext(
                "{count} false alarm (false positive)",
                "{count} false alarms (false positives)",
                alarms,
            ),
        ),
        (
            Outcome.CORRECT_REJECTION,
            rejections,
            ngettext(
                "{count} correct rejection (true negative)",
                "{count} correct rejections (true negatives)",
                rejections,
            ),
        ),
    )
    precision = _("precision {share}", share=percent(counts.precision))
    recall = _("recall {share}", share=percent(counts.recall))
    return (
        *(Told(outcome, count, text, _(EXPLAINED[outcome])) for outcome, count, text in texts),
        Told(None, 1, precision, _("Of the tokens called replaced, the share that was replaced.")),
        Told(None, 1, recall, _("Of the replaced tokens, the share that is called so.")),
    )


@dataclass(frozen=True)
class Outcomes:
    """A block: the outcomes side by side.

    Attributes:
        counts: At the threshold of now.
        above: The room above it.
    """

    counts: Counts
    above: float = 12.0

    def at(self, width: float) -> Laid:
        """In as many lines as they need."""
        return LaidOutcomes(self.counts, width)


class LaidOutcomes:
    """The outcomes at a width."""

    def __init__(self, counts: Counts, width: float) -> None:
        self._told = told(counts)
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

    @property
    def name(self) -> str:
        """For a screen reader."""
        return ", ".join(one.text for one in self._told)

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
