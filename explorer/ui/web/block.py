"""A web page on a page: a browser on the screen, its picture or its shapes everywhere else."""

import html as escaping
from collections.abc import Callable
from dataclasses import dataclass

from PySide6.QtCore import QEvent, QEventLoop, QRectF, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QGuiApplication, QPainter, QPixmap, QResizeEvent
from PySide6.QtWidgets import QLabel, QStackedWidget, QWidget

from explorer.api.question import MachineFault
from explorer.text import N_, _
from explorer.ui.blocks.block import PlacedBlock
from explorer.ui.blocks.panel import LaidPart
from explorer.ui.blocks.spacing import Space
from explorer.ui.blocks.text import WrappedParagraph
from explorer.ui.controls.opened_by_system import open_in_system
from explorer.ui.controls.scrolling import scrolling
from explorer.ui.guarded import guarded
from explorer.ui.theme.schemes import Scheme, Theme, current_theme, theme_signals
from explorer.ui.views.frame.state_pages import state_label
from explorer.ui.web.drawing import is_of_vectors
from explorer.ui.web.page import WebEngineMissingError, WebPage
from explorer.ui.web.picture import Photographer, PrintedPage, picture_of

LEAST = 240.0
"""Pixels of height below which a page can't be read."""
UNSEEN_MS = 60_000
"""How long a page that no window shows may take to be drawn."""
RESTING_MS = 400
"""After a page was drawn or the mouse has left it, its picture is taken."""


@dataclass(frozen=True)
class Web:
    """What is shown.

    Attributes:
        html: A page that needs nothing else.
        name: For a screen reader.
        page_width: Pixels that it is made for; it is shown smaller where there is less room. 0
            for a page that fits any width.
        in_dark: From the page to what is shown of it in a dark scheme; None for the same.
        waiting: What is said until it is drawn.
    """

    html: str
    name: str
    page_width: int = 0
    in_dark: Callable[[str], str] | None = None
    waiting: str = ""

    def html_in(self, scheme: Scheme) -> str:
        """The page as it is shown in a scheme."""
        if scheme == "dark" and self.in_dark is not None:
            return self.in_dark(self.html)
        return self.html

    def picture_in(self, scheme: Scheme) -> PrintedPage | None:
        """The page as it was drawn last, in a scheme or else in the other one."""
        found = picture_of(self.html_in(scheme))
        return found or picture_of(self.html_in("light" if scheme == "dark" else "dark"))


@dataclass(frozen=True)
class WebBlock:
    """A block of a page: it takes what height is left in the window.

    Attributes:
        web: What is shown.
        above: The room above it.
    """

    web: Web
    above: Space = Space.NEAR
    fills: bool = True

    def at(self, width: float) -> PlacedBlock:
        """As high as its picture."""
        return LaidWeb(self.web, width, None)

    def filling(self, width: float, height: float) -> PlacedBlock:
        """In a room, in which it scrolls by itself."""
        return LaidWeb(self.web, width, max(height, LEAST))


class LaidWeb(LaidPart):
    """A web page at a width."""

    def __init__(self, web: Web, width: float, height: float | None) -> None:
        self._web = web
        picture = web.picture_in(current_theme().scheme)
        self._instead = WrappedParagraph(
            _("There is no picture of this page yet. It can be saved, and opened in a browser."),
            width,
            "small",
            "muted",
        )
        self._scale = 1.0
        if picture is not None:
            size = picture.size
            self._scale = min(1.0, width / size.width())
            own = size.height() * self._scale
        else:
            own = max(self._instead.height, LEAST if height is not None else 0.0)
        super().__init__(width, own if height is None else height, WebPart, web, web.name)

    def paint(self, painter: QPainter, theme: Theme) -> None:
        """The page as it was drawn last: its shapes in a file of vectors, else its dots."""
        picture = self._web.picture_in(theme.scheme)
        if picture is None:
            self._instead.paint(painter, theme)
            return
        if picture.drawing and is_of_vectors(painter):
            painter.save()
            painter.scale(self._scale, self._scale)
            picture.drawing.paint(painter)
            painter.restore()
            return
        size = picture.size * self._scale
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
        dots = abs(painter.deviceTransform().m11()) * self._scale
        painter.drawImage(QRectF(0, 0, size.width(), size.height()), picture.image(dots))


