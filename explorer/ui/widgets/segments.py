"""A few choices side by side, exactly one of them chosen."""

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QButtonGroup, QHBoxLayout, QLabel, QToolButton, QWidget


class Segments(QWidget):
    """A row of checkable buttons for numbers.

    Signals:
        chosen: The number the user chose.
    """

    chosen = Signal(int)

    def __init__(
        self, name: str, words: str, choices: Sequence[int], parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.setObjectName(name)
        self.setAccessibleName(words)
        self._buttons: dict[int, QToolButton] = {}
        self._group = QButtonGroup(self)
        self._group.setExclusive(True)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(1)
        caption = QLabel(words, self)
        caption.setProperty("role", "small")
        row.addWidget(caption)
        row.addSpacing(6)
        for choice in choices:
            button = QToolButton(self)
            button.setObjectName(f"{name}{choice}")
            button.setAccessibleName(f"{words} {choice}")
            button.setText(str(choice))
            button.setCheckable(True)
            button.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
            self._group.addButton(button, choice)
            self._buttons[choice] = button
            row.addWidget(button)
        self._group.idClicked.connect(self.chosen)

    @property
    def choice(self) -> int | None:
        """What is chosen; None where it is none of the buttons."""
        checked = self._group.checkedId()
        return checked if checked >= 0 else None

    def set_choice(self, choice: int) -> None:
        """Show a choice without telling; one that has no button leaves none chosen."""
        checked = self.choice
        if choice in self._buttons:
            self._buttons[choice].setChecked(True)
        elif checked is not None:
            # A group that must have one checked lets none go.
            self._group.setExclusive(False)
            self._buttons[checked].setChecked(False)
            self._group.setExclusive(True)
