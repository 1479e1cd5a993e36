"""How one thing on the board is painted: tables, attentions, feed-forwards, heads."""

from collections.abc import Callable
from functools import partial

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPen, QPolygonF

from explorer.architecture.shapes import Shape
from explorer.text import _
from explorer.ui.theme.schemes import Theme
from explorer.ui.theme.shapes import draw_rounded
from explorer.ui.typesetting.one_line import draw_text, text_height, text_width

COLOURS = {
    "tables": "bar",
    "widen": "bar",
    "attention": "bar_original",
    "feed_forward": "positive",
    "conv": "positive",
    "dense": "accent",
    "matrix": "bar",
    "score": "accent",
    "decoder": "bar_original",
}
HEIGHTS = {
    "input": 24.0,
    "tables": 50.0,
    "widen": 34.0,
    "norm": 18.0,
    "feed_forward": 52.0,
    "add": 18.0,
    "dense": 34.0,
    "matrix": 40.0,
    "score": 30.0,
    "output": 22.0,
    "decoder": 34.0,
}
LINES = {
    "input": 1.0,
    "tables": 2.0,
    "widen": 1.4,
    "norm": 0.85,
    "feed_forward": 2.2,
    "dense": 1.4,
    "matrix": 1.4,
    "score": 1.0,
    "output": 1.0,
    "decoder": 1.0,
}
"""How many lines of words a shape is high at least; its slopes need room beside them."""
EACH = 36.0
"""Of several feed-forwards in a row."""
BETWEEN = 16.0
"""Room for the residual of one of them, and its norm."""
MOST_HEADS = 16
GRID = 36.0
ATTENTION_WIDTH = 228.0
Width = Callable[[int], float]
"""From a number of a vector's entries to pixels."""


def colour_of(theme: Theme, form: str) -> QColor:
    """The colour of a form's border."""
    return theme.colour(COLOURS.get(form, "muted"))


def fill_of(theme: Theme, form: str, strength: float = 0.17) -> QColor:
    """A little of it in the ground's colour; nothing behind it is seen."""
    colour, ground = colour_of(theme, form), theme.surface
    mixed = [
        round(strength * a + (1 - strength) * b)
        for a, b in zip(colour.getRgb()[:3], ground.getRgb()[:3], strict=True)  # type: ignore[index]
    ]
    return QColor(*mixed)


def height_of(shape: Shape) -> float:
    """How tall a shape is drawn."""
    line = text_height("small")
    if shape.form == "attention":
        apart = shape.pattern == "apart"
        return max(90.0, 2 * line + GRID + 18) if apart else max(74.0, line + GRID + 18)
    if shape.form == "feed_forward" and shape.count > 1:
        return EACH * shape.count + line
    # Larger letters need more than their shapes have.
    return max(HEIGHTS[shape.form], line * LINES.get(shape.form, 0.0) + 2)


def width_of(shape: Shape, scale: Width, room: float) -> float:
    """How wide a shape is drawn."""
    if shape.form == "attention":
        return min(room, max(ATTENTION_WIDTH, scale(shape.low)))
    if shape.form == "tables":
        sizes = [f"{rows:,} × {width:,}" for _unused, rows, width in shape.tables]
        each = max(76.0, *(text_width("small", size) + 12 for size in sizes))
        return min(room, max(scale(shape.high), (each + 14) * len(sizes) - 14))
    if shape.form in {"input", "output", "norm", "decoder", "score"}:
        return min(room, max(96.0, text_width("small", shape.words) + 24))
    if shape.form == "add":
        return 18.0
    return min(room, max(scale(shape.low), scale(shape.high), scale(shape.wide)))


def paint_shape(painter: QPainter, theme: Theme, shape: Shape, box: QRectF, scale: Width) -> None:
    """Paint one shape in its box; wide words stand beside narrow shapes."""
    painter.setPen(QPen(colour_of(theme, shape.form), 1.4))
    painter.setBrush(fill_of(theme, shape.form))
    paint = _PAINTERS.get(shape.form, _paint_words)
    paint(painter, theme, shape, box, scale)


def _paint_words(painter: QPainter, theme: Theme, shape: Shape, box: QRectF, _scale: Width) -> None:
    if shape.form in {"score", "decoder"}:
        painter.drawRoundedRect(box, 4, 4)
        draw_text(painter, box.adjusted(6, 0, -6, 0), shape.words, "small", theme.text)
        return
    painter.setPen(QPen(theme.border, 1.0))
    painter.setBrush(theme.raised)
    painter.drawRoundedRect(box, 9 if shape.form != "norm" else 3, 9)
    colour = theme.muted if shape.form == "norm" else theme.text
    draw_text(painter, box, shape.words, "small", colour)


def _paint_add(painter: QPainter, theme: Theme, _shape: Shape, box: QRectF, _scale: Width) -> None:
    painter.setPen(QPen(theme.muted, 1.2))
    painter.setBrush(theme.surface)
    painter.drawEllipse(box.adjusted(1, 1, -1, -1))
    middle = box.center()
    painter.drawLine(QPointF(middle.x() - 4, middle.y()), QPointF(middle.x() + 4, middle.y()))
    painter.drawLine(QPointF(middle.x(), middle.y() - 4), QPointF(middle.x(), middle.y() + 4))


