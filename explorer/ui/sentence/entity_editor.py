"""A small line editor below words of the strip: which entity do they name?"""

from collections.abc import Sequence

from PySide6.QtCore import Qt
from PySide6.QtGui import QStandardItem, QStandardItemModel
from PySide6.QtWidgets import QCompleter, QListView, QWidget

from explorer.api.question import Entity, Mention
from explorer.text import _
from explorer.ui.guarded import guarded
from explorer.ui.sentence.pieces import Piece
from explorer.ui.sentence.tokens.editor import TokenEditor

ID = Qt.ItemDataRole.UserRole


@guarded
class EntityEditor(TokenEditor):
    """Takes an id of the model's graph, or a name in it; nothing takes the entity away.

    Args:
        piece: The first piece of the words.
        mention: The words, with the entity that they name now; "" for none.
        words: The words as they stand in the text.
        parent: The strip.
    """

    def __init__(self, piece: Piece, mention: Mention, words: str, parent: QWidget) -> None:
        super().__init__(piece, mention.entity, parent)
        self.mention = mention
        self.setObjectName("entityEditor")
        self.setPlaceholderText(_("Entity: a name or an id"))
        self.setAccessibleName(_("Which entity {words} names: a name or an id", words=words))
        self._names = QStandardItemModel(self)
        completer = QCompleter(self._names, self)
        completer.setCompletionMode(QCompleter.CompletionMode.UnfilteredPopupCompletion)
        completer.setCompletionRole(ID)
        self._list = QListView()
        self._list.setObjectName("entityNames")
        self._list.setAccessibleName(_("Entities with such a name"))
        completer.setPopup(self._list)
        completer.activated.connect(self.accepted)
        self.setCompleter(completer)

    def offer(self, entities: Sequence[Entity]) -> None:
        """Show entities to choose from, below what is typed; none shows nothing."""
        self._names.clear()
        for one in entities:
            item = QStandardItem(one.name if one.name == one.id else f"{one.name} · {one.id}")
            item.setData(one.id, ID)
            item.setEditable(False)
            self._names.appendRow(item)
        if entities and self.hasFocus():
            self.completer().complete()
        else:
            self._list.hide()

    def _least_width(self) -> int:
        """Room for what is to be typed."""
        return 190
