"""A slider by ratios with a field beside it: from 1 to 2 is as far as from 2 to 4."""

import math

from PySide6.QtCore import QSignalBlocker, Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QSlider, QWidget

from explorer.text import _
from explorer.ui.controls.number_fields import number_field

STEPS = 1000
NEARLY = 0.004
"""How far from a whole number the slider still means it, as a share of it."""


class RatioSlider(QWidget):
    """Slider and field.

    Attributes:
        slider: From 0 to STEPS.
        field: The number itself.

    Signals:
        moved: The number while the slider moves or digits are typed.
    """

    moved = Signal(float)

    def __init__(self, name: str, low: float, high: float, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._low, self._high = low, high
        self.slider = QSlider(Qt.Orientation.Horizontal, self)
        self.slider.setAccessibleName(_("{name}, by ratios", name=name))
        self.slider.setRange(0, STEPS)
        self.slider.setSingleStep(STEPS // 100)
        self.slider.setPageStep(STEPS // 10)
        self.slider.setMinimumWidth(110)
        self.field = number_field(self)
        self.field.setAccessibleName(name)
        self.field.setRange(low, high)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(8)
        row.addWidget(self.slider, 1)
        row.addWidget(self.field)
        self.setFocusProxy(self.slider)
        self.slider.valueChanged.connect(self._slid)
        self.field.valueChanged.connect(self._typed)

    def value(self) -> float:
        """The number."""
        return float(self.field.value())

    def show_value(self, value: float) -> None:
        """Show a number without telling; what the user drags stays in the hand."""
        if self.slider.isSliderDown():
            return
        with QSignalBlocker(self.slider), QSignalBlocker(self.field):
            self.field.setValue(value)
            self.slider.setValue(self.step_of(value))

    def step_of(self, value: float) -> int:
        """Where a number stands on the slider, at equal ratios."""
        inside = min(max(value, self._low), self._high)
        return round(STEPS * math.log(inside / self._low) / math.log(self._high / self._low))

    def value_at(self, step: int) -> float:
        """The number at a step, to two decimals, or whole where it is nearly so."""
        exact = self._low * (self._high / self._low) ** (step / STEPS)
        near = round(exact)
        # A person who drags to 2 means 2, not 1.997.
        is_whole = near >= 1 and abs(exact / near - 1) < NEARLY
        return float(near) if is_whole else round(exact, 2)

    def _slid(self, step: int) -> None:
        with QSignalBlocker(self.field):
            self.field.setValue(self.value_at(step))
        self.moved.emit(self.value())

    def _typed(self, value: float) -> None:
        with QSignalBlocker(self.slider):
            self.slider.setValue(self.step_of(value))
        self.moved.emit(value)
