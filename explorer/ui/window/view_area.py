"""The inner area in which views are arranged: one alone, or several beside each other."""

from collections.abc import Callable
from functools import partial
from typing import Any

from PySide6.QtCore import QPoint, Qt, QTimer, Signal
from PySide6.QtWidgets import QDockWidget, QMainWindow, QMenu, QTabBar, QTabWidget, QWidget

from explorer.api.question import Operation
from explorer.text import _
from explorer.ui.controls.plain_words import plain_label
from explorer.ui.notices.wording import menu_text
from explorer.ui.theme.text_roles import in_role
from explorer.ui.views.frame.view_frame import ViewFrame
from explorer.ui.window.current_view import CurrentView
from explorer.ui.window.docks import TitleBar, empty_dock

FLOATED = 48
"""Pixels by which a view is moved off its place when it first floats."""

TOP, HORIZONTAL = Qt.DockWidgetArea.TopDockWidgetArea, Qt.Orientation.Horizontal


class ViewArea(QMainWindow):
    """The views, each in a dock; a view is made when it is first seen.

    Attributes:
        docks: By operation, in the views' order.
        frames: Of the views that were made, by operation.
        make: Makes the frame of an operation's view in its dock.
        current: Which of the views a key or a menu means.

    Signals:
        visibility_changed: A view's operation, and whether it can be seen.
    """

    visibility_changed = Signal(str, bool)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        # Qt makes a window of its own of it, whatever flags it is made with.
        self.setWindowFlags(Qt.WindowType.Widget)
        self.setObjectName("view_area")
        self.setDockNestingEnabled(True)
        self.setDocumentMode(True)
        self.setTabPosition(Qt.DockWidgetArea.AllDockWidgetAreas, QTabWidget.TabPosition.North)
        self.setDockOptions(self.dockOptions() | QMainWindow.DockOption.GroupedDragging)
        self._bars: set[int] = set()
        self._later = QTimer(self)
        self._later.setSingleShot(True)
        self._later.timeout.connect(self._tidy)
        self.docks: dict[str, QDockWidget] = {}
        self.frames: dict[str, ViewFrame] = {}
        self.make: Callable[[str, QWidget], ViewFrame] | None = None
        self.current = CurrentView(self)
        self.nothing = plain_label(self, _("Choose a view in the list on the left."))
        self.nothing.setObjectName("no_view")
        self.nothing.setAlignment(Qt.AlignmentFlag.AlignCenter)
        in_role(self.nothing, "muted")
        self.nothing.setWordWrap(True)
        self.nothing.hide()
        self.setCentralWidget(self.nothing)

    def add(self, question: Operation[Any, Any]) -> None:
        """Keep a place for a view: the first fills the area, others wait behind it."""
        operation = question.name
        # Under its first name, for layouts are remembered by it.
        dock = empty_dock(_(question.title), f"view_{question.first_name}", self)
        first = next(iter(self.docks.values()), None)
        if first is None:
            self.addDockWidget(TOP, dock)
        else:
            # Hidden before it is put there: what can be seen would be laid out with all others.
            dock.hide()
            self.tabifyDockWidget(first, dock)
        self.docks[operation] = dock
        dock.topLevelChanged.connect(partial(self._floated, dock))
        self.current.watch(operation, dock)
        dock.visibilityChanged.connect(partial(self._visibility_changed, operation))
        for signal in (dock.visibilityChanged, dock.topLevelChanged, dock.dockLocationChanged):
            signal.connect(lambda _: self._later.start())

    def _offer_others(self, dock: QDockWidget, bar: TitleBar) -> None:
        """A button in a view's title that shows another one beside it."""
        menu = QMenu(bar)
        menu.setObjectName("beside_menu")

        def fill() -> None:
            menu.clear()
            for operation, other in self.docks.items():
                if other is not dock:
                    entry = menu.addAction(menu_text(other.windowTitle()))
                    entry.setData(operation)
                    entry.triggered.connect(partial(self.open_beside, operation))

        menu.aboutToShow.connect(fill)
        bar.add_menu("dock_beside", "view-split-vertical", _("Show another page beside"), menu)

    def _floated(self, dock: QDockWidget, floating: bool) -> None:
        """Move a view that floats off its place: there it would look as if nothing was done."""
        if floating and not dock.property("placed"):
            dock.setProperty("placed", True)
            size = dock.size()
            dock.resize(max(360, size.width() * 4 // 5), max(280, size.height() * 4 // 5))
            dock.move(dock.pos() + QPoint(FLOATED, FLOATED))

    def fill(self, operation: str) -> ViewFrame:
        """The frame of a view, made if it is not there yet.

        Raises:
            KeyError: There is no view of this operation.
        """
        if operation not in self.frames:
            dock = self.docks[operation]
            assert self.make is not None
            frame = self.make(operation, dock)
            # The dock's title bar says it already.
            frame.title_label.hide()
            self.frames[operation] = frame
            dock.setWidget(frame)
            bar = TitleBar(dock)
            self._offer_others(dock, bar)
            dock.setTitleBarWidget(bar)
        return self.frames[operation]

    def has(self, operation: str) -> bool:
        """Whether there is a view of an operation."""
        return operation in self.docks

    def is_open(self, operation: str) -> bool:
        """Whether a view is shown, or stands behind a tab."""
        return not self.docks[operation].isHidden()

    @property
    def first_open(self) -> str:
        """The first view that is shown, or stands behind a tab."""
        return next(operation for operation in self.docks if self.is_open(operation))

    def bring_forward(self, operation: str) -> None:
        """Show a view in its place, instead of those that are in the same place."""
        dock = self.docks.get(operation)
        if dock is None:
            return
        self.fill(operation)
        dock.show()
        dock.raise_()
        # First: a page that is hidden with the keyboard in it gives that to whatever comes next.
        self.current.take_focus(dock)
        for other in self.tabifiedDockWidgets(dock):
            other.hide()
        self._turn_to(operation)

    def open_beside(self, operation: str) -> None:
        """Show a view right of what is shown now."""
        dock = self.docks.get(operation)
        if dock is None:
            return
        self.fill(operation)
        if any(self.is_open(other) for other in self.docks if other != operation):
            self.removeDockWidget(dock)
            self.addDockWidget(TOP, dock, HORIZONTAL)
        dock.show()
        beside = [one for one in self.docks.values() if one.isVisible() and not one.isFloating()]
        self.resizeDocks(beside, [self.width() // len(beside)] * len(beside), HORIZONTAL)
        self._turn_to(operation)

    def step(self, by: int) -> None:
        """Go on to the view that follows (1) or precedes (-1) the one that was used last."""
        names = list(self.docks)
        now = self.current.operation
        at = names.index(now) if now else -1
        self.bring_forward(names[(at + by) % len(names)])

    def show_first(self) -> None:
        """Show the first view alone, as at the first start."""
        first, *others = self.docks.values()
        first.show()
        for dock in others:
            dock.hide()

    def _turn_to(self, operation: str) -> None:
        # Last of all: to hide the others moves the focus, and whatever has it counts as used.
        self.current.take_focus(self.docks[operation])
        self.current.activate(operation)

    def _visibility_changed(self, operation: str, visible: bool) -> None:
        self.current.set_seen(operation, visible)
        if visible:
            self.fill(operation)
        self.visibility_changed.emit(operation, visible)

    def _tidy(self) -> None:
        """A dock behind a tab has its title there, and its buttons in the tab's menu."""
        self.nothing.setVisible(not any(self.is_open(o) for o in self.docks))
        for dock in self.docks.values():
            bar = dock.titleBarWidget()
            if isinstance(bar, TitleBar):
                tabbed = any(not other.isHidden() for other in self.tabifiedDockWidgets(dock))
                bar.set_folded(tabbed and not dock.isFloating())
        for tabs in self.findChildren(QTabBar, options=Qt.FindChildOption.FindDirectChildrenOnly):
            tabs.setDrawBase(False)
            if id(tabs) not in self._bars:
                self._bars.add(id(tabs))
                tabs.setAccessibleName(_("Views"))
                self.current.watch_tabs(tabs)
                tabs.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
                tabs.customContextMenuRequested.connect(partial(self._show_tab_menu, tabs))

    def _show_tab_menu(self, tabs: QTabBar, place: QPoint) -> None:
        title = tabs.tabText(tabs.tabAt(place))
        dock = next((d for d in self.docks.values() if d.windowTitle() == title), None)
        if dock is None:
            return
        menu = QMenu(self)
        menu.setObjectName("tab_menu")
        menu.addAction(_("Float"), partial(dock.setFloating, True))
        menu.addAction(_("Close"), dock.close)
        menu.aboutToHide.connect(menu.deleteLater)
        menu.popup(tabs.mapToGlobal(place))
