"""The session log's drawer, closed: what the log says of the page that is shown, and a way in."""

from PySide6.QtCore import Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QDockWidget, QHBoxLayout, QSizePolicy, QToolButton, QWidget

from explorer.text import _
from explorer.ui.controls.plain_words import plain_label, plain_tip
from explorer.ui.guarded import guarded
from explorer.ui.theme.icon_sizes import icon_in_size
from explorer.ui.theme.icons import icon


@guarded
class LogLine(QWidget):
    """A button that opens and closes the log, and a sentence beside it.

    Attributes:
        button: Opens and closes.
        latest: The sentence; what does not fit ends in dots.
    """

    def __init__(self, dock: QDockWidget, parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName("log_line")
        self.setAccessibleName(_("Session log"))
        self._dock = dock
        self._said = self._message = ""
        self.button = QToolButton(self)
        self.button.setObjectName("log_line_button")
        self.button.setText(_("Session log"))
        self.button.setAccessibleName(_("Open or close the session log"))
        self.button.setToolTip(_("Every question asked and its answer (F8)"))
        self.button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        icon_in_size(self.button, 14)
        self.button.setAutoRaise(True)
        self.button.clicked.connect(lambda: dock.setVisible(dock.isHidden()))
        self.latest = plain_label(self)
        self.latest.setObjectName("log_line_latest")
        self.latest.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        row = QHBoxLayout(self)
        row.setContentsMargins(2, 0, 2, 0)
        row.setSpacing(6)
        row.addWidget(self.button)
        row.addWidget(self.latest, 1)
        dock.visibilityChanged.connect(self._show_state)
        self._show_state()

    def say(self, words: str) -> None:
        """Say what the log has of the page that is shown; "" for nothing."""
        self._said = words
        self._fit()

    def show_message(self, message: str) -> None:
        """Say something in its place for a while; "" ends it."""
        self._message = message
        self._fit()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """What does not fit ends in dots."""
        super().resizeEvent(event)
        self._fit()

    def _show_state(self, _visible: bool = False) -> None:
        self.button.setIcon(icon("chevron-up" if self._dock.isHidden() else "chevron-down"))

    def _fit(self) -> None:
        words = self._message or self._said
        room = max(self.width() - self.button.sizeHint().width() - 30, 60)
        metrics = self.latest.fontMetrics()
        self.latest.setToolTip(plain_tip(words))
        self.latest.setText(metrics.elidedText(words, Qt.TextElideMode.ElideRight, room))
