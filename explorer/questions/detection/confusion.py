"""The confusion matrix at a threshold: a row a truth, a column a verdict."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from PySide6.QtCore import QLineF, QRectF, Qt
from PySide6.QtGui import QPainter, QPen

from explorer.numerics.evaluation.outcomes import Counts, Outcome
from explorer.questions.detection.cards import Verdicts
from explorer.questions.detection.outcomes import outcome_colour
from explorer.questions.detection.wording import EXPLAINED, percent
from explorer.text import N_, _
from explorer.ui.blocks import (
    Block,
    Looking,
    PlacedBlock,
    Space,
    SpokenCell,
    Spot,
    Theme,
    draw_lines,
    draw_text,
    text_height,
    text_width,
    wrapped_lines,
)

LEFT = Qt.AlignmentFlag.AlignLeft
PAD, BESIDE = 10.0, 14.0
ELIDE = Qt.TextElideMode.ElideRight

ROWS = (
    (N_("replaced"), (Outcome.HIT, Outcome.MISS)),
    (N_("original"), (Outcome.FALSE_ALARM, Outcome.CORRECT_REJECTION)),
)
COLUMNS = (N_("called replaced"), N_("called original"))
NAMES = {
    Outcome.HIT: N_("hits (true positives)"),
    Outcome.MISS: N_("misses (false negatives)"),
    Outcome.FALSE_ALARM: N_("false alarms (false positives)"),
    Outcome.CORRECT_REJECTION: N_("correct rejections (true negatives)"),
}
SHORT = {
    Outcome.HIT: N_("hits (TP)"),
    Outcome.MISS: N_("misses (FN)"),
    Outcome.FALSE_ALARM: N_("false alarms (FP)"),
    Outcome.CORRECT_REJECTION: N_("correct rejections (TN)"),
}

SHORTEST = {
    Outcome.HIT: N_("hits"),
    Outcome.MISS: N_("misses"),
    Outcome.FALSE_ALARM: N_("alarms (FP)"),
    Outcome.CORRECT_REJECTION: N_("rejections (TN)"),
}


def blocks(part: Verdicts, _looking: Looking) -> Iterator[Block]:
    """The matrix."""
    between = {
        outcome: f"{100 * low:.0f}–{percent(high)}"
        for outcome, (low, high) in part.intervals.items()
    }
    yield ConfusionBlock(part.counts, between)


@dataclass(frozen=True)
class ConfusionBlock:
    """The block.

    Attributes:
        counts: At the threshold.
        intervals: Of an outcome's share of its row, as it is written; none where none is known.
        above: The room above it.
    """

    counts: Counts
    intervals: Mapping[Outcome, str] = field(default_factory=dict)
    above: Space = Space.NEAR

    def count(self, outcome: Outcome) -> int:
        """How many tokens had an outcome."""
        counts = self.counts
        return {
            Outcome.HIT: counts.hits,
            Outcome.MISS: counts.misses,
            Outcome.FALSE_ALARM: counts.false_alarms,
            Outcome.CORRECT_REJECTION: counts.correct_rejections,
        }[outcome]

    def share(self, outcome: Outcome) -> str:
        """Of the tokens of which the same is true."""
        whole = self.counts.replaced
        if outcome in (Outcome.FALSE_ALARM, Outcome.CORRECT_REJECTION):
            whole = self.counts.original
        said = percent(self.count(outcome) / whole if whole else None)
        interval = self.intervals.get(outcome)
        return f"{said} ({interval})" if interval else said

    def at(self, width: float) -> PlacedBlock:
        """Two rows and two columns in a width."""
        return LaidConfusion(self, width)


class LaidConfusion(PlacedBlock):
    """The matrix at a width."""

    def __init__(self, block: ConfusionBlock, width: float) -> None:
        self._block, self._width = block, width
        self.name = _("Confusion matrix")
        small = text_height("small")
        self._label = max(text_width("small", _(name)) for name, _outcomes in ROWS) + BESIDE
        self._wide = (width - self._label) / 2
        self._heads = [wrapped_lines("small", _(title), self._wide - PAD) for title in COLUMNS]
        self._head = max(map(len, self._heads)) * small + 6
        self._big = text_height("heading")
        self._high = self._big + 2 * small + 2 * PAD
        self.height = self._head + 2 * self._high
        self.spots = tuple(
            Spot(
                QRectF(self._label, self._top(row), 2 * self._wide, self._high),
                None,
                "\n".join(_(EXPLAINED[outcome]) for outcome in outcomes),
                cells=tuple(
                    SpokenCell(
                        f"{block.count(outcome):,} {_(NAMES[outcome])}, {block.share(outcome)}",
                        self._box(row, column),
                        f"{block.count(outcome)}",
                    )
                    for column, outcome in enumerate(outcomes)
                ),
            )
            for row, (_name, outcomes) in enumerate(ROWS)
        )

    def _top(self, row: int) -> float:
        return self._head + row * self._high

    def _box(self, row: int, column: int) -> QRectF:
        left = self._label + column * self._wide
        return QRectF(left, self._top(row), self._wide, self._high)

    def paint(self, painter: QPainter, theme: Theme) -> None:
        """Titles, lines, and in every field the number, its name and its share."""
        for column, lines in enumerate(self._heads):
            head = self._box(0, column)
            head = QRectF(head.left() + PAD, 3, head.width() - PAD, self._head)
            draw_lines(painter, head, lines, "small", theme.muted)
        for row, (title, outcomes) in enumerate(ROWS):
            top = self._top(row)
            painter.setPen(QPen(theme.border, 1.0))
            painter.drawLine(QLineF(0, top, self._width, top))
            middle = QRectF(0, top, self._label, self._high)
            draw_text(painter, middle, _(title), "small", theme.muted, LEFT)
            for column, outcome in enumerate(outcomes):
                self._paint_field(painter, theme, self._box(row, column), outcome)

    def _paint_field(self, painter: QPainter, theme: Theme, box: QRectF, outcome: Outcome) -> None:
        painter.setPen(QPen(theme.border, 1.0))
        painter.drawLine(QLineF(box.left(), box.top(), box.left(), box.bottom()))
        block, small = self._block, text_height("small")
        count = block.count(outcome)
        colour = outcome_colour(theme, outcome)
        if outcome is Outcome.CORRECT_REJECTION:
            colour = theme.text
        place = QRectF(box.left() + PAD, box.top() + PAD, box.width() - PAD - 2, self._big)
        ink = colour if count else theme.muted
        draw_text(painter, place, f"{count:,}", "heading", ink, LEFT)
        below = QRectF(place.left(), place.bottom(), place.width(), small)
        full = _(NAMES[outcome])
        every = (full, _(SHORT[outcome]), _(SHORTEST[outcome]))
        fitting = (one for one in every if text_width("small", one) <= below.width())
        name = next(fitting, every[-1])
        draw_text(painter, below, name, "small", theme.text, LEFT, ELIDE)
        share = block.share(outcome)
        draw_text(painter, below.translated(0, small), share, "small", theme.muted, LEFT, ELIDE)
