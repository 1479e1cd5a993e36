"""The session log's drawer, closed: one line that names the latest run and opens it."""

from PySide6.QtCore import Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import (
    QDockWidget,
    QFrame,
    QHBoxLayout,
    QSizePolicy,
    QToolBar,
    QToolButton,
    QWidget,
)

from explorer.questions import all_operations
from explorer.sessions.log.headline import headline_said
from explorer.sessions.records import RunSummary
from explorer.text import _
from explorer.text.bidi import isolated
from explorer.ui.controls.plain_words import plain_label, plain_tip
from explorer.ui.guarded import guarded
from explorer.ui.session_log.drawer import LogDock
from explorer.ui.session_log.table import text_of
from explorer.ui.theme.chrome import stays_put
from explorer.ui.theme.icon_sizes import icon_in_size
from explorer.ui.theme.icons import icon


@guarded
class LogLine(QToolBar):
    """A button that opens and closes the log, and the latest run beside it.

    Attributes:
        button: Opens and closes.
    """

    def __init__(self, dock: QDockWidget, log: LogDock, parent: QWidget | None = None) -> None:
        super().__init__(_("Session log"), parent)
        self.setObjectName("log_line")
        self.setAccessibleName(_("Session log"))
        self._dock = dock
        self._said = ""
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
        inside = QFrame(self)
        inside.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        row = QHBoxLayout(inside)
        row.setContentsMargins(6, 3, 10, 3)
        row.setSpacing(10)
        row.addWidget(self.button, 0, Qt.AlignmentFlag.AlignLeft)
        row.addWidget(self.latest, 1)
        self.addWidget(inside)
        stays_put(self)
        dock.visibilityChanged.connect(self._show_state)
        log.latest_told.connect(self._show_latest)
        self._show_state()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """What does not fit ends in dots."""
        super().resizeEvent(event)
        self._fit()

    def _show_state(self, _visible: bool = False) -> None:
        is_open = not self._dock.isHidden()
        self.button.setIcon(icon("chevron-down" if is_open else "chevron-up"))
        self.latest.setVisible(not is_open)

    def _show_latest(self, run: RunSummary | None) -> None:
        self._said = said(run) if run is not None else ""
        self.latest.setToolTip(plain_tip(self._said))
        self._fit()

    def _fit(self) -> None:
        room = max(self.width() - self.button.sizeHint().width() - 40, 60)
        metrics = self.latest.fontMetrics()
        self.latest.setText(metrics.elidedText(self._said, Qt.TextElideMode.ElideRight, room))


def said(run: RunSummary) -> str:
    """A run in one line: the question, the text, the answer."""
    known = all_operations().get(run.operation)
    title = _(known.title) if known is not None else run.operation
    return " · ".join(
        part
        for part in (title, isolated(" ".join(text_of(run).split())), headline_said(run))
        if part
    )
