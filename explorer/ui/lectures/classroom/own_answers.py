"""One's own answers as a file: with a name where one is typed, and without otherwise."""

from PySide6.QtCore import Signal
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QFormLayout,
    QLineEdit,
    QVBoxLayout,
    QWidget,
)

from explorer.text import _
from explorer.ui.controls.handed_on import hand_on
from explorer.ui.controls.plain_words import plain_label
from explorer.ui.guarded import guarded
from explorer.ui.theme.text_roles import in_role


@guarded
class OwnAnswersDialog(QDialog):
    """Asks for a name, which may be left out.

    Signals:
        save_wanted: The name; "" for none.
    """

    save_wanted = Signal(str)

    def __init__(self, title: str, count: int, parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName("own_answers")
        self.setWindowTitle(_("Save my answers"))
        self.name = QLineEdit(self)
        self.name.setObjectName("own_answers_name")
        self.name.setPlaceholderText(_("May be left empty"))
        self.name.setMaxLength(200)
        hand_on(self.name)
        held = plain_label(
            self,
            _("{count} answers of “{title}” go into one file. ", count=count, title=title)
            + _("Nothing in it says who you are unless you type a name."),
        )
        held.setWordWrap(True)
        in_role(held, "small")
        self.buttons = QDialogButtonBox(self)
        self.save = self.buttons.addButton(_("&Save…"), QDialogButtonBox.ButtonRole.AcceptRole)
        self.save.setDefault(True)
        self.buttons.addButton(QDialogButtonBox.StandardButton.Cancel)
        self.save.clicked.connect(lambda: self.save_wanted.emit(self.name.text()))
        self.buttons.rejected.connect(self.reject)
        fields = QFormLayout()
        fields.addRow(_("&Name"), self.name)
        column = QVBoxLayout(self)
        column.addLayout(fields)
        column.addWidget(held)
        column.addWidget(self.buttons)
        self.resize(440, self.sizeHint().height())
