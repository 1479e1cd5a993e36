"""What stands at the left of the pages: the search, and the tree below it."""

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QBoxLayout, QToolButton, QVBoxLayout, QWidget

from explorer.text import _
from explorer.ui.controls.plain_words import plain_tip
from explorer.ui.guarded import guarded
from explorer.ui.theme.icon_sizes import icon_in_size
from explorer.ui.theme.icons import icon
from explorer.ui.views import Listed
from explorer.ui.window.find_button import FindButton
from explorer.ui.window.tree.page_tree import PageTree


@guarded
class Sidebar(QWidget):
    """The search and the tree; a strip with two buttons while the tree is put away.

    Attributes:
        find_button: Opens the search.
        fold: Puts the tree away, or brings it back.
        tree: The pages.

    Signals:
        fold_wanted: Whether the tree is to be put away, as the user wants it.
    """

    fold_wanted = Signal(bool)

    def __init__(self, pages: Sequence[Listed], parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName("sidebar")
        self.is_folded = False
        self.find_button = FindButton(self)
        self.fold = QToolButton(self)
        self.fold.setObjectName("fold_tree")
        self.fold.setAutoRaise(True)
        self.fold.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        icon_in_size(self.fold)
        self.fold.clicked.connect(lambda: self.fold_wanted.emit(not self.is_folded))
        self.tree = PageTree(pages, self)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        self._row = QBoxLayout(QBoxLayout.Direction.LeftToRight)
        self._row.setSpacing(0)
        self._row.addWidget(self.find_button, 1)
        self._row.addWidget(self.fold)
        column.addLayout(self._row)
        column.addWidget(self.tree, 1)
        column.addStretch()
        self._show()

    def set_folded(self, folded: bool) -> None:
        """Put the tree away, or bring it back."""
        if folded != self.is_folded:
            self.is_folded = folded
            self._show()

    def _show(self) -> None:
        had_focus = self.tree.hasFocus()
        self.tree.setVisible(not self.is_folded)
        self.find_button.set_narrow(self.is_folded)
        ways = QBoxLayout.Direction
        self._row.setDirection(ways.TopToBottom if self.is_folded else ways.LeftToRight)
        self.fold.setIcon(icon("chevron-double-right" if self.is_folded else "chevron-double-left"))
        words = _("Show the tree of pages") if self.is_folded else _("Put the tree of pages away")
        self.fold.setToolTip(plain_tip(words))
        self.fold.setAccessibleName(words)
        if had_focus and self.is_folded:
            self.fold.setFocus()
