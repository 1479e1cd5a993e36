"""The window's place and size, and those of its docks, from one start to the next."""

from __future__ import annotations

import base64
import binascii
from typing import TYPE_CHECKING

from PySide6.QtCore import QByteArray, Qt, QTimer
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QDockWidget

if TYPE_CHECKING:
    from explorer.settings import Settings
    from explorer.ui.main_window import MainWindow

FIRST_SIZE = (1520, 960)
PARTS = (0.18, 0.13, 0.16)
"""First sizes: the library's and the token's width, the log's height, as parts of the window's."""
BOUNDS = ((240, 320), (190, 280), (110, 190))
"""Pixels that these sizes stay within."""
LAYOUT_VERSION = 3
"""Raised when docks are added, renamed or kept in another way: older layouts are left alone."""


class Placing:
    """Puts a window and its docks where they were, or where they belong at first."""

    def __init__(self, window: MainWindow, settings: Settings) -> None:
        self._window = window
        self._default = (QByteArray(), QByteArray())
        self._sizes_are_due = False
        self._put_away: tuple[QDockWidget, ...] = ()
        geometry = _bytes(settings.window_geometry)
        if geometry.isEmpty() or not window.restoreGeometry(geometry):
            self._first_size()

    def restore(self, settings: Settings) -> None:
        """Put the docks where they were; called once they are all there."""
        window = self._window
        self._default = (window.saveState(LAYOUT_VERSION), window.view_area.saveState())
        outer, _, inner = settings.window_state.partition(".")
        outer_bytes, inner_bytes = _bytes(outer), _bytes(inner)
        if outer_bytes.isEmpty() or not window.restoreState(outer_bytes, LAYOUT_VERSION):
            self._sizes_are_due = True
        elif not inner_bytes.isEmpty():
            window.view_area.restoreState(inner_bytes)
        if not any(window.view_area.is_open(operation) for operation in window.view_area.docks):
            window.view_area.show_first()

    def reset(self) -> None:
        """Put every dock back where it was at first."""
        window = self._window
        outer, inner = self._default
        for dock in (*window.side_docks, *window.view_area.docks.values()):
            dock.setFloating(False)
        for dock in window.side_docks:
            dock.show()
        window.restoreState(outer, LAYOUT_VERSION)
        window.view_area.restoreState(inner)
        window.view_area.show_first()
        self.size_docks()

    def toggle_room(self) -> None:
        """Put the side docks away, or bring back those that were put away."""
        seen = tuple(dock for dock in self._window.side_docks if not dock.isHidden())
        for dock in seen or self._put_away or self._window.side_docks:
            dock.setVisible(not seen)
        self._put_away = seen

    def remember(self) -> None:
        """Keep place, size and docks in the settings."""
        window = self._window
        outer = _text(window.saveState(LAYOUT_VERSION))
        inner = _text(window.view_area.saveState())
        window.bench.remembering.change(
            window_geometry=_text(window.saveGeometry()), window_state=f"{outer}.{inner}"
        )

    def size_docks(self) -> None:
        """Give the side docks their first sizes."""
        window = self._window
        library, token, log = window.side_docks
        of = (window.width(), window.width(), window.height())
        *widths, height = (
            round(min(max(part * whole, least), most))
            for part, whole, (least, most) in zip(PARTS, of, BOUNDS, strict=True)
        )
        window.resizeDocks([library, token], widths, Qt.Orientation.Horizontal)
        window.resizeDocks([log], [height], Qt.Orientation.Vertical)

    def size_docks_later(self) -> None:
        """Docks take their first sizes only once they are laid out."""
        if self._sizes_are_due:
            self._sizes_are_due = False
            QTimer.singleShot(0, self._window, self.size_docks)

    def _first_size(self) -> None:
        screen = QGuiApplication.primaryScreen()
        room = screen.availableGeometry() if screen is not None else self._window.geometry()
        width, height = (
            min(w, int(r * 0.94)) for w, r in zip(FIRST_SIZE, room.size().toTuple(), strict=True)
        )
        self._window.resize(width, height)


def _bytes(text: str) -> QByteArray:
    try:
        return QByteArray(base64.b64decode(text, validate=True))
    except (ValueError, binascii.Error):
        return QByteArray()


def _text(data: QByteArray) -> str:
    return base64.b64encode(data.data()).decode("ascii")
