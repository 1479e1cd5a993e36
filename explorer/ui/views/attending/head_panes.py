"""The two panes of the attention view: all heads, and one head in full."""

from PySide6.QtWidgets import QSizePolicy, QStackedWidget, QVBoxLayout, QWidget

from explorer.ui.matrices.attention_lines import AttentionLines
from explorer.ui.matrices.head_grid import HeadGrid
from explorer.ui.matrices.heat_map import HeatMap
from explorer.ui.views.attending.tools import HeadTools
from explorer.ui.views.state_pages import label
from explorer.ui.widgets.scrolling import scrolling


class AllHeadsPane(QWidget):
    """The grid of all heads, and what is said of it."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.about = label("headsAbout", "small", self)
        self.about.setWordWrap(True)
        self.grid = HeadGrid()
        self.area = scrolling(self.grid, "headGridArea", self)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(4)
        column.addWidget(self.about)
        column.addWidget(self.area, 1)
        self.setMinimumWidth(170)


class OneHeadPane(QWidget):
    """One head as a matrix or as lines, its tools, and what is said of it."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.tools = HeadTools(self)
        self.about = label("headAbout", "small", self)
        self.about.setWordWrap(True)
        self.heat = HeatMap("attentionMatrix", self)
        self.heat.setAccessibleName("Attention of one head")
        self.lines = AttentionLines()
        self.lines_area = scrolling(self.lines, "attentionLinesArea", self)
        self.pages = QStackedWidget(self)
        self.pages.addWidget(self.heat)
        self.pages.addWidget(self.lines_area)
        self.pages.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.lines.setToolTip(
            "Point at a token to see its lines alone; click to keep them so.\n"
            "Ctrl and a click on another head adds its lines."
        )
        self.count = label("linesCount", "small", self)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(4)
        column.addWidget(self.tools)
        column.addWidget(self.about)
        column.addWidget(self.pages, 1)
        column.addWidget(self.count)
        self.setMinimumWidth(240)

    def show_lines(self, lines: bool) -> None:
        """Lines instead of a matrix."""
        self.pages.setCurrentWidget(self.lines_area if lines else self.heat)
        self.count.setVisible(lines)

    def take_focus(self) -> None:
        """Give the keyboard to what is drawn."""
        (self.lines if self.pages.currentWidget() is self.lines_area else self.heat).setFocus()
