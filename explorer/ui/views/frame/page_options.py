"""Where options stand: three in a row above the page, the others in a panel at its right."""

from collections.abc import Sequence
from typing import Any

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtGui import QHideEvent, QShowEvent
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QLayout,
    QPushButton,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from explorer.api.question import Option
from explorer.text import _
from explorer.ui.controls.buttons.shortened_button import ShortenedButton
from explorer.ui.controls.options.option_bar import OptionBar, has_others
from explorer.ui.controls.plain_words import plain_label
from explorer.ui.controls.row_flow import RowFlow
from explorer.ui.guarded import guarded
from explorer.ui.theme.chrome import zoomed
from explorer.ui.theme.icon_sizes import icon_in_size
from explorer.ui.theme.icons import icon
from explorer.ui.theme.schemes import theme_signals
from explorer.ui.theme.text_roles import in_role

WIDE = 210
"""Pixels of the panel, before any zoom."""


@guarded
class SettingsPanel(QScrollArea):
    """The options that are not in sight, below each other, each with its label above it.

    Attributes:
        inside: Whose children they are.
        reset: Sets all options of the page back.
    """

    def __init__(self, name: str, parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName("settings_panel")
        self.setAccessibleName(_("Settings of {title}", title=name))
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setWidgetResizable(True)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.inside = QWidget(self)
        self.inside.setObjectName("settings_inside")
        self.setWidget(self.inside)
        title = plain_label(self.inside, _("Settings"))
        in_role(title, "strong")
        self.reset = QPushButton(_("Reset all"), self.inside)
        self.reset.setObjectName("settings_reset")
        self.reset.setToolTip(_("Set every option of this page back to its default"))
        head = QHBoxLayout()
        head.addWidget(title, 1)
        head.addWidget(self.reset)
        self._column = QVBoxLayout(self.inside)
        self._column.setContentsMargins(12, 6, 8, 8)
        self._column.setSpacing(8)
        self._column.addLayout(head)
        theme_signals().changed.connect(self._fit)

    def hold(self, controls: Sequence[QWidget]) -> None:
        """Put its controls below each other."""
        for one in controls:
            self._column.addWidget(one)
        self._column.addStretch(1)
        self._fit()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Controls come and go with what is set."""
        if watched is self.inside and event.type() == QEvent.Type.LayoutRequest:
            self._fit()
        return super().eventFilter(watched, event)

    def _fit(self, _theme: object = None) -> None:
        """As wide as the widest of its controls."""
        least = max(zoomed(WIDE), self.inside.minimumSizeHint().width())
        wanted = least + self.verticalScrollBar().sizeHint().width()
        if wanted != self.width() or wanted != self.minimumWidth():
            self.setFixedWidth(wanted)


@guarded
class OptionRow(QWidget):
    """Says whether it is seen: where it is not, there is nothing to set."""

    seen = Signal(bool)

    def showEvent(self, event: QShowEvent) -> None:
        """It can be reached."""
        super().showEvent(event)
        self.seen.emit(True)

    def hideEvent(self, event: QHideEvent) -> None:
        """A page that says why there is no answer stands in its place."""
        super().hideEvent(event)
        self.seen.emit(False)


class PageOptions(QObject):
    """The controls of a page's options, and where they stand.

    Attributes:
        bar: The controls.
        row: Those in sight, with their labels at the left.
        panel: The others; None where there are none.
        button: Opens the panel and closes it; with a dot where something in it is not the default.
            None without a panel.

    Signals:
        opened: The user opened the panel, or closed it.
    """

    opened = Signal(bool)

    def __init__(self, options: Sequence[Option[Any]], title: str, view: QWidget) -> None:
        super().__init__(view)
        self._hushed = self._is_open = False
        self.row = OptionRow(view)
        self.row.setObjectName("optionRow")
        self.panel = SettingsPanel(title, view) if has_others(options) else None
        inside = self.panel.inside if self.panel is not None else None
        self.bar = OptionBar(options, self.row, inside)
        flow = RowFlow(self.row)
        flow.setContentsMargins(14, 0, 10, 1)
        for one in self.bar.row.values():
            flow.addWidget(one)
        for tool in self.bar.tools.values():
            tool.setParent(view)
            tool.hide()
        self.row.setVisible(bool(self.bar.row))
        self.button: ShortenedButton | None = None
        if self.panel is not None:
            self.panel.hold(list(self.bar.others.values()))
            self.panel.reset.clicked.connect(lambda _on: self.bar.reset())
            self.panel.hide()
            self.button = self._button(view)

    def _button(self, view: QWidget) -> ShortenedButton:
        button = ShortenedButton(view)
        button.setObjectName("settingsButton")
        button.setIcon(icon("tune-variant", "text"))
        icon_in_size(button)
        button.setCheckable(True)
        button.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        button.setToolTip(_("More options of this page, at its right"))
        button.clicked.connect(self._turned)
        self.bar.differing.connect(self._mark)
        self.row.seen.connect(button.setEnabled)
        button.say(_("Settings"), "")
        button.setAccessibleName(_("Settings"))
        button.hide()
        return button

    def around(self, answer: QLayout) -> QHBoxLayout:
        """The panel at the right of an answer."""
        beside = QHBoxLayout()
        beside.setSpacing(0)
        beside.addLayout(answer, 1)
        if self.panel is not None:
            beside.addWidget(self.panel)
        return beside

    def hush(self, *, hushed: bool) -> None:
        """Show no option, as before a class, or show them again."""
        self._hushed = hushed
        self.row.setVisible(bool(self.bar.row) and not hushed)
        self.open_panel(self._is_open)

    def open_panel(self, wanted: bool) -> None:
        """Show the panel, or put it away, without telling."""
        self._is_open = wanted
        if self.button is not None and self.panel is not None:
            self.button.setChecked(wanted)
            self.panel.setVisible(wanted and not self._hushed)

    def _turned(self, wanted: bool) -> None:
        self.open_panel(wanted)
        self.opened.emit(wanted)

    def _mark(self, differs: bool) -> None:
        if self.button is not None:
            words = _("Settings")
            self.button.say(f"{words} ●" if differs else words, "●" if differs else "")
            told = _("Settings, some of them changed") if differs else words
            self.button.setAccessibleName(told)
