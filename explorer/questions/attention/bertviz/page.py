"""bertviz itself, in a browser without a network inside the window."""

from pathlib import Path
from typing import ClassVar

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QPainter, QPixmap
from PySide6.QtWidgets import QStackedWidget, QToolButton, QVBoxLayout, QWidget

from explorer.api import ExplorerError
from explorer.document import Document
from explorer.questions.attention.bertviz.question import (
    HEAD_VIEW,
    MODEL_VIEW,
    OPERATION,
    BertvizPage,
)
from explorer.questions.attention.bertviz.web_page import WebEngineMissingError, WebPage
from explorer.sessions.export.tables import write_atomically
from explorer.ui.export.file_dialogs import FileDialogs
from explorer.ui.theme.schemes import Theme, current_theme, theme_signals
from explorer.ui.views.attending.tools import Segmented
from explorer.ui.views.state_pages import label
from explorer.ui.views.view import View
from explorer.ui.widgets.figure import Figure

VIEWS = ((HEAD_VIEW, "Head view"), (MODEL_VIEW, "Model view"))
MODEL_WIDTH = 1060
"""Pixels that bertviz' model view takes."""

WAITING = "bertviz is drawing…"
FAILED = "The page could not be shown. It can still be saved, and opened in a browser."


class BertvizView(View):
    """The head view and the model view of the current sentence."""

    of: ClassVar = OPERATION
    order = 54
    group = "Attention"
    glyph = "vector-line"

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._dark = current_theme().scheme == "dark"
        self.which = Segmented("bertviz.view", "View", VIEWS, self)
        self.which.chosen.connect(self.option_changed)
        self.which.hide()
        self.save = QToolButton(self)
        self.save.setObjectName("saveBertvizPage")
        self.save.setText("Save page…")
        self.save.setToolTip("Save the page as one HTML file that needs no network")
        self.save.clicked.connect(self._ask_where)
        self.save.hide()
        self._dialogs = FileDialogs(self)
        self.message = label("bertvizMessage", "body", self)
        self.message.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.message.setWordWrap(True)
        self.about = label("bertvizAbout", "small", self)
        self.page = WebPage(self)
        self.page.setAccessibleName("The page that bertviz made")
        self.page.loaded.connect(self._loaded)
        self.complaints: list[str] = []
        self.page.complained.connect(self.complaints.append)
        self.pages = QStackedWidget(self)
        self.pages.addWidget(self.message)
        self.pages.addWidget(self.page)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(14, 2, 10, 8)
        layout.setSpacing(4)
        layout.addWidget(self.about)
        layout.addWidget(self.pages, 1)
        theme_signals().changed.connect(self._theme_changed)
        self.refresh()

    def request_of(self, document: Document) -> BertvizPage | None:
        """Asked as soon as there is text."""
        return BertvizPage.of(document, dark=self._dark) if document.text.strip() else None

    def empty_hint(self, _document: Document) -> str:
        """Say what it needs."""
        return "Type a sentence to see bertviz draw it."

    def set_document(self, document: Document) -> None:
        """Show which view is chosen."""
        self.which.show_choice(document.option("bertviz.view", HEAD_VIEW))

    def tools(self) -> list[QWidget]:
        """Which view, and saving the page; the frame takes them over."""
        self.which.show()
        self.save.show()
        return [self.which, self.save]

    def shut(self) -> None:
        """End the browser."""
        self.page.close_page()

    def refresh(self) -> None:
        """Load the page that is held now; the one before is never left in its place."""
        self.page.clear()
        self.complaints.clear()
        self.pages.setCurrentWidget(self.message)
        self.about.setText("")
        result = self.result
        self.save.setEnabled(result is not None)
        if result is None:
            return
        self.about.setText(f"bertviz draws {result.lines:,} lines.")
        self.message.setText(WAITING)
        self.page.page_width = MODEL_WIDTH if result.view == MODEL_VIEW else 0
        try:
            self.page.show_html(result.html)
        except WebEngineMissingError as error:
            self.message.setText(f"{error} The page can still be saved, and opened in a browser.")
            return
        except OSError as error:
            self.message.setText(f"{FAILED} ({error.strerror or error})")
            return

    def _loaded(self, ok: bool) -> None:
        if self.result is not None:
            self.message.setText("" if ok else FAILED)
            self.pages.setCurrentWidget(self.page if ok else self.message)

    def _theme_changed(self, theme: Theme) -> None:
        self._dark = theme.scheme == "dark"

    def _ask_where(self) -> None:
        if self.result is not None:
            model = self.result.model.id.replace("/", "-").strip("-.") or "model"
            name = f"bertviz-{self.result.view}-{model[-60:]}.html"
            self._dialogs.save("Save the page", name, "Web page (*.html)", self.save_page)

    def save_page(self, path: Path) -> None:
        """Write the page into a file that stands alone."""
        if self.result is None:
            return
        try:
            write_atomically(path, self.result.html.encode("utf-8"))
        except ExplorerError as error:
            self.about.setText(f"Not saved: {error.message}")
        else:
            self.about.setText(f"Saved {path}.")

    def figure(self, width: float, _theme: Theme) -> Figure | None:
        """What the browser shows now, as dots; the saved page is the one that can be scaled."""
        if self.result is None:
            return None
        shot = self._shot()
        if shot is None:
            return Figure(width, 1.0, lambda _painter: None)
        ratio = shot.devicePixelRatio()
        scale = min(1.0, width / (shot.width() / ratio))
        wide, high = shot.width() / ratio * scale, shot.height() / ratio * scale

        def paint(painter: QPainter) -> None:
            painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
            painter.drawPixmap(QRectF(0, 0, wide, high), shot, QRectF(shot.rect()))

        return Figure(width, high, paint)

    def _shot(self) -> QPixmap | None:
        view = self.page.view
        if view is None or not self.page.is_loaded:
            return None
        return view.grab()


VIEW = BertvizView
