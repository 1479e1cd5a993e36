"""The sentence as tokens: click to mask, drag to mask a span, double-click to edit."""

from collections.abc import Sequence
from dataclasses import replace

from PySide6.QtCore import QEvent, QPoint, Qt, Signal
from PySide6.QtGui import (
    QContextMenuEvent,
    QFocusEvent,
    QGuiApplication,
    QKeyEvent,
    QKeySequence,
    QMouseEvent,
    QResizeEvent,
)
from PySide6.QtWidgets import QMenu, QWidget

from explorer.api.question import EVERY, Entity, LeftOut, Mention
from explorer.document import Document, Mask
from explorer.text import _
from explorer.ui.guarded import guarded
from explorer.ui.sentence import pieces as of
from explorer.ui.sentence.entity_editor import EntityEditor
from explorer.ui.sentence.pieces import Piece
from explorer.ui.sentence.tokens.canvas import TokenCanvas
from explorer.ui.sentence.tokens.editor import TokenEditor

SHIFT = Qt.KeyboardModifier.ShiftModifier


@guarded
class TokenStrip(TokenCanvas):
    """All tokens of a document in one widget; stands in a resizable scroll area.

    Signals:
        mask_toggled: start, end, part: mask these characters, or unmask them.
        token_toggled: A Mask of one of several tokens over the same characters: the same.
        click_taken_back: The same of a click that was the first of a double click, which opens
            the editor.
        mask_span: start, end, part: mask all of these characters.
        replaced: start, end, text, part: put this text in the place of these characters.
        selected: The position of the focus token in the model's input, or None.
        unmask_all: Take every mask away.
        details_wanted: Tell what is known of the focus token.
        entity_put: A Mention: these words name this entity; an empty one takes it away.
        entity_sought: The beginning of a name, or "" for none, whose entities are to be offered.

    Attributes:
        whole_words: A click masks all pieces of a word, and a drag whole words.
        reads_entities: The model reads entities beside the words.
    """

    mask_toggled = Signal(int, int, int)
    token_toggled = Signal(object)
    click_taken_back = Signal(int, int, int)
    token_taken_back = Signal(object)
    mask_span = Signal(int, int, int)
    replaced = Signal(int, int, str, int)
    selected = Signal(object)
    unmask_all = Signal()
    details_wanted = Signal()
    entity_put = Signal(object)
    entity_sought = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("tokenStrip")
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setMouseTracking(True)
        self.whole_words = False
        self.reads_entities = False
        self._toggled: tuple[int, int, int] | Mask | None = None
        self._editor: TokenEditor | None = None

    def _show(
        self, pieces: tuple[Piece, ...], left_out: LeftOut | None, document: Document | None
    ) -> None:
        """Other pieces: the focus token stands elsewhere in the input, maybe, and that is told."""
        before = self.chosen
        super()._show(pieces, left_out, document)
        if self.chosen != before:
            self.selected.emit(self.chosen)

    @property
    def chosen(self) -> int | None:
        """The position of the focus token in the model's input."""
        return None if self._focus is None else self._pieces[self._focus].position

    def _arrange_anew(self) -> None:
        super()._arrange_anew()
        if self._editor is not None and not self._editor.fits(self._pieces):
            self._close_editor()

    def select(self, position: int | None) -> None:
        """Make the token at a position of the model's input the focus token."""
        found = (i for i, p in enumerate(self._pieces) if p.position == position)
        index = next(found, None) if position is not None else None
        self._set_focus(index, tell=False)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Keep the editor on its token."""
        super().resizeEvent(event)
        if self._editor is not None:
            self._place_editor(self._editor)

    def go_to(self, index: int) -> None:
        """Make a piece the focus token, and tell it."""
        self._set_focus(index)

    # ---- mouse ------------------------------------------------------------------------------

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Begin a click or a drag."""
        if event.button() != Qt.MouseButton.LeftButton:
            return
        self._close_editor()
        index = self.piece_at(event.position().toPoint())
        self._toggled = None
        if event.modifiers() & SHIFT and index is not None and self._focus is not None:
            self._extend_to(index)
            return
        self._pressed, self._dragged_to = index, None
        self._set_focus(index)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Show what would be masked while dragging, and what is under the mouse."""
        point = event.position().toPoint()
        if self._pressed is not None and event.buttons() & Qt.MouseButton.LeftButton:
            index = self._nearest(point)
            if index is not None and (index != self._pressed or self._dragged_to is not None):
                self._dragged_to = index
                self._bring_into_view(index)
                self.update()
            return
        hover = self.piece_at(point)
        if hover != self._hover:
            self._hover = hover
            can = hover is not None and self._pieces[hover].can_mask
            self.setCursor(Qt.CursorShape.PointingHandCursor if can else Qt.CursorShape.ArrowCursor)
            self.update()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """End a click or a drag."""
        if event.button() != Qt.MouseButton.LeftButton or self._pressed is None:
            return
        pressed, dragged_to = self._pressed, self._dragged_to
        self._pressed = self._dragged_to = None
        self.update()
        if dragged_to is not None and dragged_to != pressed:
            span = of.span_of(self._pieces, *self._whole(pressed, dragged_to))
            if span is not None:
                self.mask_span.emit(*span)
        elif dragged_to is None and self.piece_at(event.position().toPoint()) == pressed:
            self._toggle(pressed)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """Take the first click back and edit the token."""
        if event.button() != Qt.MouseButton.LeftButton:
            return
        index = self.piece_at(event.position().toPoint())
        if self._toggled is not None:
            if isinstance(self._toggled, Mask):
                self.token_taken_back.emit(self._toggled)
            else:
                self.click_taken_back.emit(*self._toggled)
            self._toggled = None
        if index is not None and index < len(self._pieces):
            self.edit(index)

    def leaveEvent(self, event: QEvent) -> None:
        """Nothing is under the mouse."""
        super().leaveEvent(event)
        self._hover = None
        self.update()

    def _nearest(self, point: QPoint) -> int | None:
        """The piece of the nearest line that is nearest to a point."""
        layout = self.layout_at(self.width())
        if not layout.lines:
            return None
        line = min(layout.lines, key=lambda ids: abs(layout.boxes[ids[0]].center().y() - point.y()))
        return min(line, key=lambda i: abs(layout.boxes[i].center().x() - point.x()))

    def _toggle(self, index: int) -> None:
        piece = self._pieces[index]
        if piece.can_mask and not piece.typed:
            if piece.nth != EVERY and not self.whole_words:
                self._toggled = Mask(piece.start, piece.end, piece.part, piece.nth)
                self.token_toggled.emit(self._toggled)
                return
            span = of.span_of(self._pieces, *self._whole(index, index))
            self._toggled = span or (piece.start, piece.end, piece.part)
            self.mask_toggled.emit(*self._toggled)

    def _whole(self, one: int, other: int) -> tuple[int, int]:
        """Two pieces, or the first and last piece of their words where words are masked whole."""
        if not self.whole_words:
            return one, other
        first, last = min(one, other), max(one, other)
        return of.word_of(self._pieces, first)[0], of.word_of(self._pieces, last)[1]

    def mask_word(self) -> None:
        """Mask all pieces of the focus token's word."""
        if self._focus is not None and self._pieces[self._focus].can_mask:
            span = of.span_of(self._pieces, *of.word_of(self._pieces, self._focus))
            if span is not None:
                self.mask_span.emit(*span)

    # ---- keyboard ---------------------------------------------------------------------------

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Move, mask, edit, leave."""
        key = event.key()
        if event.matches(QKeySequence.StandardKey.Copy):
            self.copy()
        elif key in _STEPS:
            self._move(_STEPS[key], bool(event.modifiers() & SHIFT))
        elif key in (Qt.Key.Key_M, Qt.Key.Key_Space) and not _with_control(event):
            self.mask_selection()
        elif key == Qt.Key.Key_W and not _with_control(event):
            self.mask_word()
        elif key == Qt.Key.Key_I and not _with_control(event):
            self.details_wanted.emit()
        elif key == Qt.Key.Key_E and not _with_control(event):
            self.name_entity()
        elif key in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_F2):
            if self._focus is not None:
                self.edit(self._focus)
        elif key == Qt.Key.Key_Escape and self._focus is not None:
            if self.selection is not None:
                self._anchor = None
                self.update()
            else:
                self._set_focus(None)
        else:
            super().keyPressEvent(event)

    def _move(self, step: str, extend: bool) -> None:
        target = self._target(step)
        if target is None:
            return
        if extend:
            self._extend_to(target)
        else:
            self._set_focus(target)

    def _target(self, step: str) -> int | None:
        if not self._pieces:
            return None
        last = len(self._pieces) - 1
        if self._focus is None:
            return last if step == "end" else 0
        if step in ("home", "end"):
            return 0 if step == "home" else last
        layout = self.layout_at(self.width())
        if step in ("left", "right"):
            beside = layout.beside(self._focus, 1 if step == "right" else -1)
            return self._focus if beside is None else beside
        row = next(r for r, line in enumerate(layout.lines) if self._focus in line)
        other = row + (1 if step == "down" else -1)
        if not 0 <= other < len(layout.lines):
            return self._focus
        x = layout.boxes[self._focus].center().x()
        return min(layout.lines[other], key=lambda i: abs(layout.boxes[i].center().x() - x))

    def _extend_to(self, index: int) -> None:
        anchor = self._anchor if self._anchor is not None else self._focus
        self._set_focus(index)
        self._anchor = anchor
        self.update()

    def _set_focus(self, index: int | None, tell: bool = True) -> None:
        self._anchor = None
        changed = index != self._focus
        self._focus = index
        self.update()
        if index is not None:
            self._bring_into_view(index)
        if changed:
            self._describe()
            if tell:
                self.selected.emit(self.chosen)

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Reached by Tab, the first token takes the focus."""
        super().focusInEvent(event)
        by_key = event.reason() in (
            Qt.FocusReason.TabFocusReason,
            Qt.FocusReason.BacktabFocusReason,
        )
        if self._focus is None and self._pieces and by_key:
            self._set_focus(0)
        self.update()

    # ---- what can be done -------------------------------------------------------------------

    def mask_selection(self) -> None:
        """Mask the selected span or toggle the focus token; a span all masked is unmasked."""
        if self.selection is None:
            if self._focus is not None:
                self._toggle(self._focus)
            return
        span = of.span_of(self._pieces, *self.selection)
        if span is None:
            return
        low, high = self.selection
        if low == high and self._pieces[low].nth != EVERY:
            self._toggle(low)
            return
        inside = [p for p in self._pieces[low : high + 1] if p.can_mask and p.part == span[2]]
        (self.mask_toggled if all(p.masked for p in inside) else self.mask_span).emit(*span)

    def edit(self, index: int) -> None:
        """Open the line editor on a token; special tokens have none."""
        piece = self._pieces[index]
        if not piece.can_mask:
            return
        self._close_editor()
        self._set_focus(index)
        editor = TokenEditor(piece, self._characters(piece), self)
        editor.accepted.connect(self._edited)
        self._open_editor(editor)

    def name_entity(self) -> None:
        """Open the line editor that says which entity the selection or the focus word names."""
        if self._focus is None or not self.reads_entities or self._document is None:
            return
        low, high = self.selection or of.word_of(self._pieces, self._focus)
        span = of.span_of(self._pieces, low, high)
        if span is None:
            return
        start, end, part = span
        held = Mention(start, end, "", part)
        held = next((one for one in self._document.entities if one.overlaps(held)), held)
        words = self._document.part(part)[held.start : held.end]
        self._close_editor()
        editor = EntityEditor(self._pieces[low], held, words, self)
        editor.accepted.connect(self._entity_named)
        editor.textEdited.connect(self.entity_sought)
        self._open_editor(editor)

    def offer_entities(self, beginning: str, entities: Sequence[Entity]) -> None:
        """Offer entities where one is typed now that begins so."""
        editor = self._editor
        if isinstance(editor, EntityEditor) and editor.text().strip() == beginning:
            editor.offer(entities)

    def _entity_named(self, entity: str) -> None:
        editor = self._editor
        self._close_editor()
        if isinstance(editor, EntityEditor) and entity.strip() != editor.mention.entity:
            self.entity_put.emit(replace(editor.mention, entity=entity.strip()))

    def _characters(self, piece: Piece) -> str:
        if piece.typed:
            return ""
        if self._document is None:
            return piece.text
        return self._document.part(piece.part)[piece.start : piece.end]

    def _open_editor(self, editor: TokenEditor) -> None:
        editor.left.connect(self._close_editor)
        self._editor = editor
        self._place_editor(editor)
        editor.show()
        editor.setFocus(Qt.FocusReason.OtherFocusReason)

    def _place_editor(self, editor: TokenEditor) -> None:
        index = next((i for i, p in enumerate(self._pieces) if editor.is_for(p)), None)
        if index is not None:
            editor.cover(self.box_of(index), self.rect())

    def _edited(self, text: str) -> None:
        editor = self._editor
        self._close_editor()
        if editor is not None and text != self._characters(editor.piece):
            piece = editor.piece
            self.replaced.emit(piece.start, piece.end, text, piece.part)

    def _close_editor(self) -> None:
        editor, self._editor = self._editor, None
        if editor is not None:
            editor.put_away()

    def copy(self) -> None:
        """Copy the words of the selection, or of the focus token."""
        if self._focus is None:
            return
        low, high = self.selection or (self._focus, self._focus)
        span = of.span_of(self._pieces, low, high)
        if span is not None and self._document is not None:
            start, end, part = span
            QGuiApplication.clipboard().setText(self._document.part(part)[start:end])
        else:
            QGuiApplication.clipboard().setText(self._pieces[low].piece)

    def menu(self, index: int) -> QMenu:
        """The menu of a piece."""
        menu = QMenu(self)
        menu.setObjectName("tokenMenu")
        piece = self._pieces[index]
        plain = piece.can_mask and not piece.typed
        if self.selection is not None:
            menu.addAction(_("Mask the selection"), self.mask_selection).setObjectName(
                "maskSelection"
            )
        toggle = menu.addAction(
            _("Unmask") if piece.masked else _("Mask"), lambda: self._toggle(index)
        )
        toggle.setObjectName("toggleMask")
        toggle.setEnabled(plain)
        first, last = of.word_of(self._pieces, index)
        span = of.span_of(self._pieces, first, last)
        if first != last and span is not None:
            whole = menu.addAction(_("Mask the whole word"), lambda: self.mask_span.emit(*span))
            whole.setObjectName("maskWord")
        edit = menu.addAction(_("Edit…"), lambda: self.edit(index))
        edit.setObjectName("editToken")
        edit.setEnabled(piece.can_mask)
        if self.reads_entities:
            names = menu.addAction(_("Entity…"), self.name_entity)
            names.setObjectName("nameEntity")
            names.setEnabled(span is not None)
        details = menu.addAction(_("Details"), self.details_wanted.emit)
        details.setObjectName("tokenDetails")
        menu.addSeparator()
        menu.addAction(_("Copy"), self.copy).setObjectName("copyToken")
        everything = menu.addAction(_("Unmask everything"), self.unmask_all.emit)
        everything.setObjectName("unmaskAll")
        everything.setEnabled(any(p.masked and not p.typed for p in self._pieces))
        return menu

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """Right click, or the menu key on the focus token."""
        by_mouse = event.reason() == QContextMenuEvent.Reason.Mouse
        index = self.piece_at(event.pos()) if by_mouse else self._focus
        if index is None:
            return
        selection = self.selection
        if selection is None or not selection[0] <= index <= selection[1]:
            self._set_focus(index)
        where = event.pos() if by_mouse else self.box_of(index).bottomLeft().toPoint()
        menu = self.menu(index)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.popup(self.mapToGlobal(where))


def _with_control(event: QKeyEvent) -> bool:
    return bool(
        event.modifiers() & (Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.AltModifier)
    )


_STEPS: dict[int, str] = {
    Qt.Key.Key_Left: "left",
    Qt.Key.Key_Right: "right",
    Qt.Key.Key_Up: "up",
    Qt.Key.Key_Down: "down",
    Qt.Key.Key_Home: "home",
    Qt.Key.Key_End: "end",
}
