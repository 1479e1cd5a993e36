"""Docks with a slim title bar, and the inner area in which views are arranged."""

from functools import partial

from PySide6.QtCore import QPoint, QSize, Qt, QTimer, Signal
from PySide6.QtWidgets import (
    QDockWidget,
    QHBoxLayout,
    QLabel,
    QMainWindow,
    QMenu,
    QTabBar,
    QTabWidget,
    QToolButton,
    QWidget,
)

from explorer.ui.icons import icon
from explorer.ui.theme import Theme
from explorer.ui.views.view import View
from explorer.ui.widgets.view_frame import ViewFrame


class TitleBar(QWidget):
    """A dock's title, and buttons to float and to close it."""

    def __init__(self, dock: QDockWidget) -> None:
        super().__init__(dock)
        self.setObjectName("dock_title")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._dock = dock
        title = QLabel(dock.windowTitle(), self)
        title.setObjectName("dock_title_text")
        title.setFont(Theme.font("strong"))
        self._title = title
        self._row = layout = QHBoxLayout(self)
        layout.setContentsMargins(10, 3, 4, 3)
        layout.setSpacing(0)
        layout.addWidget(title, 1)
        self.float_button = self._button("dock_float", "dock-window", "Float or dock again")
        self.float_button.clicked.connect(lambda: dock.setFloating(not dock.isFloating()))
        self.close_button = self._button("dock_close", "close", "Close")
        self.close_button.clicked.connect(dock.close)
        layout.addWidget(self.float_button)
        layout.addWidget(self.close_button)

    def set_folded(self, folded: bool) -> None:
        """Take no room: a tab with the same title is there."""
        for widget in (self._title, self.float_button, self.close_button):
            widget.setVisible(not folded)
        edges = (0, 0, 0, 0) if folded else (10, 3, 4, 3)
        self._row.setContentsMargins(*edges)
        self.setMaximumHeight(0 if folded else 16_777_215)

    def _button(self, name: str, glyph: str, tip: str) -> QToolButton:
        button = QToolButton(self)
        button.setObjectName(name)
        button.setIcon(icon(glyph))
        button.setIconSize(QSize(14, 14))
        button.setToolTip(tip)
        button.setAccessibleName(f"{tip}: {self._dock.windowTitle()}")
        button.setAutoRaise(True)
        button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        return button


def make_dock(title: str, name: str, widget: QWidget, parent: QMainWindow) -> QDockWidget:
    """A dock that can be moved, floated and closed, and is found by its name."""
    dock = QDockWidget(title, parent)
    dock.setObjectName(name)
    dock.setAccessibleName(title)
    dock.setWidget(widget)
    dock.setTitleBarWidget(TitleBar(dock))
    return dock


class ViewArea(QMainWindow):
    """The views, each in a dock.

    Signals:
        visibility_changed: A view's operation, and whether it can be seen.
    """

    visibility_changed = Signal(str, bool)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent, Qt.WindowType.Widget)
        self.setObjectName("view_area")
        self.setDockNestingEnabled(True)
        self.setDocumentMode(True)
        self.setTabPosition(Qt.DockWidgetArea.AllDockWidgetAreas, QTabWidget.TabPosition.North)
        self.setDockOptions(self.dockOptions() | QMainWindow.DockOption.GroupedDragging)
        self._bars: set[int] = set()
        self._later = QTimer(self)
        self._later.setSingleShot(True)
        self._later.timeout.connect(self._fold_titles)
        self.docks: dict[str, QDockWidget] = {}
        self.frames: dict[str, ViewFrame] = {}

    def add(self, view: View) -> ViewFrame:
        """Put a view into a dock: the first fills the area, others become tabs behind it."""
        frame = ViewFrame.of(view)
        # The dock's title bar says it already.
        frame.title_label.hide()
        dock = make_dock(view.title, f"view_{view.operation}", frame, self)
        operation = view.operation
        self.addDockWidget(Qt.DockWidgetArea.TopDockWidgetArea, dock)
        if self.docks:
            self.tabifyDockWidget(next(iter(self.docks.values())), dock)
        self.docks[operation] = dock
        self.frames[operation] = frame
        next(iter(self.docks.values())).raise_()
        dock.visibilityChanged.connect(
            lambda visible: self.visibility_changed.emit(operation, visible)
        )
        for signal in (dock.visibilityChanged, dock.topLevelChanged, dock.dockLocationChanged):
            signal.connect(lambda _: self._later.start())
        return frame

    def _fold_titles(self) -> None:
        """A dock behind a tab has its title there, and its buttons in the tab's menu."""
        for dock in self.docks.values():
            bar = dock.titleBarWidget()
            if isinstance(bar, TitleBar):
                bar.set_folded(bool(self.tabifiedDockWidgets(dock)) and not dock.isFloating())
        for tabs in self.findChildren(QTabBar, options=Qt.FindChildOption.FindDirectChildrenOnly):
            tabs.setDrawBase(False)
            if id(tabs) not in self._bars:
                self._bars.add(id(tabs))
                tabs.setAccessibleName("Views")
                tabs.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
                tabs.customContextMenuRequested.connect(partial(self._show_tab_menu, tabs))

    def _show_tab_menu(self, tabs: QTabBar, place: QPoint) -> None:
        title = tabs.tabText(tabs.tabAt(place))
        dock = next((d for d in self.docks.values() if d.windowTitle() == title), None)
        if dock is None:
            return
        menu = QMenu(self)
        menu.setObjectName("tab_menu")
        menu.addAction("Float", partial(dock.setFloating, True))
        menu.addAction("Close", dock.close)
        menu.aboutToHide.connect(menu.deleteLater)
        menu.popup(tabs.mapToGlobal(place))

    def bring_forward(self, operation: str) -> None:
        """Make a view visible, whatever is in front of it."""
        dock = self.docks.get(operation)
        if dock is not None:
            dock.show()
            dock.raise_()
