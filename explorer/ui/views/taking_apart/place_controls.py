"""Which head is looked at: spin boxes for the layer and the head, and a choice of the stack."""

import re
from collections.abc import Sequence

from PySide6.QtCore import QSignalBlocker, Signal
from PySide6.QtWidgets import QComboBox, QHBoxLayout, QLabel, QSpinBox, QWidget

from explorer.api import ModelCard

_SHAPE = re.compile(r"(\d+)(?: \+ (\d+))? layers x [\d,?]+ wide x (\d+) heads")


def shape_of(card: ModelCard | None) -> tuple[int, int] | None:
    """Layers of the larger stack, and heads, as a model's card says; None where it does not."""
    found = _SHAPE.search(card.architecture) if card is not None else None
    if found is None:
        return None
    layers = [int(one) for one in found.group(1, 2) if one]
    return max(layers), int(found.group(3))


class PlaceControls(QWidget):
    """Stack, layer and head.

    Signals:
        stack_chosen: Its key, as `set_stacks` was given it.
        layer_moved: A number from 0 on.
        head_moved: The same.
    """

    stack_chosen = Signal(object)
    layer_moved = Signal(int)
    head_moved = Signal(int)

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName(name)
        self.stack = QComboBox(self)
        self.stack.setObjectName(f"{name}Stack")
        self.stack.setAccessibleName("Which stack of layers")
        self.stack.activated.connect(
            lambda index: self.stack_chosen.emit(self.stack.itemData(index))
        )
        self.layer = self._spin(f"{name}Layer", "Layer")
        self.head = self._spin(f"{name}Head", "Head")
        self.layer.valueChanged.connect(self.layer_moved)
        self.head.valueChanged.connect(self.head_moved)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(6)
        row.addWidget(self.stack)
        for words, spin in (("Layer", self.layer), ("Head", self.head)):
            caption = QLabel(words, self)
            caption.setProperty("role", "small")
            caption.setBuddy(spin)
            row.addWidget(caption)
            row.addWidget(spin)
        self.setMinimumHeight(self.stack.sizeHint().height())
        self.stack.hide()

    def _spin(self, name: str, words: str) -> QSpinBox:
        spin = QSpinBox(self)
        spin.setObjectName(name)
        spin.setAccessibleName(words)
        spin.setToolTip(f"{words}, counted from 0")
        spin.setRange(0, 99)
        spin.setWrapping(True)
        return spin

    def set_stacks(self, stacks: Sequence[tuple[object, str]], chosen: object) -> None:
        """Offer stacks, a key and words each; a single one is not worth a choice."""
        with QSignalBlocker(self.stack):
            self.stack.clear()
            for key, words in stacks:
                self.stack.addItem(words, key)
            self.stack.setCurrentIndex(max(0, self.stack.findData(chosen)))
        self.stack.setVisible(len(stacks) > 1)

    def set_shape(self, layers: int, heads: int) -> None:
        """How many there are to choose from."""
        for spin, count in ((self.layer, layers), (self.head, heads)):
            with QSignalBlocker(spin):
                spin.setMaximum(max(0, count - 1))

    def set_place(self, layer: int, head: int) -> None:
        """Show a choice without telling."""
        for spin, value in ((self.layer, layer), (self.head, head)):
            with QSignalBlocker(spin):
                spin.setMaximum(max(spin.maximum(), value))
                spin.setValue(value)
