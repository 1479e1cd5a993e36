"""A matrix of numbers as colours, with its labels always in view.

The cells in sight are one image with a colour a cell, enlarged without smoothing; cells smaller
than a pixel are pooled so that the strongest is seen.
"""

from collections.abc import Callable, Mapping
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QPointF, QRectF, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QMouseEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QApplication, QSizePolicy, QWidget

from explorer.text import _
from explorer.text.bidi import isolated
from explorer.ui.blocks.figure import Figure
from explorer.ui.charts.plot_view import ARROWS, CHOOSE, PlotView
from explorer.ui.guarded import guarded
from explorer.ui.matrices.heat_layout import HeatContent, HeatLayout, cut_label_at
from explorer.ui.matrices.heat_painting import heat_figure
from explorer.ui.matrices.scale import number
from explorer.ui.theme.schemes import Theme, current_theme

if TYPE_CHECKING:
    from explorer.ui.matrices.heat_canvas import HeatCanvas

Cell = tuple[int, int]


@guarded
class HeatMap(PlotView["HeatCanvas"]):
    """Rows x columns of coloured cells.

    Arrow keys go from cell to cell, Return clicks.

    Signals:
        clicked: Row and column.
    """

    clicked = Signal(int, int)

    def __init__(self, name: str = "heatMap", parent: QWidget | None = None) -> None:
        super().__init__(name, parent)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.wheel_zooms = True
        self._content: HeatContent | None = None
        self._chosen: Cell | None = None
        self._clicked: Cell | None = None
        self._patience = QTimer(self, singleShot=True)
        self._patience.timeout.connect(self._click)

    # ---- what it shows ----------------------------------------------------------------------

    @property
    def content(self) -> HeatContent | None:
        """What is shown now."""
        return self._content

    @property
    def pointed(self) -> Cell | None:
        """Row and column of the marked cell."""
        cell: Cell | None = self._pointed
        return cell

    def set_content(self, content: HeatContent | None) -> None:
        """Show something else; where labels stay the same, so do zoom and place."""
        old, self._content = self._content, content
        if old is content:
            return
        same = (
            old is not None
            and content is not None
            and (old.rows, old.columns) == (content.rows, content.columns)
        )
        if not same:
            self._pointed = self._clicked = self._chosen = None
        if content is None or not content.values.size:
            self._forget_scene()
        elif self.canvas is not None:
            self.canvas.show(content)
            self._arrange()
            if not same:
                self.canvas.reset()
        self._describe()
        self.update()

    def _make_scene(self) -> "HeatCanvas | None":
        if self._content is None or not self._content.values.size:
            return None
        from explorer.ui.matrices.heat_canvas import HeatCanvas

        return HeatCanvas(self._content, self)

    def _arrange(self) -> None:
        if self.canvas is not None:
            self.canvas.arrange(self.width(), self.height())

    def _shape(self) -> object:
        return self._content.values.shape if self._content is not None else None

    def layout_now(self) -> HeatLayout | None:
        """Where everything stands; None without content."""
        canvas = self._drawn()
        return canvas.at if canvas is not None else None

    def figure(self, width: float, theme: Theme) -> Figure | None:
        """All of it as a picture, whatever part is zoomed in on; None without content."""
        return heat_figure(self._content, width, theme) if self._content is not None else None

    def words_at(self, row: int, column: int) -> str:
        """What a cell says: "cat → sat: 0.1234"."""
        content = self._content
        if content is None:
            return ""
        if content.said is not None:
            return content.said(row, column)
        at = f"{isolated(content.rows[row])} → {isolated(content.columns[column])}"
        if content.is_blocked(row, column):
            return f"{at}: {content.blocked_words or 'none'}"
        return f"{at}: {number(float(content.values[row, column]), signed=content.signed)}"

    def _said_of(self, cell: Cell) -> str:
        return self.words_at(*cell)

    def _describe(self) -> None:
        if self._content is None:
            self.setAccessibleDescription("")
        elif self._pointed is not None:
            self.setAccessibleDescription(self.words_at(*self._pointed))
        else:
            size = _(
                "{rows} rows and {columns} columns.",
                rows=len(self._content.rows),
                columns=len(self._content.columns),
            )
            self.setAccessibleDescription(size)

    def _place_at(self, point: QPointF) -> Cell | None:
        at = self.layout_now()
        return at.cell_at(point, self._content) if at is not None and self._content else None

    def _box_of(self, cell: Cell | None) -> QRectF | None:
        at = self.layout_now()
        return at.box(*cell) if at is not None and cell is not None else None

    def _tip_at(self, point: QPointF) -> str:
        """The whole of a label that is cut."""
        at, content = self.layout_now(), self._content
        return "" if at is None or content is None else cut_label_at(content, at, point)

    # ---- events -----------------------------------------------------------------------------

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Paint what is in sight."""
        canvas = self._drawn()
        if canvas is None:
            return
        theme = current_theme()
        painter = QPainter(self)
        canvas.pointed = self._pointed
        canvas.render(painter)
        self._paint_bubble(painter, theme)
        self._paint_ring(painter, theme, canvas.plane.adjusted(-0.5, -0.5, -0.5, -0.5))

    def _choose_place(self, cell: Cell | None, _event: QMouseEvent) -> None:
        if cell is None:
            return
        self._chosen = cell
        if self.canvas is not None and self.canvas.is_zoomed:
            # It may be half of a double click, which shows everything and chooses nothing.
            self._clicked = cell
            self._patience.start(QApplication.doubleClickInterval())
        else:
            self.clicked.emit(*cell)

    def _click(self) -> None:
        if self._clicked is not None:
            cell, self._clicked = self._clicked, None
            self.clicked.emit(*cell)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """Show everything."""
        self._clicked = None
        self._patience.stop()
        super().mouseDoubleClickEvent(event)

    def _keys(self) -> Mapping[Qt.Key, Callable[[], None]]:
        keys: dict[Qt.Key, Callable[[], None]] = {}
        if self._content is not None and self._content.values.size:
            turned = -1 if self._content.from_right else 1
            for key, (down, right) in ARROWS.items():
                keys[key] = partial(self._step, down, right * turned)
        if self._pointed is not None:
            keys |= dict.fromkeys(CHOOSE, partial(self.clicked.emit, *self._pointed))
        return keys

    def _step(self, down: int, right: int) -> None:
        assert self._content is not None
        if self._pointed is None:
            self._by_key(self._chosen or (0, 0))
            return
        row = min(max(self._pointed[0] + down, 0), len(self._content.rows) - 1)
        column = min(max(self._pointed[1] + right, 0), len(self._content.columns) - 1)
        self._by_key((row, column))

    def sizeHint(self) -> QSize:
        """A square."""
        return QSize(420, 420)

    def minimumSizeHint(self) -> QSize:
        """Small enough for any dock."""
        return QSize(140, 120)
