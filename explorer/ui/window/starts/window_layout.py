"""The window's place and size, its docks and its pages, from one start to the next."""

from __future__ import annotations

import base64
import binascii
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QByteArray, QSize, Qt, QTimer
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QDockWidget, QWidget
from shiboken6 import isValid

if TYPE_CHECKING:
    from explorer.settings import PageLayout, Settings
    from explorer.ui.window.host import HostWindow

FIRST_SIZE = (1520, 960)
PARTS = (0.18, 0.3, 0.24)
"""First sizes: the token's width, the log's height and the lectures' width, as parts of the
window's."""
BOUNDS = ((240, 320), (220, 320), (300, 400))
"""Pixels that these sizes stay within."""
MOST = (0.3, 0.5, 0.4)
"""Parts of the window that these docks take at most."""
UNBOUND = 16_777_215
LOOK_EVERY_MS, LOOKS = 50, 20
"""How often, and how many times, a window that leaves the screen is looked at for its size."""
LAYOUT_VERSION = 4
"""Raised when docks are added, renamed or kept in another way: older layouts are left alone."""


class WindowLayout:
    """Puts a window and its docks where they were, or where they belong at first."""

    def __init__(self, window: HostWindow, settings: Settings) -> None:
        self._window = window
        self._default = QByteArray()
        self._fresh: set[QDockWidget] = set()
        self._put_away: tuple[QDockWidget, ...] = ()
        self._hidden: list[QWidget] = []
        self._was = Qt.WindowState.WindowNoState
        self._whole = QSize()
        self._sizes: dict[QDockWidget, QSize] = {}
        self._held: QWidget | None = None
        self.is_roomy = False
        geometry = _bytes(settings.window_geometry)
        if geometry.isEmpty() or not window.restoreGeometry(geometry):
            self._first_size()

    def restore(self, settings: Settings) -> None:
        """Put docks and pages where they were; called once they are all there."""
        from explorer.ui.window.pages.page_layout import arrange

        window = self._window
        for dock in window.drawers:
            dock.hide()
            dock.visibilityChanged.connect(partial(self._opened, dock))
            dock.topLevelChanged.connect(self.bound_docks)
        self._default = window.saveState(LAYOUT_VERSION)
        docks, pages = _kept(settings)
        if docks.isEmpty() or not window.restoreState(docks, LAYOUT_VERSION):
            self._fresh = set(window.drawers)
            pages = settings.pages
        arrange(window.view_area, pages)

    def restore_sizes(self, settings: Settings) -> None:
        """The same for the sizes alone: docks of a window that is hidden share no room yet."""
        from explorer.ui.window.pages.page_layout import size_pages

        docks, pages = _kept(settings)
        self._window.restoreState(docks, LAYOUT_VERSION)
        size_pages(self._window.view_area, pages)

    def reset(self) -> None:
        """Put every dock back where it was at first."""
        window = self._window
        for dock in window.drawers:
            dock.setFloating(False)
        window.restoreState(self._default, LAYOUT_VERSION)
        window.view_area.show_first()
        window.tree.fold_all()
        self._fresh = set(window.drawers)
        self._put_away, self.is_roomy = (), False

    def toggle_room(self) -> None:
        """Put the docks and the tree of pages away, or bring back what was put away."""
        if self.is_roomy:
            for dock in self._put_away:
                dock.show()
            self._put_away = ()
        else:
            self._put_away = tuple(d for d in self._window.drawers if not d.isHidden())
            for dock in self._put_away:
                dock.hide()
        self.is_roomy = not self.is_roomy

    @property
    def fills_screen(self) -> bool:
        """The pages fill the screen."""
        return bool(self._hidden)

    def fill_screen(self, wanted: bool) -> None:
        """Let the pages fill the screen, or bring back what was around them."""
        window = self._window
        if wanted == self.fills_screen:
            return
        if not wanted:
            for widget in self._hidden:
                widget.show()
            self._hidden = []
            window.notices.hush(hushed=False)
            window.setWindowState(self._was)
            self._resize_back(LOOKS)
            if self._held is not None and isValid(self._held):
                self._held.setFocus(Qt.FocusReason.OtherFocusReason)
            return
        self._held = window.focusWidget()
        self._was, self._whole = window.windowState(), window.size()
        placed = (dock for dock in window.drawers if dock.isVisible() and not dock.isFloating())
        self._sizes = {dock: dock.size() for dock in placed}
        around = (
            window.bar,
            window.sidebar,
            window.sentence.strip_area,
            window.statusBar(),
            *window.drawers,
        )
        self._hidden = [widget for widget in around if not widget.isHidden()]
        for widget in self._hidden:
            widget.hide()
        window.notices.hush(hushed=True)
        window.showFullScreen()
        # What was hidden had the focus, maybe; Qt would give it to the first button.
        view = window.current_view()
        if view is not None:
            getattr(view, "page", view).setFocus(Qt.FocusReason.OtherFocusReason)

    def _resize_back(self, looks: int) -> None:
        """Give the docks their sizes again once the window has its own, which takes a moment."""
        window = self._window
        if self.fills_screen:
            return
        if looks and window.size() != self._whole:
            QTimer.singleShot(LOOK_EVERY_MS, window, lambda: self._resize_back(looks - 1))
            return
        _token, log = window.side_docks
        for way, docks in (
            (Qt.Orientation.Vertical, [dock for dock in self._sizes if dock is log]),
            (Qt.Orientation.Horizontal, [dock for dock in self._sizes if dock is not log]),
        ):
            sizes = [self._sizes[dock] for dock in docks]
            upright = way is Qt.Orientation.Vertical
            window.resizeDocks(docks, [s.height() if upright else s.width() for s in sizes], way)

    def remember(self) -> None:
        """Keep place, size, docks and pages in the settings."""
        from explorer.ui.window.pages.page_layout import layout_of

        window = self._window
        settings_store = window.bench.settings_store
        askers = window.bench.asking.askers
        seen = {name: asker.page.scrolled for name, asker in askers.items()}
        # Pages that nobody looked at since the start are as they were left before.
        scrolls = {**settings_store.settings.scrolls, **seen}
        settings_store.change(
            window_geometry=_text(window.saveGeometry()),
            window_state=_text(window.saveState(LAYOUT_VERSION)),
            pages=layout_of(window.view_area),
            scrolls={name: far for name, far in scrolls.items() if far},
        )

    def bound_docks(self, _floating: bool = False) -> None:
        """No dock takes the page's part of the window, whatever size it had in another one."""
        token, log = self._window.side_docks
        width, height = self._window.width(), self._window.height()
        wide = (token, MOST[0]), (self._window.lecture_dock, MOST[2])
        for dock, part in wide:
            least = dock.minimumSizeHint().width()
            most = UNBOUND if dock.isFloating() else max(least, int(part * width))
            dock.setMaximumWidth(most)
        log.setMaximumHeight(UNBOUND if log.isFloating() else int(MOST[1] * height))

    def _opened(self, dock: QDockWidget, visible: bool) -> None:
        """A dock that nobody gave a size takes its first one, once it is laid out."""
        if visible and dock in self._fresh and not dock.isFloating():
            self._fresh.discard(dock)
            QTimer.singleShot(0, dock, lambda: self._size(dock))

    def _size(self, dock: QDockWidget) -> None:
        window = self._window
        number = window.drawers.index(dock)
        is_log = dock is window.side_docks[1]
        whole = window.height() if is_log else window.width()
        least, most = BOUNDS[number]
        size = round(min(max(PARTS[number] * whole, least), most))
        way = Qt.Orientation.Vertical if is_log else Qt.Orientation.Horizontal
        window.resizeDocks([dock], [size], way)

    def _first_size(self) -> None:
        screen = QGuiApplication.primaryScreen()
        room = screen.availableGeometry() if screen is not None else self._window.geometry()
        width, height = (
            min(w, int(r * 0.94)) for w, r in zip(FIRST_SIZE, room.size().toTuple(), strict=True)
        )
        self._window.resize(width, height)


def _kept(settings: Settings) -> tuple[QByteArray, PageLayout | None]:
    """What Qt said of the window's docks, and where the pages were."""
    from explorer.ui.window.pages.page_layout import former_layout

    docks, _, pages = settings.window_state.partition(".")
    return _bytes(docks), settings.pages or former_layout(bytes(_bytes(pages).data()))


def _bytes(text: str) -> QByteArray:
    try:
        return QByteArray(base64.b64decode(text, validate=True))
    except (ValueError, binascii.Error):
        return QByteArray()


def _text(data: QByteArray) -> str:
    return base64.b64encode(data.data()).decode("ascii")
