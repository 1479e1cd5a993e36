"""What the user sets of the losses: temperature, T squared, weights, the loss in the sum."""

from PySide6.QtCore import QSignalBlocker, Signal
from PySide6.QtWidgets import QCheckBox, QComboBox, QDoubleSpinBox, QGridLayout, QLabel, QWidget

from explorer.numerics.temperature import COOLEST, HOTTEST
from explorer.questions.distillation.distillation_losses.terms import CROSS_ENTROPY, KL, Settings
from explorer.text.glossary import explain

NAMES = ("distillation", "student", "cosine")


class SettingsRow(QWidget):
    """Fields that wrap into two rows.

    Signals:
        temperature_changed: The new one.
        weights_changed: All three.
        squared_changed: Whether losses at a temperature are multiplied by T squared.
        distil_changed: Which distillation loss is in the sum.
    """

    temperature_changed = Signal(float)
    weights_changed = Signal(object)
    squared_changed = Signal(bool)
    distil_changed = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("lossSettings")
        self.temperature = self._field("lossTemperature", "Temperature of the losses", HOTTEST)
        self.temperature.setMinimum(COOLEST)
        self.temperature.setPrefix("T = ")
        self.temperature.setToolTip(explain("temperature"))
        self.temperature.valueChanged.connect(self.temperature_changed)
        self.squared = QCheckBox("times T²", self)
        self.squared.setObjectName("lossSquared")
        self.squared.setToolTip(
            "Multiply losses at a temperature by T squared, so that their gradient stays as large "
            "as that of a loss without one; the picture at the end shows why."
        )
        self.squared.toggled.connect(self.squared_changed)
        self.distil = QComboBox(self)
        self.distil.setObjectName("lossDistil")
        self.distil.setAccessibleName("Distillation loss in the weighted sum")
        self.distil.addItem("cross-entropy", CROSS_ENTROPY)
        self.distil.addItem("KL", KL)
        self.distil.setToolTip(
            "The distillation loss in the weighted sum: the paper writes the cross-entropy, the "
            "released code computes the divergence. They differ by the teacher's entropy."
        )
        self.distil.activated.connect(lambda _: self.distil_changed.emit(self.distil.currentData()))
        self.weights = tuple(
            self._field(f"lossWeight_{name}", f"Weight of the {name} loss", 1000.0)
            for name in NAMES
        )
        for weight in self.weights:
            weight.valueChanged.connect(lambda _: self.weights_changed.emit(self._weights()))
        self._lay_out()
        self.show_settings(Settings(), 2.0)

    def _field(self, name: str, title: str, most: float) -> QDoubleSpinBox:
        field = QDoubleSpinBox(self)
        field.setObjectName(name)
        field.setAccessibleName(title)
        field.setToolTip(title)
        field.setRange(0.0, most)
        field.setDecimals(2)
        field.setSingleStep(0.5)
        field.setKeyboardTracking(False)
        field.setMinimumWidth(72)
        return field

    def _lay_out(self) -> None:
        def caption(words: str) -> QLabel:
            made = QLabel(words, self)
            made.setProperty("role", "small")
            return made

        grid = QGridLayout(self)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setHorizontalSpacing(8)
        grid.setVerticalSpacing(5)
        grid.addWidget(caption("Losses at"), 0, 0)
        grid.addWidget(self.temperature, 0, 1)
        grid.addWidget(self.squared, 0, 2)
        grid.addWidget(caption("sum takes"), 0, 3)
        grid.addWidget(self.distil, 0, 4, 1, 2)
        grid.addWidget(caption("Weights"), 1, 0)
        grid.addWidget(self.weights[0], 1, 1)
        grid.addWidget(caption("distillation"), 1, 2)
        grid.addWidget(self.weights[1], 1, 3)
        grid.addWidget(caption("student"), 1, 4)
        grid.addWidget(self.weights[2], 1, 5)
        grid.addWidget(caption("cosine"), 1, 6)
        grid.setColumnStretch(7, 1)

    def _weights(self) -> tuple[float, float, float]:
        first, second, third = (float(weight.value()) for weight in self.weights)
        return first, second, third

    def show_settings(self, settings: Settings, temperature: float) -> None:
        """Show settings without telling."""
        with (
            QSignalBlocker(self.temperature),
            QSignalBlocker(self.squared),
            QSignalBlocker(self.distil),
        ):
            self.temperature.setValue(temperature)
            self.squared.setChecked(settings.squared)
            self.distil.setCurrentIndex(max(0, self.distil.findData(settings.distil)))
        for field, value in zip(self.weights, settings.weights, strict=True):
            with QSignalBlocker(field):
                field.setValue(value)
