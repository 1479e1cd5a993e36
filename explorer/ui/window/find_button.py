"""The way to everything by its words, above the tree of pages."""

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QSizePolicy, QToolButton, QWidget

from explorer.text import N_, _
from explorer.ui.controls.plain_words import plain_tip
from explorer.ui.guarded import guarded
from explorer.ui.theme.icon_sizes import icon_in_size
from explorer.ui.theme.icons import icon

WHAT = N_("Find pages, options, models, samples, scenes, commands and terms")
"""What the search is called."""


@guarded
class FindButton(QToolButton):
    """Looks like a field that is searched with, and opens the one that is."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName("find_anything")
        self.setAccessibleName(_(WHAT))
        self.setIcon(icon("magnify"))
        icon_in_size(self)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.set_narrow(False)

    def offer(self, action: QAction) -> None:
        """Do this at a click, and say by which keys it is done too."""
        keys = action.shortcut().toString(QKeySequence.SequenceFormat.NativeText)
        self.setText(_("Find ({keys})", keys=keys))
        self.setAccessibleDescription(keys)
        self.setToolTip(plain_tip(f"{self.accessibleName()} ({keys})"))
        self.clicked.connect(action.trigger)

    def set_narrow(self, narrow: bool) -> None:
        """Show the glass alone, or with words and keys."""
        beside, alone = (
            Qt.ToolButtonStyle.ToolButtonTextBesideIcon,
            Qt.ToolButtonStyle.ToolButtonIconOnly,
        )
        self.setToolButtonStyle(alone if narrow else beside)

    def sizeHint(self) -> QSize:
        """No wider than what it stands above."""
        return QSize(0, super().sizeHint().height())

    def minimumSizeHint(self) -> QSize:
        """No wider than what it stands above."""
        return self.sizeHint()
