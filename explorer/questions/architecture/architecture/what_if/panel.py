"""Sliders and boxes for the numbers of an architecture."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any

from PySide6.QtCore import QSignalBlocker, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import (
    QComboBox,
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QWidget,
)

from explorer.api.family import FIELDS, SHARING, SHARINGS, Blueprint, sharing_of
from explorer.document import Document
from explorer.questions.architecture.architecture.question import CHECKPOINT, is_example
from explorer.questions.architecture.architecture.what_if.changes import NOTES, NOTES_CHANGES
from explorer.questions.architecture.architecture.what_if.options import (
    BASE,
    CHANGES,
    OF_NOTES,
    SIZES,
)
from explorer.text import N_, _
from explorer.ui.blocks import (
    Move,
    NumberSlider,
    guarded,
    plain_label,
    plain_tip,
    set_options,
    text_height,
)

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
        self.sliders: dict[str, NumberSlider] = {}
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
                {BASE: OF_NOTES, **dict(NOTES_CHANGES)}, _("take the example of BERT base"), NOTES
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
        option = SIZES[name].translated()
        label = plain_label(self, option.label)
        label.setProperty("role", "small")
        slider = NumberSlider(option, self)
        slider.setObjectName(f"whatIf_{name}")
        slider.setToolTip(plain_tip(option.tip))
        slider.slider.setMinimumWidth(60)
        slider.moved.connect(lambda value: self._set(name, value))
        self._labels[name], self.sliders[name] = label, slider

    def resizeEvent(self, event: QResizeEvent) -> None:
        """In one column where there is too little room for two."""
        super().resizeEvent(event)
        self._place(1 if event.size().width() < ONE_COLUMN else 2)
        self._grid.activate()

    def _place(self, columns: int) -> None:
        """Put the rows into so many columns."""
        if columns == self._columns:
            return
        self._columns = columns
        self._grid.removeItem(self._buttons)
        rows = len(FIELDS) // columns
        for number, name in enumerate(FIELDS):
            row, column = number % rows, 2 * (number // rows)
            self._grid.addWidget(self._labels[name], row, column)
            self._grid.addWidget(self.sliders[name], row, column + 1)
        self._grid.setColumnStretch(1, 1)
        self._grid.setColumnStretch(3, columns - 1)
        self._grid.addLayout(self._buttons, rows, 0, 1, 2 * columns)

    def show_content(self, numbers: WhatIfNumbers) -> None:
        """Show what the document says, without telling."""
        self._numbers = numbers
        # Only then is another model changed than the one that answers.
        begun = is_example(numbers.document)
        self.model.setVisible(begun)
        self.notes.setVisible(not begun)
        for name in FIELDS:
            slider = self.sliders[name]
            slider.setEnabled(name in numbers.possible)
            slider.setToolTip(plain_tip(_(SIZES[name].tip if name in numbers.possible else FIXED)))
            slider.show_value(numbers.values.get(name, getattr(numbers.counted, name)))
        self.sharing.setEnabled(SHARING in numbers.possible)
        with QSignalBlocker(self.sharing):
            key = numbers.values.get(SHARING, sharing_of(numbers.counted))
            self.sharing.setCurrentIndex(self.sharing.findData(key))

    def _begin_again(self) -> None:
        """Without changes, of the example or the model."""
        base = self._numbers.values.get(BASE) if self._numbers is not None else None
        self._choose({BASE: OF_NOTES} if base == OF_NOTES else None, _("reset the changes"))

    def _set(self, name: str, value: float) -> None:
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
