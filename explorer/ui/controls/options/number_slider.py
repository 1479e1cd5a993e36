"""A slider with a field beside it; by ratios, where from 1 to 2 is as far as from 2 to 4."""

import math

from PySide6.QtCore import QSignalBlocker, Qt, Signal
from PySide6.QtGui import QWheelEvent
from PySide6.QtWidgets import QDoubleSpinBox, QHBoxLayout, QSlider, QWidget

from explorer.api.question import Number
from explorer.text import _
from explorer.ui.controls.options.number_fields import prepare_field
from explorer.ui.guarded import guarded

STEPS = 1000
NEARLY = 0.004
"""How far from a whole number the slider still means it, as a share of it."""


@guarded
class CalmSlider(QSlider):
    """A slider that leaves the wheel to the page until it has the keyboard."""

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Scroll the page, or move."""
        if self.hasFocus():
            super().wheelEvent(event)
        else:
            event.ignore()


@guarded
class CalmField(QDoubleSpinBox):
    """A number that leaves the wheel to the page until it has the keyboard."""

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Scroll the page, or count."""
        if self.hasFocus():
            super().wheelEvent(event)
        else:
            event.ignore()


class NumberSlider(QWidget):
    """Slider and field.

    Args:
        option: What it sets: its name, its range, its decimals, a key's step, and whether it
            goes by ratios.

    Attributes:
        slider: From 0 on; by ratios to STEPS.
        field: The number itself.

    Signals:
        moved: The number while the slider moves or digits are typed.
    """

    moved = Signal(float)

    def __init__(self, option: Number, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._option = option
        name, low, high = option.label, option.low, option.high
        # Without ratios it meets every number that can be written, and no other one.
        written = 10**option.decimals
        self._steps = STEPS if option.ratios else round((high - low) * written)
        single = STEPS // 100 if option.ratios else max(1, round(option.step * written))
        self.slider = CalmSlider(Qt.Orientation.Horizontal, self)
        self.slider.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.slider.setAccessibleName(_("{name}, by ratios", name=name) if option.ratios else name)
        self.slider.setRange(0, self._steps)
        self.slider.setSingleStep(single)
        self.slider.setPageStep(max(single, self._steps // 10))
        self.slider.setMinimumWidth(110)
        self.field = CalmField(self)
        prepare_field(self.field)
        self.field.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.field.setAccessibleName(name)
        self.field.setDecimals(option.decimals)
        self.field.setSingleStep(option.step)
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
        """Where a number stands on the slider."""
        low, high = self._option.low, self._option.high
        inside = min(max(value, low), high)
        if not self._option.ratios:
            return round(self._steps * (inside - low) / (high - low))
        return round(self._steps * math.log(inside / low) / math.log(high / low))

    def value_at(self, step: int) -> float:
        """The number at a step, as it is written; by ratios whole where it is nearly so."""
        low, high, share = self._option.low, self._option.high, step / self._steps
        if not self._option.ratios:
            return round(low + (high - low) * share, self._option.decimals)
        exact = low * (high / low) ** share
        if not self._option.decimals:
            # Whole numbers that differ by steps, as sizes do; both ends are reached.
            stepped = round(exact / self._option.step) * self._option.step
            return float(min(high, max(low, stepped)))
        near = round(exact)
        # A person who drags to 2 means 2, not 1.997.
        is_whole = near >= 1 and abs(exact / near - 1) < NEARLY
        return float(near) if is_whole else round(exact, self._option.decimals)

    def _slid(self, step: int) -> None:
        with QSignalBlocker(self.field):
            self.field.setValue(self.value_at(step))
        self.moved.emit(self.value())

    def _typed(self, value: float) -> None:
        with QSignalBlocker(self.slider):
            self.slider.setValue(self.step_of(value))
        self.moved.emit(value)
