"""A few choices side by side, exactly one of them chosen."""

from collections.abc import Sequence
from typing import Any

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QButtonGroup, QHBoxLayout, QToolButton, QWidget

from explorer.api.question import Entry
from explorer.ui.controls.plain_words import plain_tip


class Segmented(QWidget):
    """A row of checkable buttons.

    Signals:
        chosen: The value the user chose.
    """

    chosen = Signal(object)

    def __init__(
        self, name: str, words: str, entries: Sequence[Entry], parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.setObjectName(name)
        self.setAccessibleName(words)
        self._entries = tuple(entries)
        self._buttons: list[QToolButton] = []
        self._group = QButtonGroup(self)
        self._group.setExclusive(True)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(1)
        for number, entry in enumerate(self._entries):
            button = QToolButton(self)
            button.setObjectName(f"{name}{entry.value}")
            button.setAccessibleName(f"{words} {entry.title}")
            button.setText(entry.title)
            button.setToolTip(plain_tip(entry.tip))
            button.setCheckable(True)
            button.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
            self._group.addButton(button, number)
            self._buttons.append(button)
            row.addWidget(button)
        self._group.idClicked.connect(lambda n: self.chosen.emit(self._entries[n].value))

    @property
    def choice(self) -> Any:
        """What is chosen; None where it is none of the buttons."""
        checked = self._group.checkedId()
        return self._entries[checked].value if checked >= 0 else None

    def set_choice(self, choice: Any) -> None:
        """Show a choice without telling; one that has no button leaves none chosen."""
        checked = self._group.checkedId()
        found = next((n for n, one in enumerate(self._entries) if one.value == choice), None)
        if found is not None:
            self._buttons[found].setChecked(True)
        elif checked >= 0:
            # A group that must have one checked lets none go.
            self._group.setExclusive(False)
            self._buttons[checked].setChecked(False)
            self._group.setExclusive(True)
