"""A measure on a card, with room for a slider below it."""

from PySide6.QtCore import QRectF, QSize
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QFrame, QSizePolicy, QVBoxLayout, QWidget

from explorer.ui.guarded import guarded
from explorer.ui.theme import current_theme, theme_signals
from explorer.ui.views.detection.measures import Measure
from explorer.ui.widgets.state_pages import label


@guarded
class MeasurePicture(QWidget):
    """Paints a measure at whatever width it gets."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        policy = QSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)
        self.measure: Measure | None = None
        theme_signals().changed.connect(self._theme_changed)

    def show_measure(self, measure: Measure) -> None:
        """Show another one."""
        self.measure = measure
        self.setAccessibleName(measure.title)
        self.setAccessibleDescription(measure.spoken)
        self.updateGeometry()
        self.update()

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
        """Paint it."""
        if self.measure is not None:
            self.measure.paint(QPainter(self), current_theme(), QRectF(self.rect()))


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