def _paint_tables(
    painter: QPainter, theme: Theme, shape: Shape, box: QRectF, _scale: Width
) -> None:
    """One box a table, the pluses between them."""
    gap = 14.0
    count = max(1, len(shape.tables))
    wide = (box.width() - gap * (count - 1)) / count
    for number, (label, rows, width) in enumerate(shape.tables):
        x = box.left() + number * (wide + gap)
        place = QRectF(x, box.top(), wide, box.height())
        painter.setPen(QPen(colour_of(theme, "tables"), 1.4))
        painter.setBrush(fill_of(theme, "tables"))
        painter.drawRect(place)
        fine = QColor(colour_of(theme, "tables"))
        fine.setAlpha(70)
        painter.setPen(QPen(fine, 1.0))
        for line in (0.25, 0.5, 0.75):
            y = place.top() + place.height() * line
            painter.drawLine(QPointF(place.left(), y), QPointF(place.right(), y))
        high = text_height("small")
        upper = QRectF(place.left() + 3, place.center().y() - high, wide - 6, high)
        words = shape.words if shape.words and not number else label
        draw_text(painter, upper, words, "small", theme.text)
        size = f"{rows:,} × {width:,}"
        draw_text(painter, upper.translated(0, high), size, "small", theme.text)
        if number:
            plus = QRectF(x - gap, box.top(), gap, box.height())
            draw_text(painter, plus, "+", "strong", theme.muted)


def _trapezoid(box: QRectF, below: float, above: float) -> QPolygonF:
    middle = box.center().x()
    return QPolygonF(
        [
            QPointF(middle - below / 2, box.bottom()),
            QPointF(middle - above / 2, box.top()),
            QPointF(middle + above / 2, box.top()),
            QPointF(middle + below / 2, box.bottom()),
        ]
    )


def _words_at(painter: QPainter, theme: Theme, words: str, box: QRectF, narrow: float) -> None:
    """In the shape where they fit, in two lines if need be, else beside it."""
    high = text_height("small")
    for lines in ((words,), _in_two(words)):
        if all(text_width("small", one) + 8 <= narrow for one in lines):
            top = box.center().y() - high * len(lines) / 2
            for number, line in enumerate(lines):
                place = QRectF(box.left(), top + number * high, box.width(), high)
                draw_text(painter, place, line, "small", theme.text)
            return
    right = QRectF(box.center().x() + narrow / 2 + 16, box.top(), 400, box.height())
    draw_text(painter, right, words, "small", theme.text, Qt.AlignmentFlag.AlignLeft)


def _in_two(words: str) -> tuple[str, ...]:
    """Cut at the space that leaves both lines about as wide."""
    cuts = [at for at, letter in enumerate(words) if letter == " "]
    parts = [(words[:at], words[at + 1 :]) for at in cuts]
    wide = partial(text_width, "small")
    return min(parts, key=lambda two: max(map(wide, two)), default=(words,))


def _paint_widen(painter: QPainter, theme: Theme, shape: Shape, box: QRectF, scale: Width) -> None:
    below = min(scale(shape.low), box.width())
    above = min(scale(shape.high), box.width())
    painter.drawPolygon(_trapezoid(box, below, above))
    _words_at(painter, theme, shape.words, box, (below + above) / 2)


def _barrel(box: QRectF, outer: float, inner: float) -> QPolygonF:
    """Another width in the middle than at both ends."""
    middle = box.center().x()
    points = [(outer, box.bottom()), (inner, box.center().y()), (outer, box.top())]
    left = [QPointF(middle - w / 2, y) for w, y in points]
    right = [QPointF(middle + w / 2, y) for w, y in reversed(points)]
    return QPolygonF([*left, *right])


def _paint_way_around(painter: QPainter, theme: Theme, slim: QRectF, wide: float) -> None:
    """The residual of one of several feed-forwards."""
    middle, left = slim.center().x(), slim.center().x() - wide / 2 - 5
    above = slim.top() - 7
    painter.setPen(QPen(theme.muted, 1.0))
    painter.setBrush(theme.surface)
    way = [(middle, slim.bottom() + 2), (left, slim.bottom() + 2), (left, above), (middle, above)]
    painter.drawPolyline(QPolygonF([QPointF(x, y) for x, y in way]))
    circle = QRectF(middle - 5, above - 5, 10, 10)
    painter.drawEllipse(circle)
    painter.drawLine(QPointF(middle - 3, above), QPointF(middle + 3, above))
    painter.drawLine(QPointF(middle, above - 3), QPointF(middle, above + 3))


