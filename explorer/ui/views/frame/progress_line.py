"""A thin line that says how far work is, or only that it goes on."""

from PySide6.QtCore import QRectF, QSize, Qt, QTimerEvent
from PySide6.QtGui import QHideEvent, QPainter, QPaintEvent, QShowEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from explorer.text import _
from explorer.text.formatting.numbers import percent
from explorer.ui.guarded import guarded
from explorer.ui.theme.schemes import current_theme

FRAME_MS = 33
CYCLE_MS = 1400


@guarded
class ProgressLine(QWidget):
    """Runs only while it can be seen."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("progressLine")
        self.setAccessibleName(_("Progress"))
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self._done = 0.0
        self._total = 0.0
        self._elapsed = 0
        self._timer = 0

    @property
    def fraction(self) -> float | None:
        """How far it is, from 0 to 1; None where nobody knows."""
        return min(self._done / self._total, 1.0) if self._total > 0 else None

    def set_progress(self, done: float, total: float) -> None:
        """Say how far it is; a total of 0 means that nobody knows."""
        self._done, self._total = done, total
        fraction = self.fraction
        said = _("working") if fraction is None else percent(fraction)
        self.setAccessibleDescription(said)
        self._keep_time()
        self.update()

    def sizeHint(self) -> QSize:
        """Three pixels high."""
        return QSize(160, 3)

    def minimumSizeHint(self) -> QSize:
        """Three pixels high."""
        return QSize(24, 3)

    def showEvent(self, event: QShowEvent) -> None:
        """Begin to move."""
        super().showEvent(event)
        self._keep_time()

    def hideEvent(self, event: QHideEvent) -> None:
        """Cost nothing while hidden."""
        super().hideEvent(event)
        self._keep_time()

    def _keep_time(self) -> None:
        runs = self.isVisible() and self.fraction is None
        if runs and not self._timer:
            self._timer = self.startTimer(FRAME_MS, Qt.TimerType.CoarseTimer)
        elif not runs and self._timer:
            self.killTimer(self._timer)
            self._timer = 0

    def timerEvent(self, _event: QTimerEvent) -> None:
        """Move on."""
        self._elapsed = (self._elapsed + FRAME_MS) % CYCLE_MS
        self.update()

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Paint the line."""
        theme = current_theme()
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        whole = QRectF(self.rect())
        painter.setBrush(theme.track)
        painter.drawRoundedRect(whole, 1.5, 1.5)
        painter.setBrush(theme.accent)
        fraction = self.fraction
        if fraction is not None:
            length, left = whole.width() * fraction, 0.0
        else:
            length = whole.width() * 0.3
            left = (whole.width() + length) * self._elapsed / CYCLE_MS - length
        painter.drawRoundedRect(QRectF(left, 0, length, whole.height()), 1.5, 1.5)
