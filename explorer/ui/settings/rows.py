"""Rows of the settings: what each is called, what it does, and what it is set to."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QWheelEvent
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from explorer.text import _
from explorer.ui.controls.plain_words import plain_label, plain_tip
from explorer.ui.guarded import guarded
from explorer.ui.notices.wording import plain
from explorer.ui.settings.declared import Choices, Remembered, Setting
from explorer.ui.settings.places import KeptPath
from explorer.ui.theme.icons import icon
from explorer.ui.theme.text_roles import in_role

LETTERS = 24
"""Of a choice that are seen; all fields of choices have one width."""


@guarded
class ChoiceField(QComboBox):
    """The wheel scrolls the page, and changes nothing on its way."""

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Leave it to what is scrolled."""
        event.ignore()


class SettingsRow(QWidget):
    """A title, a line about it, and room for what sets it.

    Attributes:
        words: What it is found by.
        about: The line below its title, if there is one.
    """

    def __init__(self, name: str, title: str, about: str, words: str, parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName(f"row_{name}")
        self.words = f"{title} {about} {words}".casefold()
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(0, 5, 0, 5)
        self._grid.setColumnStretch(0, 1)
        texts = QVBoxLayout()
        texts.setSpacing(1)
        self._title = plain_label(self, title)
        self._title.setWordWrap(True)
        texts.addWidget(self._title)
        self.about: QLabel | None = None
        if about:
            self.about = plain_label(self, about)
            self.about.setWordWrap(True)
            in_role(self.about, "small")
            texts.addWidget(self.about)
        self._grid.addLayout(texts, 0, 0)

    def hold(self, widget: QWidget, title: str, about: str) -> None:
        """Put what sets it at its right."""
        widget.setAccessibleName(title)
        widget.setAccessibleDescription(about)
        self._title.setBuddy(widget)
        self._grid.addWidget(widget, 0, 1, Qt.AlignmentFlag.AlignVCenter)
        self.setFocusProxy(widget)


class SettingRow(SettingsRow):
    """A setting.

    Signals:
        put: The value the user chose.
    """

    put = Signal(object)

    def __init__(self, setting: Setting, parent: QWidget) -> None:
        title, about = _(setting.title), _(setting.about) if setting.about else ""
        super().__init__(setting.field, title, about, " ".join(setting.found_by), parent)
        self.setting = setting
        self._values: list[Any] = []
        self.control: QComboBox | QCheckBox
        if setting.choices is not None:
            self.control = ChoiceField(self)
            self.control.setSizeAdjustPolicy(
                QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon
            )
            self.control.setMinimumContentsLength(LETTERS)
            self.control.activated.connect(lambda number: self.put.emit(self._values[number]))
        else:
            self.control = QCheckBox(self)
            self.control.clicked.connect(self._tick)
        self.control.setObjectName(f"set_{setting.field}")
        self.hold(self.control, title, about)
        self.back = QToolButton(self)
        self.back.setObjectName(f"default_{setting.field}")
        self.back.setIcon(icon("restore"))
        self.back.setAutoRaise(True)
        self.back.setToolTip(_("Back to the default"))
        self.back.setAccessibleName(_("{title}: back to the default", title=title))
        self.back.clicked.connect(lambda: self.put.emit(setting.usual))
        policy = self.back.sizePolicy()
        policy.setRetainSizeWhenHidden(True)
        self.back.setSizePolicy(policy)
        self._grid.addWidget(self.back, 0, 2, Qt.AlignmentFlag.AlignVCenter)

    def _tick(self, on: bool) -> None:
        self.put.emit(on)

    def show_value(self, value: Any, choices: Choices) -> None:
        """Show what it is set to, among what it can be."""
        if isinstance(self.control, QComboBox):
            self._values = [one for one, _text in choices]
            texts = [plain(text) for _value, text in choices]
            shown = [self.control.itemText(number) for number in range(self.control.count())]
            if texts != shown:
                self.control.clear()
                self.control.addItems(texts)
            self.control.setCurrentIndex(self._values.index(value) if value in self._values else -1)
        else:
            self.control.setChecked(bool(value))
        had_focus = self.back.hasFocus()
        self.back.setVisible(value != self.setting.usual)
        if had_focus and self.back.isHidden():
            self.control.setFocus(Qt.FocusReason.OtherFocusReason)

    def fix(self, value: bool, why: str) -> None:
        """Show that it can't be changed now, and why."""
        self.control.setEnabled(False)
        self.control.setToolTip(plain_tip(why))
        if isinstance(self.control, QCheckBox):
            self.control.setChecked(value)
        self.back.hide()


class RememberedRow(SettingsRow):
    """What can be forgotten.

    Attributes:
        button: Forgets it.
    """

    def __init__(self, kept: Remembered, parent: QWidget) -> None:
        title, about = _(kept.title), _(kept.about)
        super().__init__(kept.fields[0], title, about, " ".join(kept.found_by), parent)
        self.kept = kept
        self.button = QPushButton(_("Forget"), self)
        self.button.setObjectName(f"forget_{kept.fields[0]}")
        self.button.setAutoDefault(False)
        self.hold(self.button, _("{title}: forget", title=title), about)


class KeptPathRow(SettingsRow):
    """Where something is kept.

    Attributes:
        button: Opens its folder.
    """

    def __init__(self, place: KeptPath, parent: QWidget) -> None:
        super().__init__(f"place_{place.name}", place.title, str(place.path), "", parent)
        if self.about is not None:
            self.about.setObjectName(f"path_{place.name}")
            self.about.setTextInteractionFlags(
                Qt.TextInteractionFlag.TextSelectableByMouse
                | Qt.TextInteractionFlag.TextSelectableByKeyboard
            )
        self.button = QPushButton(_("Open folder"), self)
        self.button.setObjectName(f"open_{place.name}")
        self.button.setAutoDefault(False)
        self.hold(self.button, _("{title}: open folder", title=place.title), str(place.path))


class SettingsSection(QWidget):
    """A heading and its rows; gone while none of them is seen."""

    def __init__(self, title: str, parent: QWidget) -> None:
        super().__init__(parent)
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 8, 0, 4)
        self._column.setSpacing(0)
        heading = plain_label(self, title)
        in_role(heading, "strong")
        self._column.addWidget(heading)
        self._title = title.casefold()
        self.rows: list[SettingsRow] = []

    def add(self, row: SettingsRow) -> None:
        """Put a row below."""
        self.rows.append(row)
        self._column.addWidget(row)

    def add_button(self, button: QPushButton) -> None:
        """Put a button below the rows, which leads on."""
        line = QHBoxLayout()
        line.addWidget(button)
        line.addStretch(1)
        self._column.addLayout(line)

    def narrow(self, words: list[str]) -> bool:
        """Show the rows that have all of these words; returns whether there are any."""
        for row in self.rows:
            text = f"{self._title} {row.words}"
            row.setVisible(all(word in text for word in words))
        found = any(not row.isHidden() for row in self.rows)
        self.setVisible(found)
        return found
