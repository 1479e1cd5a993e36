"""Sliders and boxes for the numbers of an architecture."""

import math
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any

from PySide6.QtCore import QSignalBlocker, Qt, Signal
from PySide6.QtGui import QResizeEvent, QWheelEvent
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

from explorer.api.family import FIELDS, SHARING, SHARINGS, Blueprint, sharing_of
from explorer.document import Document
from explorer.questions.architecture.architecture.question import CHANGES, CHECKPOINT, is_example
from explorer.questions.architecture.architecture.what_if.changes import NOTES, NOTES_CHANGES
from explorer.text import N_, _
from explorer.ui.blocks import (
    Move,
    guarded,
    plain_label,
    plain_tip,
    prepare_field,
    set_options,
    text_height,
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
    "vocabulary": (N_("Vocabulary V"), N_("Number of tokens it has")),
    "embedding_size": (N_("Embedding E"), N_("Width of a token's embedding")),
    "hidden_size": (N_("Hidden H"), N_("Width of a hidden state")),
    "layers": (N_("Layers"), N_("In every stack")),
    "heads": (N_("Heads"), N_("Attention heads in a layer")),
    "feed_forward_size": (N_("Feed-forward F"), N_("Inner width of the feed-forward networks")),
}
FIXED = N_("In this family it follows from the other numbers")
SHARED = {
    "none": N_("No layer shares"),
    "attention": N_("Layers share attention"),
    "feed_forward": N_("Layers share feed-forward"),
    "all": N_("Layers share everything"),
}


ONE_COLUMN = 560.0
"""Pixels below which the sliders stand in one column."""


@dataclass(frozen=True)
class WhatIfNumbers:
    """What the panel shows.

    Attributes:
        document: The one of now.
        counted: What was counted last.
        values: What is changed, counted or not yet.
        possible: What this model can take; the rest can't be moved.
    """

    document: Document
    counted: Blueprint
    values: Mapping[str, Any]
    possible: Collection[str]


def panel_height(width: float) -> float:
    """What the panel needs at a width."""
    rows = len(FIELDS) if width < ONE_COLUMN else len(FIELDS) // 2
    return rows * (_row_height() + 5) + _row_height() + 17


def _row_height() -> float:
    return text_height("body") + 12


@guarded
class WhatIfSlider(QSlider):
    """A slider that leaves the wheel to the page until it has the keyboard."""

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Scroll the page, or move."""
        if self.hasFocus():
            super().wheelEvent(event)
        else:
            event.ignore()


@guarded
class WhatIfBox(QSpinBox):
    """A number that leaves the wheel to the page until it has the keyboard."""

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Scroll the page, or count."""
        if self.hasFocus():
            super().wheelEvent(event)
        else:
            event.ignore()


