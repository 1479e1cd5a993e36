"""A view, what dims its old result, and what is said over it while another is on its way."""

from collections.abc import Sequence

from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QSizePolicy, QVBoxLayout, QWidget

from explorer.text import _
from explorer.ui.controls.plain_words import plain_label, plain_tip
from explorer.ui.guarded import guarded
from explorer.ui.notices.wording import menu_text
from explorer.ui.theme.schemes import current_theme
from explorer.ui.theme.text_roles import in_role
from explorer.ui.views.frame.state_pages import Way


@guarded
class Veil(QWidget):
    """Dims an old result without hiding it; the mouse goes through."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName("staleVeil")
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.hide()

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Paint the ground's colour, half through."""
        colour = QColor(current_theme().surface)
        colour.setAlpha(135)
        QPainter(self).fillRect(self.rect(), colour)


class WorkBar(QWidget):
    """One line and its button.

    Attributes:
        label: What goes on, or why the result is an old one.
        cancel: Stops the work.
        again: Asks again.
        way: What has to be done first, where that is so.
    """

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName("staleBar")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.label = plain_label(self)
        self.label.setObjectName("staleText")
        in_role(self.label, "small")
        self.label.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self.cancel = self._button(_("Cancel"), "barCancelButton")
        self.again = self._button(_("Run again"), "runAgainButton")
        self.way = self._button("", "barWayButton")
        self.way.clicked.connect(self._go)
        self._ways: Sequence[Way] = ()
        row = QHBoxLayout(self)
        row.setContentsMargins(14, 4, 10, 4)
        row.addWidget(self.label, 1)
        row.addWidget(self.cancel)
        row.addWidget(self.again)
        row.addWidget(self.way)
        self.hide()

    def offer(self, ways: Sequence[Way] = ()) -> None:
        """Show the first of these ways in the place of the button that asks again."""
        self._ways = ways
        self.way.setText(menu_text(ways[0][0]) if ways else "")

    def show_buttons(self, *, working: bool) -> None:
        """Let the work be stopped, or be begun once more."""
        self.cancel.setVisible(working)
        self.again.setVisible(not working and not self._ways)
        self.way.setVisible(not working and bool(self._ways))

    def _go(self) -> None:
        self._ways[0][1]()

    def _button(self, text: str, name: str) -> QPushButton:
        button = QPushButton(text, self)
        button.setObjectName(name)
        return button


@guarded
class Content(QWidget):
    """The view, the veil over it, and at its foot the bar, which moves nothing as it comes."""

    def __init__(self, view: QWidget, parent: QWidget) -> None:
        super().__init__(parent)
        self.view = view
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.addWidget(view)
        self.veil = Veil(self)
        self.bar = WorkBar(self)

    def say(self, words: str, *, working: bool, veiled: bool) -> None:
        """Say something over the result.

        Args:
            words: What goes on, or why the result is an old one.
            working: Another one is on its way.
            veiled: The result is dimmed.
        """
        self.bar.label.setText(words)
        self.bar.label.setToolTip(plain_tip(words))
        self.bar.show_buttons(working=working)
        self.bar.show()
        # What stays for long covers nothing; what is gone in a moment moves nothing.
        below = 0 if working else self.bar.sizeHint().height()
        self._column.setContentsMargins(0, 0, 0, below)
        self.veil.setVisible(veiled)
        self._place()

    def say_no_more(self) -> None:
        """The result is the one that is asked for."""
        self.bar.hide()
        self.veil.hide()
        self._column.setContentsMargins(0, 0, 0, 0)

    def stand_in(self, page: QWidget | None) -> bool:
        """Let the view show a page below its options, or its answer again (None).

        Returns:
            Whether it can: a view without a row of options shows none.
        """
        show = getattr(self.view, "stand_in", None)
        return bool(show is not None and show(page))

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Cover all of the view."""
        super().resizeEvent(event)
        self._place()

    def _place(self) -> None:
        self.veil.setGeometry(self.rect())
        self.veil.raise_()
        high = self.bar.sizeHint().height()
        self.bar.setGeometry(0, self.height() - high, self.width(), high)
        self.bar.raise_()
