"""The sentence as tokens, wrapped at any width: what is drawn, where, and the size it takes."""

from collections.abc import Mapping, Sequence

from PySide6.QtCore import QEvent, QPoint, QRectF, QSize, Qt
from PySide6.QtGui import QHelpEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QScrollArea, QSizePolicy, QToolTip, QWidget

from explorer.api.question import LeftOut, Token
from explorer.document import Document
from explorer.text import _, ngettext
from explorer.ui.controls.plain_words import plain_tip
from explorer.ui.guarded import guarded
from explorer.ui.sentence import pieces as of
from explorer.ui.sentence.pieces import Piece
from explorer.ui.sentence.tokens.layout import TokenLayout, arrange
from explorer.ui.sentence.tokens.painting import Highlights, paint_tokens
from explorer.ui.theme.schemes import current_theme, theme_signals
from explorer.ui.typesetting.one_line import draw_text

NARROWEST = 120


@guarded
class TokenCanvas(QWidget):
    """Draws all tokens of a document in one widget; stands in a resizable scroll area."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName(_("Tokens"))
        self.setAccessibleDescription(_("No tokens yet."))
        policy = QSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)
        self._pieces: tuple[Piece, ...] = ()
        self._left_out: LeftOut | None = None
        self._document: Document | None = None
        self.notes: dict[int, str] = {}
        self._predictions: dict[int, str] = {}
        self._layouts: dict[int, TokenLayout] = {}
        self._guesses_come = True
        self._focus: int | None = None
        self._anchor: int | None = None
        self._hover: int | None = None
        self._pressed: int | None = None
        self._dragged_to: int | None = None
        theme_signals().changed.connect(self._theme_changed)

    # ---- what it shows ----------------------------------------------------------------------

    @property
    def pieces(self) -> tuple[Piece, ...]:
        """What is drawn, in order."""
        return self._pieces

    @property
    def focus_index(self) -> int | None:
        """Index of the focus token among the pieces."""
        return self._focus

    @property
    def selection(self) -> tuple[int, int] | None:
        """First and last index of the span selected with Shift or by dragging."""
        if self._pressed is not None and self._dragged_to is not None:
            return min(self._pressed, self._dragged_to), max(self._pressed, self._dragged_to)
        if self._anchor is None or self._focus is None or self._anchor == self._focus:
            return None
        return min(self._anchor, self._focus), max(self._anchor, self._focus)

    @property
    def tail(self) -> str:
        """The note on what the model does not see; "" where it sees all."""
        return of.tail_note(self._left_out, self._document)

    def set_tokens(
        self,
        tokens: Sequence[Token],
        left_out: LeftOut | None = None,
        document: Document | None = None,
    ) -> None:
        """Show a model's tokens.

        Args:
            tokens: As a result carries them.
            left_out: What did not fit, or None.
            document: What was tokenised; with it, masks show the words they hide.
        """
        self._show(of.pieces_of_tokens(tokens, document), left_out, document)

    def set_plain_words(self, document: Document) -> None:
        """Show the document's words, for the time before a model is loaded."""
        self._show(of.of_words(document), None, document)

    def set_masks(self, document: Document) -> None:
        """Show where the same text is masked now, without waiting for the tokenizer."""
        if self._pieces and not any(p.position is not None for p in self._pieces):
            self.set_plain_words(document)
            return
        self._show(of.with_masks(self._pieces, document), self._left_out, document)

    def set_predictions(self, words: Mapping[int, str]) -> None:
        """Write the best guess under masks; keys are positions in the model's input."""
        self._predictions = dict(words)
        self._arrange_anew()

    def expect_guesses(self, come: bool) -> None:
        """Keep room below masks while something in sight guesses what is under them."""
        if come != self._guesses_come:
            self._guesses_come = come
            self._arrange_anew()

    def _show(
        self, pieces: tuple[Piece, ...], left_out: LeftOut | None, document: Document | None
    ) -> None:
        before = self._pieces
        same = [p.place for p in pieces] == [p.place for p in before]
        if not same:
            # An answer that arrives during a click or a drag must not end it; other tokens do.
            self._hover = self._pressed = self._dragged_to = self._anchor = None
            kept = {p.place for p in pieces} & {p.place for p in before}
            unmoved = {position for position, *_ in kept}
            self._predictions = {p: w for p, w in self._predictions.items() if p in unmoved}
            if self._focus is not None:
                self._focus = of.same_piece(before, self._focus, pieces, self._document, document)
        self._pieces, self._left_out, self._document = pieces, left_out, document
        self._arrange_anew()
        self._describe()

    def _arrange_anew(self) -> None:
        self.notes = {
            index: self._predictions[piece.position]
            for index, piece in enumerate(self._pieces)
            if piece.masked and piece.position in self._predictions
        }
        for index, entity in self._entities().items():
            guess = self.notes.get(index)
            self.notes[index] = f"{guess} · {entity}" if guess else entity
        self._layouts.clear()
        self.updateGeometry()
        self.update()

    def _entities(self) -> dict[int, str]:
        """The entity that the words of the document name, by their first piece."""
        found: dict[int, str] = {}
        for mention in self._document.entities if self._document is not None else ():
            index = of.first_of(self._pieces, mention.start, mention.end, mention.part)
            if index is not None:
                found[index] = mention.entity
        return found

    def layout_at(self, width: int) -> TokenLayout:
        """Where everything stands at a width."""
        found = self._layouts.get(width)
        if found is None:
            if len(self._layouts) > 8:
                self._layouts.clear()
            # What stands below must not move when the guess comes.
            come = self._guesses_come or bool(self.notes)
            may = {index for index, piece in enumerate(self._pieces) if come and piece.masked}
            found = arrange(self._pieces, float(width), self.notes, self.tail, may)
            self._layouts[width] = found
        return found

    def box_of(self, index: int) -> QRectF:
        """Where a piece stands now."""
        return self.layout_at(self.width()).boxes[index]

    def runs_left(self, index: int) -> bool:
        """Whether a piece's word runs from the right."""
        return index in self.layout_at(self.width()).leftward

    def piece_at(self, point: QPoint) -> int | None:
        """Index of the piece at a point, or None."""
        for index, box in enumerate(self.layout_at(self.width()).boxes):
            if box.contains(point.toPointF()):
                return index
        return None

    # ---- size and painting ------------------------------------------------------------------

    def sizeHint(self) -> QSize:
        """As wide as asked for."""
        width = max(self.width(), 480)
        return QSize(480, self.heightForWidth(width))

    def minimumSizeHint(self) -> QSize:
        """Narrow enough for any dock."""
        return QSize(NARROWEST, int(self.layout_at(1_000_000).height))

    def hasHeightForWidth(self) -> bool:
        """Tokens wrap."""
        return True

    def heightForWidth(self, width: int) -> int:
        """Height of all lines at a width."""
        return int(self.layout_at(max(width, NARROWEST)).height + 0.999)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the tokens that are in sight."""
        theme = current_theme()
        painter = QPainter(self)
        if not self._pieces:
            box = QRectF(self.rect()).adjusted(10, 0, -10, 0)
            words = _("Type a sentence above; its tokens appear here.")
            draw_text(painter, box, words, "body", theme.muted, Qt.AlignmentFlag.AlignLeft)
            return
        look = Highlights(
            notes=self.notes,
            tail=self.tail,
            hover=self._hover,
            focus=self._focus,
            has_focus=self.hasFocus(),
            selection=self.selection,
            dragging=self._dragged_to is not None,
        )
        layout = self.layout_at(self.width())
        paint_tokens(painter, theme, self._pieces, layout, look, QRectF(event.rect()))

    def _theme_changed(self, _theme: object) -> None:
        self._layouts.clear()
        self.updateGeometry()
        self.update()

    def _bring_into_view(self, index: int) -> None:
        parent = self.parentWidget()
        area = parent.parentWidget() if parent is not None else None
        if isinstance(area, QScrollArea):
            box = self.box_of(index).toAlignedRect()
            area.ensureVisible(box.center().x(), box.center().y(), 0, box.height())

    def _describe(self) -> None:
        count = len(self._pieces)
        if self._focus is None:
            self.setAccessibleDescription(
                ngettext("{count} token.", "{count} tokens.", count)
                if count
                else _("No tokens yet.")
            )
            return
        spoken = self._pieces[self._focus].spoken
        if entity := self._entities().get(self._focus):
            spoken = _("{spoken}, entity {entity}", spoken=spoken, entity=entity)
        self.setAccessibleDescription(
            _(
                "{spoken}. Token {number} of {all}.",
                spoken=spoken,
                number=self._focus + 1,
                all=count,
            )
        )

    def event(self, event: QEvent) -> bool:
        """Tooltips of the token under the mouse."""
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            index = self.piece_at(event.pos())
            text = of.tooltip(self._pieces[index]) if index is not None else self._tail_tip(event)
            if text:
                QToolTip.showText(event.globalPos(), plain_tip(text), self)
            else:
                QToolTip.hideText()
            return True
        return super().event(event)

    def _tail_tip(self, event: QHelpEvent) -> str:
        tail = self.layout_at(self.width()).tail
        if self._left_out is None or tail is None or not tail.contains(event.pos().toPointF()):
            return ""
        words = of.words_left_out(self._left_out, self._document)
        note = _(
            "This model takes {limit} tokens; it never sees what follows here.",
            limit=self._left_out.limit,
        )
        return f"{note}\n{words}" if words else note
