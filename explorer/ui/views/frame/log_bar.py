"""Says that the answer on a page is one of another time, and lets it be asked anew."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QWidget

from explorer.text import _
from explorer.ui.theme.icon_sizes import icon_in_size
from explorer.ui.theme.icons import icon
from explorer.ui.views.frame.state_pages import state_label


class LogBar(QWidget):
    """A line above an answer from the log; hidden above all others.

    Attributes:
        label: When the answer was given, and by whom.
        button: Asks anew.

    Signals:
        asked: The button was pressed.
    """

    asked = Signal()

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName("logBar")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        # It takes two lines where two models have long names.
        self.label = state_label("logText", "small", self)
        self.button = QPushButton(icon("refresh"), _("Ask anew"), self)
        self.button.setObjectName("askAnewButton")
        self.button.setToolTip(_("Ask the same once more, of the models that are loaded now"))
        icon_in_size(self.button)
        self.button.clicked.connect(self.asked)
        row = QHBoxLayout(self)
        row.setContentsMargins(14, 4, 10, 4)
        row.addWidget(self.label, 1)
        row.addWidget(self.button)
        self.hide()

    def say(self, words: str) -> None:
        """Say where the answer is from; "" where it is one of now."""
        self.label.setText(words)
        self.setVisible(bool(words))
