"""Files dropped on a view's frame, also where the frame shows no view."""

from pathlib import Path
from typing import Any

from PySide6.QtCore import QEvent, QObject, Signal
from PySide6.QtGui import QDragEnterEvent, QDropEvent
from PySide6.QtWidgets import QWidget

from explorer.api.question import FilePath, Option
from explorer.ui.guarded import guarded
from explorer.ui.views.frame.view_frame import ViewFrame


def is_dropped(option: Option[Any]) -> bool:
    """Whether an option is set by files that are dropped."""
    return isinstance(option, FilePath) and bool(option.endings or option.takes)


@guarded
class DroppedFiles(QObject):
    """Takes files that an option takes; leaves models to the window.

    Signals:
        dropped: The option, and the file's path.
    """

    dropped = Signal(object, str)

    def __init__(self, option: Option[Any], parent: QObject) -> None:
        super().__init__(parent)
        assert isinstance(option, FilePath)
        self._option = option
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
            if paths and self._is_taken(paths[0]):
                event.acceptProposedAction()
                if not isinstance(event, QDragEnterEvent):
                    self.dropped.emit(self._option, str(paths[0]))
                return True
        return super().eventFilter(watched, event)

    def _is_taken(self, path: Path) -> bool:
        takes = self._option.takes
        return path.suffix.lower() in self._option.endings if takes is None else takes(path)


def frame_around(page: QWidget) -> ViewFrame | None:
    """The frame that a page stands in; None before it stands in one."""
    around = page.parentWidget()
    while around is not None and not isinstance(around, ViewFrame):
        around = around.parentWidget()
    return around
