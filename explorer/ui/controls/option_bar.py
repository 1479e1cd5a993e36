"""Widgets for the options that a question declares: made, filled and heard in one place."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import pairwise
from pathlib import PurePath
from typing import Any

from PySide6.QtCore import QObject, QSignalBlocker, Qt, Signal
from PySide6.QtWidgets import (
    QAbstractButton,
    QCheckBox,
    QComboBox,
    QFileDialog,
    QHBoxLayout,
    QLineEdit,
    QPushButton,
    QSizePolicy,
    QSpinBox,
    QToolButton,
    QWidget,
)

from explorer.api.family.checkpoint import Checkpoint
from explorer.api.question import (
    Choice,
    Entry,
    FilePath,
    HeadChoice,
    ModelCard,
    ModelName,
    Number,
    Numbers,
    Option,
    Share,
    Switch,
    Whole,
    WordList,
    Words,
)
from explorer.document import Document
from explorer.text import _
from explorer.text.formatting.numbers import with_percent
from explorer.ui.blocks.page import Offer
from explorer.ui.controls.checkpoint_picker import CheckpointPicker
from explorer.ui.controls.head_list import HeadList
from explorer.ui.controls.number_fields import number_field, whole_field
from explorer.ui.controls.number_slider import NumberSlider
from explorer.ui.controls.plain_words import plain_label, plain_tip
from explorer.ui.controls.segmented import Segmented
from explorer.ui.document.gestures import quoted, set_options
from explorer.ui.theme.icon_sizes import icon_in_size
from explorer.ui.theme.icons import icon
from explorer.ui.theme.text_roles import in_role

Tell = Callable[[Any], None]

ALL = Offer()
"""All that an option declares."""
LONG_LINE = 380
"""Pixels of a field for a sentence, at least."""


class OptionBar(QObject):
    """The widgets of a question's options, in order.

    Attributes:
        widgets: What stands in the bar, by the option's key: with its caption where it has one,
            and followed by the button to the next number where it has that.
        fields: By the option's key: what takes its value; each named after it.
        is_placed: The widgets stand where they are seen, and may hide what is not offered.

    Signals:
        changed: An option's key and what the document is to hold of it.
        edited: An Edit that sets several of them, as another file sets back what was read of one.
        moved: The same of a slider that moves or of letters that are typed, many of which are one
            step.
    """

    changed = Signal(str, object)
    edited = Signal(object)
    moved = Signal(str, object)

    def __init__(self, options: Sequence[Option[Any]], parent: QWidget) -> None:
        super().__init__(parent)
        there = tuple(one.translated() for one in options if one.in_bar)
        self._head_of = {
            layer.key: head
            for layer, head in pairwise(there)
            if isinstance(layer, Whole) and isinstance(head, Whole)
            if (layer.counts, head.counts) == ("layers", "heads")
        }
        """The option of the head that is chosen with a layer, by the layer's key."""
        self._options = tuple(one for one in there if one not in self._head_of.values())
        self._fill: dict[str, Tell] = {}
        self._tips: dict[str, str] = {}
        self._limit: dict[str, Callable[[Document], None]] = {}
        self._offered: dict[str, tuple[Entry, ...]] = {}
        self.is_placed = False
        self._document = Document()
        self._pickers: list[tuple[ModelName, CheckpointPicker]] = []
        self.widgets: dict[str, QWidget] = {}
        self.fields: dict[str, QWidget] = {}
        for option in self._options:
            widget = self._made(option, parent)
            self.widgets[option.key] = widget
            self._tips[option.key] = widget.toolTip()
            field = self.fields[option.key]
            if isinstance(option, Whole) and option.next_said and isinstance(field, QSpinBox):
                self.widgets[f"{option.key}.next"] = self._next(option, field, parent)
            self._offer(option, ALL, Document())

    def show_options(
        self,
        document: Document,
        disabled: Mapping[str, str],
        limits: Mapping[str, int] | None = None,
        offers: Mapping[str, Offer] | None = None,
    ) -> None:
        """Show what a document sets, without telling.

        Args:
            document: The one of now.
            disabled: Options that mean nothing to the answer that is shown, and why.
            limits: The greatest values of whole numbers, where those are not their own.
            offers: What options can be set to now, where it is not all that they declare.
        """
        self._document = document
        for option in self._options:
            value = option.of(document)
            offer = (offers or {}).get(option.key, ALL)
            self._offer(option, offer, document)
            if offer.value is not None:
                value = offer.value
            if option.key in self._limit:
                self._limit[option.key](document)
            field = self.fields[option.key]
            if isinstance(option, Whole) and isinstance(field, QSpinBox):
                with QSignalBlocker(field):
                    field.setMaximum((limits or {}).get(option.key, option.high))
            if isinstance(field, HeadList) and option.key in self._head_of:
                self._show_head(option, field, document, disabled, limits or {})
                continue
            # Buttons show a number that none of them has by being up, all of them.
            beside = isinstance(option, Choice) and option.beside
            self._fill[option.key](option.held(document) if beside else value)
            widget = self.widgets[option.key]
            why = disabled.get(option.key, "")
            widget.setEnabled(not why)
            following = self.widgets.get(f"{option.key}.next")
            if following is not None:
                following.setEnabled(not why)
            said = why or self._tip_of(option, value) or self._tips[option.key]
            widget.setToolTip(plain_tip(said))

    def _show_head(
        self,
        layer: Option[Any],
        field: HeadList,
        document: Document,
        disabled: Mapping[str, str],
        limits: Mapping[str, int],
    ) -> None:
        """Show a layer with its head; of a layer that is given only its heads can be chosen."""
        head = self._head_of[layer.key]
        last, why = limits.get(layer.key, -1), disabled.get(layer.key, "")
        layers = range(last if why and last >= 0 else 0, last + 1)
        field.show_head(layer.of(document), head.of(document), layers, limits.get(head.key, -1) + 1)
        field.setToolTip(plain_tip(why or self._tips[layer.key]))

    def _choose_head(self, option: Option[Any], layer: int, number: int) -> None:
        head = self._head_of[option.key]
        values = {head.key: head.written(number)}
        if not (option.idle is not None and option.idle(self._document)):
            values[option.key] = option.written(layer)
        self.edited.emit(set_options(self._document, values, _("choose a head")))

    def _tip_of(self, option: Option[Any], value: Any) -> str:
        """Of the chosen entry."""
        entries = self._offered.get(option.key, ()) if isinstance(option, Choice) else ()
        return next((one.tip for one in entries if one.value == value), "")

    def _offer(self, option: Option[Any], offer: Offer, document: Document) -> None:
        """Let a widget have what can be chosen now."""
        widget, field = self.widgets[option.key], self.fields[option.key]
        entries = offer.entries or (option.entries if isinstance(option, Choice) else ())
        if isinstance(field, QComboBox) and entries != self._offered.get(option.key):
            with QSignalBlocker(field):
                field.clear()
                for number, entry in enumerate(entries):
                    field.addItem(entry.title, entry.value)
                    field.setItemData(number, plain_tip(entry.tip), Qt.ItemDataRole.ToolTipRole)
        self._offered[option.key] = tuple(entries)
        there = offer.there and (option.when is None or option.when(document))
        for one in (widget, self.widgets.get(f"{option.key}.next")):
            if one is not None and self.is_placed and one.isHidden() == there:
                one.setVisible(there)

    def show_models(self, cards: Mapping[str, ModelCard], active: str) -> None:
        """Say which loaded model stands for none that is named."""
        others = [slot for slot in cards if slot != active]
        for option, picker in self._pickers:
            slot = next(iter(others), "") if option.other else active
            picker.set_first(_loaded_said(cards.get(slot), slot, alone=len(self._pickers) == 1))

    def show_library(self, checkpoints: Iterable[Checkpoint]) -> None:
        """Offer every checkpoint whose config is known, here or not."""
        known = [(one.id, one.title) for one in checkpoints if one.family and one.architecture]
        for _option, picker in self._pickers:
            picker.set_choices(known)

    def _made(self, option: Option[Any], parent: QWidget) -> QWidget:
        made: QWidget
        if isinstance(option, Switch):
            made = self._switch(option, parent)
        elif isinstance(option, Choice):
            made = self._segments(option, parent) if option.beside else self._list(option, parent)
        elif isinstance(option, Whole):
            made = self._whole_or_head(option, parent)
        elif isinstance(option, Share):
            made = self._captioned(option, self._share(option, parent), parent)
        elif isinstance(option, Number):
            made = self._captioned(option, self._number(option, parent), parent)
        elif isinstance(option, FilePath):
            made = self._file(option, parent)
        elif isinstance(option, ModelName):
            made = self._picker(option, parent)
        elif isinstance(option, Words):
            made = self._line(option, parent)
        elif isinstance(option, WordList):
            made = self._list_of_words(option, parent)
        elif isinstance(option, Numbers):
            made = self._captioned(option, self._numbers(option, parent), parent)
        else:
            raise TypeError(f"{option.key} has no widget")
        if not made.objectName():
            made.setObjectName(option.key)
        self.fields.setdefault(option.key, made)
        made.setToolTip(plain_tip(option.tip or made.toolTip()))
        return made

    def _tell(self, option: Option[Any], value: Any) -> None:
        values = {option.key: option.written_in(self._document, value)}
        if isinstance(option, HeadChoice):
            self.edited.emit(set_options(self._document, values, _("choose a head")))
        else:
            self.changed.emit(option.key, values[option.key])

    def _tell_moved(self, option: Option[Any], value: Any) -> None:
        self.moved.emit(option.key, option.written_in(self._document, value))

    def _switch(self, option: Switch, parent: QWidget) -> QWidget:
        box: QAbstractButton
        if option.glyph:
            box = QToolButton(parent)
            box.setIcon(icon(option.glyph, "text"))
            icon_in_size(box)
            box.setCheckable(True)
            box.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        else:
            box = QCheckBox(option.label, parent)
        box.setAccessibleName(option.label)
        box.toggled.connect(lambda on: self._tell(option, on))
        self._fill[option.key] = _quietly(box, box.setChecked)
        return box

    def _segments(self, option: Choice, parent: QWidget) -> QWidget:
        buttons = Segmented(option.key, option.label, option.entries, parent)
        buttons.chosen.connect(lambda value: self._tell(option, value))
        self._fill[option.key] = buttons.set_choice
        return buttons

    def _list(self, option: Choice, parent: QWidget) -> QWidget:
        box = HeadList(parent) if isinstance(option, HeadChoice) else QComboBox(parent)
        box.setAccessibleName(box.accessibleName() or option.label)
        # What it offers may change with the models, and is read whole then, too.
        box.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToContents)
        box.activated.connect(lambda number: self._tell(option, box.itemData(number)))
        self._fill[option.key] = lambda value: box.setCurrentIndex(box.findData(value))
        return box

    def _file(self, option: FilePath, parent: QWidget) -> QWidget:
        button = QPushButton(icon("folder-open-outline"), option.label, parent)
        icon_in_size(button)
        button.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        button.clicked.connect(lambda: self._open_file(option, button))
        self._fill[option.key] = lambda _path: None
        return button

    def _open_file(self, option: FilePath, button: QWidget) -> None:
        """Ask for a file."""
        dialog = QFileDialog(button, _("Open file"))
        dialog.setObjectName("file_dialog")
        dialog.setFileMode(QFileDialog.FileMode.ExistingFile)
        dialog.setNameFilters([_(option.kinds), _("All files (*)")])
        dialog.fileSelected.connect(lambda path: self.take_file(option, path))
        dialog.finished.connect(dialog.deleteLater)
        dialog.open()

    def take_file(self, option: FilePath, path: str) -> None:
        """Set an option to a file that was chosen or dropped."""
        values = {**dict.fromkeys(option.resets), option.key: path}
        name = _("open {name}", name=quoted(PurePath(path).name))
        self.edited.emit(set_options(self._document, values, name))

    def _picker(self, option: ModelName, parent: QWidget) -> QWidget:
        picker = CheckpointPicker(option.key, option.label, parent)
        picker.chosen.connect(lambda name: self._tell(option, name))
        self._fill[option.key] = picker.show_choice
        self._pickers.append((option, picker))
        return picker

    def _whole_or_head(self, option: Whole, parent: QWidget) -> QWidget:
        if option.key not in self._head_of:
            return self._captioned(option, self._whole(option, parent), parent)
        heads = HeadList(parent)
        heads.chosen.connect(lambda layer, head: self._choose_head(option, layer, head))
        return heads

    def _whole(self, option: Whole, parent: QWidget) -> QWidget:
        field = whole_field(parent)
        field.setRange(option.low, option.high)
        if option.least_said:
            field.setSpecialValueText(_(option.least_said))
        field.valueChanged.connect(lambda value: self._tell_moved(option, value))
        self._fill[option.key] = _quietly(field, field.setValue)
        return field

    def _share(self, option: Share, parent: QWidget) -> QWidget:
        field = whole_field(parent)
        field.setRange(round(option.low * 100), round(option.high * 100))
        field.setSuffix(with_percent(""))
        field.valueChanged.connect(lambda value: self._tell_moved(option, value / 100))

        def limit(document: Document) -> None:
            with QSignalBlocker(field):
                field.setMaximum(round(option.limit(document) * 100))

        self._limit[option.key] = limit
        self._fill[option.key] = _quietly(field, lambda value: field.setValue(round(value * 100)))
        return field

    def _number(self, option: Number, parent: QWidget) -> QWidget:
        if option.slider:
            slider = NumberSlider(option, parent)
            slider.moved.connect(
                lambda value: self._tell_moved(option, round(value, option.decimals))
            )
            self._fill[option.key] = _quietly(slider, slider.show_value)
            return slider
        field = number_field(parent)
        field.setDecimals(option.decimals)
        field.setRange(option.low, option.high)
        field.setSingleStep(option.step)
        field.valueChanged.connect(
            lambda value: self._tell_moved(option, round(value, option.decimals))
        )
        self._fill[option.key] = _quietly(field, field.setValue)
        return field

    def _numbers(self, option: Numbers, parent: QWidget) -> QWidget:
        both = QWidget(parent)
        row = QHBoxLayout(both)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(4)
        fields = []
        for number, name in enumerate(option.names):
            field = number_field(both)
            field.setObjectName(f"{option.key}.{number}")
            spoken = _("{label}: {name}", label=option.label, name=_(name))
            field.setAccessibleName(spoken)
            field.setToolTip(plain_tip(spoken))
            field.setRange(option.low, option.high)
            field.setDecimals(option.decimals)
            field.setSingleStep(option.step)
            fields.append(field)
            if number:
                row.addSpacing(6)
            caption = plain_label(both, _(name))
            in_role(caption, "small")
            row.addWidget(caption)
            row.addWidget(field)
        for field in fields:
            field.valueChanged.connect(
                lambda _: self._tell_moved(option, tuple(one.value() for one in fields))
            )

        def fill(values: Sequence[float]) -> None:
            for field, value in zip(fields, values, strict=True):
                with QSignalBlocker(field):
                    field.setValue(value)

        self._fill[option.key] = fill
        return both

    def _list_of_words(self, option: WordList, parent: QWidget) -> QWidget:
        field = self._empty_line(option.label, option.placeholder, parent)
        field.setMinimumWidth(260)

        def typed() -> None:
            field.setModified(False)
            self._tell(option, option.parts(field.text()))

        field.editingFinished.connect(lambda: typed() if field.isModified() else None)

        def fill(words: Sequence[str]) -> None:
            # What the user is typing stays.
            if not (field.hasFocus() and field.isModified()):
                field.setText(", ".join(words))
                field.setCursorPosition(0)

        self._fill[option.key] = fill
        return self._named(option, field, parent)

    @staticmethod
    def _empty_line(label: str, placeholder: str, parent: QWidget) -> QLineEdit:
        field = QLineEdit(parent)
        field.setAccessibleName(label)
        field.setPlaceholderText(placeholder)
        field.setClearButtonEnabled(True)
        field.setMinimumWidth(190)
        field.setMaximumWidth(420)
        field.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        return field

    def _line(self, option: Words, parent: QWidget) -> QWidget:
        field = self._empty_line(option.label, option.placeholder, parent)
        if option.is_long:
            field.setMinimumWidth(LONG_LINE)
            field.setMaximumWidth(2 * LONG_LINE)

        def typed(text: str) -> None:
            field.setModified(False)
            self._tell_moved(option, text)

        field.textEdited.connect(typed)

        def fill(text: str) -> None:
            # What the user is typing keeps its cursor.
            if text != field.text():
                field.setText(text)
                field.setCursorPosition(0)

        self._fill[option.key] = fill
        return self._named(option, field, parent)

    def _named(self, option: Words | WordList, field: QLineEdit, parent: QWidget) -> QWidget:
        return self._captioned(option, field, parent) if option.captioned else field

    def _captioned(self, option: Option[Any], field: QWidget, parent: QWidget) -> QWidget:
        field.setAccessibleName(option.label)
        field.setObjectName(option.key)
        self.fields[option.key] = field
        both = QWidget(parent)
        both.setObjectName(f"{option.key}.captioned")
        row = QHBoxLayout(both)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(6)
        caption = plain_label(both, option.label)
        in_role(caption, "small")
        # What can be any length takes the room; a field of digits stands at the right.
        grows = isinstance(option, Numbers) or isinstance(field, NumberSlider | QLineEdit)
        row.addWidget(caption)
        row.addWidget(field, 1 if grows else 0)
        if not grows:
            row.addStretch(1)  # the field stands at its caption, not at the next one
        return both

    def _next(self, option: Whole, field: QSpinBox, parent: QWidget) -> QToolButton:
        button = QToolButton(parent)
        button.setObjectName(f"{option.key}.next")
        button.setText(option.next_said)
        button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        what = {"next_said": option.next_said, "lower": option.label.lower()}
        button.setToolTip(plain_tip(_("{next_said}: the next {lower}", **what)))
        button.setIcon(icon(option.next_glyph, "text"))
        icon_in_size(button)
        button.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        button.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Preferred)
        button.clicked.connect(lambda: self._tell(option, min(field.value() + 1, field.maximum())))
        return button


def _quietly(widget: QWidget, fill: Tell) -> Tell:
    """Set a value without the widget's telling of it."""

    def set_value(value: Any) -> None:
        with QSignalBlocker(widget):
            fill(value)

    return set_value


def _loaded_said(card: ModelCard | None, slot: str, *, alone: bool) -> str:
    """What the entry of a loaded model says; "" where none is loaded."""
    if card is None:
        return ""
    if alone:
        return _("{title} (loaded)", title=card.title)
    return _("{title} (loaded as {slot})", title=card.title, slot=slot)
