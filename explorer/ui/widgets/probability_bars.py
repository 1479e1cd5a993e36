"""Predictions as rows of bars; a click or Enter puts one into the sentence."""

from collections.abc import Callable, Sequence

from PySide6.QtCore import QEvent, QPoint, QSize, Qt, Signal
from PySide6.QtGui import (
    QFocusEvent,
    QHelpEvent,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
)
from PySide6.QtWidgets import QScrollArea, QSizePolicy, QToolTip, QWidget

from explorer.api import Prediction
from explorer.ui.guarded import guarded
from explorer.ui.theme import current_theme, theme_signals
from explorer.ui.widgets.bar_rows import (
    Before,
    Columns,
    Row,
    arrange_rows,
    in_digits,
    paint_rows,
    rows_of,
    scale_for,
)

GLUED = {
    "before": "No word of its own: it continues the word before the mask.",
    "after": "The beginning of a longer word.",
}


def then_said(before: Before) -> str:
    """What a word had in the pinned answer, for a tooltip."""
    if before.probability is None:
        return "The pinned answer does not list it."
    rank = f", rank {before.rank:,}" if before.rank is not None else ""
    return f"Pinned answer: {in_digits(before.probability)}{rank}"


@guarded
class ProbabilityBars(QWidget):
    """Rank, word, bar and probability of each prediction, in one painted widget.

    Signals:
        chosen: The word and the id of the prediction that was clicked.
    """

    chosen = Signal(str, int)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("probabilityBars")
        self.setAccessibleName("Predictions")
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setMouseTracking(True)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self._rows: tuple[Row, ...] = ()
        self._peers: tuple[Row, ...] = ()
        self._scale = 1.0
        self._hover: int | None = None
        self._current: int | None = None
        self._columns: Columns | None = None
        theme_signals().changed.connect(self._theme_changed)

    @property
    def rows(self) -> tuple[Row, ...]:
        """What is shown, the original's row included."""
        return self._rows

    @property
    def scale(self) -> float:
        """Probability at the right end of the bars."""
        return self._scale

    @property
    def current(self) -> int | None:
        """Row the keyboard is on."""
        return self._current

    def set_rows(
        self,
        predictions: Sequence[Prediction],
        original: Prediction | None = None,
        scale: float | None = None,
        peers: Sequence[Row] = (),
        before: Callable[[Prediction], Before] | None = None,
    ) -> None:
        """Show predictions.

        Args:
            predictions: Most probable first.
            original: The word under the mask with its true rank, or None.
            scale: Probability at the right end of the bars, so that several lists can be
                compared; None fits this list.
            peers: Rows of the lists that stand beside this one, whose columns it shares.
            before: What the pinned answer says of a word; None where nothing is pinned.
        """
        self._rows = rows_of(predictions, original, before)
        self._peers = tuple(peers)
        largest = max((row.prediction.probability for row in self._rows), default=1.0)
        self._scale = scale if scale is not None else scale_for(largest)
        self._hover = None
        if self._current is not None and self._current >= len(self._rows):
            self._current = None
        self._columns = None
        self._describe()
        self.updateGeometry()
        self.update()

    def columns(self) -> Columns:
        """Where everything stands now."""
        if self._columns is None or self._columns.width != self.width():
            self._columns = arrange_rows(self._rows, float(self.width()), self._peers)
        return self._columns

    def row_at(self, point: QPoint) -> int | None:
        """Index of the row at a point, or None."""
        boxes = self.columns().boxes
        return next((i for i, b in enumerate(boxes) if b.contains(point.toPointF())), None)

    def sizeHint(self) -> QSize:
        """As tall as its rows."""
        return QSize(320, int(arrange_rows(self._rows, 320.0).height + 0.999))

    def minimumSizeHint(self) -> QSize:
        """Narrow enough for a column."""
        return QSize(180, self.sizeHint().height())

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Paint the rows."""
        painter = QPainter(self)
        paint_rows(
            painter,
            current_theme(),
            self._rows,
            self.columns(),
            self._scale,
            hover=self._hover,
            current=self._current,
            has_focus=self.hasFocus(),
        )

    def _theme_changed(self, _theme: object) -> None:
        self._columns = None
        self.updateGeometry()
        self.update()

    # ---- mouse and keyboard -----------------------------------------------------------------

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Highlight the row under the mouse."""
        hover = self.row_at(event.position().toPoint())
        if hover != self._hover:
            self._hover = hover
            shape = Qt.CursorShape.ArrowCursor
            if hover is not None:
                shape = Qt.CursorShape.PointingHandCursor
            self.setCursor(shape)
            self.update()

    def leaveEvent(self, event: QEvent) -> None:
        """Nothing is under the mouse."""
        super().leaveEvent(event)
        self._hover = None
        self.update()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Go to the row."""
        if event.button() == Qt.MouseButton.LeftButton:
            self._go_to(self.row_at(event.position().toPoint()))

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """Choose the row, if the mouse is still on it."""
        row = self.row_at(event.position().toPoint())
        left = event.button() == Qt.MouseButton.LeftButton
        if left and row is not None and row == self._current:
            self._choose(row)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Up and down move, Enter chooses."""
        last = len(self._rows) - 1
        key = event.key()
        now = self._current
        if last >= 0 and key in (Qt.Key.Key_Down, Qt.Key.Key_Up):
            step = 1 if key == Qt.Key.Key_Down else -1
            self._go_to(min(max(now + step, 0), last) if now is not None else 0)
        elif last >= 0 and key in (Qt.Key.Key_Home, Qt.Key.Key_End):
            self._go_to(0 if key == Qt.Key.Key_Home else last)
        elif key in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and now is not None:
            self._choose(now)
        else:
            super().keyPressEvent(event)

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Reached by Tab, the first row is the current one."""
        super().focusInEvent(event)
        tabs = (Qt.FocusReason.TabFocusReason, Qt.FocusReason.BacktabFocusReason)
        if self._current is None and self._rows and event.reason() in tabs:
            self._go_to(0)
        self.update()

    def _go_to(self, row: int | None) -> None:
        self._current = row
        if row is not None:
            self._bring_into_view(row)
        self._describe()
        self.update()

    def _choose(self, row: int) -> None:
        prediction = self._rows[row].prediction
        self.chosen.emit(prediction.word, prediction.id)

    def _bring_into_view(self, row: int) -> None:
        above = self.parentWidget()
        while above is not None and not isinstance(above, QScrollArea):
            above = above.parentWidget()
        content = above.widget() if above is not None else None
        if above is not None and content is not None:
            box = self.columns().boxes[row].toAlignedRect()
            middle = self.mapTo(content, box.center())
            above.ensureVisible(middle.x(), middle.y(), 0, box.height())

    def _describe(self) -> None:
        if self._current is not None:
            self.setAccessibleDescription(self._rows[self._current].spoken)
        else:
            count = len(self._rows)
            self.setAccessibleDescription(f"{count} predictions." if count else "None yet.")

    def event(self, event: QEvent) -> bool:
        """Tooltips of the row under the mouse."""
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            index = self.row_at(event.pos())
            if index is None:
                QToolTip.hideText()
            else:
                QToolTip.showText(event.globalPos(), self.tooltip(index), self)
            return True
        return super().event(event)

    def tooltip(self, index: int) -> str:
        """What is known of a row."""
        row = self._rows[index]
        prediction = row.prediction
        lines = [
            row.word,
            f"Piece: {prediction.token}",
            f"Id: {prediction.id}",
            f"Rank: {prediction.rank}",
            f"Probability: {in_digits(prediction.probability)}",
        ]
        if row.is_original:
            lines.append("The word that is under the mask.")
        if prediction.glue:
            lines.append(GLUED[prediction.glue])
        if row.before is not None:
            lines.append(then_said(row.before))
        lines.append("Click to put it into the sentence.")
        return "\n".join(lines)
