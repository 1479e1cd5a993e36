"""A measure on a card, with room for a slider below it."""

from PySide6.QtCore import QRectF, QSize, Signal
from PySide6.QtGui import QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QFrame, QSizePolicy, QVBoxLayout, QWidget

from explorer.ui.charts.chart_view import ChartView
from explorer.ui.guarded import guarded
from explorer.ui.theme.schemes import current_theme, theme_signals
from explorer.ui.views.detection.measures import Measure
from explorer.ui.views.state_pages import label


@guarded
class MeasurePicture(QWidget):
    """Shows a measure at whatever width it gets; a chart in it can be looked into.

    Signals:
        chosen: (key, number) when a marker in the chart was dragged somewhere else.
    """

    chosen = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        policy = QSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)
        self.measure: Measure | None = None
        self.chart: ChartView | None = None
        theme_signals().changed.connect(self._theme_changed)

    def show_measure(self, measure: Measure) -> None:
        """Show another one."""
        self.measure = measure
        self.setAccessibleName(measure.title)
        self.setAccessibleDescription(measure.spoken)
        if measure.chart is not None:
            if self.chart is None:
                self.chart = ChartView("measureChart", self)
                self.chart.chosen.connect(self.chosen)
            self.chart.show_content(measure.chart)
            self.chart.setAccessibleName(measure.title)
        if self.chart is not None:
            self.chart.setVisible(measure.chart is not None)
        self._place_chart()
        self.updateGeometry()
        self.update()

    def _place_chart(self) -> None:
        if self.chart is not None and self.measure is not None:
            self.chart.setGeometry(self.measure.place(self.width()).toAlignedRect())

    def resizeEvent(self, event: QResizeEvent) -> None:
        """The chart takes its place."""
        super().resizeEvent(event)
        self._place_chart()

    def _theme_changed(self, _theme: object) -> None:
        self.updateGeometry()
        self.update()

    def hasHeightForWidth(self) -> bool:
        """Texts wrap."""
        return True

    def heightForWidth(self, width: int) -> int:
        """What the measure needs."""
        return 0 if self.measure is None else int(self.measure.height(width) + 0.999)

    def sizeHint(self) -> QSize:
        """A card's width."""
        return QSize(250, self.heightForWidth(250))

    def minimumSizeHint(self) -> QSize:
        """Narrower it can't be read."""
        return QSize(200, self.heightForWidth(max(200, self.width())))

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Paint what is no chart."""
        if self.measure is not None:
            self.measure.still(QPainter(self), current_theme(), QRectF(self.rect()))


class MeasureCard(QFrame):
    """A title, a measure, and whatever changes it."""

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName(name)
        self.setProperty("card", "true")
        self.title = label(f"{name}Title", "strong", self)
        self.picture = MeasurePicture(self)
        self.column = QVBoxLayout(self)
        self.column.setContentsMargins(14, 10, 14, 12)
        self.column.setSpacing(6)
        self.column.addWidget(self.title)
        self.column.addWidget(self.picture)
        self.column.addStretch(1)

    def show_measure(self, measure: Measure) -> None:
        """Show another one."""
        self.title.setText(measure.title)
        self.picture.show_measure(measure)

    def add_below(self, widget: QWidget) -> None:
        """Put a slider under the picture."""
        self.column.insertWidget(2, widget)
