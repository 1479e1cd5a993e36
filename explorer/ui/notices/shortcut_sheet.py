"""A sheet of every key, made from the window's real actions, so that it can't be wrong."""

import html
from collections.abc import Iterable

from PySide6.QtCore import Qt
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QTextBrowser, QVBoxLayout, QWidget

from explorer.ui.notices.wording import plain
from explorer.ui.theme.schemes import current_theme

IN_TOKENS = (
    ("Go from token to token", "Left, Right, Up, Down, Home, End"),
    ("Select several", "Shift + arrows, or drag"),
    ("Mask or unmask", "M, Space, or click"),
    ("Mask the whole word", "W"),
    ("Edit", "Enter, F2, or double-click"),
    ("Tell what is known of it", "I, or Details in its menu"),
    ("Menu", "Menu key, or right click"),
    ("Leave the selection", "Esc"),
)
"""Keys the token strip handles by itself."""

IN_LISTS = (
    ("Load or download what is chosen in the library", "Enter, or double-click"),
    ("Bring a run of the log back", "Enter, or click"),
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
        return action.objectName().capitalize()
    return plain(action.toolTip() or action.text())


class ShortcutSheet(QDialog):
    """The keys, by menu."""

    def __init__(
        self, menus: Iterable[tuple[str, Iterable[QAction]]], parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.setObjectName("shortcut_sheet")
        self.setWindowTitle("Keyboard shortcuts")
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        groups = [(plain(title), rows_of(actions)) for title, actions in menus]
        groups += [("Tokens", list(IN_TOKENS)), ("Lists", list(IN_LISTS))]
        page = QTextBrowser(self)
        page.setObjectName("shortcut_page")
        page.setFrameShape(QTextBrowser.Shape.NoFrame)
        page.setHtml("".join(_group(title, rows) for title, rows in groups if rows))
        close = QDialogButtonBox(QDialogButtonBox.StandardButton.Close, self)
        close.rejected.connect(self.close)
        layout = QVBoxLayout(self)
        layout.addWidget(page)
        layout.addWidget(close)
        self.resize(560, 640)


def _group(title: str, rows: list[tuple[str, str]]) -> str:
    theme = current_theme()
    lines = "".join(
        f"<tr><td width='250' style='padding:2px 24px 2px 0'>{html.escape(text)}</td>"
        f"<td style='padding:2px 0; color:{theme.muted.name()}'>{html.escape(keys)}</td></tr>"
        for text, keys in rows
    )
    return f"<h3 style='margin:12px 0 4px 0'>{html.escape(title)}</h3><table>{lines}</table>"
