"""A web page as lines, rectangles and letters: what it drew with SVG, for files that are vectors.

The page tells its shapes itself, each with where it stands on the page and in which colour. They
are read only when a file is written.
"""

import json
import math
from typing import Any

from PySide6.QtCore import QLineF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPdfWriter, QPen, QTransform
from PySide6.QtSvg import QSvgGenerator

from explorer.ui.theme.schemes import Theme
from explorer.ui.typesetting.one_line import draw_text, text_width

MOST_SHAPES = 40_000
"""Of a page; a file with more is larger and slower than a picture of dots."""

SHAPES = """
(() => {
    const MOST = LIMIT, FAINTEST = 1 / 255;
    const shown = new Map();
    // How much is seen of what lies in an element, with all that it lies in.
    const seen = (one) => {
        if (!(one instanceof Element)) return 1;
        if (!shown.has(one)) {
            const style = getComputedStyle(one);
            const hidden = style.display === "none" || style.visibility === "hidden";
            shown.set(one, hidden ? 0 : style.opacity * seen(one.parentNode));
        }
        return shown.get(one);
    };
    const round = (number) => Math.round(number * 100) / 100;
    const colour = (told, opacity) => {
        const parts = (told.match(/[\\d.]+/g) || []).map(Number);
        if (!told.startsWith("rgb") || parts.length < 3) return null;
        const alpha = (parts.length > 3 ? parts[3] : 1) * opacity;
        return alpha < FAINTEST ? null : [...parts.slice(0, 3), Math.round(alpha * 1000) / 1000];
    };
    const found = [];
    const page = document.documentElement;
    const ground = colour(getComputedStyle(document.body).backgroundColor, 1);
    if (ground) found.push(["rect", 0, 0, page.scrollWidth, page.scrollHeight, ground, null, 0]);
    const text = (words, matrix, box, style, paint, anchor) => {
        const ink = colour(paint, seen(style.of));
        if (!ink || !words.trim()) return;
        const size = parseFloat(style.fontSize);
        found.push(["text", words.trim(), matrix.map(round), box.map(round), size, ink, anchor]);
    };
    for (const one of document.querySelectorAll("svg line, svg rect, svg text")) {
        if (found.length > MOST) return "";
        const style = getComputedStyle(one), opacity = seen(one), at = one.getScreenCTM();
        if (!opacity || !at) continue;
        const x = (left, top) => at.a * left + at.c * top + at.e + scrollX;
        const y = (left, top) => at.b * left + at.d * top + at.f + scrollY;
        const size = Math.sqrt(Math.abs(at.a * at.d - at.b * at.c));
        const wide = parseFloat(style.strokeWidth) * size;
        const line = colour(style.stroke, opacity * style.strokeOpacity);
        const number = (name) => one[name].baseVal.value;
        if (one.tagName === "line") {
            if (!line) continue;
            const [x1, y1, x2, y2] = ["x1", "y1", "x2", "y2"].map(number);
            found.push(["line", ...[x(x1, y1), y(x1, y1), x(x2, y2), y(x2, y2)].map(round),
                        line, round(wide)]);
        } else if (one.tagName === "rect") {
            const fill = colour(style.fill, opacity * style.fillOpacity);
            if (!fill && !line) continue;
            const [left, top, width, height] = ["x", "y", "width", "height"].map(number);
            // Of a page as in a mirror, its left is its right.
            const begin = Math.min(x(left, top), x(left + width, top));
            found.push(["rect", ...[begin, y(left, top), width * size, height * size]
                        .map(round), fill, line, round(wide)]);
        } else {
            const box = one.getBBox();
            const matrix = [at.a, at.b, at.c, at.d, at.e + scrollX, at.f + scrollY];
            text(one.textContent, matrix, [box.x, box.y, box.width, box.height],
                 {of: one, fontSize: style.fontSize}, style.fill, style.textAnchor);
        }
    }
    const flat = (box) => [box.left + scrollX, box.top + scrollY, box.width, box.height];
    const same = [1, 0, 0, 1, 0, 0];
    for (const one of document.querySelectorAll("select")) {
        const style = getComputedStyle(one), box = flat(one.getBoundingClientRect());
        const line = colour(style.color, seen(one) / 2);
        if (!line || !box[2]) continue;
        found.push(["rect", ...box.map(round), null, line, 1]);
        const chosen = one.selectedOptions.length ? one.selectedOptions[0].textContent : "";
        text(chosen, same, [box[0] + 5, box[1], box[2] - 10, box[3]],
             {of: one, fontSize: style.fontSize}, style.color, "start");
    }
    const words = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (words.nextNode()) {
        const one = words.currentNode, around = one.parentNode;
        if (around.closest("svg, select, script, style")) continue;
        const range = document.createRange(), style = getComputedStyle(around);
        range.selectNodeContents(one);
        const box = range.getBoundingClientRect();
        if (box.width) text(one.textContent, same, flat(box),
                            {of: around, fontSize: style.fontSize}, style.color, "start");
    }
    return found.length > MOST ? "" : JSON.stringify(found);
})()
""".replace("LIMIT", str(MOST_SHAPES))

_ALIGNED = {
    "start": Qt.AlignmentFlag.AlignLeft,
    "middle": Qt.AlignmentFlag.AlignHCenter,
    "end": Qt.AlignmentFlag.AlignRight,
}


def is_of_vectors(painter: QPainter) -> bool:
    """Whether what is painted becomes shapes of a file, and not dots."""
    return isinstance(painter.device(), QSvgGenerator | QPdfWriter)


class Drawing:
    """The shapes of a page."""

    def __init__(self, told: str) -> None:
        """Keep them.

        Args:
            told: What SHAPES gave; "" for none.
        """
        self._told = told

    def __bool__(self) -> bool:
        return bool(self._told)

    def paint(self, painter: QPainter) -> None:
        """Paint them all, a page's pixel a unit."""
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        for kind, *shape in json.loads(self._told):
            painter.save()
            {"line": _line, "rect": _rectangle, "text": _text}[kind](painter, *shape)
            painter.restore()


def _colour(told: list[float]) -> QColor:
    red, green, blue, alpha = told
    return QColor.fromRgbF(red / 255, green / 255, blue / 255, min(1.0, alpha))


def _line(painter: QPainter, *told: Any) -> None:
    *ends, colour, width = told
    pen = QPen(_colour(colour), width)
    pen.setCapStyle(Qt.PenCapStyle.FlatCap)
    painter.setPen(pen)
    painter.drawLine(QLineF(*ends))


def _rectangle(painter: QPainter, *told: Any) -> None:
    *box, fill, line, width = told
    painter.setPen(QPen(_colour(line), width) if line else Qt.PenStyle.NoPen)
    painter.setBrush(_colour(fill) if fill else Qt.BrushStyle.NoBrush)
    painter.drawRect(QRectF(*box))


def _text(painter: QPainter, *told: Any) -> None:
    words, matrix, box, size, colour, anchor = told
    place = QRectF(*box)
    # The page's letters are of another family: ours are as high, or as wide where that is less.
    own = text_width("body", words)
    scale = min(size / Theme.font("body").pixelSize(), place.width() / own if own else math.inf)
    painter.setTransform(QTransform(*matrix), combine=True)
    painter.scale(scale, scale)
    room = QRectF(*(one / scale for one in (place.x(), place.y(), place.width(), place.height())))
    draw_text(painter, room.adjusted(-1, 0, 1, 0), words, "body", _colour(colour), _ALIGNED[anchor])
