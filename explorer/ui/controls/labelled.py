"""A field with its label, and a dot that says that it differs from the default and sets it back."""

from collections.abc import Sequence

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtWidgets import (
    QBoxLayout,
    QCheckBox,
    QComboBox,
    QHBoxLayout,
    QLineEdit,
    QPushButton,
    QSizePolicy,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from explorer.text import _
from explorer.ui.controls.number_slider import NumberSlider
from explorer.ui.controls.plain_words import plain_label, plain_tip
from explorer.ui.theme.text_roles import in_role

GAP = 6


class Labelled(QWidget):
    """One option: its label at the left of its field in a row, and above it in a panel.

    Args:
        key: What it is found by, "<key>.labelled".
        label: Of the option.
        above: The label stands above the field.
        parent: Where it stands.

    Attributes:
        dot: Seen where the value is not the default; a click sets it back.

    Signals:
        reset: The dot was pressed.
    """

    reset = Signal()

    def __init__(self, key: str, label: str, parent: QWidget, *, above: bool = False) -> None:
        super().__init__(parent)
        self.setObjectName(f"{key}.labelled")
        self._label = label
        self._above = above
        self.dot = QToolButton(self)
        self.dot.setObjectName("option_dot")
        self.dot.setText("●")
        self.dot.setAutoRaise(True)
        self.dot.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.dot.setAccessibleName(_("Reset {label}", label=label))
        self.dot.clicked.connect(self.reset)
        kept = self.dot.sizePolicy()
        kept.setRetainSizeWhenHidden(True)
        self.dot.setSizePolicy(kept)
        self.dot.hide()

    def hold(self, field: QWidget, beside: Sequence[QWidget] = ()) -> None:
        """Put the field into its place.

        Args:
            field: Takes the value.
            beside: Buttons that stand next to it.
        """
        says_itself = isinstance(field, QCheckBox | QPushButton)
        grows = field.sizePolicy().horizontalPolicy() == QSizePolicy.Policy.Expanding
        grows = grows or isinstance(field, NumberSlider)
        line = QHBoxLayout()
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
                field.setMaximumWidth(16_777_215)
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
            line.addWidget(one)
        if self._above and not grows:
            line.addStretch(1)
        line.addWidget(self.dot)
        if grows:
            self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)

    def show_change(self, default: str | None) -> None:
        """Say that the value differs from the default, or (None) that it does not."""
        self.dot.setVisible(default is not None)
        if default is not None:
            said = _("Not the default, which is {default}: click to reset", default=default)
            self.dot.setToolTip(plain_tip(said if default else _("Changed: click to reset")))

    @property
    def is_changed(self) -> bool:
        """Whether the value differs from the default."""
        return not self.dot.isHidden()

    def minimumSizeHint(self) -> QSize:
        """Of its layout, as a row asks for it."""
        return super().minimumSizeHint()
