"""What the status line says: what the log has of the page that is shown."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer

from explorer.ui.views.frame.view_frame import FrameState

if TYPE_CHECKING:
    from explorer.ui.session_log.line import LogLine
    from explorer.ui.views.frame.view_frame import ViewFrame
    from explorer.ui.views.page_view import PageView
    from explorer.ui.window.pages.view_area import ViewArea


class LineOfPage(QObject):
    """Keeps the line at the answer on the screen, by the options of now.

    Args:
        area: The pages.
        line: Where it is said.
        current_view: The page on the screen that was used last.
    """

    def __init__(
        self, area: ViewArea, line: LogLine, current_view: Callable[[], PageView | None]
    ) -> None:
        super().__init__(line)
        self._area, self._line, self._current_view = area, line, current_view
        self._soon = QTimer(self)
        self._soon.setSingleShot(True)
        self._soon.timeout.connect(self._tell)
        area.visibility_changed.connect(self._later)
        area.current.turned.connect(self._later)

    def follow(self, view: PageView, frame: ViewFrame) -> None:
        """A page is made: it may change what is said."""
        view.settled.connect(self._later)
        frame.state_changed.connect(self._later)

    def _later(self, *_changed: object) -> None:
        """Once for all that changes at the same time."""
        self._soon.start(0)

    def _tell(self) -> None:
        area = self._area
        frame, view = area.frames.get(area.current.question), self._current_view()
        if frame is None or view is None or view.name != area.current.question:
            self._line.say()
        elif frame.state is FrameState.FAILED:
            self._line.say(view.title, answer=frame.failed_page.sentence.text())
        else:
            shown = view.shown()
            self._line.say(*(() if shown is None else view.look_first.in_one_line(shown)))
