"""A place for pages: a stack of which one is seen."""

from collections.abc import Mapping

from PySide6.QtCore import QEvent, QPoint, QSize, Signal
from PySide6.QtGui import QCloseEvent, QMouseEvent, QResizeEvent
from PySide6.QtWidgets import QApplication, QStackedWidget, QVBoxLayout, QWidget

from explorer.ui.guarded import guarded
from explorer.ui.theme.chrome import zoomed
from explorer.ui.views.frame.view_frame import ViewFrame
from explorer.ui.window.pages.page_tabs import PageTabs
from explorer.ui.window.title_bar import TitleBar

TOOLS, LEAST_TABS = 160, 120
"""Pixels, at the usual size of text, that tabs leave to a header's tools, and that they have."""

BELOW_WORDS = 3
"""Pixels by which tabs go on below the middle of their words."""


class PaneButtons(TitleBar):
    """At the right end of the header of the page that is seen.

    Signals:
        dragged: The header is being dragged, and where the mouse is on the desktop.
        dropped: The same, where it was let go.
    """

    dragged = Signal(QPoint)
    dropped = Signal(QPoint)

    def __init__(self, parent: QWidget) -> None:
        super().__init__("page", "", parent)
        self.hide_title()


@guarded
class PaneStack(QStackedWidget):
    """Asks for the room that the page needs which is seen; the others may need more."""

    def minimumSizeHint(self) -> QSize:
        """Of the page that is seen."""
        seen = self.currentWidget()
        return super().minimumSizeHint() if seen is None else seen.minimumSizeHint()

    def sizeHint(self) -> QSize:
        """Of the page that is seen."""
        seen = self.currentWidget()
        return super().sizeHint() if seen is None else seen.sizeHint()


@guarded
class Pane(QWidget):
    """A stack of pages, and buttons in the header of the one that is seen.

    A page is dragged elsewhere by its header; a double click there lets it float.

    Attributes:
        question: Whose page is seen; "" for none.
        bar: The buttons.
        tabs: In the place of the header's title, where the page has several.
        nothing: What is seen without a page.

    Signals:
        turned_to: The user clicked into it.
        close_wanted: Put its page away.
    """

    turned_to = Signal()
    close_wanted = Signal()

    def __init__(self, nothing: QWidget, parent: QWidget) -> None:
        super().__init__(parent)
        self.question = ""
        self._from: QPoint | None = None
        self._is_dragged = False
        self.bar = PaneButtons(self)
        self.bar.close_wanted.connect(self.close_wanted)
        self.tabs = PageTabs(self)
        self._stack = PaneStack(self)
        self.nothing = nothing
        self._stack.addWidget(nothing)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self._stack, 1)
        self.show_nothing()

    @property
    def frame(self) -> QWidget:
        """What is seen."""
        return self._stack.currentWidget() or self.nothing

    @property
    def room(self) -> QWidget:
        """Where pages are made that are to be seen here."""
        return self._stack

    def keep(self, frame: ViewFrame) -> None:
        """Have a page, behind what is seen."""
        if self._stack.indexOf(frame) < 0:
            self._stack.addWidget(frame)

    def show_page(
        self, question: str, title: str, frame: ViewFrame, tabs: Mapping[str, str]
    ) -> None:
        """Show a page, and no other.

        Args:
            question: Whose page it is.
            title: Of the page.
            frame: The page.
            tabs: The titles of all tabs of it, by their questions; none where it has no tabs.
        """
        self.keep(frame)
        self.question = question
        self.setObjectName(f"page_{question}")
        self.setAccessibleName(title)
        self.setWindowTitle(title)
        self.bar.say(title)
        self.tabs.show_tabs(tabs, question)
        self._stack.setCurrentWidget(frame)
        self.place_bar()

    def show_nothing(self) -> None:
        """Show no page; those that are in it stay."""
        self.question = ""
        self.bar.hide()
        self.tabs.hide()
        self._stack.setCurrentWidget(self.nothing)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """The buttons stay in their corner."""
        super().resizeEvent(event)
        self.place_bar()

    def event(self, event: QEvent) -> bool:
        """What is above the pages may have come or gone, or the buttons are larger."""
        if event.type() == QEvent.Type.LayoutRequest:
            self.place_bar()
        return super().event(event)

    def place_bar(self) -> None:
        """In the header's row, in which they are left their room; nowhere in one that is hushed."""
        frame = self._stack.currentWidget()
        if not isinstance(frame, ViewFrame):
            return
        self.bar.setHidden(frame.header.is_hushed)
        self.tabs.setHidden(frame.header.is_hushed or self.tabs.count() == 0)
        if frame.header.is_hushed:
            frame.header.leave_room(0)
            return
        size = self.bar.sizeHint()
        # One that has no tools of its own is as high as these all the same.
        frame.header.setMinimumHeight(size.height() + 1)
        high = max(frame.header.sizeHint().height(), size.height() + 1)
        frame.header.leave_room(size.width())
        top = self._stack.y() + max(0, high - size.height()) // 2 + 1
        self.bar.setGeometry(self.width() - size.width(), top, size.width(), size.height())
        self.bar.raise_()
        if not self.tabs.isHidden():
            # In the place of the title, which says no more than the tab that is seen.
            wanted, most = self.tabs.sizeHint(), self.width() - size.width() - zoomed(TOOLS)
            wide = min(wanted.width(), max(zoomed(LEAST_TABS), most))
            # Their words are level with the question's, above the line of the one that is seen.
            top = self._stack.y() + max(0, high + BELOW_WORDS - wanted.height()) // 2
            self.tabs.setGeometry(0, top, wide, wanted.height())
            frame.header.title.setMinimumWidth(wide - frame.header.contentsRect().left())
            self.tabs.raise_()

    def _is_in_header(self, event: QMouseEvent) -> bool:
        frame = self._stack.currentWidget()
        if not isinstance(frame, ViewFrame):
            return False
        at = frame.header.mapFrom(self, event.position().toPoint())
        return frame.header.rect().contains(at)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """A click on what takes no focus gets as far as here; a drag may begin in the header."""
        self.turned_to.emit()
        inside = self._is_in_header(event)
        self._from, self._is_dragged = event.globalPosition().toPoint() if inside else None, False
        super().mousePressEvent(event)
        event.setAccepted(inside)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Only what goes some way is dragged: a hand that clicks is not still."""
        at = event.globalPosition().toPoint()
        if self._from is not None:
            far = (at - self._from).manhattanLength()
            self._is_dragged |= far >= QApplication.startDragDistance()
            if self._is_dragged:
                self.bar.dragged.emit(at)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """Here it is dropped."""
        self._from, was_dragged, self._is_dragged = None, self._is_dragged, False
        if was_dragged:
            self.bar.dropped.emit(event.globalPosition().toPoint())

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """As the button does."""
        if self._is_in_header(event):
            self.bar.float_wanted.emit()

    def closeEvent(self, event: QCloseEvent) -> None:
        """One that floats was closed by its frame."""
        event.ignore()
        self.close_wanted.emit()
