"""The threshold and what follows from it: one line that stays in sight."""

from PySide6.QtCore import QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QSizePolicy, QVBoxLayout, QWidget

from explorer.numerics.outcomes import Counts, Outcome
from explorer.ui.guarded import guarded
from explorer.ui.sentence.token_layout import text_height, text_width
from explorer.ui.sentence.token_painting import draw_text
from explorer.ui.theme.schemes import Theme, current_theme, theme_signals
from explorer.ui.views.detection.loop_painting import outcome_colour, paint_sign
from explorer.ui.views.detection.measures import percent
from explorer.ui.views.detection.value_slider import ValueSlider

LEFT = Qt.AlignmentFlag.AlignLeft
APART = 18.0
SIGN = 18.0


def told(counts: Counts) -> list[tuple[Outcome | None, str]]:
    """The four outcomes with their numbers, and precision and recall."""

    def many(count: int, one: str, more: str) -> str:
        return f"{count:,} {one if count == 1 else more}"

    return [
        (Outcome.HIT, many(counts.hits, "hit", "hits")),
        (Outcome.MISS, many(counts.misses, "miss", "misses")),
        (Outcome.FALSE_ALARM, many(counts.false_alarms, "false alarm", "false alarms")),
        (
            Outcome.CORRECT_REJECTION,
            many(counts.correct_rejections, "correct rejection", "correct rejections"),
        ),
        (None, f"precision {percent(counts.precision)}"),
        (None, f"recall {percent(counts.recall)}"),
    ]


def paint_outcomes(painter: QPainter, theme: Theme, box: QRectF, counts: Counts) -> None:
    """The outcomes side by side from the top left corner of a box, wrapped at its width."""
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    high = text_height("body") + 4
    for (outcome, words), (x, line) in zip(told(counts), _places(counts, box.width()), strict=True):
        sign = SIGN if outcome is not None else 0.0
        place = QRectF(box.left() + x, box.top() + line * high, 0, high)
        colour = theme.text
        if outcome is not None:
            paint_sign(painter, theme, QPointF(place.left() + 6, place.center().y()), outcome)
            if outcome is not Outcome.CORRECT_REJECTION:
                colour = outcome_colour(theme, outcome)
        if words.startswith("0 "):
            colour = theme.muted
        place.adjust(sign, 0, sign + text_width("body", words) + 2, 0)
        draw_text(painter, place, words, "body", colour, LEFT)


def outcomes_height(counts: Counts, width: float) -> float:
    """What `paint_outcomes` takes of a width."""
    return (_places(counts, width)[-1][1] + 1) * (text_height("body") + 4)


def _places(counts: Counts, width: float) -> list[tuple[float, int]]:
    """Where each outcome begins, and in which line."""
    found: list[tuple[float, int]] = []
    x, line = 0.0, 0
    for outcome, words in told(counts):
        wide = (SIGN if outcome is not None else 0.0) + text_width("body", words)
        if x > 0 and x + wide > width + 0.5:
            x, line = 0.0, line + 1
        found.append((x, line))
        x += wide + APART
    return found


@guarded
class Outcomes(QWidget):
    """The outcomes in numbers."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("outcomes")
        self.counts = Counts()
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        theme_signals().changed.connect(self._theme_changed)

    def show_counts(self, counts: Counts) -> None:
        """Show other numbers."""
        self.counts = counts
        self.setAccessibleName(", ".join(words for _, words in told(counts)))
        self._fit()
        self.update()

    def _theme_changed(self, _theme: object) -> None:
        self._fit()
        self.update()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """They wrap."""
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        """As high as the lines at this width."""
        high = int(outcomes_height(self.counts, self.width()) + 0.999)
        if high != self.height():
            self.setFixedHeight(high)

    def sizeHint(self) -> QSize:
        """Some width."""
        return QSize(300, self.height())

    def minimumSizeHint(self) -> QSize:
        """Narrow enough for a dock."""
        return QSize(200, int(text_height("body")) + 4)

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Paint them."""
        paint_outcomes(QPainter(self), current_theme(), QRectF(self.rect()), self.counts)


class OutcomeBar(QFrame):
    """The threshold's slider and the outcomes.

    Signals:
        moved: The threshold was moved here.
    """

    moved = Signal(float)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("outcomeBar")
        self.threshold = ValueSlider("threshold", "Threshold", (0.0, 1.0), parent=self)
        self.threshold.setToolTip("A token is called replaced where its probability is above this")
        self.threshold.setMaximumWidth(360)
        self.threshold.moved.connect(self.moved)
        self.outcomes = Outcomes(self)
        first = QHBoxLayout()
        first.addWidget(self.threshold, 1)
        first.addStretch(1)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(14, 4, 14, 6)
        layout.setSpacing(2)
        layout.addLayout(first)
        layout.addWidget(self.outcomes)

    def show_counts(self, counts: Counts, threshold: float) -> None:
        """Show what follows from a threshold."""
        if abs(self.threshold.value - threshold) > 1e-9:
            self.threshold.set_value(threshold)
        self.outcomes.show_counts(counts)
