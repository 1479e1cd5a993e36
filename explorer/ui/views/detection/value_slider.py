"""A slider for one number, with its name before it and its value behind it."""

import math

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QLabel, QSlider, QWidget

from explorer.ui.sentence.token_layout import text_width
from explorer.ui.theme.schemes import Theme, theme_signals


class ValueSlider(QWidget):
    """A number between two ends, in steps that are even, or even ratios.

    Signals:
        moved: The user moved it to this value.
    """

    moved = Signal(float)

    def __init__(
        self,
        name: str,
        words: str,
        ends: tuple[float, float],
        *,
        steps: int = 100,
        logarithmic: bool = False,
        written: str = "{:.2f}",
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.setObjectName(name)
        self._ends, self._steps, self._logarithmic = ends, steps, logarithmic
        self._written = written
        self.value = ends[0]
        self.caption = QLabel(words, self)
        self.caption.setProperty("role", "small")
        self.slider = QSlider(Qt.Orientation.Horizontal, self)
        self.slider.setObjectName(f"{name}Slider")
        self.slider.setAccessibleName(words)
        self.slider.setRange(0, steps)
        self.slider.setPageStep(max(1, steps // 10))
        self.slider.setMinimumWidth(70)
        self.slider.valueChanged.connect(self._moved)
        self.readout = QLabel(self)
        self.readout.setObjectName(f"{name}Value")
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(6)
        row.addWidget(self.caption)
        row.addWidget(self.slider, 1)
        row.addWidget(self.readout)
        theme_signals().changed.connect(self._measure)
        self._measure()
        self.set_value(ends[0])

    def _measure(self, _theme: object = None) -> None:
        """The readout keeps its width while the number changes."""
        self.readout.setFont(Theme.font("strong"))
        widest = max(text_width("strong", self._written.format(end)) for end in self._ends)
        self.readout.setMinimumWidth(int(widest) + 4)

    def set_value(self, value: float) -> None:
        """Show a value without telling."""
        self.value = min(max(value, self._ends[0]), self._ends[1])
        self.slider.blockSignals(True)
        self.slider.setValue(self._place_of(self.value))
        self.slider.blockSignals(False)
        self.readout.setText(self._written.format(self.value))

    def _place_of(self, value: float) -> int:
        low, high = self._ends
        if self._logarithmic:
            share = math.log(value / low) / math.log(high / low)
        else:
            share = (value - low) / (high - low)
        return round(share * self._steps)

    def _moved(self, place: int) -> None:
        low, high = self._ends
        share = place / self._steps
        value = low * (high / low) ** share if self._logarithmic else low + (high - low) * share
        # As it is read, so that what is kept is what was seen.
        self.value = float(self._written.format(value))
        self.readout.setText(self._written.format(self.value))
        self.moved.emit(self.value)
