"""How a row of the library looks: a title, a line under it, and what goes on with it."""

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QFontMetrics, QPainter
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem

from explorer.api.family.checkpoint import Checkpoint
from explorer.ui.guarded import guarded
from explorer.ui.library.pairs import ModelPair
from explorer.ui.library.panel.tree import CHECKPOINT, PAIR, STATE, RowState, subtitle
from explorer.ui.theme.schemes import Theme, current_theme
from explorer.ui.theme.shapes import draw_rounded

PADDING = 6
BAR = 3


@guarded
class LibraryRow(QStyledItemDelegate):
    """Draws groups as headings and checkpoints in two lines."""

    def sizeHint(
        self, _option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> QSize:
        """Two lines for a checkpoint, one for a group."""
        body = QFontMetrics(Theme.font("body")).height()
        small = QFontMetrics(Theme.font("small")).height()
        if not isinstance(index.data(CHECKPOINT), Checkpoint):
            return QSize(80, small + 2 * PADDING)
        return QSize(120, body + small + 2 * PADDING + 2)

    def paint(
        self,
        painter: QPainter,
        option: QStyleOptionViewItem,
        index: QModelIndex | QPersistentModelIndex,
    ) -> None:
        """Paint a group or a checkpoint."""
        painter.save()
        try:  # the painter is Qt's, and goes on to the next row whatever becomes of this one
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            checkpoint = index.data(CHECKPOINT)
            if isinstance(checkpoint, Checkpoint):
                pair = index.data(PAIR)
                title, about = (
                    (pair.title, pair.about)
                    if isinstance(pair, ModelPair)
                    else (checkpoint.title, subtitle(checkpoint))
                )
                said = title, about, not checkpoint.problem
                self._paint_checkpoint(painter, option, said, index.data(STATE))
            else:
                self._paint_group(painter, option, str(index.data()))
        finally:
            painter.restore()

    @staticmethod
    def _paint_group(painter: QPainter, option: QStyleOptionViewItem, title: str) -> None:
        painter.setFont(Theme.font("small"))
        painter.setPen(current_theme().muted)
        place = option.rect.adjusted(2, 0, 0, 0)
        painter.drawText(place, Qt.AlignmentFlag.AlignVCenter, title.upper())

    def _paint_checkpoint(
        self,
        painter: QPainter,
        option: QStyleOptionViewItem,
        said: tuple[str, str, bool],
        state: RowState,
    ) -> None:
        words, about, usable = said
        theme = current_theme()
        rect: QRect = option.rect
        flags = option.state
        plate = QRectF(rect).adjusted(1, 1, -1, -1)
        painter.setPen(Qt.PenStyle.NoPen)
        if flags & QStyle.StateFlag.State_Selected:
            painter.setBrush(theme.selection)
            painter.drawRoundedRect(plate, 5, 5)
        elif flags & QStyle.StateFlag.State_MouseOver:
            painter.setBrush(theme.hover)
            painter.drawRoundedRect(plate, 5, 5)
        inner = rect.adjusted(8, PADDING, -8, -PADDING)
        width = self._paint_state(painter, inner, state, theme)
        body = QFontMetrics(Theme.font("body"))
        small = QFontMetrics(Theme.font("small"))
        painter.setFont(Theme.font("strong" if state.kind == "loaded" else "body"))
        painter.setPen(theme.text if usable else theme.muted)
        title_width = inner.width() - width
        title = QFontMetrics(painter.font()).elidedText(
            words, Qt.TextElideMode.ElideRight, title_width
        )
        painter.drawText(inner.left(), inner.top() + body.ascent(), title)
        painter.setFont(Theme.font("small"))
        painter.setPen(theme.muted)
        under = small.elidedText(about, Qt.TextElideMode.ElideRight, inner.width() - width)
        painter.drawText(inner.left(), inner.top() + body.height() + 2 + small.ascent(), under)
        if state.kind == "working":
            self._paint_progress(painter, rect, state.fraction, theme)

    @staticmethod
    def _paint_state(painter: QPainter, inner: QRect, state: RowState, theme: Theme) -> int:
        """Draw the state at the right; returns the width it takes."""
        if not state.text:
            return 0
        painter.setFont(Theme.font("small"))
        metrics = QFontMetrics(painter.font())
        if state.kind != "loaded":
            colour = {"failed": theme.danger, "unusable": theme.muted}.get(state.kind, theme.accent)
            painter.setPen(colour)
            painter.drawText(
                inner, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter, state.text
            )
            return metrics.horizontalAdvance(state.text) + 10
        side = metrics.height() + 4
        right = inner.right() + 1
        for letter in reversed(state.text.split()):
            badge = QRectF(right - side, inner.center().y() - side / 2 + 0.5, side, side)
            draw_rounded(painter, badge, 5, theme.accent)
            painter.setPen(theme.on_accent)
            painter.drawText(badge, Qt.AlignmentFlag.AlignCenter, letter)
            right -= side + 4
        return inner.right() + 1 - right + 6

    @staticmethod
    def _paint_progress(painter: QPainter, rect: QRect, fraction: float, theme: Theme) -> None:
        """A thin bar along the bottom; a full faint one where how far is unknown."""
        track = QRectF(rect.left() + 8, rect.bottom() - BAR, rect.width() - 16, BAR - 1)
        draw_rounded(painter, track, 1, theme.track if fraction >= 0 else theme.selection)
        if fraction > 0:
            track.setWidth(track.width() * min(1.0, fraction))
            painter.setBrush(theme.accent)
            painter.drawRoundedRect(track, 1, 1)
