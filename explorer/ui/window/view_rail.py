"""The list of views: a click shows one, with Ctrl beside what is shown already."""

from collections.abc import Mapping
from typing import Any

from PySide6.QtCore import QEvent, QObject, QPoint, Qt, Signal
from PySide6.QtGui import QGuiApplication, QKeyEvent, QResizeEvent
from PySide6.QtWidgets import (
    QApplication,
    QFrame,
    QLabel,
    QMenu,
    QScrollArea,
    QSizePolicy,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from explorer.api import ModelCard, Operation
from explorer.text import _, said
from explorer.ui.controls.plain_words import plain_label, plain_tip
from explorer.ui.guarded import guarded
from explorer.ui.theme.chrome import zoomed
from explorer.ui.theme.icon_sizes import icon_in_size
from explorer.ui.theme.icons import icon
from explorer.ui.theme.schemes import theme_signals
from explorer.ui.theme.text_roles import in_role
from explorer.ui.views import Listed

LEAST_WIDE, NARROW = 206, 46
"""Pixels with and without words."""
IN_BUTTON, BESIDE = 16, 24
"""Pixels in a button beside its icon and its words, and beside the buttons: margins, scroll bar."""
ICON = 18


@guarded
class ViewRail(QScrollArea):
    """A button a view, under the headings of their groups.

    Signals:
        chosen: Show this operation's view.
        beside_chosen: Show it beside what is shown.
    """

    chosen = Signal(str)
    beside_chosen = Signal(str)

    def __init__(self, pages: tuple[Listed, ...], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("view_rail")
        self.setAccessibleName(_("Views"))
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setWidgetResizable(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Preferred)
        self.buttons: dict[str, QToolButton] = {}
        self._headings: list[QLabel] = []
        inside = QWidget(self)
        column = QVBoxLayout(inside)
        column.setContentsMargins(6, 2, 6, 0)
        column.setSpacing(0)
        heading = ""
        for one in pages:
            if one.heading != heading:
                heading = one.heading
                column.addWidget(self._heading(_(heading)))
            column.addWidget(self._button(one.of))
        column.addStretch(1)
        self.setWidget(inside)
        self._is_narrow = False
        for button in [*self.buttons.values()][:1]:
            self._stop_at(button)
        theme_signals().changed.connect(self._fit)
        self._fit()

    @property
    def is_narrow(self) -> bool:
        """Whether it shows icons only."""
        return self._is_narrow

    def set_narrow(self, narrow: bool) -> None:
        """Show icons only, or icons and words."""
        if narrow == self._is_narrow:
            return
        self._is_narrow = narrow
        style = (
            Qt.ToolButtonStyle.ToolButtonIconOnly
            if narrow
            else Qt.ToolButtonStyle.ToolButtonTextBesideIcon
        )
        for button in self.buttons.values():
            button.setToolButtonStyle(style)
        for heading in self._headings:
            heading.setVisible(not narrow)
        self._fit()

    @property
    def wide(self) -> int:
        """Pixels with all words in full."""
        widest = max((self._words_of(button) for button in self.buttons.values()), default=0)
        return max(LEAST_WIDE, widest + BESIDE)

    def _words_of(self, button: QToolButton) -> int:
        # A button has two blanks more.
        words = button.fontMetrics().horizontalAdvance(f"{button.text()}  ")
        return words + zoomed(ICON) + IN_BUTTON

    def _fit(self, _theme: object = None) -> None:
        self.setFixedWidth(zoomed(NARROW) if self._is_narrow else self.wide)

    def mark(self, operation: str, shown: bool) -> None:
        """Show whether a view can be seen."""
        button = self.buttons.get(operation)
        if button is not None:
            button.setChecked(shown)
            if shown and not self.isAncestorOf(QApplication.focusWidget() or QWidget()):
                self._stop_at(button)
            if shown:
                self.ensureWidgetVisible(button)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """What is shown stays in sight where there is less room."""
        super().resizeEvent(event)
        for button in self.buttons.values():
            if button.isChecked():
                self.ensureWidgetVisible(button)

    def tell_keys(self, operation: str, keys: str) -> None:
        """Say in a view's tip by which keys it is shown."""
        button = self.buttons.get(operation)
        if button is not None:
            question = str(button.property("question"))
            button.setProperty("question", f"{question} ({keys})")
            button.setToolTip(plain_tip(button.toolTip().replace(question, f"{question} ({keys})")))

    def _stop_at(self, button: QToolButton) -> None:
        """Let Tab stop at one button alone: the others are reached from it by the arrows."""
        for other in self.buttons.values():
            stops = other is button
            other.setFocusPolicy(Qt.FocusPolicy.TabFocus if stops else Qt.FocusPolicy.NoFocus)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """The arrows go through the list, Home and End to its ends."""
        if isinstance(event, QKeyEvent) and event.type() == QEvent.Type.KeyPress:
            buttons = list(self.buttons.values())
            at = buttons.index(watched) if watched in buttons else -1
            to = {
                Qt.Key.Key_Up: max(at - 1, 0),
                Qt.Key.Key_Down: min(at + 1, len(buttons) - 1),
                Qt.Key.Key_Home: 0,
                Qt.Key.Key_End: len(buttons) - 1,
            }.get(Qt.Key(event.key()))
            if to is not None and at >= 0:
                self._stop_at(buttons[to])
                buttons[to].setFocus(Qt.FocusReason.TabFocusReason)
                self.ensureWidgetVisible(buttons[to])
                return True
        return super().eventFilter(watched, event)

    def show_models(self, cards: Mapping[str, ModelCard], active: str) -> None:
        """Say in the tips what the active model can't answer."""
        card = cards.get(active)
        for operation, button in self.buttons.items():
            question = str(button.property("question"))
            why = said(card.unavailable.get(operation, "")) if card is not None else ""
            button.setToolTip(plain_tip(f"{question}\n\n{why}" if why else question))

    def _heading(self, group: str) -> QLabel:
        heading = plain_label(self, group)
        heading.setObjectName("view_rail_heading")
        in_role(heading, "small")
        heading.setContentsMargins(6, 1, 0, 0)
        self._headings.append(heading)
        return heading

    def _button(self, question: Operation[Any, Any]) -> QToolButton:
        operation = question.name
        button = QToolButton(self)
        button.setObjectName(f"show_{operation}")
        button.setText(_(question.title))
        button.setAccessibleName(_("Show {title}", title=_(question.title)))
        button.setAccessibleDescription(_(question.question))
        button.setProperty("question", _(question.question))
        button.setToolTip(plain_tip(_(question.question)))
        button.setIcon(icon(question.listing.glyph, "text"))
        icon_in_size(button, ICON)
        button.setCheckable(True)
        button.setAutoRaise(True)
        button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        button.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        button.clicked.connect(lambda: self._clicked(operation))
        button.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        button.customContextMenuRequested.connect(lambda at: self._show_menu(operation, at))
        button.installEventFilter(self)
        self.buttons[operation] = button
        return button

    def _clicked(self, operation: str) -> None:
        # The mark follows what can be seen, not the click.
        self.buttons[operation].setChecked(True)
        held = QGuiApplication.keyboardModifiers() & Qt.KeyboardModifier.ControlModifier
        (self.beside_chosen if held else self.chosen).emit(operation)

    def _show_menu(self, operation: str, place: QPoint) -> None:
        button = self.buttons[operation]
        menu = QMenu(self)
        menu.setObjectName("rail_menu")
        menu.addAction(_("Show"), lambda: self.chosen.emit(operation))
        beside = menu.addAction(_("Show beside"), lambda: self.beside_chosen.emit(operation))
        beside.setToolTip(_("Ctrl+click does the same"))
        menu.aboutToHide.connect(menu.deleteLater)
        menu.popup(button.mapToGlobal(place))
