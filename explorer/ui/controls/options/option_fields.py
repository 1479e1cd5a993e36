"""The field of an option: made by its kind, filled without telling, telling what the user did."""

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple, Protocol

from PySide6.QtCore import QSignalBlocker, Qt
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

from explorer.api.question import (
    Choice,
    FilePath,
    HeadChoice,
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
from explorer.ui.controls.buttons.segmented import Segmented
from explorer.ui.controls.buttons.shortened_button import ShortenedButton
from explorer.ui.controls.options.checkpoint_picker import CheckpointPicker
from explorer.ui.controls.options.head_list import HeadList
from explorer.ui.controls.options.number_fields import number_field, whole_field
from explorer.ui.controls.options.number_slider import NumberSlider
from explorer.ui.controls.plain_words import plain_label, plain_tip
from explorer.ui.theme.icon_sizes import icon_in_size
from explorer.ui.theme.icons import icon
from explorer.ui.theme.text_roles import in_role

Tell = Callable[[Any], None]

NARROWEST_LINE, WIDEST_LINE, LONG_LINE = 120, 420, 320
"""Pixels of a field for words: at least, at most, and of one for a sentence at least."""
WIDEST_LIST = 280
"""Pixels of a list that opens; a longer entry is read whole where it is open."""


class Hearing(Protocol):
    """Whoever hears what the user did."""

    def tell(self, option: Option[Any], value: Any) -> None:
        """A value was chosen."""

    def tell_moved(self, option: Option[Any], value: Any) -> None:
        """A value on the way to another one."""

    def take_file(self, option: FilePath, path: str) -> None:
        """A file was chosen."""


class OptionField(NamedTuple):
    """A field.

    Attributes:
        field: What takes the value.
        fill: Shows a value, and tells nothing.
        limit: Takes its ends from a document; None where these are fixed.
    """

    field: QWidget
    fill: Tell
    limit: Callable[[Document], None] | None = None


def field_of(option: Option[Any], parent: QWidget, hearing: Hearing) -> OptionField:
    """The field that takes an option's value.

    Raises:
        TypeError: No field is known for its kind.
    """
    make = next((_MAKERS[kind] for kind in type(option).__mro__ if kind in _MAKERS), None)
    if make is None:
        raise TypeError(f"{option.key} has no widget")
    made: OptionField = make(option, parent, hearing)
    made.field.setAccessibleName(made.field.accessibleName() or option.label)
    made.field.setObjectName(option.key)
    return made


def next_button(option: Whole, field: QSpinBox, hearing: Hearing) -> QToolButton:
    """A button that goes on to the number that follows, as to draw again with another seed."""
    button = QToolButton(field.parentWidget())
    button.setObjectName(f"{option.key}.next")
    button.setText(option.next_said)
    button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
    what = {"next_said": option.next_said, "lower": option.label.lower()}
    button.setToolTip(plain_tip(_("{next_said}: the next {lower}", **what)))
    button.setIcon(icon(option.next_glyph, "text"))
    icon_in_size(button)
    button.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
    button.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Preferred)
    button.clicked.connect(lambda: hearing.tell(option, min(field.value() + 1, field.maximum())))
    return button


def _switch(option: Switch, parent: QWidget, hearing: Hearing) -> OptionField:
    box: QAbstractButton
    if option.glyph:
        box = ShortenedButton(parent)
        box.say_modestly(option.label)
        box.setIcon(icon(option.glyph, "text"))
        icon_in_size(box)
        box.setCheckable(True)
        box.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
    else:
        box = QCheckBox(option.label, parent)
    box.toggled.connect(lambda on: hearing.tell(option, on))
    return OptionField(box, _quietly(box, box.setChecked))


def _choice(option: Choice, parent: QWidget, hearing: Hearing) -> OptionField:
    if option.beside:
        buttons = Segmented(option.key, option.label, option.entries, parent)
        buttons.chosen.connect(lambda value: hearing.tell(option, value))
        return OptionField(buttons, buttons.set_choice)
    box = HeadList(parent) if isinstance(option, HeadChoice) else QComboBox(parent)
    # What it offers may change with the models, and is read whole then, too.
    box.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToContents)
    box.setMaximumWidth(WIDEST_LIST)
    box.activated.connect(lambda number: hearing.tell(option, box.itemData(number)))
    return OptionField(box, lambda value: box.setCurrentIndex(box.findData(value)))


def _file(option: FilePath, parent: QWidget, hearing: Hearing) -> OptionField:
    button = QPushButton(icon("folder-open-outline"), option.label, parent)
    icon_in_size(button)
    button.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
    button.clicked.connect(lambda: _open_file(option, button, hearing))
    return OptionField(button, lambda _path: None)


