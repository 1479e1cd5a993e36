"""How an axis goes to other ends before one's eyes, and for a while says that it did."""

from PySide6.QtCore import QEasingCurve, QObject, QTimer, QVariantAnimation, Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QApplication, QStyle

from explorer.ui.guarded import guarded

GLIDES_MS = 350
"""Long enough to be followed, short enough not to be waited for."""
TOLD_MS = 5000
"""How long the former end is written beside the new one."""


def may_move() -> bool:
    """Whether things may move: not where the desktop has animations off, nor without a screen."""
    if QGuiApplication.platformName() in ("offscreen", "minimal"):
        return False
    # Styles say 0 where the desktop asks for less motion.
    return QApplication.style().styleHint(QStyle.StyleHint.SH_Widget_Animation_Duration) > 0


@guarded
class Glide(QObject):
    """The way of axes from where they were.

    Signals:
        moved: How far they have come, from 0 to 1.
        ended: It need not be said any more where they were.
    """

    moved = Signal(float)
    ended = Signal()

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._way = QVariantAnimation(self)
        self._way.setStartValue(0.0)
        self._way.setEndValue(1.0)
        self._way.setDuration(GLIDES_MS)
        self._way.setEasingCurve(QEasingCurve.Type.InOutCubic)
        self._way.valueChanged.connect(self._go)
        self._told = QTimer(self)
        self._told.setSingleShot(True)
        self._told.setInterval(TOLD_MS)
        self._told.timeout.connect(self.ended)

    @property
    def is_told(self) -> bool:
        """Whether it is still said where the axes were."""
        return self._told.isActive()

    def begin(self) -> None:
        """Go; at once where nothing may move."""
        self._told.start()
        self._way.stop()
        if may_move():
            self._way.start()
        else:
            self.moved.emit(1.0)

    def stop(self) -> None:
        """Be there, and say nothing of it."""
        self._way.stop()
        self._told.stop()

    def finish(self) -> None:
        """Be there, and need not be told of any more: what is shown now goes on from nothing."""
        if self.is_told:
            self.stop()
            self.moved.emit(1.0)
            self.ended.emit()

    def _go(self, share: object) -> None:
        self.moved.emit(float(str(share)))
