"""The bar at the top: which models are A and B, and which of the two answers."""

from collections.abc import Callable
from functools import partial

from PySide6.QtCore import QPoint, QSize, Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import (
    QComboBox,
    QFrame,
    QHBoxLayout,
    QLabel,
    QMenu,
    QPushButton,
    QSizePolicy,
    QToolBar,
    QWidget,
)

from explorer.api.question import SLOTS
from explorer.text import _, said
from explorer.text.formatting import quantities
from explorer.ui.controls.plain_words import plain_label, plain_tip
from explorer.ui.guarded import guarded
from explorer.ui.library.models import ModelSlots
from explorer.ui.theme.chrome import stays_put, zoomed
from explorer.ui.theme.schemes import Theme, theme_signals

GAP = 8
LETTER = 20
BESIDE = 8 + GAP + GAP + 12
"""Pixels of a slot's button beside its letter and its words."""
WIDEST = 400
"""Pixels of a slot's button; a longer name ends in dots."""
ROOM_FOR_FACTS = 1180
"""Width of the bar from which family and size stand beside the names."""


@guarded
class SlotButton(QPushButton):
    """One slot: its letter, its model's name, and what kind of model that is."""

    def __init__(self, slot: str, parent: QWidget) -> None:
        super().__init__(parent)
        self.slot = slot
        self.setObjectName(f"slot_{slot}")
        self._title = ""
        self._facts = ""
        self._with_facts = True
        self._letter = self._label("slot_letter")
        self._letter.setText(slot)
        self._letter.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._name = self._label("slot_name")
        self._about = self._label("slot_about")
        row = QHBoxLayout(self)
        row.setContentsMargins(8, 4, 10, 4)
        row.setSpacing(GAP)
        for label in (self._letter, self._name, self._about):
            row.addWidget(label)
        row.addStretch(1)
        self.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        theme_signals().changed.connect(self._fit)

    def show_model(self, title: str, facts: str, tip: str) -> None:
        """Say what the slot holds.

        Args:
            title: The model's name, what is being loaded, or that there is none.
            facts: Family and size; "" for none.
            tip: More about it.
        """
        self._title, self._facts = title, facts
        told = ", ".join(part for part in (title, facts) if part)
        self.setAccessibleName(_("Model {slot}: {said}", slot=self.slot, said=told))
        self.setToolTip(plain_tip(_("{tip}\n\nOpens the model library (Ctrl+L)", tip=tip).strip()))
        self._fit()

    def show_answers(self, answers: bool) -> None:
        """Mark the slot whose model answers."""
        self._letter.setProperty("answers", answers)
        self._letter.style().unpolish(self._letter)
        self._letter.style().polish(self._letter)

    def show_facts(self, shown: bool) -> None:
        """Show family and size, or only the name."""
        self._with_facts = shown
        self._fit()

    @property
    def said(self) -> str:
        """The words on it."""
        shown = (self._name.text(), self._about.text() if not self._about.isHidden() else "")
        return " · ".join(part for part in shown if part)

    def sizeHint(self) -> QSize:
        """As wide as its words, within a bound."""
        words = self._name.fontMetrics().horizontalAdvance(self._title) + self._room_of_facts
        wanted = words + zoomed(LETTER) + BESIDE
        return QSize(min(wanted, zoomed(WIDEST)), self._name.fontMetrics().height() + 14)

    def minimumSizeHint(self) -> QSize:
        """A letter and the beginning of a name."""
        return QSize(110, self.sizeHint().height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        """A long name ends in dots."""
        super().resizeEvent(event)
        self._elide()

    @property
    def _room_of_facts(self) -> int:
        if not self._facts or not self._with_facts:
            return 0
        return self._about.fontMetrics().horizontalAdvance(self._facts) + GAP

    def _fit(self, _theme: object = None) -> None:
        self._name.setFont(Theme.font("strong"))
        self._about.setFont(Theme.font("small"))
        self._letter.setFont(Theme.font("small"))
        self._letter.setFixedSize(zoomed(LETTER), zoomed(LETTER))
        self._about.setText(self._facts)
        self._about.setVisible(self._room_of_facts > 0)
        self.updateGeometry()
        self._elide()

    def _elide(self) -> None:
        room = self.width() - zoomed(LETTER) - BESIDE - self._room_of_facts + 2
        metrics = self._name.fontMetrics()
        self._name.setText(metrics.elidedText(self._title, Qt.TextElideMode.ElideRight, room))

    def _label(self, name: str) -> QLabel:
        label = plain_label(self)
        label.setObjectName(name)
        label.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        return label


@guarded
class ModelBar(QToolBar):
    """Both slots, and who answers.

    Signals:
        library_wanted: Open the library to choose a model for this slot.

    Attributes:
        slots: The buttons, by slot.
        answerer: Chooses which of two loaded models answers.
    """

    library_wanted = Signal(str)

    def __init__(self, models: ModelSlots, parent: QWidget | None = None) -> None:
        super().__init__(_("Models"), parent)
        self.setObjectName("model_bar")
        self.setAccessibleName(_("Models"))
        self._models = models
        inside = self._inside = QFrame(self)
        inside.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        # Before there is anything in it: what a tool bar takes, it moves twice.
        self.addWidget(inside)
        row = QHBoxLayout(inside)
        row.setContentsMargins(8, 8, 10, 8)
        row.setSpacing(8)
        self.slots: dict[str, SlotButton] = {}
        for slot in SLOTS:
            button = SlotButton(slot, inside)
            button.clicked.connect(partial(self._clicked, slot))
            button.customContextMenuRequested.connect(partial(self._show_menu, slot))
            self.slots[slot] = button
            row.addWidget(button)
        row.addStretch(1)
        self._row = row
        self.answerer = self._answerer_box(inside)
        self._answerer_label = plain_label(inside, _("Active model"))
        self._answerer_label.setBuddy(self.answerer)
        row.addWidget(self._answerer_label)
        row.addWidget(self.answerer)
        stays_put(self)
        models.changed.connect(self._show_models)
        models.progressed.connect(self._show_models)
        models.active_changed.connect(self._show_models)
        self._show_models()

    def stand_beside(self, make: Callable[[QWidget], QWidget]) -> None:
        """Put something beside the slots, at the right.

        Args:
            make: Makes it, in what it will stand in.
        """
        self._row.insertWidget(self._row.indexOf(self._answerer_label), make(self._inside))

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Where there is little room, names alone."""
        super().resizeEvent(event)
        for button in self.slots.values():
            button.show_facts(self.width() >= ROOM_FOR_FACTS)

    def _answerer_box(self, parent: QWidget) -> QComboBox:
        box = QComboBox(parent)
        box.setObjectName("answerer")
        box.setAccessibleName(_("Which loaded model answers"))
        box.setToolTip(_("Which loaded model answers (Ctrl+J: the other one)"))
        box.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToContents)
        box.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
        for slot in SLOTS:
            box.addItem(slot, slot)
        box.activated.connect(lambda row: self._models.set_active(box.itemData(row)))
        return box

    def _show_models(self, _slot: str = "") -> None:
        models = self._models
        for row, slot in enumerate(SLOTS):
            card, loading = models.cards.get(slot), models.loading.get(slot)
            button = self.slots[slot]
            if loading is not None:
                button.show_model(loading.title, loading.sentence, "")
            elif card is not None:
                # The family writes its own name at the head of the line on the architecture.
                family = card.architecture.partition(" · ")[0] or card.stamp.family
                size = quantities.in_words(card.parameters)
                tip = f"{said(card.architecture)}\n{card.stamp.device}, {card.stamp.dtype}"
                button.show_model(card.title, f"{family} · {size}", tip)
            else:
                button.show_model(_("Choose a model…"), "", _("No model is loaded here"))
            button.show_answers(card is not None and slot == models.active)
            title = card.title if card is not None else _("no model")
            self.answerer.setItemText(row, f"{slot} · {title}")
        self.answerer.setCurrentIndex(SLOTS.index(models.active))
        for widget in (self.answerer, self._answerer_label):
            widget.setVisible(len(models.cards) > 1)

    def _clicked(self, slot: str, _checked: bool = False) -> None:
        self.library_wanted.emit(slot)

    def _show_menu(self, slot: str, place: QPoint) -> None:
        models = self._models
        menu = QMenu(self)
        menu.setObjectName("slot_menu")
        menu.addAction(_("Choose a model…"), partial(self.library_wanted.emit, slot))
        held = slot in models.cards
        answers = menu.addAction(_("Let it answer"), partial(models.set_active, slot))
        answers.setEnabled(held and slot != models.active)
        menu.addAction(_("Unload"), partial(models.unload, slot)).setEnabled(held)
        menu.aboutToHide.connect(menu.deleteLater)
        menu.popup(self.slots[slot].mapToGlobal(place))
