"""The temperature: a slider by ratios, and a field for an exact number."""

import math

from PySide6.QtCore import QSignalBlocker, Qt, Signal
from PySide6.QtWidgets import QDoubleSpinBox, QHBoxLayout, QLabel, QSlider, QWidget

from explorer.numerics.temperature import COOLEST, HOTTEST
from explorer.text.glossary import explain

STEPS = 1000


def step_of(temperature: float) -> int:
    """Where a temperature stands on the slider, 0 to STEPS, at equal ratios."""
    inside = min(max(temperature, COOLEST), HOTTEST)
    return round(STEPS * math.log(inside / COOLEST) / math.log(HOTTEST / COOLEST))


def temperature_at(step: int) -> float:
    """The temperature at a step, to two decimals, or whole where it is nearly so."""
    exact = COOLEST * (HOTTEST / COOLEST) ** (step / STEPS)
    near = round(exact)
    # A person who drags to 2 means 2, not 1.997.
    return float(near) if near >= 1 and abs(exact / near - 1) < 0.004 else round(exact, 2)


class TemperatureBox(QWidget):
    """Slider and field.

    Signals:
        moved: The temperature while the slider moves or digits are typed.
    """

    moved = Signal(float)

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName(name)
        caption = QLabel("Temperature", self)
        caption.setProperty("role", "small")
        caption.setToolTip(explain("temperature"))
        self.slider = QSlider(Qt.Orientation.Horizontal, self)
        self.slider.setObjectName(f"{name}Slider")
        self.slider.setAccessibleName("Temperature, by ratios")
        self.slider.setRange(0, STEPS)
        self.slider.setSingleStep(10)
        self.slider.setPageStep(100)
        self.slider.setMinimumWidth(110)
        self.slider.setToolTip(
            f"From {COOLEST:g} to {HOTTEST:g}, each way the same ratio. {explain('temperature')}"
        )
        self.field = QDoubleSpinBox(self)
        self.field.setObjectName(f"{name}Field")
        self.field.setAccessibleName("Temperature")
        self.field.setRange(COOLEST, HOTTEST)
        self.field.setDecimals(2)
        self.field.setSingleStep(0.25)
        self.field.setPrefix("T = ")
        self.field.setKeyboardTracking(False)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(8)
        row.addWidget(caption)
        row.addWidget(self.slider, 1)
        row.addWidget(self.field)
        self.set_temperature(1.0)
        self.slider.valueChanged.connect(self._slid)
        self.field.valueChanged.connect(self._typed)

    @property
    def temperature(self) -> float:
        """What is chosen."""
        return float(self.field.value())

    def set_temperature(self, temperature: float) -> None:
        """Show a temperature without telling."""
        if self.slider.isSliderDown():
            return
        with QSignalBlocker(self.slider), QSignalBlocker(self.field):
            self.field.setValue(temperature)
            self.slider.setValue(step_of(temperature))

    def _slid(self, step: int) -> None:
        temperature = temperature_at(step)
        with QSignalBlocker(self.field):
            self.field.setValue(temperature)
        self.moved.emit(temperature)

    def _typed(self, temperature: float) -> None:
        with QSignalBlocker(self.slider):
            self.slider.setValue(step_of(temperature))
        self.moved.emit(temperature)
