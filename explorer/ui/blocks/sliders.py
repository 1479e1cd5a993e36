"""Numbers to be changed on a page: on screen a slider with a field for each, else nothing."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QGridLayout, QLabel, QWidget

from explorer.api.question import Number
from explorer.ui.blocks.panel import Panel
from explorer.ui.controls.options.number_slider import NumberSlider
from explorer.ui.controls.plain_words import plain_label, plain_tip
from explorer.ui.guarded import guarded
from explorer.ui.typesetting.one_line import text_height

if TYPE_CHECKING:
    from explorer.ui.blocks.page.page import Gesture

ONE_COLUMN = 560.0
"""Pixels below which they stand in one column."""
BETWEEN, AROUND = 4, 4


@dataclass(frozen=True)
class SetNumber:
    """A number that can be set.

    Attributes:
        key: Which one it is.
        option: What it is called, within which range and by which steps it goes.
        value: What it is now.
        act: From a number while the slider moves, or once it is typed, to a gesture.
        why_not: Why it can't be set; "" where it can.
    """

    key: str
    option: Number
    value: float
    act: "Callable[[float], Gesture]"
    why_not: str = ""


def number_sliders(numbers: Sequence[SetNumber]) -> Panel:
    """A block: a slider for each number, in two columns where there is room."""

    def height(width: float) -> float:
        rows = _rows(len(numbers), width)
        return rows * (text_height("body") + 12 + BETWEEN) - BETWEEN + 2 * AROUND

    return Panel(Sliders, tuple(numbers), height)


def _rows(count: int, width: float) -> int:
    return count if width < ONE_COLUMN else -(-count // 2)


@guarded
class Sliders(QWidget):
    """Shows numbers and tells when one is moved; it keeps none itself.

    Attributes:
        sliders: By the numbers' keys.

    Signals:
        chosen: Nothing: it has no places with keys.
        acted: The gesture of a number that is set.
    """

    chosen = Signal(object)
    acted = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("sliders")
        self._numbers: dict[str, SetNumber] = {}
        self._labels: dict[str, QLabel] = {}
        self.sliders: dict[str, NumberSlider] = {}
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(0, AROUND, 0, AROUND)
        self._grid.setHorizontalSpacing(10)
        self._grid.setVerticalSpacing(BETWEEN)

    def show_content(self, numbers: Sequence[SetNumber]) -> None:
        """Show numbers, without telling."""
        if [one.option for one in numbers] != [one.option for one in self._numbers.values()]:
            self._make(numbers)
        self._numbers = {one.key: one for one in numbers}
        for one in numbers:
            slider = self.sliders[one.key]
            slider.setEnabled(not one.why_not)
            slider.setToolTip(plain_tip(one.why_not or one.option.tip))
            slider.show_value(one.value)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """In one column where there is too little room for two."""
        super().resizeEvent(event)
        self._place()
        self._grid.activate()

    def _make(self, numbers: Sequence[SetNumber]) -> None:
        for old in (*self._labels.values(), *self.sliders.values()):
            old.deleteLater()
        self._labels = {one.key: plain_label(self, one.option.label) for one in numbers}
        self.sliders = {one.key: NumberSlider(one.option, self) for one in numbers}
        for key, label in self._labels.items():
            label.setProperty("role", "small")
            self.sliders[key].slider.setMinimumWidth(60)
            self.sliders[key].moved.connect(lambda value, key=key: self._set(key, value))
            label.show()
            self.sliders[key].show()
        self._place()

    def _place(self) -> None:
        """Put them into one column or two."""
        rows = max(1, _rows(len(self.sliders), self.width()))
        for number, (key, slider) in enumerate(self.sliders.items()):
            row, column = number % rows, 2 * (number // rows)
            self._grid.addWidget(self._labels[key], row, column)
            self._grid.addWidget(slider, row, column + 1)
        self._grid.setColumnStretch(1, 1)
        self._grid.setColumnStretch(3, int(len(self.sliders) > rows))

    def _set(self, key: str, value: float) -> None:
        self.acted.emit(self._numbers[key].act(value))
