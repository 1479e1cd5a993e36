"""What stands above the rows of a file."""

from PySide6.QtWidgets import QComboBox, QWidget


def box_of_choices(name: str, spoken: str, parent: QWidget) -> QComboBox:
    """A box for the frame's header, as wide as what it offers; hidden until the frame takes it."""
    made = QComboBox(parent)
    made.setObjectName(name)
    made.setAccessibleName(spoken)
    made.setToolTip(spoken)
    made.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToContents)
    made.setMaximumWidth(200)
    made.hide()
    return made
