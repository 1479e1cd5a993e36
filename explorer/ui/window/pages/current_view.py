"""Which view a key or a menu means: of those on the screen, the one activated last."""

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QApplication, QWidget

from explorer.ui.window.pages.pane import Pane


class CurrentView(QObject):
    """Follows clicks, focus and whatever brings a view forward.

    The keyboard's focus alone would not do: it may stay in a view that is hidden by now.

    Signals:
        turned: The user turned to a view: its question.
    """

    turned = Signal(str)

    def __init__(self, area: QWidget) -> None:
        super().__init__(area)
        self._area = area
        self._activated: list[str] = []
        """The last one is at the end."""
        self._seen: list[str] = []
        app = QApplication.instance()
        if isinstance(app, QApplication):
            app.focusChanged.connect(self._focus_changed)

    @property
    def question(self) -> str:
        """Its question; the last one that could be seen if none can; "" at the very first."""
        for question in reversed(self._activated):
            if question in self._seen:
                return question
        return next(iter((*self._seen, *reversed(self._activated))), "")

    def set_seen(self, question: str, seen: bool) -> None:
        """A view can be seen, or can't any longer."""
        if question in self._seen:
            self._seen.remove(question)
        if seen:
            self._seen.append(question)

    def activate(self, question: str) -> None:
        """The user turned to a view."""
        if question in self._activated:
            self._activated.remove(question)
        self._activated.append(question)
        self.turned.emit(question)

    def take_focus(self, pane: Pane) -> None:
        """Take the focus out of the other views, or keys would go on acting on one of them."""
        holder = self._area.window().focusWidget()
        inside = holder is not None and self._area.isAncestorOf(holder)
        if inside and holder is not None and not pane.room.isAncestorOf(holder):
            pane.frame.setFocus()

    def _focus_changed(self, _old: QWidget | None, new: QWidget | None) -> None:
        while new is not None and not isinstance(new, Pane):
            new = new.parentWidget()
        if new is not None and new.question:
            self.activate(new.question)
