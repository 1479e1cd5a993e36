"""The row above a page: its title and its question, what explains it, and its tools."""

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QSize, Qt, Signal
from PySide6.QtGui import QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QLabel, QSizePolicy, QToolButton, QWidget

from explorer.text import N_, _
from explorer.ui.controls.buttons.menu_button import MenuButton
from explorer.ui.controls.buttons.shortened_button import ShortenedButton
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
TO_SPARE = 24
"""Pixels more than words take, so that they do not come and go at one width."""
KNOWN = 16
"""Letters of a chip for which what is less needed gives way."""
FEWEST = 10
"""Letters of a chip below which it says a name too short to be known."""


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
        chip: Which of two the page is, where it is open twice, with what that can be.
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
        self.chip = MenuButton(self)
        self.chip.setObjectName("viewChip")
        self.chip.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self.chip.hide()
        self._which, self._which_in_short = "", ""
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
        self._row.addWidget(self.chip)
        self._row.addWidget(self.question, 1)
        self._row.addWidget(self.tools)

    def explain(self, words: str) -> None:
        """Have words behind the (i): how the page is read."""
        paragraphs = (_(SHOWN), *words.split("\n"))
        self.help.setToolTip(plain_tip("\n\n".join(filter(None, paragraphs))))
        self.help.setAccessibleDescription(words)

    def say_which(self, words: str, in_short: str) -> None:
        """Say which of two the page is.

        Args:
            words: As a whole; "" where it is open once.
            in_short: Where there is little room.
        """
        self._which, self._which_in_short = words, in_short
        self.chip.setAccessibleName(words)
        self._share()

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
        worded = [one for one in self.tools.findChildren(ShortenedButton) if not one.isHidden()]
        modest = [one for one in worded if one.is_modest]
        shortened = [one for one in worded if not one.is_modest]
        said = sum(one.wordy for one in worded if not one.is_short)
        tools = self.tools.sizeHint().width() - said + sum(one.wordy for one in shortened)
        taken = title + GAP + tools + GAP
        edges = self._row.contentsMargins()
        room = self.width() - edges.left() - edges.right() - taken
        # A word of the tools goes first, and beside a page of the same title the title is next.
        is_second = bool(self._which) and self.chip.isEnabled()
        wanted = self._chip_wants() if self._which else 0
        for one in shortened:
            one.shorten(short=room < wanted)
        room += sum(one.wordy for one in shortened if one.is_short)
        gives_way = is_second and room < wanted
        if self.title.isHidden() != gives_way:
            self.title.setHidden(gives_way)
        room += title + GAP if gives_way else 0
        wide = self._share_chip(room - GAP) if self._which else 0
        # The first of two may say nothing: the page beside it does.
        has_chip = is_second or 0 < wide <= room - GAP
        if self.chip.isHidden() == has_chip:
            self.chip.setVisible(has_chip)
        room -= wide + GAP if has_chip else 0
        # The row keeps the question's place, so that its tools stay at the right.
        has_room = room >= zoomed(QUESTION_ROOM) and not self.is_hushed
        if self.question.isHidden() == has_room:
            self.question.setVisible(has_room)
            self._row.setStretch(0, int(not has_room))
        # What icons say is said in words, too, where the question has all of its room.
        wanted = sum(one.wordy for one in modest) + self.question.sizeHint().width() + GAP
        is_short = not has_room or room < wanted + TO_SPARE * any(one.is_short for one in modest)
        for one in modest:
            one.shorten(short=is_short)

    def _chip_wants(self) -> int:
        """The width in which the chip says enough to be known."""
        letters = self.chip.fontMetrics()
        around = self.chip.sizeHint().width() - letters.horizontalAdvance(self.chip.text())
        whole = letters.horizontalAdvance(self._which)
        return around + GAP + min(whole, letters.averageCharWidth() * KNOWN)

    def _share_chip(self, room: int) -> int:
        """Have the chip say what fits; gives its width."""
        letters = self.chip.fontMetrics()
        around = self.chip.sizeHint().width() - letters.horizontalAdvance(self.chip.text())
        words = letters.elidedText(self._which, Qt.TextElideMode.ElideRight, room - around)
        if len(words) < len(self._which) and len(words) < FEWEST:
            words = self._which_in_short
        if words != self.chip.text():
            self.chip.setText(words)
        wide = around + letters.horizontalAdvance(words)
        # Of what it says now it needs no more, or no page could be made narrower.
        self.chip.setMinimumWidth(around + letters.horizontalAdvance(self._which_in_short))
        return wide

    def _label(self, name: str, role: str, words: str) -> QLabel:
        made = OneLine(self)
        made.setObjectName(name)
        made.setTextFormat(Qt.TextFormat.PlainText)
        made.setText(words)
        in_role(made, role)  # type: ignore[arg-type]
        return made
