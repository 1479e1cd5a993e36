"""The tabs of a page that is one question at several sizes, in the place of its title."""

from collections.abc import Mapping

from PySide6.QtCore import QSignalBlocker, Qt, Signal
from PySide6.QtWidgets import QTabBar, QWidget

from explorer.text import _
from explorer.ui.guarded import guarded


@guarded
class PageTabs(QTabBar):
    """A tab a question; hidden where there are none.

    Signals:
        chosen: The question of the tab that the user turned to.
    """

    chosen = Signal(str)

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName("page_tabs")
        self.setAccessibleName(_("Tabs of this page"))
        self.setExpanding(False)
        self.setDrawBase(False)
        self.setUsesScrollButtons(False)
        self.setElideMode(Qt.TextElideMode.ElideRight)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.currentChanged.connect(self._turned)
        self.hide()

    @property
    def names(self) -> list[str]:
        """The questions of the tabs."""
        return [self.tabData(place) for place in range(self.count())]

    def show_tabs(self, tabs: Mapping[str, str], now: str) -> None:
        """Have tabs.

        Args:
            tabs: Their titles, by question.
            now: The question of the one that is seen.
        """
        with QSignalBlocker(self):
            if self.names != [*tabs]:
                while self.count():
                    self.removeTab(0)
                for name, title in tabs.items():
                    self.setTabData(self.addTab(title), name)
        self.setVisible(bool(tabs))
        self.stay_at(now)

    def stay_at(self, question: str) -> None:
        """Mark the tab that is seen, whichever was turned to."""
        if question in self.names:
            with QSignalBlocker(self):
                self.setCurrentIndex(self.names.index(question))

    def _turned(self, place: int) -> None:
        self.chosen.emit(self.tabData(place))
