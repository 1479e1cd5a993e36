"""Attention as lines: tokens that look at one side, tokens that are looked at on the other."""

from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QPixmap
from PySide6.QtWidgets import QSizePolicy, QWidget

from explorer.text import _
from explorer.text.bidi import isolated
from explorer.text.formatting.numbers import decimal
from explorer.ui.blocks.figure import Figure
from explorer.ui.controls.scrolling import bring_into_sight
from explorer.ui.guarded import guarded
from explorer.ui.matrices.lines.painting import (
    FROM,
    TO,
    Drawn,
    LinesContent,
    LinesLayout,
    arrange_lines,
    drawn_lines,
    lines_figure,
    paint_lines,
    paint_tokens_beside,
)
from explorer.ui.theme.schemes import Theme, current_theme, theme_signals

LONG = 4000
"""Pixels of height from which on lines are drawn without a fine screen's extra dots."""


@guarded
class AttentionLines(QWidget):
    """Stands in a resizable scroll area; as high as its tokens.

    The token under the pointer shows its lines alone; a click keeps it so until the next click.
    Up and Down go from token to token, Left and Right from side to side, Escape shows all lines.

    Signals:
        pointed: (side, index) of the token whose lines are shown alone, or None.
        counted: How many lines there are at or above the threshold; MOST of them are drawn.
    """

    pointed = Signal(object)
    counted = Signal(int)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("attentionLines")
        self.setAccessibleName(_("Attention as lines"))
        self.setMouseTracking(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Minimum)
        self._content: LinesContent | None = None
        self._layout: LinesLayout | None = None
        self._picture: QPixmap | None = None
        self._drawn: Drawn | None = None
        self._under: tuple[int, int] | None = None
        self._kept: tuple[int, int] | None = None
        theme_signals().changed.connect(self._forget)

    @property
    def content(self) -> LinesContent | None:
        """What is shown."""
        return self._content

    @property
    def alone(self) -> tuple[int, int] | None:
        """The token whose lines are shown alone: side and index."""
        return self._kept if self._kept is not None else self._under

    @property
    def kept(self) -> tuple[int, int] | None:
        """The token whose lines stay alone when the mouse goes: side and index."""
        return self._kept

    def keep(self, token: tuple[int, int] | None) -> None:
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
            self._kept = self._under = None
        self._forget()
        self._choose_lines()
        self.updateGeometry()

    def _choose_lines(self) -> None:
        self._picture = None
        self._drawn = drawn_lines(self._content, self.alone) if self._content is not None else None
        self.counted.emit(self._drawn.count if self._drawn is not None else 0)

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

    def _forget(self, _theme: object = None) -> None:
        self._layout = self._picture = None
        self.update()

    def _show_alone(self) -> None:
        self._choose_lines()
        self._describe()
        self.pointed.emit(self.alone)
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

    def resizeEvent(self, _event: QEvent) -> None:
        """Arrange anew."""
        self._forget()

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
        if self.hasFocus():
            painter.setPen(theme.focus)
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRect(QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5))

    def _painted(self, theme: Theme, content: LinesContent, at: LinesLayout) -> QPixmap:
        # A picture of 512 tokens is long: it is kept as coarse as the screen's smallest unit.
        ratio = self.devicePixelRatioF() if at.height <= LONG else 1.0
        picture = QPixmap(max(1, round(at.width * ratio)), max(1, round(at.height * ratio)))
        picture.setDevicePixelRatio(ratio)
        picture.fill(Qt.GlobalColor.transparent)
        painter = QPainter(picture)
        if self._drawn is not None:
            paint_lines(painter, theme, content, at, self._drawn)
        painter.end()
        return picture

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Show the lines of the token under the pointer."""
        at, content = self.layout_now(), self._content
        if at is None or content is None:
            return
        under = at.token_at(event.position(), content)
        if under != self._under:
            self._under = under
            if self._kept is None:
                self._show_alone()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Keep a token's lines, or let them go."""
        at, content = self.layout_now(), self._content
        if at is None or content is None or event.button() != Qt.MouseButton.LeftButton:
            return
        token = at.token_at(event.position(), content)
        self._kept = token if token != self._kept else None
        self._show_alone()

    def leaveEvent(self, event: QEvent) -> None:
        """Show all lines again."""
        super().leaveEvent(event)
        if self._under is not None:
            self._under = None
            if self._kept is None:
                self._show_alone()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """From token to token."""
        content, key = self._content, Qt.Key(event.key())
        at_left = TO if content is not None and content.from_right else FROM
        moves = {
            Qt.Key.Key_Up: (None, -1),
            Qt.Key.Key_Down: (None, 1),
            Qt.Key.Key_Left: (at_left, 0),
            Qt.Key.Key_Right: (TO if at_left == FROM else FROM, 0),
        }
        if content is None:
            super().keyPressEvent(event)
        elif key in moves and content.queries and content.keys:
            side, step = moves[key]
            held = self._kept
            if held is None:
                held = (FROM, 0) if side is None else (side, 0)
            else:
                side = held[0] if side is None else side
                count = len(content.queries if side == FROM else content.keys)
                held = (side, min(max(held[1] + step, 0), count - 1))
            self._kept = held
            self._bring_into_view(held)
            self._show_alone()
        elif key == Qt.Key.Key_Escape and self._kept is not None:
            self._kept = None
            self._show_alone()
        else:
            super().keyPressEvent(event)

    def _bring_into_view(self, token: tuple[int, int]) -> None:
        at = self.layout_now()
        if at is not None:
            bring_into_sight(self, at.box(*token))
