"""Which view a key or a menu means: of those on the screen, the one activated last."""

from PySide6.QtCore import QEvent, QObject
from PySide6.QtWidgets import QApplication, QDockWidget, QMainWindow, QTabBar, QWidget

from explorer.ui.guarded import guarded


@guarded
class CurrentView(QObject):
    """Follows clicks, focus, tabs and whatever brings a view forward.

    The keyboard's focus alone would not do: it may stay in a view that is hidden by now.
    """

    def __init__(self, area: QMainWindow) -> None:
        super().__init__(area)
        self._area = area
        self._docks: dict[QDockWidget, str] = {}
        self._activated: list[str] = []
        """The last one is at the end."""
        self._seen: set[str] = set()
        app = QApplication.instance()
        if isinstance(app, QApplication):
            app.focusChanged.connect(self._focus_changed)

    @property
    def operation(self) -> str:
        """Its operation; the last one that could be seen if none can; "" at the very first."""
        for operation in reversed(self._activated):
            if operation in self._seen:
                return operation
        seen = (operation for operation in self._docks.values() if operation in self._seen)
        return next(seen, self._activated[-1] if self._activated else "")

    def watch(self, operation: str, dock: QDockWidget) -> None:
        """Follow a view's dock as well."""
        self._docks[dock] = operation
        dock.installEventFilter(self)
        dock.topLevelChanged.connect(lambda _: self.activate(operation))

    def watch_tabs(self, tabs: QTabBar) -> None:
        """Follow the tabs of views that stand behind each other."""
        tabs.tabBarClicked.connect(lambda index: self._tab_chosen(tabs.tabText(index)))
        tabs.currentChanged.connect(lambda index: self._tab_chosen(tabs.tabText(index)))

    def set_seen(self, operation: str, seen: bool) -> None:
        """A view can be seen, or can't any longer."""
        (self._seen.add if seen else self._seen.discard)(operation)

    def activate(self, operation: str) -> None:
        """The user turned to a view."""
        if operation in self._activated:
            self._activated.remove(operation)
        self._activated.append(operation)

    def take_focus(self, dock: QDockWidget) -> None:
        """Take the focus out of the other views, or keys would go on acting on one of them."""
        holder = self._area.window().focusWidget()
        inside = holder is not None and self._area.isAncestorOf(holder)
        if inside and holder is not None and not dock.isAncestorOf(holder):
            dock.widget().setFocus()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """A click on what takes no focus gets as far as the dock."""
        if event.type() == QEvent.Type.MouseButtonPress and isinstance(watched, QDockWidget):
            self.activate(self._docks[watched])
        return super().eventFilter(watched, event)

    def _focus_changed(self, _old: QWidget | None, new: QWidget | None) -> None:
        while new is not None:
            if isinstance(new, QDockWidget) and new in self._docks:
                self.activate(self._docks[new])
                return
            new = new.parentWidget()

    def _tab_chosen(self, title: str) -> None:
        for dock, operation in self._docks.items():
            if dock.windowTitle() == title:
                self.activate(operation)
                return
