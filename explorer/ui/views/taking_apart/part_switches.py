"""Switches for the parts of DeBERTa's scores, in one head, in one layer, or everywhere."""

from collections.abc import Sequence

from PySide6.QtCore import QSignalBlocker, Signal
from PySide6.QtWidgets import QComboBox, QHBoxLayout, QLabel, QPushButton, QToolButton, QWidget

from explorer.questions.attention.disentangled_attention.question import ABSOLUTE, PARTS, Off
from explorer.text.glossary import explain

NAMES = {
    "c2c": "content to content",
    "c2p": "content to position",
    "p2c": "position to content",
    ABSOLUTE: "absolute positions",
}
"""Parts in words."""

SCOPES = (
    ("everywhere", "everywhere"),
    ("layer", "in this layer"),
    ("head", "in this head"),
)


class PartSwitches(QWidget):
    """A button a part, and where it is switched off.

    Signals:
        changed: What is off now: a list of [part, layer or None, head or None].
    """

    changed = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("partSwitches")
        self._off: tuple[Off, ...] = ()
        self._place = (0, 0)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(6)
        caption = QLabel("Switch off", self)
        caption.setProperty("role", "small")
        row.addWidget(caption)
        self.buttons: dict[str, QToolButton] = {}
        for part in (*PARTS, ABSOLUTE):
            button = QToolButton(self)
            button.setObjectName(f"switchOff_{part}")
            button.setText(part if part in PARTS else NAMES[part])
            button.setAccessibleName(f"Switch off {NAMES[part]}")
            button.setToolTip(_about(part))
            button.setCheckable(True)
            button.clicked.connect(lambda on, part=part: self._toggle(part, on))
            self.buttons[part] = button
            if part != ABSOLUTE:
                row.addWidget(button)
        self.scope = QComboBox(self)
        self.scope.setObjectName("switchOffWhere")
        self.scope.setAccessibleName("Where the parts are switched off")
        for key, words in SCOPES:
            self.scope.addItem(words, key)
        self.scope.activated.connect(lambda _: self._show())
        row.addWidget(self.scope)
        row.addSpacing(8)
        row.addWidget(self.buttons[ABSOLUTE])
        row.addSpacing(8)
        self.all_on = QPushButton("All on", self)
        self.all_on.setObjectName("allPartsOn")
        self.all_on.clicked.connect(lambda: self.changed.emit([]))
        row.addWidget(self.all_on)
        row.addStretch(1)
        self._show()

    def set_off(self, off: Sequence[Off], layer: int, head: int) -> None:
        """Show what is off, for the head that is looked at."""
        self._off, self._place = tuple(off), (layer, head)
        self._show()

    def set_parts(self, parts: Sequence[str]) -> None:
        """Show the switches of the parts that the checkpoint has."""
        for part, button in self.buttons.items():
            button.setVisible(part in parts)

    def _one(self, part: str) -> Off:
        """What a button stands for now."""
        layer, head = self._place
        scope = self.scope.currentData()
        if part == ABSOLUTE or scope == "everywhere":
            return Off(part)
        return Off(part, layer) if scope == "layer" else Off(part, layer, head)

    def _show(self) -> None:
        for part, button in self.buttons.items():
            with QSignalBlocker(button):
                button.setChecked(self._one(part) in self._off)
        self.all_on.setEnabled(bool(self._off))

    def _toggle(self, part: str, on: bool) -> None:
        one = self._one(part)
        off = [other for other in self._off if other != one]
        if on:
            off.append(one)
        self.changed.emit([[other.part, other.layer, other.head] for other in off])


def _about(part: str) -> str:
    if part == ABSOLUTE:
        return (
            f"{explain('enhanced mask decoder')}\nPredict again without them: then it knows only "
            "how far tokens are apart."
        )
    return f"{explain(part)}\nTake it out of the scores, before the softmax, and predict again."


def off_words(off: Sequence[Off]) -> str:
    """What is off, in words."""
    said = []
    for one in off:
        where = "everywhere"
        if one.part == ABSOLUTE:
            where = "in the mask decoder"
        elif one.layer is not None:
            where = f"in layer {one.layer}"
            where += f", head {one.head}" if one.head is not None else ""
        said.append(f"{NAMES[one.part]} {where}")
    return "; ".join(said)
