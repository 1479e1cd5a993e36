"""The loop as a widget: click a token to mask it, a proposal to take it, drag the threshold."""

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QPoint, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QFocusEvent, QHelpEvent, QKeyEvent, QMouseEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QToolTip, QWidget

from explorer.ui.guarded import guarded
from explorer.ui.sentence.pieces import Piece
from explorer.ui.sentence.token_editor import TokenEditor
from explorer.ui.theme.schemes import current_theme, theme_signals
from explorer.ui.views.detection.loop_layout import LoopLayout, arrange_loop
from explorer.ui.views.detection.loop_painting import LoopLook, paint_loop
from explorer.ui.views.detection.loop_rows import LoopRow

GRAB = 7.0
"""How near to the threshold's line the mouse takes hold of it, in pixels."""

SMALLEST = 430


@guarded
class LoopCanvas(QWidget):
    """Draws a judged sentence and lets every step of it be changed.

    Signals:
        mask_toggled: The row whose token is masked, or no longer.
        word_put: A row, the word to put there, and the exact piece ("" to cut the word).
        word_taken: A row whose word is taken back.
        threshold_moved: The threshold was dragged to this probability.
        row_chosen: The row that has the focus, or None.
    """

    mask_toggled = Signal(int)
    word_put = Signal(int, str, str)
    word_taken = Signal(int)
    threshold_moved = Signal(float)
    row_chosen = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("loopCanvas")
        self.setAccessibleName("Generator and discriminator, token by token")
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setMouseTracking(True)
        policy = QSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)
        self.rows: tuple[LoopRow, ...] = ()
        self.look = LoopLook(0.5, "")
        self.can_mask = False
        self._layouts: dict[int, LoopLayout] = {}
        self._editor: TokenEditor | None = None
        self._edited = -1
        theme_signals().changed.connect(self._theme_changed)

    def show_rows(self, rows: Sequence[LoopRow], look: LoopLook, *, can_mask: bool) -> None:
        """Show another sentence, or the same at another threshold."""
        same = [(r.position, r.original) for r in rows] == [
            (r.position, r.original) for r in self.rows
        ]
        focus = self.look.focus if same else None
        self.rows, self.can_mask = tuple(rows), can_mask
        self._set_look(look.threshold, look.discriminator, look.generator, focus=focus)
        self._layouts.clear()
        if not same:
            self._close_editor()
        self.updateGeometry()
        self._describe()

    def _set_look(
        self,
        threshold: float | None = None,
        discriminator: str | None = None,
        generator: str | None = None,
        *,
        hover: tuple[int, int] | None = None,
        focus: int | None = None,
        dragging: bool = False,
    ) -> None:
        old = self.look
        self.look = LoopLook(
            old.threshold if threshold is None else threshold,
            old.discriminator if discriminator is None else discriminator,
            old.generator if generator is None else generator,
            hover,
            focus,
            dragging,
        )
        self.update()

    # ---- size and painting -------------------------------------------------------------------

    def layout_at(self, width: int) -> LoopLayout:
        """Where everything stands at a width."""
        if width not in self._layouts:
            if len(self._layouts) > 4:
                self._layouts.clear()
            self._layouts[width] = arrange_loop(self.rows, max(width, SMALLEST))
        return self._layouts[width]

    def placed(self) -> LoopLayout:
        """Where everything stands now."""
        return self.layout_at(self.width())

    def sizeHint(self) -> QSize:
        """As wide as asked for."""
        return QSize(SMALLEST, self.heightForWidth(max(self.width(), SMALLEST)))

    def minimumSizeHint(self) -> QSize:
        """Narrow enough for a dock."""
        return QSize(SMALLEST, 60)

    def hasHeightForWidth(self) -> bool:
        """Proposals are as tall as they are, but the rows depend on the words alone."""
        return True

    def heightForWidth(self, width: int) -> int:
        """Height of all rows."""
        return int(self.layout_at(width).height + 0.999)

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Paint the loop."""
        if self.rows:
            paint_loop(QPainter(self), current_theme(), self.rows, self.placed(), self.look)

    def _theme_changed(self, _theme: object) -> None:
        self._layouts.clear()
        self.updateGeometry()
        self.update()

    # ---- what is where -----------------------------------------------------------------------

    def row_at(self, point: QPoint) -> int | None:
        """The row at a height."""
        for index, box in enumerate(self.placed().rows):
            if box.top() - 3 <= point.y() <= box.bottom() + 3:
                return index
        return None

    def proposal_at(self, point: QPoint) -> tuple[int, int] | None:
        """Row and number of the proposal at a point."""
        row = self.row_at(point)
        if row is None:
            return None
        for number, box in enumerate(self.placed().lines[row]):
            if box.adjusted(-5, 0, 5, 0).contains(point.toPointF()):
                return row, number
        return None

    def _column_at(self, point: QPoint) -> str:
        at = self.placed()
        x = float(point.x())
        for name, band in (
            ("sentence", at.sentence),
            ("sentence", at.masked),
            ("corrupted", at.corrupted),
        ):
            if band is not None and band.left - 4 <= x <= band.right + 4:
                return name
        return ""

    def _on_threshold(self, point: QPoint) -> bool:
        at = self.placed()
        return bool(self.rows) and (
            abs(point.x() - at.x_of(self.look.threshold)) <= GRAB and point.y() >= at.body - 18
        )

    # ---- mouse -------------------------------------------------------------------------------

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Take hold of the threshold, take a proposal, or mask a token."""
        if event.button() != Qt.MouseButton.LeftButton:
            return
        point = event.position().toPoint()
        self._close_editor()
        if self._on_threshold(point):
            self._set_look(focus=self.look.focus, dragging=True)
            return
        row = self.row_at(point)
        if row is None:
            return
        self._focus_row(row)
        proposal = self.proposal_at(point)
        if proposal is not None:
            self.take_proposal(*proposal)
        elif self._column_at(point) == "sentence":
            self.toggle_mask(row)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Drag the threshold, or show what can be done here."""
        point = event.position().toPoint()
        if self.look.dragging:
            self._drag_to(point)
            return
        row = self.row_at(point)
        proposal = self.proposal_at(point)
        hover = proposal if proposal is not None else (row, -1) if row is not None else None
        self._set_look(hover=hover, focus=self.look.focus)
        shape = Qt.CursorShape.ArrowCursor
        if self._on_threshold(point):
            shape = Qt.CursorShape.SizeHorCursor
        elif proposal is not None:
            shape = Qt.CursorShape.PointingHandCursor
        elif row is not None and not self.rows[row].special:
            column = self._column_at(point)
            if column == "corrupted":
                shape = Qt.CursorShape.IBeamCursor
            elif column == "sentence" and self.can_mask:
                shape = Qt.CursorShape.PointingHandCursor
        self.setCursor(shape)

    def _drag_to(self, point: QPoint) -> None:
        value = round(self.placed().probability_at(point.x()), 2)
        if value != self.look.threshold:
            self._set_look(value, focus=self.look.focus, dragging=True)
            self.threshold_moved.emit(value)

    def mouseReleaseEvent(self, _event: QMouseEvent) -> None:
        """Let the threshold go."""
        if self.look.dragging:
            self._set_look(focus=self.look.focus)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """Type another word for a token."""
        point = event.position().toPoint()
        row = self.row_at(point)
        if event.button() != Qt.MouseButton.LeftButton or row is None:
            return
        column = self._column_at(point)
        if column == "corrupted" or (column == "sentence" and not self.can_mask):
            self.edit(row)

    def leaveEvent(self, event: QEvent) -> None:
        """Nothing is under the mouse."""
        super().leaveEvent(event)
        self._set_look(focus=self.look.focus)

    # ---- keyboard ----------------------------------------------------------------------------

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Move, mask, type, take back."""
        focus = self.look.focus
        key = event.key()
        if key in (Qt.Key.Key_Up, Qt.Key.Key_Down) and self.rows:
            step = 1 if key == Qt.Key.Key_Down else -1
            last = len(self.rows) - 1
            self._focus_row(0 if focus is None else min(max(focus + step, 0), last))
        elif key in (Qt.Key.Key_M, Qt.Key.Key_Space) and focus is not None:
            self.toggle_mask(focus)
        elif key in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_F2) and focus is not None:
            self.edit(focus)
        elif key in (Qt.Key.Key_Delete, Qt.Key.Key_Backspace) and focus is not None:
            if self.rows[focus].by_user:
                self.word_taken.emit(focus)
        else:
            super().keyPressEvent(event)

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Reached by Tab, the first row takes the focus."""
        super().focusInEvent(event)
        by_key = event.reason() in (
            Qt.FocusReason.TabFocusReason,
            Qt.FocusReason.BacktabFocusReason,
        )
        if by_key and self.look.focus is None and self.rows:
            self._focus_row(0)

    def _focus_row(self, row: int) -> None:
        if row != self.look.focus:
            self._set_look(focus=row)
            self._describe()
            self.row_chosen.emit(self.rows[row].position)

    def show_position(self, position: int | None) -> None:
        """Make a token's row the focus row, without telling."""
        found = [i for i, row in enumerate(self.rows) if row.position == position]
        self._set_look(focus=found[0] if found else None)

    def _describe(self) -> None:
        focus = self.look.focus
        if focus is None or focus >= len(self.rows):
            self.setAccessibleDescription(f"{len(self.rows)} tokens.")
        else:
            said = self.rows[focus].spoken(self.look.threshold)
            self.setAccessibleDescription(f"{said}. Token {focus + 1} of {len(self.rows)}.")

    # ---- what can be done --------------------------------------------------------------------

    def toggle_mask(self, row: int) -> None:
        """Mask a token for the generator, or no longer."""
        if self.can_mask and not self.rows[row].special:
            self.mask_toggled.emit(row)

    def take_proposal(self, row: int, number: int) -> None:
        """Put one of the generator's proposals into the sentence."""
        prediction = self.rows[row].proposals[number].prediction
        self.word_put.emit(row, prediction.word or prediction.token, prediction.token)

    def edit(self, row: int) -> None:
        """Open the line editor on a token."""
        one = self.rows[row]
        if one.special:
            return
        self._close_editor()
        token = one.token
        piece = Piece(one.corrupted, token.start, token.end, token.part)
        editor = TokenEditor(piece, one.corrupted, self)
        editor.accepted.connect(self._accept)
        editor.left.connect(self._close_editor)
        self._editor, self._edited = editor, row
        at = self.placed()
        editor.cover(at.chip_in(at.corrupted, row), self.rect())
        editor.show()
        editor.setFocus(Qt.FocusReason.OtherFocusReason)

    def _accept(self, text: str) -> None:
        row = self._edited
        shown = self.rows[row].corrupted if 0 <= row < len(self.rows) else ""
        self._close_editor()
        words = text.strip()
        if not words or not shown or words == shown:
            return
        if words == self.rows[row].original and self.rows[row].by_user:
            self.word_taken.emit(row)
        else:
            self.word_put.emit(row, words, "")

    def _close_editor(self) -> None:
        editor, self._editor = self._editor, None
        if editor is not None:
            had_focus = editor.hasFocus()
            editor.blockSignals(True)
            editor.hide()
            editor.deleteLater()
            if had_focus:
                self.setFocus(Qt.FocusReason.OtherFocusReason)

    # ---- tooltips ----------------------------------------------------------------------------

    def event(self, event: QEvent) -> bool:
        """Tell of what is under the mouse."""
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            told = self.tooltip_at(event.pos())
            if told is not None:
                words, box = told
                QToolTip.showText(event.globalPos(), words, self, box)
            else:
                QToolTip.hideText()
            return True
        return super().event(event)

    def tooltip_at(self, point: QPoint) -> tuple[str, QRect] | None:
        """What is told of a place, and the box it is told of."""
        if self._on_threshold(point):
            words = f"Above {self.look.threshold:.2f} a token is called replaced. Drag it."
            return words, QRectF(point.x() - GRAB, 0, 2 * GRAB, self.height()).toRect()
        proposal = self.proposal_at(point)
        at = self.placed()
        if proposal is not None:
            row, number = proposal
            return self.rows[row].told(number), at.lines[row][number].toRect()
        found = self.row_at(point)
        if found is None:
            return None
        return self.rows[found].told(), at.rows[found].toRect()
