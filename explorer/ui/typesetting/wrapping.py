"""Text wrapped at a width, line by line, for pictures."""

import re
from collections.abc import Sequence

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QColor, QPainter

from explorer.text.bidi import in_direction
from explorer.ui.theme.schemes import FontRole
from explorer.ui.typesetting.one_line import draw_text, text_height, text_width

SEAMS = "._-/"


def wrapped_lines(role: FontRole, text: str, width: float) -> list[str]:
    """Lines no wider than a width; a word that is wider itself is cut.

    Args:
        role: What the text is, which says how wide letters are.
        text: Its own ends of lines do not count.
        width: In pixels.
    """
    lines: list[str] = []
    line = ""
    # A number and its percent sign are one word.
    for word in re.findall(r"\S+(?: %\S*)?", text):
        candidate = f"{line} {word}" if line else word
        if text_width(role, candidate) <= width:
            line = candidate
            continue
        if line:
            lines.append(line)
        line = word
        while text_width(role, line) > width and len(line) > 1:
            cut = len(line) - 1
            while cut > 1 and text_width(role, line[:cut]) > width:
                cut -= 1
            # Names as those of tensors are cut where their parts meet.
            cut = max((n for n in range(2, cut + 1) if line[n - 1] in SEAMS), default=cut)
            lines.append(line[:cut])
            line = line[cut:]
    return in_direction([*lines, line] if line else lines)


def draw_lines(
    painter: QPainter, box: QRectF, lines: Sequence[str], role: FontRole, colour: QColor
) -> None:
    """Lines from the top of a box down.

    Args:
        painter: Draws.
        box: Where, in pixels.
        lines: As `wrapped_lines` gives them.
        role: What the text is.
        colour: Of the letters.
    """
    high = text_height(role)
    left = Qt.AlignmentFlag.AlignLeft
    for number, line in enumerate(lines):
        place = QRectF(box.left(), box.top() + number * high, box.width(), high)
        draw_text(painter, place, line, role, colour, left)
