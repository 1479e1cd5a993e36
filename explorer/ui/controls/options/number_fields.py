"""Fields for numbers, whole ones and others, that tell when the number is typed whole."""

from PySide6.QtWidgets import QAbstractSpinBox, QDoubleSpinBox, QSpinBox, QWidget

INSET = 4
"""Pixels before the first digit; the style sheet's padding does not reach what is inside."""


def whole_field(parent: QWidget) -> QSpinBox:
    """For a whole number."""
    field = QSpinBox(parent)
    prepare_field(field)
    return field


def number_field(parent: QWidget) -> QDoubleSpinBox:
    """For a number with decimals."""
    field = QDoubleSpinBox(parent)
    prepare_field(field)
    return field


def prepare_field(field: QAbstractSpinBox) -> None:
    """Make any field for numbers as these are."""
    field.setKeyboardTracking(False)
    field.setGroupSeparatorShown(True)
    field.lineEdit().setTextMargins(INSET, 0, 0, 0)
