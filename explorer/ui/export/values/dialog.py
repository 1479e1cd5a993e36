"""Export values: which of a model's numbers are written."""

from collections.abc import Collection

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QCheckBox, QDialog, QDialogButtonBox, QVBoxLayout, QWidget

from explorer.text import N_, _
from explorer.ui.controls.plain_words import plain_label, plain_tip
from explorer.ui.guarded import guarded
from explorer.ui.theme.text_roles import in_role
from explorer.values import KINDS

TITLES = {
    "states": N_("Hidden states, of every layer"),
    "logits": N_("What its heads give: log-probabilities and logits"),
    "attention": N_("Attention weights, of every head"),
    "queries": N_("Queries, of every head"),
    "keys": N_("Keys, of every head"),
}
WIDTH = 460
"""Pixels."""


@guarded
class ValuesDialog(QDialog):
    """Choose kinds.

    Signals:
        save_wanted: Those that were chosen, a tuple.
    """

    save_wanted = Signal(object)

    def __init__(
        self, model: str, text: str, chosen: Collection[str], parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.setObjectName("values_dialog")
        self.setWindowTitle(_("Export values of {model}", model=model))
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        about = plain_label(self, _("What {model} computes of “{text}”:", model=model, text=text))
        about.setWordWrap(True)
        self.boxes = {kind: QCheckBox(_(TITLES[kind]), self) for kind in KINDS}
        told = plain_label(
            self,
            _(
                "All numbers are float32. The model is loaded once more for this, in a process of "
                "its own."
            ),
        )
        told.setWordWrap(True)
        in_role(told, "small")
        self.buttons = QDialogButtonBox(self)
        self.save = self.buttons.addButton(_("&Save…"), QDialogButtonBox.ButtonRole.AcceptRole)
        self.save.setDefault(True)
        self.buttons.addButton(QDialogButtonBox.StandardButton.Close)
        self.save.clicked.connect(self._save)
        self.buttons.rejected.connect(self.reject)
        column = QVBoxLayout(self)
        column.addWidget(about)
        for kind, box in self.boxes.items():
            box.setObjectName(f"values_{kind}")
            box.setChecked(kind in chosen)
            box.toggled.connect(self._enable)
            column.addWidget(box)
        column.addWidget(told)
        column.addStretch(1)
        column.addWidget(self.buttons)
        self._enable()
        # As high as its lines are at that width; a hint knows another one.
        self.resize(WIDTH, column.heightForWidth(WIDTH))

    @property
    def chosen(self) -> tuple[str, ...]:
        """The kinds whose boxes are checked."""
        return tuple(kind for kind, box in self.boxes.items() if box.isChecked())

    def _enable(self) -> None:
        self.save.setEnabled(bool(self.chosen))
        self.save.setToolTip(plain_tip("" if self.chosen else _("Choose at least one")))

    def _save(self) -> None:
        self.save_wanted.emit(self.chosen)
        self.accept()
