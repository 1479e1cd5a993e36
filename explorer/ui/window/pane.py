"""A place for pages, with a title: a stack of which one page is seen."""

from PySide6.QtCore import QPoint, QSize, Signal
from PySide6.QtGui import QCloseEvent, QMouseEvent
from PySide6.QtWidgets import QApplication, QStackedWidget, QVBoxLayout, QWidget

from explorer.ui.guarded import guarded
from explorer.ui.views.frame.view_frame import ViewFrame
from explorer.ui.window.title_bar import TitleBar


@guarded
class PaneTitle(TitleBar):
    """The title, by which a page is dragged elsewhere; a double click lets it float.

    Signals:
        pressed: The mouse is on it.
        dragged: It is being dragged, and where the mouse is on the desktop.
        dropped: The same, where it was let go.
    """

    pressed = Signal()
    dragged = Signal(QPoint)
    dropped = Signal(QPoint)

    def __init__(self, title: str, parent: QWidget) -> None:
        super().__init__("page", title, parent)
        self._from: QPoint | None = None
        self._is_dragged = False

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """A drag may begin here."""
        self._from, self._is_dragged = event.globalPosition().toPoint(), False
        self.pressed.emit()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Only what goes some way is dragged: a hand that clicks is not still."""
        at = event.globalPosition().toPoint()
        if self._from is not None:
            far = (at - self._from).manhattanLength()
            self._is_dragged |= far >= QApplication.startDragDistance()
            if self._is_dragged:
                self.dragged.emit(at)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """Here it is dropped."""
        self._from, was_dragged, self._is_dragged = None, self._is_dragged, False
        if was_dragged:
            self.dropped.emit(event.globalPosition().toPoint())

    def mouseDoubleClickEvent(self, _event: QMouseEvent) -> None:
        """As the button does."""
        self.float_wanted.emit()


@guarded
class Stack(QStackedWidget):
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
    """A title bar over a stack of pages.

    Attributes:
        operation: Whose page is seen; "" for none.
        bar: The title.
        nothing: What is seen without a page.

    Signals:
        turned_to: The user clicked into it.
        close_wanted: Put its page away.
    """

    turned_to = Signal()
    close_wanted = Signal()

    def __init__(self, nothing: QWidget, parent: QWidget) -> None:
        super().__init__(parent)
        self.operation = ""
        self.bar = PaneTitle("", self)
        self.bar.pressed.connect(self.turned_to)
        self.bar.close_wanted.connect(self.close_wanted)
        self._stack = Stack(self)
        self.nothing = nothing
        self._stack.addWidget(nothing)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.bar)
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

    def show_page(self, operation: str, title: str, frame: ViewFrame) -> None:
        """Show a page, and no other."""
        self.keep(frame)
        self.operation = operation
        self.setObjectName(f"page_{operation}")
        self.setAccessibleName(title)
        self.setWindowTitle(title)
        self.bar.say(title)
        self.bar.show()
        self._stack.setCurrentWidget(frame)

    def show_nothing(self) -> None:
        """Show no page; those that are in it stay."""
        self.operation = ""
        self.bar.hide()
        self._stack.setCurrentWidget(self.nothing)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """A click on what takes no focus gets as far as here."""
        self.turned_to.emit()
        super().mousePressEvent(event)

    def closeEvent(self, event: QCloseEvent) -> None:
        """One that floats was closed by its frame."""
        event.ignore()
        self.close_wanted.emit()
