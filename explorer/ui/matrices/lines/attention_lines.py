"""Attention as lines: tokens that look at one side, tokens that are looked at on the other."""

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from PySide6.QtCore import QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QMouseEvent, QPainter, QPaintEvent, QPixmap
from PySide6.QtWidgets import QSizePolicy, QWidget

from explorer.text import _
from explorer.text.bidi import isolated
from explorer.text.formatting.numbers import decimal
from explorer.ui.blocks.figure import Figure
from explorer.ui.charts.plot_view import PlotView
from explorer.ui.controls.scrolling import bring_into_sight
from explorer.ui.guarded import guarded
from explorer.ui.matrices.lines.painting import (
    FROM,
    TO,
    DrawnLines,
    LinesContent,
    LinesLayout,
    arrange_lines,
    drawn_lines,
    lines_figure,
    paint_lines,
    paint_tokens_beside,
)
from explorer.ui.theme.schemes import Theme, current_theme

Token = tuple[int, int]
"""Side and index."""

LONG = 4000
"""Pixels of height from which on lines are drawn without a fine screen's extra dots."""


@guarded
class AttentionLines(PlotView[Any]):
    """Stands in a resizable scroll area; as high as its tokens.

    The token under the pointer shows its lines alone; a click keeps it so until the next click.
    Up and Down go from token to token, Left and Right from side to side, Escape shows all lines.

    Signals:
        shown_alone: (side, index) of the token whose lines are shown alone, or None.
        counted: How many lines there are at or above the threshold; MOST of them are drawn.
    """

    shown_alone = Signal(object)
    counted = Signal(int)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__("attentionLines", parent)
        self.setAccessibleName(_("Attention as lines"))
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Minimum)
        self._content: LinesContent | None = None
        self._layout: LinesLayout | None = None
        self._picture: QPixmap | None = None
        self._chosen_lines: DrawnLines | None = None
        self._kept: Token | None = None

    @property
    def content(self) -> LinesContent | None:
        """What is shown."""
        return self._content

    @property
    def alone(self) -> Token | None:
        """The token whose lines are shown alone: side and index."""
        return self._kept if self._kept is not None else self._pointed

    @property
    def kept(self) -> Token | None:
        """The token whose lines stay alone when the mouse goes: side and index."""
        return self._kept

    def keep(self, token: Token | None) -> None:
        """Let a token's lines stay alone, or show all; tells nobody."""
        if token != self._kept:
            self._kept = token
            self._choose_lines()
            self._describe()
            self.update()

    def set_content(self, content: LinesContent | None) -> None:
        """Show other lines; a token that is kept stays so where the tokens are the same."""
        old, self._content = self._content, content
        if old is content:
            return
        same = (
            old is not None
            and content is not None
            and (old.queries, old.keys) == (content.queries, content.keys)
        )
        if not same:
            self._kept = self._pointed = None
        self._arrange()
        self._choose_lines()
        self.update()
        self.updateGeometry()

    def _choose_lines(self) -> None:
        self._picture = None
        self._chosen_lines = (
            drawn_lines(self._content, self.alone) if self._content is not None else None
        )
        self.counted.emit(self._chosen_lines.count if self._chosen_lines is not None else 0)

    def layout_now(self) -> LinesLayout | None:
        """Where tokens stand; None without content."""
        if self._content is not None and self._layout is None:
            self._layout = arrange_lines(self._content, self.width())
        return self._layout

    def figure(self, width: float, theme: Theme) -> Figure | None:
        """The lines as they are shown; None without content."""
        if self._content is None:
            return None
        return lines_figure(self._content, width, theme, self._kept)

    def _arrange(self) -> None:
        self._layout = self._picture = None

    def _show_alone(self) -> None:
        self._choose_lines()
        self._describe()
        self.shown_alone.emit(self.alone)
        self.update()

    def _describe(self) -> None:
        content, alone = self._content, self.alone
        if content is None or alone is None:
            self.setAccessibleDescription("")
            return
        side, index = alone
        labels, others = (
            (content.queries, content.keys) if side == FROM else (content.keys, content.queries)
        )
        weights = content.weights[:, index] if side == FROM else content.weights[:, :, index]
        best = sorted(range(len(others)), key=lambda i: -float(abs(weights[:, i]).max()))[:3]
        named = ", ".join(
            f"{isolated(others[i])} {decimal(float(abs(weights[:, i]).max()), 2)}" for i in best
        )
        said = (
            _("{token} looks at {others}.", token=labels[index], others=named)
            if side == FROM
            else _("{token} is looked at by {others}.", token=labels[index], others=named)
        )
        self.setAccessibleDescription(said)

    # ---- events -----------------------------------------------------------------------------

    def sizeHint(self) -> QSize:
        """As high as the tokens."""
        return QSize(420, self.minimumSizeHint().height())

    def minimumSizeHint(self) -> QSize:
        """As high as the tokens."""
        if self._content is None:
            return QSize(160, 60)
        return QSize(160, int(arrange_lines(self._content, max(self.width(), 160)).height) + 1)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the lines from a picture that is made once, and the tokens over it."""
        at, content = self.layout_now(), self._content
        if at is None or content is None:
            return
        theme = current_theme()
        if self._picture is None:
            self._picture = self._painted(theme, content, at)
        painter = QPainter(self)
        painter.drawPixmap(QPointF(0, 0), self._picture)
        paint_tokens_beside(painter, theme, content, at, self.alone, QRectF(event.rect()))
        self._paint_ring(painter, theme, QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5))

    def _painted(self, theme: Theme, content: LinesContent, at: LinesLayout) -> QPixmap:
        # A picture of 512 tokens is long: it is kept as coarse as the screen's smallest unit.
        ratio = self.devicePixelRatioF() if at.height <= LONG else 1.0
        picture = QPixmap(max(1, round(at.width * ratio)), max(1, round(at.height * ratio)))
        picture.setDevicePixelRatio(ratio)
        picture.fill(Qt.GlobalColor.transparent)
        painter = QPainter(picture)
        if self._chosen_lines is not None:
            paint_lines(painter, theme, content, at, self._chosen_lines)
        painter.end()
        return picture

    def _place_at(self, point: QPointF) -> Token | None:
        at, content = self.layout_now(), self._content
        return at.token_at(point, content) if at is not None and content is not None else None

    def _point(self, token: Token | None) -> None:
        if token != self._pointed:
            super()._point(token)
            if self._kept is None:
                self._show_alone()

    def _choose_place(self, token: Token | None, _event: QMouseEvent) -> None:
        """Keep a token's lines, or let them go."""
        self._keep(token if token != self._kept else None)

    def _keep(self, token: Token | None) -> None:
        self._kept = token
        if token is not None:
            self._bring_into_view(token)
        self._show_alone()

    def _keys(self) -> Mapping[Qt.Key, Callable[[], None]]:
        content = self._content
        if content is None or not content.queries or not content.keys:
            return {}
        held = self._kept
        left, right = (TO, FROM) if content.from_right else (FROM, TO)
        side, index = held if held is not None else (FROM, 0)
        step = 0 if held is None else 1
        moves = {
            Qt.Key.Key_Up: (side, index - step),
            Qt.Key.Key_Down: (side, index + step),
            Qt.Key.Key_Left: (left, index),
            Qt.Key.Key_Right: (right, index),
        }
        counts = {FROM: len(content.queries), TO: len(content.keys)}
        keys: dict[Qt.Key, Callable[[], None]] = {
            key: partial(self._keep, (side, min(max(index, 0), counts[side] - 1)))
            for key, (side, index) in moves.items()
        }
        if held is not None:
            keys[Qt.Key.Key_Escape] = partial(self._keep, None)
        return keys

    def _bring_into_view(self, token: Token) -> None:
        at = self.layout_now()
        if at is not None:
            bring_into_sight(self, at.box(*token))
