"""Pinning an answer: a button in the frame's header, and a line that says what is compared."""

from typing import Any, Protocol

from PySide6.QtCore import Qt, Signal, SignalInstance
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QSizePolicy, QWidget

from explorer.api.question import ModelStamp, Question
from explorer.text import _
from explorer.text.printable import shortened
from explorer.ui.blocks.page.shown import masked_text
from explorer.ui.controls.buttons.shortened_button import ShortenedButton
from explorer.ui.controls.plain_words import plain_label, plain_tip
from explorer.ui.theme.icon_sizes import icon_in_size
from explorer.ui.theme.icons import icon
from explorer.ui.theme.text_roles import in_role

QUOTED = 60
"""Characters of the pinned text that the line quotes."""


class Pinnable(Protocol):
    """What pinning asks of a view."""

    of: Question[Any, Any]
    baseline: Any
    baseline_changed: SignalInstance

    @property
    def has_result(self) -> bool:
        """Whether there is an answer to pin."""

    def pin(self) -> None:
        """Compare what comes with the answer of now."""

    def title_of(self, stamp: ModelStamp) -> str:
        """What a model is called."""

    def unpin(self) -> None:
        """Compare no longer."""


class PinButton(ShortenedButton):
    """Pins the answer of now, or lets the pinned one go."""

    def __init__(self, view: Pinnable, parent: QWidget) -> None:
        super().__init__(parent)
        self._view = view
        self.setObjectName("pinButton")
        icon_in_size(self)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.clicked.connect(self._toggle)
        view.baseline_changed.connect(self._show_state)
        self._show_state()

    @property
    def is_pinned(self) -> bool:
        """Whether an answer is pinned."""
        return self._view.baseline is not None

    def _toggle(self) -> None:
        if self.is_pinned:
            self._view.unpin()
        else:
            self._view.pin()

    def _show_state(self) -> None:
        pinned = self.is_pinned
        self.setIcon(icon("pin-off-outline" if pinned else "pin-outline", "text"))
        self.say_modestly(_("Unpin") if pinned else _("Pin"))
        self.setAccessibleName(_("Unpin the answer") if pinned else _("Pin this answer"))
        self.setToolTip(
            plain_tip(
                _("Unpin the answer")
                if pinned
                else _("Pin this answer; what you ask next is shown as the difference to it")
            )
        )


class PinBar(QWidget):
    """Says what the answer of now is compared with.

    Signals:
        kept: Put the comparison on the sheet.
    """

    kept = Signal()

    def __init__(self, view: Pinnable, parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName("pinBar")
        self._view = view
        self.label = plain_label(self)
        self.label.setObjectName("pinText")
        in_role(self.label, "small")
        self.label.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self.button = QPushButton(_("Unpin"), self)
        self.button.setObjectName("unpinButton")
        self.button.clicked.connect(view.unpin)
        self.keep = QPushButton(_("Save comparison…"), self)
        self.keep.setObjectName("keepComparisonButton")
        self.keep.setToolTip(_("Put both answers and their difference on the comparison sheet"))
        self.keep.clicked.connect(self.kept)
        row = QHBoxLayout(self)
        row.setContentsMargins(14, 4, 10, 4)
        row.addWidget(self.label, 1)
        row.addWidget(self.keep)
        row.addWidget(self.button)
        view.baseline_changed.connect(self.show_state)
        self.show_state()

    def show_state(self) -> None:
        """Follow the view."""
        pinned = self._view.baseline
        self.setVisible(pinned is not None)
        if pinned is None:
            return
        model_of = self._view.title_of(pinned.result.model)
        if self._view.of.reads_text:
            words = _(
                "Shown as the difference to the pinned answer: {model_of} on “{masked_text}”",
                model_of=model_of,
                masked_text=shortened(masked_text(pinned.document), QUOTED),
            )
        else:
            words = _("Shown with the pinned answer: {model_of}", model_of=model_of)
        self.label.setText(words)
        self.label.setToolTip(plain_tip(words))
