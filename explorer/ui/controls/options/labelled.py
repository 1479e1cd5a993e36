"""A field with its label, and a dot that says that it differs from the default and sets it back."""

from collections.abc import Sequence
from functools import cached_property

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QBoxLayout,
    QCheckBox,
    QComboBox,
    QHBoxLayout,
    QLineEdit,
    QPushButton,
    QSizePolicy,
    QSpacerItem,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from explorer.text import _
from explorer.ui.controls.options.number_slider import NumberSlider
from explorer.ui.controls.plain_words import plain_label, plain_tip
from explorer.ui.theme.text_roles import in_role

GAP = 6
WIDEST = 16_777_215
"""Pixels: what Qt takes for no bound."""
DOT = 18
"""Pixels that are left for the dot."""


class LabelledField(QWidget):
    """One option: its label at the left of its field in a row, and above it in a panel.

    Args:
        key: What it is found by, "<key>.labelled".
        label: Of the option.
        above: The label stands above the field.
        parent: Where it stands.

    Signals:
        reset: The dot was pressed.
    """

    reset = Signal()

    def __init__(self, key: str, label: str, parent: QWidget, *, above: bool = False) -> None:
        super().__init__(parent)
        self.setObjectName(f"{key}.labelled")
        self._label = label
        self._above = above
        self._line = QHBoxLayout()
        self._free = QSpacerItem(DOT, 1)

    @cached_property
    def dot(self) -> QToolButton:
        """Made when it is first wanted, in the room that is left for it."""
        dot = QToolButton(self)
        dot.setObjectName("option_dot")
        dot.setText("●")
        dot.setAutoRaise(True)
        dot.setFixedWidth(DOT)
        dot.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        dot.setAccessibleName(_("Reset {label}", label=self._label))
        dot.clicked.connect(self.reset)
        kept = dot.sizePolicy()
        kept.setRetainSizeWhenHidden(True)
        dot.setSizePolicy(kept)
        self._line.removeItem(self._free)
        self._line.addWidget(dot)
        return dot

    def hold(self, field: QWidget, beside: Sequence[QWidget] = ()) -> None:
        """Put the field into its place.

        Args:
            field: Takes the value.
            beside: Buttons that stand next to it.
        """
        says_itself = isinstance(field, QCheckBox | QPushButton)
        grows = field.sizePolicy().horizontalPolicy() == QSizePolicy.Policy.Expanding
        grows = grows or isinstance(field, NumberSlider)
        line = self._line
        line.setContentsMargins(0, 0, 0, 0)
        line.setSpacing(GAP)
        caption = None
        if not says_itself:
            caption = plain_label(self, self._label)
            in_role(caption, "small")
            caption.setBuddy(field)
        column: QBoxLayout = QVBoxLayout(self) if self._above else line
        if self._above:
            column.setContentsMargins(0, 0, 0, 0)
            column.setSpacing(2)
            if isinstance(field, QLineEdit | QComboBox):
                field.setMinimumWidth(40)
                field.setMaximumWidth(WIDEST)
                field.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
                grows = True
            if caption is not None:
                column.addWidget(caption)
            column.addLayout(line)
        else:
            self.setLayout(line)
            if caption is not None:
                line.addWidget(caption)
        line.addWidget(field, int(grows))
        for one in beside:
            if self._above:
                column.addWidget(one, 0, Qt.AlignmentFlag.AlignLeft)
            else:
                line.addWidget(one)
        if self._above and not grows:
            line.addStretch(1)
        line.addItem(self._free)
        if grows and caption is not None and not self._above and field.maximumWidth() < WIDEST:
            # A field that can't grow any more stays at its label.
            taken = caption.sizeHint().width() + DOT + (2 + len(beside)) * GAP
            taken += sum(one.sizeHint().width() for one in beside)
            self.setMaximumWidth(taken + field.maximumWidth())
        if grows:
            self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)

    def show_change(self, default: str | None) -> None:
        """Say that the value differs from the default, or (None) that it does not."""
        if default is not None or self.is_changed:
            self.dot.setVisible(default is not None)
        if default is not None:
            said = _("Not the default, which is {default}: click to reset", default=default)
            self.dot.setToolTip(plain_tip(said if default else _("Changed: click to reset")))

    @property
    def is_changed(self) -> bool:
        """Whether the value differs from the default."""
        return "dot" in vars(self) and not self.dot.isHidden()
