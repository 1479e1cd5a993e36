"""Which numbers a model is loaded as, chosen where the model is chosen."""

from PySide6.QtWidgets import QComboBox, QHBoxLayout, QWidget

from explorer.api.family.checkpoint import Checkpoint, Source
from explorer.text import _
from explorer.ui.controls.plain_words import plain_label
from explorer.ui.guarded import guarded
from explorer.ui.library.actions import LibraryActions
from explorer.ui.notices.wording import plain
from explorer.ui.settings.declared import DTYPES

AUTOMATIC = "auto"
NOT_LOADED = (Source.HUB, Source.CONFIG)
"""Where models come from that are fetched or looked at, and not loaded."""


@guarded
class NumberTypeField(QWidget):
    """A label and the number types; what is chosen holds for the slot that is loaded into.

    Of a model that the slot holds, it holds at once; else from the next load on.

    Args:
        actions: What loads models.
        parent: Where it stands.
    """

    def __init__(self, actions: LibraryActions, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._actions = actions
        self._slot, self._checkpoint_id = "", ""
        self._wanted: str | None = None
        label = plain_label(self)
        label.setText(_("Number type"))
        self.box = QComboBox(self)
        self.box.setObjectName("library_number_type")
        self.box.setAccessibleName(_("Number type"))
        self.box.setToolTip(_("For this slot alone: the other one is loaded as before."))
        self.box.addItem(plain(_("As for &all models")), "")
        for value, title in DTYPES:
            if value != AUTOMATIC:
                self.box.addItem(plain(_(title)), value)
        self.box.activated.connect(self._activated)
        row = QHBoxLayout(self)
        row.setContentsMargins(8, 0, 8, 0)
        row.addWidget(label)
        row.addWidget(self.box, 1)

    def follow(self, checkpoint: Checkpoint | None, slot: str) -> None:
        """Show what a slot is loaded as, unless another choice waits for a load.

        Args:
            checkpoint: What is chosen; of what can't be loaded there is nothing to choose.
            slot: That it is for.
        """
        self._slot, self._checkpoint_id = slot, "" if checkpoint is None else checkpoint.id
        self.setVisible(checkpoint is not None and checkpoint.source not in NOT_LOADED)
        if self._wanted is None:
            own = self._actions.models.own_of(slot).dtype
            self.box.setCurrentIndex(max(0, self.box.findData(own)))

    def forget(self) -> None:
        """No choice waits any more."""
        self._wanted = None

    def taken(self) -> str | None:
        """The choice that waits for a load, which it is taken by; None for none."""
        wanted, self._wanted = self._wanted, None
        return wanted

    def _activated(self, row: int) -> None:
        dtype = self.box.itemData(row)
        is_held = self._slot in self._actions.models.slots_of(self._checkpoint_id)
        self._wanted = None if is_held else dtype
        if is_held:
            self._actions.choose_numbers(self._slot, dtype=dtype)
