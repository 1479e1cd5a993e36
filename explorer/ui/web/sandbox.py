"""What keeps a page in Qt WebEngine from the network; imported only where there is WebEngine."""

from collections.abc import Callable
from typing import Any

from PySide6.QtCore import QObject, QUrl
from PySide6.QtWebEngineCore import (
    QWebEnginePage,
    QWebEngineProfile,
    QWebEngineSettings,
    QWebEngineUrlRequestInfo,
    QWebEngineUrlRequestInterceptor,
)
from PySide6.QtWidgets import QApplication, QWidget

from explorer.ui.guarded import guarded

LOCAL = frozenset({"file", "data", "blob"})
"""Schemes a page may read from."""

_ATTRIBUTE = QWebEngineSettings.WebAttribute
_OFF = (
    _ATTRIBUTE.LocalContentCanAccessRemoteUrls,
    _ATTRIBUTE.JavascriptCanOpenWindows,
    _ATTRIBUTE.JavascriptCanAccessClipboard,
    _ATTRIBUTE.HyperlinkAuditingEnabled,
    _ATTRIBUTE.DnsPrefetchEnabled,
    _ATTRIBUTE.PluginsEnabled,
)


@guarded
class Interceptor(QWebEngineUrlRequestInterceptor):
    """Blocks every request that is not for this machine's own files.

    Attributes:
        blocked: Addresses that were asked for in vain.
    """

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.blocked: list[str] = []

    def interceptRequest(self, info: QWebEngineUrlRequestInfo) -> None:  # noqa: N802 - Qt's name
        """Look at one request."""
        if info.requestUrl().scheme() not in LOCAL:
            self.blocked.append(info.requestUrl().toString())
            info.block(True)


@guarded
class OfflinePage(QWebEnginePage):
    """A page that goes nowhere else."""

    def __init__(
        self, profile: QWebEngineProfile, parent: QObject, complain: Callable[[str], object]
    ) -> None:
        super().__init__(profile, parent)
        self._complain = complain

    def acceptNavigationRequest(  # noqa: N802 - Qt's name
        self, url: QUrl | str, _kind: Any, _main: bool
    ) -> bool:
        """Local files only."""
        return QUrl(url).scheme() in LOCAL

    def javaScriptConsoleMessage(  # noqa: N802 - Qt's name
        self, level: Any, message: str, line: int, _source: str
    ) -> None:
        """Hand on what goes wrong in a script."""
        if level == QWebEnginePage.JavaScriptConsoleMessageLevel.ErrorMessageLevel:
            self._complain(f"line {line}: {message}")

    def createWindow(self, _kind: Any) -> QWebEnginePage | None:  # type: ignore[override]  # noqa: N802
        """Open no windows."""
        return None


class _Offline(QObject):
    """One profile for all pages; it keeps nothing, and must outlive them."""

    def __init__(self, app: QApplication) -> None:
        super().__init__(app)
        self.interceptor = Interceptor(self)
        # Without a name it is off the record: no cookies, no cache on disk.
        self.profile = QWebEngineProfile(self)
        self.profile.setUrlRequestInterceptor(self.interceptor)
        for attribute in _OFF:
            self.profile.settings().setAttribute(attribute, False)


def offline(app: QApplication) -> _Offline:
    """The application's profile for pages without a network."""
    found = app.findChild(_Offline)
    return found if isinstance(found, _Offline) else _Offline(app)


def offline_page(parent: QWidget, complain: Callable[[str], object]) -> OfflinePage:
    """A page for a browser.

    Args:
        parent: The browser.
        complain: Called with what goes wrong in a page's scripts.
    """
    app = QApplication.instance()
    assert isinstance(app, QApplication)
    return OfflinePage(offline(app).profile, parent, complain)
