"""Things the user should know, below the views: they stay until dismissed and stop nobody."""

from collections.abc import Callable
from dataclasses import dataclass, replace

from PySide6.QtCore import Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QPlainTextEdit,
    QSizePolicy,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from explorer.text import _, said
from explorer.ui.blocks.widget.accessible import announce
from explorer.ui.controls.plain_words import plain_label, plain_tip
from explorer.ui.guarded import guarded
from explorer.ui.theme.chrome import zoomed
from explorer.ui.theme.text_roles import in_role

SPACING = 8
LEAST_TEXT = 280
"""Pixels that a text has beside several buttons, at the usual size of text."""
BEFORE_BUTTONS = 2
"""Sign and text."""
MOST = 3
"""Notices on screen at once; the oldest go first."""


@dataclass(frozen=True)
class Notice:
    """One thing to know.

    Attributes:
        key: A newer notice takes the place of an older one with the same key.
        text: One sentence; a Phrase is said anew where the window's language changes.
        hint: What to do, or ""; likewise.
        details: A traceback or the like, shown on demand.
        level: "info", "warning" or "error"; decides the colour.
        actions: Buttons, as (text, what it does); pressing one dismisses the notice.
        tip: More of it, said where the mouse rests on the sentence.
        stays: Its buttons leave it where it is.
        dismissed: Hears that the user took it away.
        is_spoken: A screen reader says it as it appears.
        outlives_window: What its buttons and `dismissed` do needs nothing of this window.
    """

    key: str
    text: str
    hint: str = ""
    details: str = ""
    level: str = "info"
    actions: tuple[tuple[str, Callable[[], None]], ...] = ()
    tip: str = ""
    stays: bool = False
    dismissed: Callable[[], None] | None = None
    is_spoken: bool = True
    outlives_window: bool = False

    @property
    def said(self) -> str:
        """Sentence and hint, in the reader's language."""
        return f"{said(self.text)} {said(self.hint)}".strip()

    @property
    def can_move(self) -> bool:
        """Whether the window that takes the place of this one can say it as well."""
        return self.outlives_window or not (self.actions or self.dismissed)


_SIGNS = {"info": "ℹ", "warning": "⚠", "error": "⚠"}


