"""A page of HTML in Qt WebEngine, cut off from the network.

WebEngine is a browser with processes of its own, and not every machine can run it: it is
imported when a page is first shown, and where that fails only this widget says so.
"""

import os
import shutil
import sys
import tempfile
import weakref
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

import shiboken6
from PySide6.QtCore import QUrl, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QApplication, QVBoxLayout, QWidget

from explorer.files.temporary import prefix
from explorer.ui.guarded import guarded

if TYPE_CHECKING:
    from PySide6.QtWebEngineWidgets import QWebEngineView

FLAGS = (
    "--disable-background-networking",
    "--disable-component-update",
    "--no-pings",
    # No name of another machine is ever looked up.
    "--host-resolver-rules=MAP * ~NOTFOUND",
    # Complaints about a missing system bus or graphics card are no concern of the terminal.
    "--log-level=3",
)


class WebEngineMissingError(Exception):
    """WebEngine can't be used on this machine; the message says why."""


COLUMN = 720
"""Pixels from which on a page that fits any width is shown larger: else much of it is empty."""
SMALLEST, LARGEST = 0.25, 1.5
"""How much smaller and larger pages are shown."""


@guarded
class WebPage(QWidget):
    """Shows one page at a time, from a file that it writes itself.

    A page is shown only once it was loaded: until then, and where that fails, nothing is.

    Attributes:
        is_loaded: The page stands.
        page_width: Pixels that pages are made for; they are shown smaller where there is less
            room, and somewhat larger where there is more. 0 for pages that fit any width, which
            are never smaller.

    Signals:
        loaded: The page stands, or False where it does not.
        complained: A message of the page's scripts.
    """

    loaded = Signal(bool)
    complained = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("webPage")
        self.is_loaded = False
        self.page_width = 0
        self._folder: Path | None = None
        self._view: QWebEngineView | None = None
        self._count = 0
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)

    @property
    def view(self) -> "QWebEngineView | None":
        """The browser; None before a page is shown."""
        return self._view

    def show_html(self, html: str) -> None:
        """Write a page to a file and load it.

        Raises:
            WebEngineMissingError: There is no WebEngine on this machine.
            OSError: The file can't be written.
        """
        view = self._made_view()
        self.is_loaded = False
        view.hide()
        # Not setHtml: it fails beyond two megabytes, and leaves the page before in its place.
        view.load(QUrl.fromLocalFile(str(self.write(html))))

    def write(self, html: str) -> Path:
        """Write a page to a file, which is there as long as this is, or until the next one.

        Raises:
            OSError: It can't be written.
        """
        if self._folder is None:
            self._folder = Path(tempfile.mkdtemp(prefix=prefix("page")))
            weakref.finalize(self, shutil.rmtree, self._folder, ignore_errors=True)
        self._count += 1
        # Another name each time: nothing of the page before can be shown in its place.
        path = self._folder / f"page-{self._count}.html"
        path.write_text(html, encoding="utf-8")
        for old in path.parent.glob("*.html"):
            if old != path:
                with suppress(OSError):
                    old.unlink()
        return path

    def clear(self) -> None:
        """Show nothing."""
        self.is_loaded = False
        if self._view is not None:
            self._view.hide()

    def close_page(self) -> None:
        """End the browser at once: its page must be gone before what keeps it offline is."""
        view, self._view = self._view, None
        self.is_loaded = False
        if view is not None:
            shiboken6.delete(view)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Show a page that is made for more room smaller."""
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        if self._view is not None:
            room = self.width() / (self.page_width or COLUMN)
            least = SMALLEST if self.page_width else 1.0
            self._view.setZoomFactor(min(LARGEST, max(least, room)))

    def _finished(self, ok: bool) -> None:
        self.is_loaded = ok
        if self._view is not None:
            self._fit()
            self._view.setVisible(ok)
        self.loaded.emit(ok)

    def _made_view(self) -> "QWebEngineView":
        if self._view is None:
            self._view = make_view(self, self.complained.emit)
            self._view.loadFinished.connect(self._finished)
            self._view.renderProcessTerminated.connect(lambda *_: self._finished(False))
            self._column.addWidget(self._view)
            app = QApplication.instance()
            if app is not None:
                app.aboutToQuit.connect(self.close_page)
        return self._view


def make_view(parent: QWidget, complain: Any) -> "QWebEngineView":
    """A browser that reads local files only.

    Args:
        parent: Whose child it is.
        complain: Called with every message of a page's scripts.

    Raises:
        WebEngineMissingError: There is no WebEngine on this machine.
    """
    _prepare_environment()
    try:
        from PySide6.QtWebEngineWidgets import QWebEngineView

        from explorer.ui.web.sandbox import offline_page
    except ImportError as error:
        raise WebEngineMissingError(f"Qt WebEngine can't be loaded here ({error}).") from error
    view = QWebEngineView(parent)
    view.setObjectName("webView")
    view.setPage(offline_page(view, complain))
    return view


def _prepare_environment() -> None:
    """What WebEngine reads when it starts."""
    have = os.environ.get("QTWEBENGINE_CHROMIUM_FLAGS", "")
    missing = [flag for flag in FLAGS if flag.split("=")[0] not in have]
    quoted = [f'"{flag}"' if " " in flag else flag for flag in missing]
    os.environ["QTWEBENGINE_CHROMIUM_FLAGS"] = " ".join([*have.split(), *quoted]).strip()
    # Drawn by the graphics card, a page would need another kind of window around it: the system
    # would take the window from the screen and put up a new one when the first page is shown.
    os.environ.setdefault("QT_QUICK_BACKEND", "software")
    if sys.platform == "linux" and os.geteuid() == 0:
        # Chromium's sandbox refuses to work for root.
        os.environ.setdefault("QTWEBENGINE_DISABLE_SANDBOX", "1")
