"""The front door for models: every one there is, over the window, and away once one is chosen."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, QPoint, QRect, Qt
from PySide6.QtGui import QKeyEvent, QMouseEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QFrame, QVBoxLayout, QWidget

from explorer.ui.guarded import guarded
from explorer.ui.library.actions import LibraryActions
from explorer.ui.library.panel.panel import Library
from explorer.ui.theme.chrome import zoomed
from explorer.ui.theme.schemes import current_theme

WIDE, HIGH = 860, 560
"""Pixels at the usual size of text, where the window has them."""
EDGE = 8
"""Pixels to the window's edges, and below what it opens from."""
SHADE = 70
"""Of 255: how much the window is darkened below it."""


@guarded
class ModelPicker(QWidget):
    """It lies over the whole window and moves nothing in it; a click beside it puts it away.

    Attributes:
        library: Search, list, details and buttons.
    """

    def __init__(self, actions: LibraryActions, window: QWidget) -> None:
        # Tab stays in what is a window to Qt.
        super().__init__(window, Qt.WindowType.SubWindow)
        self.setObjectName("model_picker")
        self._frame = QFrame(self)
        self._frame.setObjectName("model_picker_frame")
        self.library = Library(actions, self._frame)
        inside = QVBoxLayout(self._frame)
        inside.setContentsMargins(1, 1, 1, 1)
        inside.addWidget(self.library)
        self._anchor: QWidget | None = None
        self._before: QWidget | None = None
        self.library.left.connect(self.put_away)
        self.library.taken.connect(self.put_away)
        # Their dialogs stand over the window.
        self.library.folder_wanted.connect(self.put_away)
        self.library.published_wanted.connect(self.put_away)
        self.library.search_wanted.connect(self.put_away)
        self.library.table_wanted.connect(self.put_away)
        self.library.revisions_wanted.connect(self.put_away)
        actions.revisions_wanted.connect(self.put_away)
        window.installEventFilter(self)
        self.hide()

    def open(self, slot: str = "", anchor: QWidget | None = None) -> None:
        """Choose a model for a slot.

        Args:
            slot: "" for the one that answers.
            anchor: Below what it opens; None for the window's middle.
        """
        if self.isHidden():
            self._before = self.window().focusWidget()
            # What was searched for last time hides models that are wanted now.
            self.library.filter_box.clear()
        self.library.aim(slot)
        self.reopen(anchor)

    def reopen(self, anchor: QWidget | None = None) -> None:
        """Open with what is searched for and chosen in it already."""
        self._anchor = anchor
        self._place()
        self.show()
        self.raise_()
        self.library.filter_box.setFocus(Qt.FocusReason.PopupFocusReason)
        self.library.filter_box.selectAll()

    def put_away(self) -> None:
        """Away, and the keyboard back to where it was."""
        if self.isHidden():
            return
        before, self._before = self._before, None
        self.hide()
        if before is not None and before.isVisible():
            before.setFocus(Qt.FocusReason.OtherFocusReason)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """The window has another size."""
        if event.type() == QEvent.Type.Resize and not self.isHidden():
            self._place()
        return super().eventFilter(watched, event)

    def event(self, event: QEvent) -> bool:
        """Escape is its own, whatever else the window would leave by it."""
        if (
            event.type() == QEvent.Type.ShortcutOverride
            and isinstance(event, QKeyEvent)
            and event.key() == Qt.Key.Key_Escape
        ):
            event.accept()
            return True
        return super().event(event)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """A click beside it."""
        if not self._frame.geometry().contains(event.position().toPoint()):
            self.put_away()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Darken what lies below."""
        shade = current_theme().text if current_theme().scheme == "light" else Qt.GlobalColor.black
        painter = QPainter(self)
        painter.setOpacity(SHADE / 255)
        painter.fillRect(event.rect(), shade)

    def _place(self) -> None:
        window = self.window()
        self.setGeometry(window.rect())
        anchor, left, top = self._anchor, (window.width() - zoomed(WIDE)) // 2, 48
        if anchor is not None and anchor.isVisible():
            below = anchor.mapTo(window, QPoint(0, anchor.height()))
            left, top = below.x(), below.y() + EDGE // 2
        wide = min(zoomed(WIDE), window.width() - 2 * EDGE)
        high = min(zoomed(HIGH), max(window.height() - top - EDGE, window.height() // 2))
        left = max(EDGE, min(left, window.width() - wide - EDGE))
        top = max(EDGE, min(top, window.height() - high - EDGE))
        self._frame.setGeometry(QRect(left, top, wide, high))
