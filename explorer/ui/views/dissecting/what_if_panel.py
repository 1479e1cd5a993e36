"""Sliders and boxes for the numbers of an architecture."""

import math
from collections.abc import Collection, Mapping
from typing import Any

from PySide6.QtCore import QSignalBlocker, Qt, Signal
from PySide6.QtWidgets import (
    QComboBox,
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QSlider,
    QSpinBox,
    QWidget,
)

from explorer.api import Blueprint
from explorer.questions.architecture.architecture.what_if import (
    FIELDS,
    NOTES_CHANGES,
    SHARING,
    SHARINGS,
    sharing_of,
)

STEPS = 1000
LIMITS = {
    "vocabulary": (100, 500_000, 100),
    "embedding_size": (8, 16_384, 8),
    "hidden_size": (8, 16_384, 8),
    "layers": (1, 128, 1),
    "heads": (1, 128, 1),
    "feed_forward_size": (8, 131_072, 8),
}
"""Smallest, largest, and the step of the slider; a box takes any number between."""

WORDS = {
    "vocabulary": ("Vocabulary V", "Number of pieces"),
    "embedding_size": ("Embedding E", "Width of a piece's embedding"),
    "hidden_size": ("Hidden H", "Width of a hidden state"),
    "layers": ("Layers", "In every stack"),
    "heads": ("Heads", "Attention heads in a layer"),
    "feed_forward_size": ("Feed-forward F", "Inner width of the feed-forward networks"),
}
FIXED = "In this family it follows from the other numbers"
SHARED = {
    "none": "no layer shares",
    "attention": "layers share attention",
    "feed_forward": "layers share feed-forward",
    "all": "layers share everything",
}


class WhatIfPanel(QWidget):
    """Changes a blueprint's numbers.

    Signals:
        moved: All values while a slider or box changes.
        chosen: All values after a choice, or None to begin anew.
    """

    moved = Signal(object)
    chosen = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("whatIfPanel")
        self._values: dict[str, Any] = {}
        self.sliders: dict[str, QSlider] = {}
        self.boxes: dict[str, QSpinBox] = {}
        grid = QGridLayout(self)
        grid.setContentsMargins(14, 4, 14, 4)
        grid.setHorizontalSpacing(10)
        grid.setVerticalSpacing(3)
        for number, name in enumerate(FIELDS):
            self._add_row(grid, number, name)
        for column in (1, 4):
            grid.setColumnStretch(column, 1)
        self.sharing = QComboBox(self)
        self.sharing.setObjectName("whatIfSharing")
        self.sharing.setAccessibleName("Which weights layers share")
        for key in SHARINGS:
            self.sharing.addItem(SHARED[key], key)
        self.sharing.activated.connect(self._share)
        self.reset = QPushButton("As it is", self)
        self.reset.setObjectName("whatIfReset")
        self.reset.setToolTip("Take all changes back")
        self.reset.clicked.connect(lambda: self.chosen.emit(self._beginning()))
        self.notes = QPushButton("The notes' example", self)
        self.notes.setObjectName("whatIfNotes")
        self.notes.setToolTip("30,000 x 64 + 64 x 768 in the place of 30,000 x 768")
        self.notes.clicked.connect(
            lambda: self.chosen.emit({"base": "notes", **dict(NOTES_CHANGES)})
        )
        self.model = QPushButton("This model", self)
        self.model.setObjectName("whatIfModel")
        self.model.setToolTip("Begin with the model that is shown on the other pages")
        self.model.clicked.connect(lambda: self.chosen.emit(None))
        row = QHBoxLayout()
        for widget in (self.sharing, self.reset, self.notes, self.model):
            row.addWidget(widget)
        row.addStretch(1)
        grid.addLayout(row, 3, 0, 1, 6)

    def _add_row(self, grid: QGridLayout, number: int, name: str) -> None:
        words, tip = WORDS[name]
        low, high, _ = LIMITS[name]
        label = QLabel(words, self)
        label.setProperty("role", "small")
        slider = QSlider(Qt.Orientation.Horizontal, self)
        slider.setObjectName(f"whatIf_{name}_slider")
        slider.setAccessibleName(words)
        slider.setToolTip(tip)
        slider.setRange(0, STEPS)
        slider.setMinimumWidth(60)
        slider.valueChanged.connect(lambda place: self._move(name, place))
        box = QSpinBox(self)
        box.setObjectName(f"whatIf_{name}")
        box.setAccessibleName(words)
        box.setToolTip(tip)
        box.setRange(low, high)
        box.setGroupSeparatorShown(True)
        box.setKeyboardTracking(False)
        box.valueChanged.connect(lambda value: self._set(name, value))
        self.sliders[name], self.boxes[name] = slider, box
        row, column = number % 3, 3 * (number // 3)
        for offset, widget in enumerate((label, slider, box)):
            grid.addWidget(widget, row, column + offset)

    def show_values(
        self, now: Blueprint, values: Mapping[str, Any], possible: Collection[str]
    ) -> None:
        """Show what the document says, without telling.

        Args:
            now: What was counted last.
            values: What is changed, counted or not yet.
            possible: What this model can take; the rest can't be moved.
        """
        self._values = dict(values)
        for name in FIELDS:
            value = int(values.get(name, getattr(now, name)))
            tip = WORDS[name][1] if name in possible else FIXED
            for widget in (self.sliders[name], self.boxes[name]):
                widget.setEnabled(name in possible)
                widget.setToolTip(tip)
            with QSignalBlocker(self.sliders[name]), QSignalBlocker(self.boxes[name]):
                self.boxes[name].setValue(value)
                if not self.sliders[name].isSliderDown():
                    self.sliders[name].setValue(place_of(name, value))
        self.sharing.setEnabled(SHARING in possible)
        with QSignalBlocker(self.sharing):
            key = values.get(SHARING, sharing_of(now))
            self.sharing.setCurrentIndex(self.sharing.findData(key))

    def _beginning(self) -> dict[str, Any] | None:
        return {"base": "notes"} if self._values.get("base") == "notes" else None

    def _move(self, name: str, place: int) -> None:
        self._set(name, value_at(name, place))

    def _set(self, name: str, value: int) -> None:
        self.moved.emit({**self._values, name: int(value)})

    def _share(self, index: int) -> None:
        self.chosen.emit({**self._values, "sharing": self.sharing.itemData(index)})


def value_at(name: str, place: int) -> int:
    """The number at a place of a slider; the scale is logarithmic."""
    low, high, step = LIMITS[name]
    value: float = low * (high / low) ** (place / STEPS)
    return min(high, max(low, round(value / step) * step))


def place_of(name: str, value: int) -> int:
    """The place of a number on its slider."""
    low, high, _ = LIMITS[name]
    share = math.log(min(max(value, low), high) / low) / math.log(high / low)
    return round(STEPS * share)