@guarded
class WhatIfPanel(QWidget):
    """Changes a blueprint's numbers.

    Signals:
        chosen: Nothing: it has no places with keys.
        acted: All values while a slider or box changes, or after a choice.
    """

    chosen = Signal(object)
    acted = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("whatIfPanel")
        self._numbers: WhatIfNumbers | None = None
        self._labels: dict[str, QLabel] = {}
        self.sliders: dict[str, QSlider] = {}
        self.boxes: dict[str, QSpinBox] = {}
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(0, 4, 0, 4)
        self._grid.setHorizontalSpacing(10)
        self._grid.setVerticalSpacing(4)
        for name in FIELDS:
            self._add_row(name)
        self.sharing = QComboBox(self)
        self.sharing.setObjectName("whatIfSharing")
        self.sharing.setAccessibleName(_("Which weights layers share"))
        for key in SHARINGS:
            self.sharing.addItem(_(SHARED[key]), key)
        self.sharing.activated.connect(self._share)
        self.reset = self._button("Reset", _("Reset"), _("Show all numbers as they were"))
        self.reset.clicked.connect(self._begin_again)
        self.notes = self._button(
            "Notes",
            _("Example: BERT base, embeddings 64 wide"),
            _(
                "Begins with BERT base: 30,000 × 64 + 64 × 768 numbers from tokens to layers "
                "in place of 30,000 × 768"
            ),
        )
        self.notes.clicked.connect(
            lambda: self._choose(
                {"base": "notes", **dict(NOTES_CHANGES)}, _("take the example of BERT base"), NOTES
            )
        )
        self.model = self._button(
            "Model",
            _("Start from the loaded model"),
            _("Begin with the model that answers the other questions"),
        )
        self.model.clicked.connect(lambda: self._choose(None, _("take this model"), ""))
        self._buttons = QHBoxLayout()
        # By default that of the grid, which has none where its rows and columns differ.
        self._buttons.setSpacing(8)
        self._buttons.setContentsMargins(0, 6, 0, 0)
        for widget in (self.sharing, self.reset, self.notes, self.model):
            self._buttons.addWidget(widget)
        self._buttons.addStretch(1)
        self._columns = 0
        self._place(2)

    def _button(self, name: str, words: str, tip: str) -> QPushButton:
        button = QPushButton(words, self)
        button.setObjectName(f"whatIf{name}")
        button.setToolTip(plain_tip(tip))
        return button

    def _add_row(self, name: str) -> None:
        words, tip = (_(one) for one in WORDS[name])
        low, high, _unused = LIMITS[name]
        label = plain_label(self, words)
        label.setProperty("role", "small")
        slider = WhatIfSlider(Qt.Orientation.Horizontal, self)
        slider.setObjectName(f"whatIf_{name}_slider")
        slider.setAccessibleName(words)
        slider.setToolTip(plain_tip(tip))
        slider.setRange(0, STEPS)
        slider.setMinimumWidth(60)
        slider.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        slider.valueChanged.connect(lambda place: self._set(name, value_at(name, place)))
        box = WhatIfBox(self)
        box.setObjectName(f"whatIf_{name}")
        box.setAccessibleName(words)
        box.setToolTip(plain_tip(tip))
        box.setRange(low, high)
        prepare_field(box)
        box.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        box.valueChanged.connect(lambda value: self._set(name, value))
        self._labels[name], self.sliders[name], self.boxes[name] = label, slider, box

    def resizeEvent(self, event: QResizeEvent) -> None:
        """In one column where there is too little room for two."""
        super().resizeEvent(event)
        self._place(1 if event.size().width() < ONE_COLUMN else 2)

    def _place(self, columns: int) -> None:
        """Put the rows into so many columns."""
        if columns == self._columns:
            return
        self._columns = columns
        self._grid.removeItem(self._buttons)
        rows = len(FIELDS) // columns
        for number, name in enumerate(FIELDS):
            row, column = number % rows, 3 * (number // rows)
            widgets = (self._labels[name], self.sliders[name], self.boxes[name])
            for offset, widget in enumerate(widgets):
                self._grid.addWidget(widget, row, column + offset)
        self._grid.setColumnStretch(1, 1)
        self._grid.setColumnStretch(4, columns - 1)
        self._grid.addLayout(self._buttons, rows, 0, 1, 3 * columns)

    def show_content(self, numbers: WhatIfNumbers) -> None:
        """Show what the document says, without telling."""
        self._numbers = numbers
        # Only then is another model changed than the one that answers.
        begun = is_example(numbers.document)
        self.model.setVisible(begun)
        self.notes.setVisible(not begun)
        for name in FIELDS:
            value = int(numbers.values.get(name, getattr(numbers.counted, name)))
            tip = _(WORDS[name][1] if name in numbers.possible else FIXED)
            for widget in (self.sliders[name], self.boxes[name]):
                widget.setEnabled(name in numbers.possible)
                widget.setToolTip(plain_tip(tip))
            with QSignalBlocker(self.sliders[name]), QSignalBlocker(self.boxes[name]):
                self.boxes[name].setValue(value)
                if not self.sliders[name].isSliderDown():
                    self.sliders[name].setValue(place_of(name, value))
        self.sharing.setEnabled(SHARING in numbers.possible)
        with QSignalBlocker(self.sharing):
            key = numbers.values.get(SHARING, sharing_of(numbers.counted))
            self.sharing.setCurrentIndex(self.sharing.findData(key))

    def _begin_again(self) -> None:
        """Without changes, of the example or the model."""
        base = self._numbers.values.get("base") if self._numbers is not None else None
        self._choose({"base": "notes"} if base == "notes" else None, _("reset the changes"))

    def _set(self, name: str, value: int) -> None:
        if self._numbers is not None:
            self.acted.emit(Move(CHANGES, {**self._numbers.values, name: int(value)}))

    def _share(self, index: int) -> None:
        if self._numbers is not None:
            values = {**self._numbers.values, SHARING: self.sharing.itemData(index)}
            self._choose(values, self.sharing.itemText(index))

    def _choose(
        self, values: dict[str, Any] | None, name: str, checkpoint: str | None = None
    ) -> None:
        """Change numbers; of another model, where one is named: "" for the loaded one."""
        if self._numbers is not None:
            wanted: dict[str, Any] = {CHANGES.key: values}
            if checkpoint is not None:
                wanted[CHECKPOINT.key] = checkpoint or None
            self.acted.emit(set_options(self._numbers.document, wanted, name))


def value_at(name: str, place: int) -> int:
    """The number at a place of a slider; the scale is logarithmic."""
    low, high, step = LIMITS[name]
    value: float = low * (high / low) ** (place / STEPS)
    return min(high, max(low, round(value / step) * step))


def place_of(name: str, value: int) -> int:
    """The place of a number on its slider."""
    low, high, _unused = LIMITS[name]
    share = math.log(min(max(value, low), high) / low) / math.log(high / low)
    return round(STEPS * share)
