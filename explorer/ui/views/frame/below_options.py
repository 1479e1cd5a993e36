"""What stands below a page's options while there is no answer: what is missing, or what went wrong.

An option may be what is missing, or what was set wrongly, so the row of options stays where it is:
whoever types into it keeps the keyboard while the answer comes.
"""

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QObject
from PySide6.QtWidgets import QScrollArea, QVBoxLayout, QWidget

from explorer.ui.guarded import guarded
from explorer.ui.views.frame.state_pages import StatePage

ALL = 100
"""Its share of the height, beside the rest of the column, which is empty."""


@guarded
class BelowOptions(QObject):
    """A place for one widget at a time, in which it is seen instead of the answer.

    Args:
        answer: What is there else: in the column, and what stays in sight below it.
        area: What the column is scrolled in.
        column: Of the row of options and the answer.
    """

    def __init__(self, answer: Sequence[QWidget], area: QScrollArea, column: QVBoxLayout) -> None:
        super().__init__(area)
        self._answer = answer
        self._area = area
        self._column = column
        self._shown: QWidget | None = None
        area.viewport().installEventFilter(self)

    def show(self, page: QWidget | None) -> bool:
        """Show a page in the place of the answer, or the answer (None); it always can."""
        before, self._shown = self._shown, page
        if before is not None and before is not page:
            self._column.removeWidget(before)
            before.hide()
        if page is not None and before is not page:
            self._column.insertWidget(self._column.indexOf(self._answer[0]), page, ALL)
            page.show()
        for widget in self._answer:
            widget.setVisible(page is None)
        self._give_room()
        return True

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Follow the width."""
        if event.type() == QEvent.Type.Resize:
            self._give_room()
        return super().eventFilter(watched, event)

    def _give_room(self) -> None:
        """The page is seen whole: what is around it scrolls, and nothing in it."""
        if isinstance(self._shown, StatePage):
            edges = self._column.contentsMargins()
            width = self._area.viewport().width() - edges.left() - edges.right()
            self._shown.setMinimumHeight(self._shown.takes(width))
