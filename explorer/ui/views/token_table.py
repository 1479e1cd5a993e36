"""The tokens of a text as rows that can be sorted."""

from typing import Any, NamedTuple

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QPersistentModelIndex, Qt

from explorer.api import Token
from explorer.document import Document
from explorer.ui.glossary import explain
from explorer.ui.guarded import guarded
from explorer.ui.theme import Theme, current_theme
from explorer.ui.widgets import pieces as of
from explorer.ui.widgets.pieces import Piece

Index = QModelIndex | QPersistentModelIndex
SORT_ROLE = Qt.ItemDataRole.UserRole
RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
LEFT = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter


class Column(NamedTuple):
    """A column's title, what explains it, and whether it is of numbers."""

    title: str
    explanation: str
    numbers: bool


COLUMNS = (
    Column("#", explain("position"), numbers=True),
    Column("Piece", explain("sub-word piece"), numbers=False),
    Column("Id", explain("id"), numbers=True),
    Column("In the text", "The characters of your text that the token stands for.", numbers=False),
    Column("Characters", "First character, and one past the last.", numbers=True),
    Column("Notes", "What is special about the token.", numbers=False),
)
POSITION, PIECE, ID, TEXT, CHARACTERS, NOTES = range(len(COLUMNS))


def notes_on(piece: Piece) -> str:
    """What is special about a token, in a few words."""
    found = []
    if piece.special:
        found.append("special")
    if piece.masked:
        found.append("typed mask" if piece.typed else "masked")
    if piece.unknown:
        found.append("unknown")
    if piece.joined:
        found.append("continues a word")
    if piece.part == 1:
        found.append("second text")
    return ", ".join(found)


@guarded
class TokenTable(QAbstractTableModel):
    """One row a token."""

    def __init__(self) -> None:
        super().__init__()
        self.pieces: tuple[Piece, ...] = ()
        self._document: Document | None = None

    def set_tokens(self, tokens: tuple[Token, ...], document: Document | None) -> None:
        """Show other tokens."""
        self.beginResetModel()
        self.pieces = of.of_tokens(tokens, document)
        self._document = document
        self.endResetModel()

    def rowCount(self, parent: Index | None = None) -> int:
        """One a token."""
        return 0 if parent is not None and parent.isValid() else len(self.pieces)

    def columnCount(self, parent: Index | None = None) -> int:
        """As in COLUMNS."""
        return 0 if parent is not None and parent.isValid() else len(COLUMNS)

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> Any:
        """Titles, and what they mean as tooltips."""
        if orientation != Qt.Orientation.Horizontal:
            return None
        column = COLUMNS[section]
        if role == Qt.ItemDataRole.DisplayRole:
            return column.title
        if role == Qt.ItemDataRole.ToolTipRole:
            return column.explanation
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return RIGHT if column.numbers else LEFT
        return None

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """Texts, keys to sort by, and how they look."""
        piece = self.pieces[index.row()]
        column = index.column()
        if role == Qt.ItemDataRole.DisplayRole:
            return self._text(piece, column)
        if role == SORT_ROLE:
            return self._key(piece, column)
        if role == Qt.ItemDataRole.ToolTipRole:
            return of.tooltip(piece)
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return RIGHT if COLUMNS[column].numbers else LEFT
        if role == Qt.ItemDataRole.FontRole and column == PIECE:
            return Theme.font("mono")
        if role == Qt.ItemDataRole.ForegroundRole:
            theme = current_theme()
            if column == NOTES and piece.unknown:
                return theme.danger
            if column in (NOTES, PIECE) and piece.masked:
                return theme.mask
            return theme.muted if piece.special or column in (POSITION, NOTES) else theme.text
        return None

    def _text(self, piece: Piece, column: int) -> str:
        if column == TEXT:
            return self._characters(piece)
        texts = {
            POSITION: str(piece.position),
            PIECE: piece.piece,
            ID: str(piece.id),
            CHARACTERS: f"{piece.start}–{piece.end}" if piece.end > piece.start else "",
            NOTES: notes_on(piece),
        }
        return texts[column]

    def _characters(self, piece: Piece) -> str:
        if self._document is None or piece.end <= piece.start:
            return ""
        return of.visible(self._document.part(piece.part)[piece.start : piece.end])

    def _key(self, piece: Piece, column: int) -> Any:
        if column == POSITION:
            return piece.position
        if column == ID:
            return piece.id
        if column == CHARACTERS:
            # Texts first, then characters; special tokens stand where they are in the input.
            return piece.part * 10_000_000 + piece.start
        return self._text(piece, column).casefold()
