"""An error in its sentence: the word, how sure the discriminator was, and the words around it."""

from collections.abc import Iterator
from dataclasses import dataclass

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QPainter

from explorer.questions.detection.many_draws.parts import Errors
from explorer.questions.detection.wording import shown_piece
from explorer.text import _
from explorer.ui.blocks import (
    Block,
    FontRole,
    Looking,
    PlacedBlock,
    Space,
    Spot,
    Theme,
    draw_lines,
    draw_text,
    text_height,
    text_width,
    wrapped_lines,
)

LEFT = Qt.AlignmentFlag.AlignLeft
RIGHT = Qt.AlignmentFlag.AlignRight
NUMBER = 44.0
ELLIPSIS = 12.0
ROLE: FontRole = "small"


def blocks(part: Errors, _looking: Looking) -> Iterator[Block]:
    """Two lines each."""
    for one in part.examples:
        yield SentenceLine(
            tuple(map(shown_piece, one.corrupted)),
            one.index,
            shown_piece(one.original) if one.replaced else "",
            one.probability,
        )


@dataclass(frozen=True)
class SentenceLine:
    """A block of two lines; the first goes on where it has no room.

    Attributes:
        words: Of the corrupted sentence.
        index: Which of them is in question.
        original: What stood there, where it was replaced; "" where it was not.
        probability: That it was, as the discriminator says.
        above: The room above it.
    """

    words: tuple[str, ...]
    index: int
    original: str
    probability: float
    above: Space = Space.NEAR

    @property
    def said(self) -> str:
        """The word, and what stood there."""
        word = self.words[self.index]
        if not self.original:
            return word
        return _("{word}, in place of {original}", word=word, original=self.original)

    def at(self, width: float) -> PlacedBlock:
        """Cut to a width."""
        return LaidLine(self, width)


class LaidLine(PlacedBlock):
    """The lines at a width; the whole sentence is in the tooltip."""

    def __init__(self, line: SentenceLine, width: float) -> None:
        self._line, self._width = line, width
        self._head = wrapped_lines("strong", line.said, width - NUMBER)
        self._top = len(self._head) * text_height("strong") + 2
        self.height = self._top + text_height(ROLE) + 2
        whole = " ".join(line.words)
        spoken = f"{line.said} {line.probability:.2f}: {whole}"
        self.spots = (Spot(QRectF(0, 0, width, self.height), None, whole, spoken),)

    def _seen(self) -> tuple[int, int, list[float], float]:
        """The first and the last word there is room for, and how wide words and a space are."""
        words, index = self._line.words, self._line.index
        space = text_width(ROLE, " ") + 2
        widths = [text_width(ROLE, word) for word in words]
        first = last = index
        room = self._width - widths[index] - 2 * ELLIPSIS
        while first > 0 or last < len(words) - 1:
            left = widths[first - 1] + space if first > 0 else float("inf")
            right = widths[last + 1] + space if last < len(words) - 1 else float("inf")
            # Words come in by turns, so that the one in question stays in the middle.
            take_left = index - first <= last - index and left <= room
            if not take_left and right > room:
                take_left = left <= room
            if take_left:
                first, room = first - 1, room - left
            elif right <= room:
                last, room = last + 1, room - right
            else:
                break
        return first, last, widths, space

    def paint(self, painter: QPainter, theme: Theme) -> None:
        """What it is about, and below it the words around it, itself marked."""
        line = self._line
        head = QRectF(0, 0, self._width, text_height("strong"))
        draw_lines(painter, head.adjusted(0, 0, -NUMBER, 0), self._head, "strong", theme.text)
        draw_text(painter, head, f"{line.probability:.2f}", "strong", theme.accent, RIGHT)
        first, last, widths, space = self._seen()
        x, high = 0.0, text_height(ROLE)
        if first > 0:
            dots = QRectF(x, self._top, ELLIPSIS, high)
            draw_text(painter, dots, "…", ROLE, theme.muted, LEFT)
            x += ELLIPSIS
        for number in range(first, last + 1):
            place = QRectF(x, self._top, widths[number] + 1, high)
            colour = theme.muted
            if number == line.index:
                colour = theme.mask if line.original else theme.danger
            draw_text(painter, place, line.words[number], ROLE, colour, LEFT)
            x += widths[number] + space
        if last < len(line.words) - 1:
            dots = QRectF(x, self._top, ELLIPSIS, high)
            draw_text(painter, dots, "…", ROLE, theme.muted, LEFT)
