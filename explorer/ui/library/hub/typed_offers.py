"""What the hub can be asked about the words that are typed above the library."""

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QWidget

from explorer.text import _
from explorer.text.printable import shortened
from explorer.ui.library.hub.hub_revisions import typed_revision
from explorer.ui.theme.icon_sizes import icon_in_size
from explorer.ui.theme.icons import icon


class TypedOffers(QWidget):
    """Buttons for a repository that is named, and for words of names.

    Signals:
        revisions_wanted: Offer a repository's revisions: its name, and what was typed of one.
        search_wanted: Search the hub for these words.

    Attributes:
        revisions: There where a repository is named.
        search: There where anything is typed.
    """

    revisions_wanted = Signal(str, str)
    search_wanted = Signal(str)

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._typed = ""
        self.revisions = self._button("library_revisions", "source-branch")
        self.revisions.clicked.connect(self.offer_revisions)
        self.search = self._button("library_search_hub", "magnify")
        self.search.clicked.connect(lambda: self.search_wanted.emit(self._typed))
        row = QHBoxLayout(self)
        row.setContentsMargins(8, 0, 8, 0)
        for button in (self.revisions, self.search):
            row.addWidget(button)
        self.follow("")

    def follow(self, text: str) -> None:
        """Offer what can be asked about a text."""
        self._typed = text.strip()
        named = typed_revision(text)
        self.revisions.setVisible(named is not None)
        self.revisions.setText(_("Revisions of {name}…", name=named[0]) if named else "")
        words = shortened(self._typed)
        self.search.setText(_("Search the hub for “{words}”…", words=words))
        self.setVisible(bool(words))

    def offer_revisions(self) -> None:
        """Of the repository that is named."""
        named = typed_revision(self._typed)
        if named is not None:
            self.revisions_wanted.emit(*named)

    def _button(self, name: str, picture: str) -> QPushButton:
        button = QPushButton(icon(picture), "", self)
        button.setObjectName(name)
        button.setAutoDefault(False)
        icon_in_size(button)
        return button
