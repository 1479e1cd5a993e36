"""The models as chips: which are A and B, and which of the two answers."""

from functools import partial

from PySide6.QtCore import QPoint, QSize, Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import (
    QHBoxLayout,
    QLabel,
    QMenu,
    QPushButton,
    QSizePolicy,
    QToolButton,
    QWidget,
)

from explorer.api.family.load_options import BITS
from explorer.api.question import SLOTS
from explorer.text import _, said
from explorer.text.formatting import quantities
from explorer.ui.controls.plain_words import plain_label, plain_tip
from explorer.ui.guarded import guarded
from explorer.ui.library.models import ModelSlots
from explorer.ui.library.moments.moments import ModelMoments
from explorer.ui.library.moments.step_slider import StepSlider
from explorer.ui.theme.chrome import zoomed
from explorer.ui.theme.icon_sizes import icon_in_size
from explorer.ui.theme.icons import icon
from explorer.ui.theme.schemes import Theme, theme_signals

GAP = 8
LETTER = 20
BESIDE = 8 + GAP + 10
"""Pixels of a chip beside its letter and its words."""
WIDEST = 256
"""Pixels of a chip; a longer name ends in dots."""
NARROWEST = 84
ROUNDED = 2
"""Pixels that a label takes beyond its letters, each of which is rounded."""
ROOM_FOR_FACTS = 1180
"""Width of the window from which family and size stand beside the names."""


