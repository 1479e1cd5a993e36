"""How far a page is scrolled: where it was the last time, or to a heading that is kept in sight."""

from PySide6.QtCore import QCoreApplication, QEvent, QObject, QTimer
from PySide6.QtWidgets import QVBoxLayout, QWidget

from explorer.ui.blocks.page.focus import is_called
from explorer.ui.blocks.widget.painted import PaintedPage
from explorer.ui.controls.scrolling import BAR, scrolling

MARGIN, TOP, SPACING = 14, 6, 6
ABOVE = 6
"""Pixels left above a heading."""


class PageScroll(QObject):
    """Scrolls a page once it is laid out; whoever scrolls it meanwhile is not disturbed.

    Args:
        page: What is scrolled.
        name: Of the area.
        parent: The area's.

    Attributes:
        area: Where the page is.
    """

    def __init__(self, page: PaintedPage, name: str, parent: QWidget) -> None:
        super().__init__(parent)
        inside = QWidget(parent)
        self._column = QVBoxLayout(inside)
        self._column.setContentsMargins(MARGIN, TOP, MARGIN - BAR, MARGIN)
        self._column.setSpacing(SPACING)
        self._column.addWidget(page)
        self._column.addStretch(1)
        self.area = scrolling(inside, name, parent, keeps_bar=True)
        self._page, self._bar = page, self.area.verticalScrollBar()
        self._at_first = 0
        self._heading = ""
        self._placed: int | None = None
        self._bar.rangeChanged.connect(self._laid_out)

    @property
    def far(self) -> int:
        """How far it is scrolled, in pixels; where it will be while there is nothing to scroll."""
        return self._at_first or self._bar.value()

    def stretch(self) -> None:
        """Give the page its height now: Qt would paint it at that of before, and then anew."""
        if self.area.isVisible():
            self._column.activate()
            QCoreApplication.sendEvent(self.area, QEvent(QEvent.Type.LayoutRequest))

    def begin_at(self, far: int) -> None:
        """Scroll so far, in pixels, once the first answer is laid out."""
        self._at_first = far

    def bring_to_top(self, heading: str) -> None:
        """Keep a heading, in English, at the upper edge until somebody scrolls; "" to keep none.

        It is looked for anew whenever an answer is laid out, and stays where it is when letters or
        the window become larger.
        """
        self._heading, self._placed = heading, None
        self._place()

    def settle(self) -> None:
        """An answer is drawn: what comes later begins at the top, or at the heading."""
        QTimer.singleShot(0, self, self._settled)

    def _laid_out(self, _least: int, most: int) -> None:
        if self._at_first and most > 0 and self._page.page is not None:
            far, self._at_first = self._at_first, 0
            self._bar.setValue(min(far, most))
        self._place()

    def _settled(self) -> None:
        if self.area.isVisible():
            self._at_first = 0
        self._place()

    def _place(self) -> None:
        page = self._page.page
        if not self._heading or page is None:
            return
        if self._placed is not None and self._placed != self._bar.value():
            self._heading = ""
            return
        box = next((one.box for one in page.nodes if is_called(one.name, self._heading)), None)
        if box is not None:
            self._bar.setValue(round(self._page.y() + box.top() - ABOVE))
            self._placed = self._bar.value()
