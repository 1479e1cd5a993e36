"""Over the stage: a black screen, a picture that stays while the speaker goes on, a pointer."""

from PySide6.QtCore import QEvent, QObject, QPoint, QPointF, Qt, QTimer
from PySide6.QtGui import QCursor, QPainter, QPaintEvent, QPen, QPixmap
from PySide6.QtWidgets import QWidget

from explorer.text import _
from explorer.ui.guarded import guarded
from explorer.ui.theme.schemes import current_theme

POINTER = 0.035
"""Radius of the pointer, as a part of the window's height."""
FRAMES_MS = 25


@guarded
class StageCover(QWidget):
    """Lies over the whole window while there is something to cover it with, or to point with.

    Attributes:
        is_blank: The screen is black.
        is_frozen: What was on screen stays there, whatever goes on below.
        points: A ring goes with the mouse.
    """

    def __init__(self, window: QWidget) -> None:
        super().__init__(window)
        self.setObjectName("stage_cover")
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.is_blank = self.points = False
        self._picture: QPixmap | None = None
        self._mouse = QPoint()
        self._ticks = QTimer(self)
        self._ticks.setInterval(FRAMES_MS)
        self._ticks.timeout.connect(self._follow_mouse)
        window.installEventFilter(self)
        self.hide()

    @property
    def is_frozen(self) -> bool:
        """What was on screen stays there."""
        return self._picture is not None

    def blank(self, wanted: bool) -> None:
        """Make the screen black, or show what is there."""
        self.is_blank = wanted
        self._show()

    def freeze(self, wanted: bool) -> None:
        """Keep the picture of now on screen, or show what is there."""
        if wanted and self._picture is None:
            self.hide()
            self._picture = self.window().grab()
        elif not wanted:
            self._picture = None
        self._show()

    def point(self, wanted: bool) -> None:
        """Let a ring go with the mouse, or not."""
        self.points = wanted
        self._show()

    def lift(self) -> None:
        """Uncover the window."""
        self.is_blank = self.points = False
        self._picture = None
        self._show()

    def _show(self) -> None:
        covers = self.is_blank or self.is_frozen
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents, not covers)
        self.setAccessibleName(_("The screen is black") if self.is_blank else "")
        if self.points:
            self._ticks.start()
            self._follow_mouse()
        else:
            self._ticks.stop()
        self.setVisible(covers or self.points)
        self.setGeometry(self.window().rect())
        self.raise_()
        self.update()

    def _follow_mouse(self) -> None:
        now = self.mapFromGlobal(QCursor.pos())
        if now != self._mouse:
            self._mouse = now
            self.update()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """It is as large as the window."""
        if event.type() == QEvent.Type.Resize and self.isVisible():
            self.setGeometry(self.window().rect())
        return super().eventFilter(watched, event)

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Black, the picture that was kept, or the ring."""
        painter = QPainter(self)
        if self.is_blank:
            painter.fillRect(self.rect(), Qt.GlobalColor.black)
            return
        if self._picture is not None:
            painter.drawPixmap(0, 0, self._picture)
        if self.points:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            around = POINTER * self.height()
            colour = current_theme().colour("danger")
            painter.setPen(QPen(colour, max(3.0, around / 6)))
            colour.setAlpha(40)
            painter.setBrush(colour)
            painter.drawEllipse(QPointF(self._mouse), around, around)