@guarded
class ModelChip(QPushButton):
    """One slot: its letter, its model and of which kind that is; filled if it answers."""

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
        row.setContentsMargins(8, 3, 10, 3)
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
            tip: More about it, and what a click does.
        """
        self._title, self._facts = title, facts
        told = ", ".join(part for part in (title, facts) if part)
        self.setAccessibleName(_("Model {slot}: {said}", slot=self.slot, said=told))
        self.setToolTip(plain_tip(tip))
        self._fit()

    def show_answers(self, answers: bool) -> None:
        """Fill the chip whose model answers."""
        self.setAccessibleDescription(_("This model answers") if answers else "")
        for widget in (self, self._letter, self._name, self._about):
            widget.setProperty("answers", answers)
            widget.style().unpolish(widget)
            widget.style().polish(widget)

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
        words = _wide(self._name, self._title) + self._room_of_facts
        wanted = words + zoomed(LETTER) + BESIDE
        return QSize(min(wanted, zoomed(WIDEST)), self._name.fontMetrics().height() + 12)

    def minimumSizeHint(self) -> QSize:
        """A letter and the beginning of a name."""
        return QSize(min(NARROWEST, self.sizeHint().width()), self.sizeHint().height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        """A long name ends in dots."""
        super().resizeEvent(event)
        self._elide()

    @property
    def _room_of_facts(self) -> int:
        """None where the name could not be read whole beside them."""
        name, facts = _wide(self._name, self._title), _wide(self._about, self._facts) + GAP
        fits = name + facts + zoomed(LETTER) + BESIDE <= zoomed(WIDEST)
        return facts if self._facts and self._with_facts and fits else 0

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
        room = self.width() - zoomed(LETTER) - BESIDE - self._room_of_facts
        metrics = self._name.fontMetrics()
        self._name.setText(metrics.elidedText(self._title, Qt.TextElideMode.ElideRight, room))

    def _label(self, name: str) -> QLabel:
        label = plain_label(self)
        label.setObjectName(name)
        label.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        return label


def numbers_said(dtype: str) -> str:
    """A number type as it is read in few letters."""
    bits = BITS.get(dtype)
    return dtype if bits is None else _("{count} bit", count=bits)


def _wide(label: QLabel, words: str) -> int:
    return label.fontMetrics().horizontalAdvance(words) + ROUNDED


@guarded
class ModelBar(QWidget):
    """Both slots as chips, and a button that lets the other one answer.

    Signals:
        library_wanted: Open the library to choose a model for this slot.
        menu_made: A slot, and the menu of what can be done with it, which is about to open.

    Attributes:
        slots: The chips, by slot.
        steps: What moves a model through its training, by slot; hidden where it has no moments.
        other: Lets the other of two loaded models answer.
    """

    library_wanted = Signal(str)
    menu_made = Signal(str, object)

    def __init__(self, models: ModelSlots, moments: ModelMoments, parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName("model_bar")
        self.setAccessibleName(_("Models"))
        self._models = models
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(6)
        self.slots: dict[str, ModelChip] = {}
        self.steps: dict[str, StepSlider] = {}
        for slot in SLOTS:
            chip = ModelChip(slot, self)
            chip.clicked.connect(partial(self._clicked, slot))
            chip.customContextMenuRequested.connect(partial(self._show_menu, slot))
            self.slots[slot] = chip
            self.steps[slot] = StepSlider(slot, moments, self)
            row.addWidget(chip)
            row.addWidget(self.steps[slot])
        self.other = QToolButton(self)
        self.other.setObjectName("other_answers")
        self.other.setIcon(icon("swap-horizontal", "text"))
        icon_in_size(self.other)
        self.other.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.other.setAccessibleName(_("Let the other model answer"))
        self.other.setToolTip(_("Let the other model answer (Ctrl+J)"))
        self.other.clicked.connect(self._exchange)
        row.addWidget(self.other)
        row.addStretch(1)
        self.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
        models.changed.connect(self._show_models)
        models.progressed.connect(self._show_models)
        models.active_changed.connect(self._show_models)
        self._show_models()

    def show_facts(self, width: int) -> None:
        """Family and size stand beside the names where a window is so wide, in pixels."""
        for chip in self.slots.values():
            chip.show_facts(width >= zoomed(ROOM_FOR_FACTS))

    def _show_models(self, _slot: str = "") -> None:
        models = self._models
        library = _("Click: opens the model library (Ctrl+L)")
        for slot, chip in self.slots.items():
            card, loading = models.cards.get(slot), models.loading.get(slot)
            answers = card is not None and slot == models.active
            if loading is not None:
                chip.show_model(loading.title, loading.sentence, library)
            elif card is not None:
                # The family writes its own name at the head of the line on the architecture.
                family = card.architecture.partition(" · ")[0] or card.stamp.family
                size = quantities.in_words(card.parameters)
                tip = f"{said(card.architecture)}\n{card.stamp.device}, {card.stamp.dtype}"
                click = library if answers else _("Click: this model answers")
                own = models.own_of(slot).dtype
                facts = numbers_said(own) if own else f"{family} · {size}"
                chip.show_model(card.title, facts, f"{tip}\n\n{click}")
            else:
                nothing = _("No model is loaded here")
                chip.show_model(_("Choose a model…"), "", f"{nothing}\n\n{library}")
            chip.show_answers(answers)
        self.other.setEnabled(len(models.cards) > 1)

    def _clicked(self, slot: str, _checked: bool = False) -> None:
        """The model answers; one that does already, or is not there yet, is chosen anew."""
        models = self._models
        if slot in models.cards and slot != models.active and slot not in models.loading:
            models.set_active(slot)
        else:
            self.library_wanted.emit(slot)

    def _exchange(self) -> None:
        other = next((slot for slot in self._models.cards if slot != self._models.active), "")
        if other:
            self._models.set_active(other)

    def _show_menu(self, slot: str, place: QPoint) -> None:
        models = self._models
        menu = QMenu(self)
        menu.setObjectName("slot_menu")
        menu.addAction(_("Choose a model…"), partial(self.library_wanted.emit, slot))
        held = slot in models.cards
        answers = menu.addAction(_("Let it answer"), partial(models.set_active, slot))
        answers.setEnabled(held and slot != models.active)
        menu.addAction(_("Unload"), partial(models.unload, slot)).setEnabled(held)
        self.menu_made.emit(slot, menu)
        menu.aboutToHide.connect(menu.deleteLater)
        menu.popup(self.slots[slot].mapToGlobal(place))
