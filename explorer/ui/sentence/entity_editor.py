"""A small line editor below words of the strip: which entity do they name?"""

from PySide6.QtWidgets import QWidget

from explorer.api import Mention
from explorer.text import _
from explorer.ui.guarded import guarded
from explorer.ui.sentence.pieces import Piece
from explorer.ui.sentence.token_editor import TokenEditor


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

    def _least_width(self) -> int:
        """Room for what is to be typed."""
        return 190
