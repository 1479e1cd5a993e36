"""Files of sentences dropped on a view's frame, also where the frame shows no view."""

from pathlib import Path

from PySide6.QtCore import QEvent, QObject, Signal
from PySide6.QtGui import QDragEnterEvent, QDropEvent
from PySide6.QtWidgets import QWidget

from explorer.questions.many.file_of_sentences.sentences import ENDINGS
from explorer.ui.guarded import guarded


@guarded
class DropTarget(QObject):
    """Takes files of sentences; leaves models to the window.

    Signals:
        dropped: The file's Path.
    """

    dropped = Signal(object)

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._widget: QWidget | None = None

    def watch(self, widget: QWidget | None) -> None:
        """Take what is dropped on a widget; fine to call again."""
        if widget is not None and widget is not self._widget:
            self._widget = widget
            widget.setAcceptDrops(True)
            widget.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Look at drags and drops."""
        if watched is self._widget and isinstance(event, QDragEnterEvent | QDropEvent):
            urls = event.mimeData().urls()
            paths = [Path(url.toLocalFile()) for url in urls if url.isLocalFile()]
            if paths and paths[0].suffix.lower() in ENDINGS:
                event.acceptProposedAction()
                if not isinstance(event, QDragEnterEvent):
                    self.dropped.emit(paths[0])
                return True
        return super().eventFilter(watched, event)