def _paint_feed_forward(
    painter: QPainter, theme: Theme, shape: Shape, box: QRectF, scale: Width
) -> None:
    """As wide in the middle as its inner width."""
    outer, inner = (min(scale(n), box.width()) for n in (shape.low, shape.wide))
    high = text_height("small")
    if shape.count > 1:
        for number in range(shape.count):
            top = box.top() + high + number * EACH + BETWEEN
            slim = QRectF(box.left(), top, box.width(), EACH - BETWEEN - 4)
            _paint_way_around(painter, theme, slim, inner)
            painter.setPen(QPen(colour_of(theme, shape.form), 1.4))
            painter.setBrush(fill_of(theme, shape.form))
            painter.drawPolygon(_barrel(slim, outer, inner))
            if number == shape.count // 2:
                _words_at(painter, theme, shape.words, slim, (outer + inner) / 2)
        title = QRectF(box.left(), box.top() - 2, box.width(), high)
        words = _("{count} feed-forwards in a row, each with add and norm", count=shape.count)
        draw_text(painter, title, words, "small", theme.text)
        return
    painter.drawPolygon(_barrel(box, outer, inner))
    title = QRectF(box.left(), box.center().y() - high, box.width(), high)
    _words_at(painter, theme, _("feed-forward"), title, (outer + inner) / 2)
    _words_at(painter, theme, shape.words, title.translated(0, high), (outer + inner) / 2)


def _paint_attention(
    painter: QPainter, theme: Theme, shape: Shape, box: QRectF, _scale: Width
) -> None:
    painter.drawRoundedRect(box, 5, 5)
    high = text_height("small")
    title = QRectF(box.left() + 10, box.top() + 6, box.width() - 20, high)
    draw_text(painter, title, shape.words, "small", theme.text, Qt.AlignmentFlag.AlignLeft)
    top = title.bottom() + 6
    grids = _grids_of(shape.pattern)
    room = box.width() - 20 - len(grids) * (GRID + 12)
    _paint_heads(painter, theme, QRectF(box.left() + 10, top, room, GRID), shape.count)
    x = box.right() - 10 - len(grids) * (GRID + 12) + 12
    for number, (pattern, label) in enumerate(grids):
        place = QRectF(x + number * (GRID + 12), top, GRID, GRID)
        if number:
            plus = QRectF(place.left() - 12, place.top(), 12, GRID)
            draw_text(painter, plus, "+", "small", theme.text)
        _paint_pattern(painter, theme, place, pattern)
        if label:
            below = QRectF(place.left() - 6, place.bottom() + 1, GRID + 12, high)
            draw_text(painter, below, label, "small", theme.text)


def _paint_heads(painter: QPainter, theme: Theme, box: QRectF, count: int) -> None:
    """A little square for each head, as many as there is room for."""
    shown = min(count, MOST_HEADS)
    rows = 2 if shown > 6 else 1
    each = min(14.0, (box.width() - 6) / max(1, -(-shown // rows)))
    strong = colour_of(theme, "attention")
    for number in range(shown):
        row, column = divmod(number, -(-shown // rows))
        square = QRectF(
            box.left() + column * each, box.top() + 2 + row * (each + 3), each - 3, each
        )
        draw_rounded(painter, square, 2, strong)
    if count > shown:
        below = QRectF(box.left(), box.top() + 4 + rows * (each + 2), box.width(), 10)
        draw_text(painter, below, "…", "small", theme.text, Qt.AlignmentFlag.AlignLeft)


def _grids_of(pattern: str) -> tuple[tuple[str, str], ...]:
    """The little grids an attention is drawn with, and a label for each."""
    if pattern == "apart":
        return (("both", "c2c"), ("by_row", "c2p"), ("by_column", "p2c"))
    return ((pattern, ""),)


def _paint_pattern(painter: QPainter, theme: Theme, box: QRectF, pattern: str) -> None:
    """Which token (row) sees which (column)."""
    cells = 6
    side = box.width() / cells
    strong, empty = colour_of(theme, "attention"), QColor(theme.track)
    painter.setPen(Qt.PenStyle.NoPen)
    for row in range(cells):
        for column in range(cells):
            colour = QColor(strong)
            colour.setAlpha(_strength(pattern, row, column))
            hidden = "before" in pattern and column > row
            painter.setBrush(empty if hidden else colour)
            place = QRectF(box.left() + column * side, box.top() + row * side, side - 1, side - 1)
            painter.drawRect(place)


def _strength(pattern: str, row: int, column: int) -> int:
    """How strongly a cell of a pattern is drawn, of 255."""
    distance = abs(row - column)
    if pattern.startswith("relative"):
        return max(60, 255 - 52 * distance)
    if pattern in {"by_row", "by_column"}:
        # A distance, seen from what stands in the row (c2p) or in the column (p2c).
        near = max(50, 255 - 52 * distance)
        return near if (row if pattern == "by_row" else column) % 2 else near // 2
    if pattern == "other":
        return 130 if (row + column) % 2 else 210
    return 210


_PAINTERS = {
    "tables": _paint_tables,
    "widen": _paint_widen,
    "dense": _paint_widen,
    "matrix": _paint_widen,
    "feed_forward": _paint_feed_forward,
    "attention": _paint_attention,
    "add": _paint_add,
}