@guarded
class NoticeBar(QFrame):
    """A notice on screen; its buttons stand below the text where they leave it too little room."""

    def __init__(
        self, notice: Notice, dismiss: Callable[[], None], parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.notice = notice
        self.setObjectName(f"notice_{notice.key}")
        self.setProperty("notice", notice.level)
        self.setAccessibleName(notice.said)
        self.setFrameShape(QFrame.Shape.StyledPanel)
        sign = plain_label(self, _SIGNS.get(notice.level, "ℹ"))
        in_role(sign, "notice_sign")
        text = plain_label(self)
        text.setObjectName("notice_text")
        text.setText(notice.said)
        text.setWordWrap(True)
        text.setToolTip(plain_tip(notice.tip))
        text.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        grows = QSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        grows.setHeightForWidth(True)
        text.setSizePolicy(grows)
        line, below = QHBoxLayout(), QHBoxLayout()
        for row in (line, below):
            row.setContentsMargins(0, 0, 0, 0)
            row.setSpacing(SPACING)
        line.addWidget(sign)
        line.addWidget(text, 1)
        below.addStretch(1)
        self._line, self._below = line, below
        self._buttons = [
            self._button(said(label), f"notice_action_{index}", action, dismiss)
            for index, (label, action) in enumerate(notice.actions)
        ]
        layout = QVBoxLayout(self)
        layout.setContentsMargins(10, 4, 6, 4)
        layout.addLayout(line)
        layout.addLayout(below)
        self.details_button = self._details_button(layout) if notice.details else None
        if self.details_button is not None:
            self._buttons.append(self.details_button)
        for button in self._buttons:
            line.addWidget(button)
        self._is_below = False
        close = QToolButton(self)
        close.setObjectName("notice_dismiss")
        close.setText("✕")
        close.setToolTip(_("Dismiss"))
        close.setAccessibleName(_("Dismiss"))
        close.setAutoRaise(True)
        close.clicked.connect(dismiss)
        if notice.dismissed is not None:
            close.clicked.connect(notice.dismissed)
        line.addWidget(close)
        self._others = (sign, close)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Put the buttons where the text has room."""
        super().resizeEvent(event)
        beside = (*self._others, *self._buttons)
        left = self.width() - sum(one.sizeHint().width() + SPACING for one in beside)
        is_below = len(self._buttons) > 1 and left < zoomed(LEAST_TEXT)
        if is_below == self._is_below:
            return
        self._is_below = is_below
        for number, button in enumerate(self._buttons):
            (self._line if is_below else self._below).removeWidget(button)
            if is_below:
                self._below.addWidget(button)
            else:
                self._line.insertWidget(BEFORE_BUTTONS + number, button)

    def _button(
        self, label: str, name: str, action: Callable[[], None], dismiss: Callable[[], None]
    ) -> QToolButton:
        def press() -> None:
            if not self.notice.stays:
                dismiss()
            action()

        button = QToolButton(self)
        button.setObjectName(name)
        button.setText(label)
        button.clicked.connect(press)
        return button

    def _details_button(self, layout: QVBoxLayout) -> QToolButton:
        details = QPlainTextEdit(self.notice.details, self)
        details.setObjectName("notice_details")
        details.setReadOnly(True)
        details.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        details.setMaximumHeight(160)
        details.setVisible(False)
        layout.addWidget(details)
        button = QToolButton(self)
        button.setObjectName("notice_show_details")
        button.setText(_("Details"))
        button.setCheckable(True)
        button.toggled.connect(details.setVisible)
        return button


class Notices(QWidget):
    """The banner area; takes no room while there is nothing to say."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("notices")
        self.setAccessibleName(_("Notices"))
        self._bars: dict[str, NoticeBar] = {}
        self._is_hushed = False
        self._layout = QVBoxLayout(self)
        self._layout.setContentsMargins(10, 2, 10, 6)
        self._layout.setSpacing(6)
        self.setVisible(False)

    @property
    def texts(self) -> tuple[str, ...]:
        """What is said now, oldest first."""
        return tuple(said(bar.notice.text) for bar in self._bars.values())

    @property
    def keys(self) -> tuple[str, ...]:
        """Of what is said now, oldest first."""
        return tuple(self._bars)

    def tell(self, notice: Notice) -> None:
        """Show a notice, in the place of one with the same key."""
        self.dismiss(notice.key)
        while len(self._bars) >= MOST:
            self.dismiss(next(iter(self._bars)))
        bar = NoticeBar(notice, lambda: self.dismiss(notice.key), self)
        self._bars[notice.key] = bar
        self._layout.addWidget(bar)
        self._show_told()
        if notice.is_spoken and not bar.isHidden():
            announce(bar, bar.accessibleName())

    def take_over(self, other: "Notices") -> None:
        """Say what another window says that this one takes the place of, in today's language."""
        for bar in other.bars:
            if not bar.notice.can_move:
                continue
            # It was heard when it appeared.
            self.tell(replace(bar.notice, is_spoken=False))
            opened = bar.details_button is not None and bar.details_button.isChecked()
            mine = self._bars[bar.notice.key].details_button
            if mine is not None:
                mine.setChecked(opened)

    @property
    def bars(self) -> tuple[NoticeBar, ...]:
        """What is on screen, oldest first."""
        return tuple(self._bars.values())

    def dismiss(self, key: str) -> None:
        """Take a notice away, if it is there."""
        bar = self._bars.pop(key, None)
        if bar is not None:
            self._layout.removeWidget(bar)
            bar.hide()
            bar.deleteLater()
            self._show_told()

    def hush(self, hushed: bool) -> None:
        """Show only what went wrong, as on a page that fills the screen; or all again."""
        self._is_hushed = hushed
        self._show_told()

    def _show_told(self) -> None:
        for bar in self._bars.values():
            bar.setVisible(not (self._is_hushed and bar.notice.level == "info"))
        self.setVisible(any(not bar.isHidden() for bar in self._bars.values()))