def _open_file(option: FilePath, button: QWidget, hearing: Hearing) -> None:
    """Ask for a file, or for a folder."""
    dialog = QFileDialog(button, _("Open folder") if option.is_folder else _("Open file"))
    dialog.setObjectName("file_dialog")
    if option.is_folder:
        dialog.setFileMode(QFileDialog.FileMode.Directory)
    else:
        dialog.setFileMode(QFileDialog.FileMode.ExistingFile)
        dialog.setNameFilters([_(option.kinds), _("All files (*)")])
    dialog.fileSelected.connect(lambda path: hearing.take_file(option, path))
    dialog.finished.connect(dialog.deleteLater)
    dialog.open()


def _picker(option: ModelName, parent: QWidget, hearing: Hearing) -> OptionField:
    picker = CheckpointPicker(option.key, option.label, parent)
    picker.chosen.connect(lambda name: hearing.tell(option, name))
    return OptionField(picker, picker.show_choice)


def _whole(option: Whole, parent: QWidget, hearing: Hearing) -> OptionField:
    field = whole_field(parent)
    field.setRange(option.low, option.high)
    if option.least_said:
        field.setSpecialValueText(_(option.least_said))
    field.valueChanged.connect(lambda value: hearing.tell_moved(option, value))
    return OptionField(field, _quietly(field, field.setValue))


def _share(option: Share, parent: QWidget, hearing: Hearing) -> OptionField:
    field = whole_field(parent)
    field.setRange(round(option.low * 100), round(option.high * 100))
    field.setSuffix(with_percent(""))
    field.valueChanged.connect(lambda value: hearing.tell_moved(option, value / 100))

    def limit(document: Document) -> None:
        with QSignalBlocker(field):
            field.setMaximum(round(option.limit(document) * 100))

    return OptionField(
        field, _quietly(field, lambda value: field.setValue(round(value * 100))), limit
    )


def _number(option: Number, parent: QWidget, hearing: Hearing) -> OptionField:
    def moved(value: float) -> None:
        hearing.tell_moved(option, round(value, option.decimals))

    if option.slider:
        slider = NumberSlider(option, parent)
        slider.moved.connect(moved)
        return OptionField(slider, _quietly(slider, slider.show_value))
    field = number_field(parent)
    field.setDecimals(option.decimals)
    field.setRange(option.low, option.high)
    field.setSingleStep(option.step)
    field.valueChanged.connect(moved)
    return OptionField(field, _quietly(field, field.setValue))


def _numbers(option: Numbers, parent: QWidget, hearing: Hearing) -> OptionField:
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
            lambda _: hearing.tell_moved(option, tuple(one.value() for one in fields))
        )

    def fill(values: Sequence[float]) -> None:
        for field, value in zip(fields, values, strict=True):
            with QSignalBlocker(field):
                field.setValue(value)

    return OptionField(both, fill)


def _list_of_words(option: WordList, parent: QWidget, hearing: Hearing) -> OptionField:
    field = _line(option, parent, NARROWEST_LINE)

    def typed() -> None:
        field.setModified(False)
        hearing.tell(option, option.parts(field.text()))

    field.editingFinished.connect(lambda: typed() if field.isModified() else None)

    def fill(words: Sequence[str]) -> None:
        # What the user is typing stays.
        if not (field.hasFocus() and field.isModified()):
            field.setText(", ".join(words))
            field.setCursorPosition(0)

    return OptionField(field, fill)


def _words(option: Words, parent: QWidget, hearing: Hearing) -> OptionField:
    field = _line(option, parent, LONG_LINE if option.is_long else NARROWEST_LINE)

    def typed(text: str) -> None:
        field.setModified(False)
        hearing.tell_moved(option, text)

    field.textEdited.connect(typed)

    def fill(text: str) -> None:
        # What the user is typing keeps its cursor.
        if text != field.text():
            field.setText(text)
            field.setCursorPosition(0)

    return OptionField(field, fill)


def _line(option: Words | WordList, parent: QWidget, narrowest: int) -> QLineEdit:
    field = QLineEdit(parent)
    field.setPlaceholderText(option.placeholder)
    field.setClearButtonEnabled(True)
    field.setMinimumWidth(narrowest)
    field.setMaximumWidth(2 * LONG_LINE if narrowest == LONG_LINE else WIDEST_LINE)
    field.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
    return field


_MAKERS: dict[type, Callable[..., OptionField]] = {
    Switch: _switch,
    Choice: _choice,
    Whole: _whole,
    Share: _share,
    Number: _number,
    FilePath: _file,
    ModelName: _picker,
    Words: _words,
    WordList: _list_of_words,
    Numbers: _numbers,
}


def _quietly(widget: QWidget, fill: Tell) -> Tell:
    """Set a value without the widget's telling of it."""

    def set_value(value: Any) -> None:
        with QSignalBlocker(widget):
            fill(value)

    return set_value