@guarded
class WebPart(QStackedWidget):
    """The browser as a part of a page; a sentence until it has drawn, and where it can't.

    Args:
        scheme: Of its colours; None for that of the window.

    Attributes:
        is_drawn: It shows all that it will show.

    Signals:
        chosen: None; a page's part has it.
        acted: None.
        drawn: It shows all that it will show.
    """

    chosen = Signal(object)
    acted = Signal(object)
    drawn = Signal()

    def __init__(self, parent: QWidget | None = None, scheme: Scheme | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("webPart")
        self._scheme = scheme
        self.is_drawn = False
        self.complaints: list[str] = []
        self._web: Web | None = None
        self._loaded_as: tuple[str, int] | None = None
        self.message = state_label("webMessage", "body", self)
        self.message.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.message.setTextInteractionFlags(
            Qt.TextInteractionFlag.LinksAccessibleByMouse
            | Qt.TextInteractionFlag.LinksAccessibleByKeyboard
        )
        self.message.linkActivated.connect(self._open_elsewhere)
        self.web_page = WebPage(self)
        self.web_page.loaded.connect(self._loaded)
        self.web_page.complained.connect(self.complaints.append)
        # Without a screen a browser has nothing to draw on: its picture stands in its place.
        self._stands_in = QGuiApplication.platformName() == "offscreen"
        self.picture = PictureOfPage(self)
        for widget in (self.message, self.web_page, scrolling(self.picture, "webPicture", self)):
            self.addWidget(widget)
        self.photographer = Photographer(self)
        self.photographer.taken.connect(self._taken)
        self._resting = QTimer(self)
        self._resting.setSingleShot(True)
        self._resting.setInterval(0 if self._stands_in else RESTING_MS)
        self._resting.timeout.connect(self._take_picture)
        theme_signals().changed.connect(self._theme_changed)

    def show_content(self, web: Web) -> None:
        """Show another page."""
        self._web = web
        self.web_page.setAccessibleName(web.name)
        self._load()

    def shut(self) -> None:
        """End the browser."""
        self._resting.stop()
        self.photographer.stop()
        self.web_page.close_page()

    def _load(self) -> None:
        web = self._web
        if web is None:
            return
        html = web.html_in(self._scheme or current_theme().scheme)
        if (html, web.page_width) == self._loaded_as:
            return
        self._loaded_as = html, web.page_width
        self.is_drawn = False
        self.complaints.clear()
        self._resting.stop()
        self.photographer.stop()
        self._say(web.waiting)
        self.web_page.page_width = web.page_width
        try:
            self.web_page.show_html(html)
        except WebEngineMissingError as error:
            self._fail(str(error))
        except OSError as error:
            self._fail(_("The page could not be shown ({reason}).", reason=str(error)))

    def _loaded(self, ok: bool) -> None:
        if not ok:
            self._fail(_("The page could not be shown."))
            return
        self._resting.start()
        if not self._stands_in:
            self.setCurrentWidget(self.web_page)
            self._finish()

    def _fail(self, why: str) -> None:
        saved = _("It can still be saved, and opened in a browser.")
        now = _("Open it in the browser")
        words = escaping.escape(f"{why} {saved}", quote=False)
        self._say(f"{words}<br><br><a href='page'>{now}</a>")
        # Labels show what they are given letter by letter.
        self.message.setTextFormat(Qt.TextFormat.RichText)
        self._finish()

    def _open_elsewhere(self, _link: str) -> None:
        """Let the system's own browser show the page, from a file; nothing else is asked for."""
        if self._web is None:
            return
        try:
            path = self.web_page.write(self._web.html)
        except OSError as error:
            self._say(_("The page could not be shown ({reason}).", reason=str(error)))
            return
        open_in_system(path)

    def _say(self, words: str) -> None:
        self.message.setTextFormat(Qt.TextFormat.PlainText)
        self.message.setText(words)
        self.setCurrentWidget(self.message)

    def _take_picture(self) -> None:
        view = self.web_page.view
        if view is not None and self.web_page.is_loaded and self._loaded_as is not None:
            self.photographer.take(view.page(), self._loaded_as[0])

    def _taken(self, _ok: bool) -> None:
        if not self._stands_in:
            return
        found = picture_of(self._loaded_as[0]) if self._loaded_as is not None else None
        if found is not None:
            self.picture.show_picture(QPixmap.fromImage(found.image()))
            self.setCurrentIndex(self.count() - 1)
        self._finish()

    def _finish(self) -> None:
        self.is_drawn = True
        self.drawn.emit()

    def leaveEvent(self, event: QEvent) -> None:
        """What was changed in the page with the mouse is in its next picture."""
        super().leaveEvent(event)
        if self.web_page.is_loaded:
            self._resting.start()

    def _theme_changed(self, _theme: object) -> None:
        self._load()


def draw_unseen(web: Web, scheme: Scheme) -> None:
    """Draw a page where no window shows it, so that its picture in a scheme is known.

    Raises:
        MachineFault: It can't be drawn here; why.
    """
    if picture_of(web.html_in(scheme)) is not None:
        return
    part, waiting, limit = WebPart(scheme=scheme), QEventLoop(), QTimer()
    limit.setSingleShot(True)
    limit.timeout.connect(waiting.quit)
    part.drawn.connect(waiting.quit)
    part.show_content(web)
    if not part.is_drawn:
        limit.start(UNSEEN_MS)
        waiting.exec(QEventLoop.ProcessEventsFlag.ExcludeUserInputEvents)
    why = part.message.text() if part.is_drawn else ""
    part.shut()
    part.deleteLater()
    if picture_of(web.html_in(scheme)) is None:
        raise MachineFault(
            N_("There is no picture of this page: {why}"),
            N_("Save the page as HTML in the window, and open it in a browser."),
            why=why or _("it was not drawn in time."),
        )


@guarded
class PictureOfPage(QLabel):
    """A picture, smaller where there is less room."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName("pictureOfPage")
        self.setAlignment(Qt.AlignmentFlag.AlignTop | Qt.AlignmentFlag.AlignLeft)
        self._whole = QPixmap()

    def show_picture(self, picture: QPixmap) -> None:
        """Show another one."""
        self._whole = picture
        self.setPixmap(QPixmap())
        self._fit()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Fit anew."""
        super().resizeEvent(event)
        self._fit()

    def minimumSizeHint(self) -> QSize:
        """As high as the picture is where it fits, and as narrow as need be."""
        return QSize(80, self.pixmap().deviceIndependentSize().toSize().height())

    def _fit(self) -> None:
        if self._whole.isNull():
            return
        wide = self._whole.deviceIndependentSize().width()
        ratio = self.devicePixelRatioF()
        shown = self._whole.scaledToWidth(
            max(1, round(min(wide, self.width()) * ratio)),
            Qt.TransformationMode.SmoothTransformation,
        )
        shown.setDevicePixelRatio(ratio)
        if shown.size() != self.pixmap().size():
            self.setPixmap(shown)
