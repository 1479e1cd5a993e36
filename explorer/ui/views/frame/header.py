"""The row above a page: its title and its question, what explains it, and its tools."""

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QSize, Qt, Signal
from PySide6.QtGui import QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QLabel, QSizePolicy, QToolButton, QWidget

from explorer.text import N_, _
from explorer.ui.controls.plain_words import plain_tip
from explorer.ui.guarded import guarded
from explorer.ui.theme.chrome import zoomed
from explorer.ui.theme.icon_sizes import icon_in_size
from explorer.ui.theme.icons import icon
from explorer.ui.theme.text_roles import in_role

QUESTION_ROOM = 120
"""Pixels at the usual size of text, below which the question says too little to be shown."""
GAP = 6
SHOWN = N_("What this page shows (F1)")


@guarded
class OneLine(QLabel):
    """A text in one line; what does not fit ends in dots."""

    def minimumSizeHint(self) -> QSize:
        """It gives way to whatever is beside it."""
        return QSize(0, super().minimumSizeHint().height())

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Paint what fits."""
        painter = QPainter(self)
        painter.setPen(self.palette().color(self.foregroundRole()))
        words = self.fontMetrics().elidedText(
            self.text(), Qt.TextElideMode.ElideRight, self.width()
        )
        painter.drawText(self.rect(), Qt.AlignmentFlag.AlignVCenter, words)


@guarded
class Header(QWidget):
    """One row, in which the question is cut before a tool is, and left out where it says nothing.

    Attributes:
        title: Of the page.
        question: What it answers.
        help: A button with an i.
        tools: What holds this button and the tools; nothing of it is seen before a class.

    Signals:
        help_wanted: Explain the page.
    """

    help_wanted = Signal()

    def __init__(self, title: str, question: str, parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName("viewHeader")
        self.title = self._label("viewTitle", "title", title)
        self.title.setToolTip(plain_tip(question))
        self.question = self._label("viewQuestion", "muted", question)
        self.question.setToolTip(plain_tip(question))
        self.question.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self.tools = QWidget(self)
        self._row_of_tools = QHBoxLayout(self.tools)
        self._row_of_tools.setContentsMargins(0, 0, 0, 0)
        self._row_of_tools.setSpacing(GAP)
        self.help = QToolButton(self.tools)
        self.help.setObjectName("pageHelpButton")
        self.help.setIcon(icon("information-outline", "text"))
        icon_in_size(self.help)
        self.help.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.help.setAccessibleName(_("What this page shows"))
        self.explain("")
        self.help.clicked.connect(self.help_wanted)
        self._row_of_tools.addWidget(self.help)
        self._row = QHBoxLayout(self)
        self._row.setContentsMargins(14, 2, GAP, 1)
        self._row.setSpacing(GAP)
        self._row.addWidget(self.title)
        self._row.addWidget(self.question, 1)
        self._row.addWidget(self.tools)

    def explain(self, words: str) -> None:
        """Have words behind the (i): how the page is read."""
        self.help.setToolTip(plain_tip("\n".join(filter(None, [_(SHOWN), words]))))
        self.help.setAccessibleDescription(words)

    def hold(self, tools: Sequence[QWidget]) -> None:
        """Have these tools behind those that are there."""
        for tool in tools:
            self._row_of_tools.addWidget(tool, 0, Qt.AlignmentFlag.AlignVCenter)

    def insert_before(self, other: QWidget, tool: QWidget) -> None:
        """Have one more tool, before another."""
        place = self._row_of_tools.indexOf(other)
        self._row_of_tools.insertWidget(place, tool, 0, Qt.AlignmentFlag.AlignVCenter)

    @property
    def is_hushed(self) -> bool:
        """The title is alone."""
        return self.tools.isHidden()

    def hush(self, *, hushed: bool) -> None:
        """Show the title alone, as before a class, or all of it again."""
        self.tools.setHidden(hushed)
        self._share()

    def leave_room(self, pixels: int) -> None:
        """Leave some room free at the right end."""
        edges = self._row.contentsMargins()
        edges.setRight(pixels + GAP)
        self._row.setContentsMargins(edges)
        self._share()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """There is more or less room for the question."""
        super().resizeEvent(event)
        self._share()

    def event(self, event: QEvent) -> bool:
        """Tools come and go with the models."""
        if event.type() == QEvent.Type.LayoutRequest:
            self._share()
        return super().event(event)

    def _share(self) -> None:
        # The title is wider where tabs stand in its place.
        title = max(self.title.sizeHint().width(), self.title.minimumWidth())
        taken = title + GAP + self.tools.sizeHint().width() + GAP
        edges = self._row.contentsMargins()
        room = self.width() - edges.left() - edges.right() - taken
        # The row keeps the question's place, so that its tools stay at the right.
        has_room = room >= zoomed(QUESTION_ROOM) and not self.is_hushed
        if self.question.isHidden() == has_room:
            self.question.setVisible(has_room)
            self._row.setStretch(0, int(not has_room))

    def _label(self, name: str, role: str, words: str) -> QLabel:
        made = OneLine(self)
        made.setObjectName(name)
        made.setTextFormat(Qt.TextFormat.PlainText)
        made.setText(words)
        in_role(made, role)  # type: ignore[arg-type]
        return made
