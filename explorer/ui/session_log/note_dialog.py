"""A note on a run: a few lines of text."""

from collections.abc import Callable

from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QPlainTextEdit,
    QVBoxLayout,
    QWidget,
)

from explorer.sessions.log.headline import headline_said
from explorer.sessions.records import RunSummary
from explorer.text import _
from explorer.ui.controls.plain_words import plain_label
from explorer.ui.theme.text_roles import in_role


class NoteDialog(QDialog):
    """An editor with Save and Cancel; opened without stopping the window."""

    def __init__(
        self, run: RunSummary, keep: Callable[[str], None], parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.setObjectName("note_dialog")
        self.setWindowTitle(_("Note on a run"))
        self._keep = keep
        about = plain_label(self, f"{run.text}\n{headline_said(run)}")
        in_role(about, "muted")
        about.setWordWrap(True)
        self.editor = QPlainTextEdit(run.note, self)
        self.editor.setObjectName("note_text")
        self.editor.setAccessibleName(_("Note"))
        self.editor.setPlaceholderText(_("What is worth remembering of this answer?"))
        self.editor.setTabChangesFocus(True)
        buttons = QDialogButtonBox(
            QDialogButtonBox.StandardButton.Save | QDialogButtonBox.StandardButton.Cancel, self
        )
        buttons.accepted.connect(self.accept)
        buttons.rejected.connect(self.reject)
        self.accepted.connect(lambda: self._keep(self.editor.toPlainText().strip()))
        self.finished.connect(self.deleteLater)
        for keys in ("Ctrl+Return", "Ctrl+Enter"):
            QShortcut(QKeySequence(keys), self).activated.connect(self.accept)
        buttons.button(QDialogButtonBox.StandardButton.Save).setToolTip("Save (Ctrl+Enter)")
        column = QVBoxLayout(self)
        column.addWidget(about)
        column.addWidget(self.editor, 1)
        column.addWidget(buttons)
        self.resize(420, 240)
        self.editor.setFocus()
