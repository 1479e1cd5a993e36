"""A text field for a sentence: grows with it, leaves undo to the window, shows the masks."""

import math
from collections.abc import Iterable

from PySide6.QtCore import QEvent, QMimeData, QSize, Qt, Signal
from PySide6.QtGui import QColor, QKeyEvent, QKeySequence, QResizeEvent, QTextCursor
from PySide6.QtWidgets import QPlainTextEdit, QSizePolicy, QTextEdit, QWidget

from explorer.text.bidi import runs_from_right
from explorer.ui.guarded import guarded
from explorer.ui.theme.schemes import current_theme, theme_signals

LEAST_LINES = 1
MOST_LINES = 5
NARROWEST = 200
"""Pixels: it is narrower only on its way, while its neighbours find their places."""
_HISTORY_KEYS = (QKeySequence.StandardKey.Undo, QKeySequence.StandardKey.Redo)


def utf16_length(text: str) -> int:
    """How many positions a text takes in Qt, which counts UTF-16 units."""
    return len(text) + sum(1 for character in text if ord(character) > 0xFFFF)


@guarded
class TextEditor(QPlainTextEdit):
    """One of the document's texts.

    Signals:
        typed: The text the user made of it.
    """

    typed = Signal(str)

    def __init__(self, part: int, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.part = part
        self._shown = ""
        self._masks: tuple[tuple[int, int], ...] = ()
        self._filling = False
        self._lines = LEAST_LINES
        self.setUndoRedoEnabled(False)
        self.setTabChangesFocus(True)
        self.setLineWrapMode(QPlainTextEdit.LineWrapMode.WidgetWidth)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.textChanged.connect(self._turn)
        self.textChanged.connect(self._changed)
        self.document().documentLayout().documentSizeChanged.connect(self._resized)
        theme_signals().changed.connect(self._mark_masks)

    def show_text(self, text: str, masks: Iterable[tuple[int, int]]) -> None:
        """Show a text and its masked ranges (characters); the cursor keeps its place."""
        self._masks = tuple(masks)
        if text != self._shown:
            self._shown = text
            if text != self.toPlainText():
                self._replace(text)
        self._mark_masks()

    @property
    def marked(self) -> tuple[tuple[int, int], ...]:
        """The masked ranges that are shown, as characters."""
        return self._masks

    def selected_range(self) -> tuple[int, int]:
        """The selection, or the word at the cursor, as characters."""
        cursor = self.textCursor()
        if not cursor.hasSelection():
            cursor.select(QTextCursor.SelectionType.WordUnderCursor)
        return self._characters(cursor.selectionStart()), self._characters(cursor.selectionEnd())

    def sizeHint(self) -> QSize:
        """As high as its lines, within limits."""
        if self.width() >= NARROWEST:
            # Else a whole window would grow for a moment, and shrink again.
            self._lines = min(max(int(self.document().size().height()), LEAST_LINES), MOST_LINES)
        margins = self.contentsMargins()
        frame = margins.top() + margins.bottom() + 2 * int(self.document().documentMargin())
        return QSize(240, self._lines * self._line_height() + frame + 4)

    def minimumSizeHint(self) -> QSize:
        """One line."""
        return QSize(120, self.sizeHint().height())

    def _line_height(self) -> int:
        """Of the tallest of its lines: a script that another font draws may need more."""
        tallest = float(self.fontMetrics().lineSpacing())
        block = self.document().firstBlock()
        while block.isValid():
            layout = block.layout()
            for number in range(layout.lineCount()):
                tallest = max(tallest, layout.lineAt(number).height())
            block = block.next()
        return math.ceil(tallest)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Its lines wrap anew: it may need another height."""
        super().resizeEvent(event)
        self._resized()

    def event(self, event: QEvent) -> bool:
        """Undo and redo are the window's, which knows of masks too."""
        if (
            event.type() == QEvent.Type.ShortcutOverride
            and isinstance(event, QKeyEvent)
            and any(event.matches(key) for key in _HISTORY_KEYS)
        ):
            event.ignore()
            return False
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Leave the history's keys to the window."""
        if any(event.matches(key) for key in _HISTORY_KEYS):
            event.ignore()
            return
        super().keyPressEvent(event)

    def canInsertFromMimeData(self, source: QMimeData) -> bool:  # noqa: N802
        """Files are opened by the window, not pasted as their names."""
        return not source.hasUrls() and super().canInsertFromMimeData(source)

    def _changed(self) -> None:
        if self._filling:
            return
        text = self.toPlainText()
        if text != self._shown:
            self._shown = text
            self.typed.emit(text)

    def _turn(self) -> None:
        """Begin at the right where the text does; Qt alone would only order its letters so."""
        from_right = runs_from_right(self.toPlainText())
        wanted = Qt.AlignmentFlag.AlignRight if from_right else Qt.AlignmentFlag.AlignLeft
        option = self.document().defaultTextOption()
        if option.alignment() != wanted:
            option.setAlignment(wanted)
            self.document().setDefaultTextOption(option)

    def _replace(self, text: str) -> None:
        """Change only what differs, so that the cursor stays where the user left it."""
        old = self.toPlainText()
        limit = min(len(old), len(text))
        start = next((i for i in range(limit) if old[i] != text[i]), limit)
        tail = 0
        while tail < limit - start and old[-1 - tail] == text[-1 - tail]:
            tail += 1
        cursor = QTextCursor(self.document())
        cursor.setPosition(utf16_length(old[:start]))
        cursor.setPosition(utf16_length(old[: len(old) - tail]), QTextCursor.MoveMode.KeepAnchor)
        self._filling = True
        cursor.insertText(text[start : len(text) - tail])
        self._filling = False

    def _mark_masks(self, _theme: object = None) -> None:
        theme = current_theme()
        text = self.toPlainText()
        marks = []
        for start, end in self._masks:
            mark = QTextEdit.ExtraSelection()
            cursor = QTextCursor(self.document())
            last = utf16_length(text)
            cursor.setPosition(min(utf16_length(text[:start]), last))
            cursor.setPosition(min(utf16_length(text[:end]), last), QTextCursor.MoveMode.KeepAnchor)
            mark.cursor = cursor
            mark.format.setBackground(QColor(theme.mask_fill))
            mark.format.setForeground(QColor(theme.mask))
            marks.append(mark)
        self.setExtraSelections(marks)

    def _characters(self, position: int) -> int:
        """Characters before a position of Qt's."""
        units = 0
        for index, character in enumerate(self.toPlainText()):
            if units >= position:
                return index
            units += 2 if ord(character) > 0xFFFF else 1
        return len(self.toPlainText())

    def _resized(self) -> None:
        self.updateGeometry()
