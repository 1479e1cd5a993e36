"""How tokens look: one function for the screen, PNG and SVG."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from PySide6.QtCore import QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPainterPath, QPen

from explorer.ui.sentence.pieces import Piece
from explorer.ui.sentence.tokens.layout import MARGIN, MASK_LABEL, PAD, RAIL, TokenLayout
from explorer.ui.theme.schemes import Theme
from explorer.ui.typesetting.one_line import draw_text, text_height, text_width

RADIUS = 5.0
SEAM = 0.75


@dataclass(frozen=True)
class Highlights:
    """What of a strip is highlighted.

    Attributes:
        notes: Small texts below pieces, by index.
        tail: The note on what was left out.
        hover: Under the mouse.
        focus: The focus token.
        has_focus: The strip has the keyboard; the focus token gets a ring.
        selection: First and last index of a selected span.
        dragging: The span is being dragged, and would be masked.
    """

    notes: Mapping[int, str] = field(default_factory=dict)
    tail: str = ""
    hover: int | None = None
    focus: int | None = None
    has_focus: bool = False
    selection: tuple[int, int] | None = None
    dragging: bool = False

    def selects(self, index: int) -> bool:
        """Whether a piece is in the selected span."""
        if self.selection is None:
            return False
        return min(self.selection) <= index <= max(self.selection)


def _outline(box: QRectF, left: bool, right: bool) -> QPainterPath:
    """A rectangle with round corners only where a word begins or ends."""
    one, two = RADIUS if left else 1.0, RADIUS if right else 1.0
    path = QPainterPath(QPointF(box.left() + one, box.top()))
    path.lineTo(box.right() - two, box.top())
    path.arcTo(QRectF(box.right() - 2 * two, box.top(), 2 * two, 2 * two), 90, -90)
    path.arcTo(QRectF(box.right() - 2 * two, box.bottom() - 2 * two, 2 * two, 2 * two), 0, -90)
    path.arcTo(QRectF(box.left(), box.bottom() - 2 * one, 2 * one, 2 * one), -90, -90)
    path.arcTo(QRectF(box.left(), box.top(), 2 * one, 2 * one), 180, -90)
    path.closeSubpath()
    return path


def paint_tokens(
    painter: QPainter,
    theme: Theme,
    pieces: Sequence[Piece],
    layout: TokenLayout,
    look: Highlights,
    clip: QRectF | None = None,
) -> None:
    """Paint a strip.

    Args:
        painter: On any device.
        theme: Colours and fonts.
        pieces: As they were arranged.
        layout: Where they stand.
        look: What is highlighted.
        clip: Only what touches it is painted; None paints all.
    """
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    _paint_rail(painter, theme, pieces, layout)
    for line in layout.lines:
        first = layout.boxes[line[0]]
        reach = QRectF(0, first.top() - 4, 1e6, layout.box_height + 40)
        if clip is not None and not clip.intersects(reach):
            continue
        in_line = set(line)
        for index in line:
            _paint_piece(painter, theme, pieces, layout, look, index, in_line)
        for index in line:
            if pieces[index].joined and index - 1 in in_line and not pieces[index - 1].special:
                _paint_join(painter, theme, layout, index)
            if index in look.notes:
                _paint_note(painter, theme, layout.boxes[index], look.notes[index])
    if layout.tail is not None:
        last_row = len(layout.lines) - 1
        _paint_tail(painter, theme, layout.tail, look.tail, leftward=layout.begins_right(last_row))
    if look.focus is not None and look.has_focus and look.focus < len(layout.boxes):
        painter.setPen(QPen(theme.focus, 2.0))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        ring = layout.boxes[look.focus].adjusted(-1.5, -1.5, 1.5, 1.5)
        painter.drawRoundedRect(ring, RADIUS + 1, RADIUS + 1)


def _fill(theme: Theme, piece: Piece, look: Highlights, index: int) -> QColor | None:
    if look.selects(index) and piece.can_mask:
        return theme.mask_fill if look.dragging else theme.selection
    if piece.masked:
        return theme.mask_fill
    if index == look.hover:
        return theme.hover
    if piece.special:
        return None
    return theme.pair_fill if piece.part else theme.raised


def _paint_piece(
    painter: QPainter,
    theme: Theme,
    pieces: Sequence[Piece],
    layout: TokenLayout,
    look: Highlights,
    index: int,
    in_line: set[int],
) -> None:
    piece, box = pieces[index], layout.boxes[index]
    joined_left = piece.joined and index - 1 in in_line and not pieces[index - 1].special
    joined_right = index + 1 in in_line and pieces[index + 1].joined and not piece.special
    if index in layout.leftward:
        joined_left, joined_right = joined_right, joined_left
    # A thin cut between the pieces of a word; the tie below it says that they belong together.
    seam = SEAM * (2 if piece.masked else 1)
    shape = box.adjusted(seam if joined_left else 0, 0, -seam if joined_right else 0, 0)
    path = _outline(shape, not joined_left, not joined_right)
    fill = _fill(theme, piece, look, index)
    if fill is not None:
        painter.fillPath(path, fill)
    if piece.masked or (look.dragging and look.selects(index) and piece.can_mask):
        edge = QPen(theme.mask, 1.2)
        if not piece.masked:
            edge.setStyle(Qt.PenStyle.DashLine)
        painter.strokePath(path, edge)
    elif index == look.focus:
        painter.strokePath(path, QPen(theme.muted, 1.0))
    left, right = layout.pads(pieces, index)
    inner = box.adjusted(left, 0, -right, 0)
    if piece.masked:
        _paint_mask(painter, theme, piece, inner)
    elif piece.special:
        draw_text(painter, inner, piece.text, "small", theme.muted)
    else:
        draw_text(painter, inner, piece.text, "token", theme.text)
    if piece.unknown and not piece.masked:
        _paint_unknown(painter, theme, inner)


def _paint_mask(painter: QPainter, theme: Theme, piece: Piece, inner: QRectF) -> None:
    """The label, and small beside it the word that is hidden."""
    label = text_width("strong", MASK_LABEL)
    hidden = piece.text if not piece.typed else ""
    content = label + (5 + text_width("small", hidden) if hidden else 0.0)
    x = inner.left() + max(0.0, (inner.width() - content) / 2)
    draw_text(
        painter,
        QRectF(x, inner.top(), min(label, inner.width()), inner.height()),
        MASK_LABEL,
        "strong",
        theme.mask,
        Qt.AlignmentFlag.AlignLeft,
    )
    room = inner.right() - x - label - 5
    # A word that would be nothing but dots is left out; one letter is narrower than dots.
    if hidden and room >= min(8.0, text_width("small", hidden) - 1.0):
        draw_text(
            painter,
            QRectF(x + label + 5, inner.top() + 1, room, inner.height()),
            hidden,
            "small",
            theme.muted,
            Qt.AlignmentFlag.AlignLeft,
        )


def _paint_join(painter: QPainter, theme: Theme, layout: TokenLayout, index: int) -> None:
    """A tie below the seam between a piece of a word and the one before."""
    box = layout.boxes[index]
    x = box.right() if index in layout.leftward else box.left()
    painter.setPen(QPen(theme.muted, 1.5, Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap))
    tie = QPainterPath(QPointF(x - 5, box.bottom() - 0.4))
    tie.quadTo(QPointF(x, box.bottom() + 4.4), QPointF(x + 5, box.bottom() - 0.4))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.drawPath(tie)


def _paint_unknown(painter: QPainter, theme: Theme, inner: QRectF) -> None:
    pen = QPen(theme.danger, 2.0, Qt.PenStyle.CustomDashLine, Qt.PenCapStyle.RoundCap)
    pen.setDashPattern([0.1, 2.0])
    painter.setPen(pen)
    y = inner.bottom() - 3.0
    painter.drawLine(QLineF(inner.left(), y, inner.right(), y))


def _paint_note(painter: QPainter, theme: Theme, box: QRectF, note: str) -> None:
    below = QRectF(box.left() + 1, box.bottom() + 2, box.width() - 2, text_height("small"))
    draw_text(painter, below, note, "small", theme.accent)


def _paint_rail(
    painter: QPainter, theme: Theme, pieces: Sequence[Piece], layout: TokenLayout
) -> None:
    """The coloured rail where the lines of the second text begin."""
    second = [i for line in layout.lines for i in line if pieces[i].part == 1]
    if not second:
        return
    top, bottom = layout.boxes[second[0]].top(), layout.boxes[second[-1]].bottom()
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(theme.pair)
    x = MARGIN
    if 1 in layout.from_right:
        x = max(layout.boxes[index].right() for index in second) + RAIL - 3.0
    painter.drawRoundedRect(QRectF(x, top, 3.0, bottom - top), 1.5, 1.5)


def _paint_tail(painter: QPainter, theme: Theme, box: QRectF, tail: str, *, leftward: bool) -> None:
    """A marker where the model stops reading, and what it does not see."""
    pen = QPen(theme.warning, 1.6, Qt.PenStyle.DashLine)
    painter.setPen(pen)
    x = box.right() - 3 if leftward else box.left() + 3
    painter.drawLine(QLineF(x, box.top() + 1, x, box.bottom() - 1))
    inner = box.adjusted(0, 0, -PAD - 6, 0) if leftward else box.adjusted(PAD + 6, 0, 0, 0)
    draw_text(
        painter,
        inner,
        tail,
        "small",
        theme.warning,
        Qt.AlignmentFlag.AlignRight if leftward else Qt.AlignmentFlag.AlignLeft,
        Qt.TextElideMode.ElideRight,
    )
