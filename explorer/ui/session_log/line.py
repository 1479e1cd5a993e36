"""The session log's drawer, closed: what the log says of the page that is shown, and a way in."""

from PySide6.QtCore import Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QDockWidget, QHBoxLayout, QSizePolicy, QToolButton, QWidget

from explorer.text import _
from explorer.text.bidi import isolated
from explorer.ui.controls.plain_words import plain_label, plain_tip
from explorer.ui.guarded import guarded
from explorer.ui.theme.icon_sizes import icon_in_size
from explorer.ui.theme.icons import icon

BETWEEN = " · "
FEWEST = 8
"""Letters of a text below which it says nothing."""
SLACK = 8
"""Pixels by which parts are narrower apart than together."""


@guarded
class LogLine(QWidget):
    """A button that opens and closes the log, and a sentence beside it.

    Attributes:
        button: Opens and closes.
        latest: The sentence; where it does not fit, its text ends in dots, and then all of it.
    """

    def __init__(self, dock: QDockWidget, parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName("log_line")
        self.setAccessibleName(_("Session log"))
        self._dock = dock
        self._message = ""
        self._title = self._text = self._answer = ""
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

    def say(self, title: str = "", text: str = "", answer: str = "") -> None:
        """Say what the log has of the page that is shown; nothing says nothing.

        Args:
            title: Of the page.
            text: What was asked about; it gives way before the answer does.
            answer: In a sentence.
        """
        self._title, self._text, self._answer = title, text, answer
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
        words = self._message or self._told(self._text)
        self.latest.setToolTip(plain_tip(words))
        room = max(self.width() - self.button.sizeHint().width() - 30, 60)
        if not self._message and self._wide(words) > room:
            left = room - self._wide(self._told("")) - self._wide(BETWEEN) - SLACK
            has_room = left >= self._wide("m" * FEWEST)
            words = self._told(self._elided(self._text, left) if has_room else "")
        self.latest.setText(self._elided(words, room))

    def _told(self, text: str) -> str:
        """What is said, with as much of the text."""
        return BETWEEN.join(filter(None, (self._title, isolated(text), self._answer)))

    def _wide(self, words: str) -> int:
        return self.latest.fontMetrics().horizontalAdvance(words)

    def _elided(self, words: str, room: int) -> str:
        return self.latest.fontMetrics().elidedText(words, Qt.TextElideMode.ElideRight, room)
