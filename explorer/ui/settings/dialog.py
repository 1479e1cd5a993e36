"""The settings: everything that is remembered, what can be forgotten, and where it is kept."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QHBoxLayout,
    QPushButton,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from explorer.text import N_, _
from explorer.ui.controls.plain_words import plain_label
from explorer.ui.controls.search_field import SearchField
from explorer.ui.settings.declared import MODELS, REMEMBERED, SETTINGS
from explorer.ui.settings.in_force import SettingsInForce
from explorer.ui.settings.places import places
from explorer.ui.settings.rows import KeptPathRow, RememberedRow, SettingRow, SettingsSection
from explorer.ui.theme.chrome import zoomed
from explorer.ui.workbench.workbench import Workbench

WIDE, HIGH = 640, 620
"""Pixels at the usual size of text."""
UNDO = N_("&Undo the reset")


class SettingsDialog(QDialog):
    """Beside the window: what is changed here is in force at once, as in the menus.

    Attributes:
        field: What is searched for.
        rows: Of settings, by their fields.

    Signals:
        folder_wanted: Open this folder, a Path.
        plugins_wanted: Show the plugins.
    """

    folder_wanted = Signal(object)
    plugins_wanted = Signal()

    def __init__(
        self, bench: Workbench, in_force: SettingsInForce, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.setObjectName("settings_dialog")
        self.setWindowTitle(_("Settings"))
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self._bench, self._in_force = bench, in_force
        self._were: dict[str, Any] = {}
        self.rows: dict[str, SettingRow] = {}
        self.forgetting: list[RememberedRow] = []
        self.field = SearchField(self)
        self.field.setObjectName("settings_search")
        self.field.setPlaceholderText(_("Find a setting"))
        self.field.setAccessibleName(_("Find a setting"))
        self._page = QWidget(self)
        self._sections = self._make_sections()
        self._nothing = plain_label(self._page, _("No setting has these words."))
        self._nothing.hide()
        self._area = QScrollArea(self)
        self._area.setObjectName("settings_area")
        self._area.setWidgetResizable(True)
        self._area.setFrameShape(QScrollArea.Shape.NoFrame)
        self._area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._lay_out()
        self.field.textChanged.connect(self._find)
        self.field.down.connect(self.focusNextChild)
        bench.bridge.ready.connect(self.refresh)
        self.refresh()
        self.resize(zoomed(WIDE), zoomed(HIGH))

    def turn_to(self, field: str) -> None:
        """Let the keyboard be at a setting; "" for the search field."""
        row = self.rows.get(field)
        if row is None:
            self.field.setFocus(Qt.FocusReason.OtherFocusReason)
            return
        self.field.clear()
        self._area.ensureWidgetVisible(row)
        row.setFocus(Qt.FocusReason.OtherFocusReason)

    def refresh(self, _event: object = None) -> None:
        """Show what everything is set to now."""
        settings = self._bench.settings_store.settings
        for field, row in self.rows.items():
            choices = row.setting.choices
            row.show_value(getattr(settings, field), choices(self._bench) if choices else ())
        if self._bench.is_started_offline:
            self.rows["offline"].fix(True, _("The program was started with --offline."))
        for one in self.forgetting:
            kept = (getattr(settings, field) for field in one.kept.fields)
            one.button.setEnabled(any(value != type(value)() for value in kept))
        differs = any(getattr(settings, one.field) != one.usual for one in SETTINGS)
        self._were = {} if differs else self._were
        self._reset.setText(_(UNDO) if self._were else _("&Reset to defaults"))
        self._reset.setEnabled(differs or bool(self._were))

    def _make_sections(self) -> list[SettingsSection]:
        sections: dict[str, SettingsSection] = {}
        for setting in SETTINGS:
            if setting.section not in sections:
                sections[setting.section] = SettingsSection(_(setting.section), self._page)
            row = SettingRow(setting, sections[setting.section])
            row.put.connect(lambda value, field=setting.field: self._in_force.put(field, value))
            sections[setting.section].add(row)
            self.rows[setting.field] = row
        plugins = QPushButton(_("&Plugins…"), self._page)
        plugins.setObjectName("settings_plugins")
        plugins.setAutoDefault(False)
        plugins.clicked.connect(self.plugins_wanted)
        sections[MODELS].add_button(plugins)
        forgotten = SettingsSection(_("Remembered by dialogs and hints"), self._page)
        for kept in REMEMBERED:
            one = RememberedRow(kept, forgotten)
            one.button.clicked.connect(lambda _=False, of=kept: self._in_force.forget(of.fields))
            forgotten.add(one)
            self.forgetting.append(one)
        made = [*sections.values(), forgotten]
        if self._bench.program is not None:
            kept_in = SettingsSection(_("Where it is kept"), self._page)
            for place in places(self._bench.program.paths):
                there = KeptPathRow(place, kept_in)
                there.button.clicked.connect(
                    lambda _=False, of=place: self.folder_wanted.emit(of.folder)
                )
                kept_in.add(there)
            made.append(kept_in)
        return made

    def _lay_out(self) -> None:
        inside = QVBoxLayout(self._page)
        inside.setContentsMargins(2, 0, 10, 0)
        inside.setSpacing(2)
        for section in self._sections:
            inside.addWidget(section)
        inside.addWidget(self._nothing)
        inside.addStretch(1)
        self._area.setWidget(self._page)
        self._reset = QPushButton(_("&Reset to defaults"), self)
        self._reset.setObjectName("settings_reset")
        self._reset.setAutoDefault(False)
        self._reset.clicked.connect(self._reset_or_undo)
        close = QDialogButtonBox(QDialogButtonBox.StandardButton.Close, self)
        close.rejected.connect(self.close)
        buttons = QHBoxLayout()
        buttons.addWidget(self._reset)
        buttons.addStretch(1)
        buttons.addWidget(close)
        column = QVBoxLayout(self)
        column.addWidget(self.field)
        column.addWidget(self._area, 1)
        column.addLayout(buttons)

    def _find(self, text: str) -> None:
        words = text.casefold().split()
        found = [section.narrow(words) for section in self._sections]
        self._nothing.setVisible(not any(found))

    def _reset_or_undo(self) -> None:
        if self._were:
            were, self._were = self._were, {}
            self._in_force.put_all(were)
        else:
            # The window may be made anew for its language, and this goes with it.
            self._were = self._in_force.reset()
        self.refresh()
