"""A few words side by side, exactly one of them chosen."""

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QButtonGroup, QHBoxLayout, QToolButton, QWidget


class Choices(QWidget):
    """A row of checkable buttons with words.

    Signals:
        chosen: The key the user chose.
    """

    chosen = Signal(str)

    def __init__(
        self,
        name: str,
        spoken: str,
        choices: Sequence[tuple[str, str]],
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.setObjectName(name)
        self.setAccessibleName(spoken)
        self._keys = [key for key, _ in choices]
        self._group = QButtonGroup(self)
        self._group.setExclusive(True)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(1)
        for number, (key, words) in enumerate(choices):
            button = QToolButton(self)
            button.setObjectName(f"{name}_{key}")
            button.setAccessibleName(f"{spoken}: {words}")
            button.setText(words)
            button.setCheckable(True)
            button.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
            self._group.addButton(button, number)
            row.addWidget(button)
        self._group.button(0).setChecked(True)
        self._group.idClicked.connect(lambda number: self.chosen.emit(self._keys[number]))

    @property
    def choice(self) -> str:
        """The key that is chosen."""
        return self._keys[max(0, self._group.checkedId())]

    def set_choice(self, key: str) -> None:
        """Show a choice without telling; a key that is none of them leaves the old one."""
        if key in self._keys:
            self._group.button(self._keys.index(key)).setChecked(True)
