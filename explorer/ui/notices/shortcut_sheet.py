"""A sheet of every key, made from the window's real actions, so that it can't be wrong."""

import html
from collections.abc import Iterable, Sequence

from PySide6.QtCore import Qt
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QTextBrowser, QVBoxLayout, QWidget

from explorer.text import N_, _
from explorer.ui.notices.wording import plain
from explorer.ui.theme.schemes import current_theme, theme_signals

IN_TOKENS = (
    (N_("Go from token to token"), N_("Left, Right, Up, Down, Home, End")),
    (N_("Select several"), N_("Shift + arrows, or drag")),
    (N_("Mask or unmask"), N_("M, Space, or click")),
    (N_("Mask the whole word"), "W"),
    (N_("Say which entity a word names"), "E"),
    (N_("Edit"), N_("Enter, F2, or double-click")),
    (N_("Show what is known of it"), N_("I, or Details in its menu")),
    (N_("Menu"), N_("Menu key, or right click")),
    (N_("Leave the selection"), N_("Esc")),
)
"""Keys the token strip handles by itself."""

IN_ANSWERS = (
    (N_("Go from place to place"), N_("Left, Right, Up, Down, Home, End")),
    (N_("Select rows and cells"), N_("Shift + arrows, or drag")),
    (N_("Select everything"), "Ctrl+A"),
    (N_("Copy what is selected, or the row"), "Ctrl+C"),
    (N_("Leave the selection"), N_("Esc")),
)
"""Keys that painted pages handle by themselves."""

IN_STEPS = (
    (N_("Show the next step, or the one before"), N_("Left, Right")),
    (N_("Show the first step, or the last one"), N_("Home, End")),
    (N_("Play the film, or stop it"), N_("Space")),
)
"""Keys of the slider beside a model that is a moment of its training."""

IN_LISTS = (
    (N_("Load or download what is chosen in the library"), N_("Enter, or double-click")),
    (N_("Bring a run of the log back"), N_("Enter, or double-click")),
)


def rows_of(actions: Iterable[QAction]) -> list[tuple[str, str]]:
    """Texts and keys of the actions that have keys."""
    rows = []
    for action in actions:
        keys = ", ".join(
            key.toString(QKeySequence.SequenceFormat.NativeText) for key in action.shortcuts()
        )
        if keys:
            rows.append((_said(action), keys))
    return rows


def _said(action: QAction) -> str:
    """What an action does; undo and redo without what they would undo just now."""
    if action.objectName() in {"undo", "redo"}:
        return plain(_("&Undo") if action.objectName() == "undo" else _("&Redo"))
    return plain(action.toolTip() or action.text())


def _translated(keys: Sequence[tuple[str, str]]) -> list[tuple[str, str]]:
    return [(_(what), _(pressed)) for what, pressed in keys]


class ShortcutSheet(QDialog):
    """The keys, by menu."""

    def __init__(
        self, menus: Iterable[tuple[str, Iterable[QAction]]], parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.setObjectName("shortcut_sheet")
        self.setWindowTitle(_("Keyboard shortcuts"))
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        groups = [(plain(title), rows_of(actions)) for title, actions in menus]
        groups += [(_("Tokens"), _translated(IN_TOKENS)), (_("Answers"), _translated(IN_ANSWERS))]
        groups += [(_("Lists"), _translated(IN_LISTS)), (_("Steps"), _translated(IN_STEPS))]
        self._groups = [(title, rows) for title, rows in groups if rows]
        self._page = page = QTextBrowser(self)
        page.setObjectName("shortcut_page")
        page.setFrameShape(QTextBrowser.Shape.NoFrame)
        # Colours are written into the text.
        theme_signals().changed.connect(self._fill)
        self._fill()
        close = QDialogButtonBox(QDialogButtonBox.StandardButton.Close, self)
        close.rejected.connect(self.close)
        layout = QVBoxLayout(self)
        layout.addWidget(page)
        layout.addWidget(close)
        self.resize(560, 640)

    def _fill(self) -> None:
        self._page.setHtml("".join(_group(title, rows) for title, rows in self._groups))


def _group(title: str, rows: list[tuple[str, str]]) -> str:
    theme = current_theme()
    lines = "".join(
        f"<tr><td width='250' style='padding:2px 24px 2px 0'>{html.escape(text)}</td>"
        f"<td style='padding:2px 0; color:{theme.muted.name()}'>{html.escape(keys)}</td></tr>"
        for text, keys in rows
    )
    return f"<h3 style='margin:12px 0 4px 0'>{html.escape(title)}</h3><table>{lines}</table>"
