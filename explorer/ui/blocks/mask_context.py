"""A mask between the words around it, in as many lines as they need and no more than a few."""

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QPainter

from explorer.api.question import Token
from explorer.document import Document
from explorer.text.bidi import MARKS, in_direction
from explorer.ui.blocks.block import PlacedBlock, Spot
from explorer.ui.blocks.spacing import Space
from explorer.ui.sentence import pieces as of
from explorer.ui.sentence.tokens.layout import MASK_LABEL
from explorer.ui.theme.schemes import Theme
from explorer.ui.theme.shapes import draw_rounded
from explorer.ui.typesetting.one_line import draw_text, text_height, text_width

AROUND = 60
"""Tokens left and right of a mask, at most: how many of them are shown depends on the room."""
CLOSING = frozenset(".,;:!?")
"""Stands right after a word."""
MOST_LINES = 3
"""Of a context; what is further from the mask than they hold is left out."""
FILLED = 0.85
"""Of a line, about, where words are wrapped."""
GAP = 6.0
"""Between a word and the mask."""


@dataclass(frozen=True)
class MaskContext:
    """The mask and the words around it, as one line in three parts.

    Attributes:
        before: The words that are read before it.
        after: Those that are read after it.
        from_right: The line is read from the right.
    """

    before: str
    after: str
    from_right: bool = False


def _spelled(tokens: Sequence[Token], document: Document | None) -> str:
    words: list[str] = []
    before: tuple[int, int, bool] | None = None
    for token in tokens:
        place = (token.start, token.end, token.masked)
        # Bytes of one and the same letter are written once.
        is_same_letter = place == before and token.end > token.start and not token.masked
        before = place
        if token.special or is_same_letter:
            continue
        text = MASK_LABEL if token.masked else of.as_read(token, document)
        glued = token.joined and not token.masked
        if words and (glued or _closes(text)):
            words[-1] += text
        else:
            words.append(text)
    return " ".join(words)


def _closes(text: str) -> bool:
    """Punctuation that stands right after a word."""
    return text in {".", ",", ";", ":", "!", "?", ")", "]", "”", "’", "%"}


def context_of(
    tokens: Sequence[Token], position: int, document: Document | None, around: int = AROUND
) -> MaskContext:
    """The words around a mask, in the same text as it.

    Args:
        tokens: A model's input.
        position: The mask's.
        document: Whose characters are shown.
        around: Tokens on each side; one more where an ellipsis would stand for it alone.
    """
    part = tokens[position].part
    before = [t for t in tokens[:position] if t.part == part and not t.special]
    after = [t for t in tokens[position + 1 :] if t.part == part and not t.special]
    # An ellipsis for a single token would save nothing.
    first = len(before) - around if len(before) > around + 1 else 0
    last = around if len(after) > around + 1 else len(after)
    left = _spelled(before[first:], document)
    right = _spelled(after[:last], document)
    if first:
        left = f"…{left}" if _closes(left[:1]) else f"… {left}"
    turned = of.run_from_right(of.pieces_of_tokens(tokens, document), part)
    return MaskContext(left, right + (" …" if last < len(after) else ""), turned)


@dataclass(frozen=True)
class WrappedLine:
    """A line of a context.

    Attributes:
        before: The words that are read before the mask, or all of a line without it.
        after: Those that are read after it.
        has_mask: The mask stands between them.
    """

    before: str
    after: str = ""
    has_mask: bool = False


@dataclass(frozen=True)
class ContextLine:
    """A block: the mask in its context.

    Attributes:
        context: The words.
        above: The room above it.
    """

    context: MaskContext
    above: Space = Space.TIGHT

    def at(self, width: float) -> PlacedBlock:
        """Wrapped to a width."""
        return LaidContext(self.context, width)


class LaidContext(PlacedBlock):
    """The context at a width; what does not fit is in its tooltip."""

    def __init__(self, context: MaskContext, width: float) -> None:
        self.context, self.width = context, width
        self.lines, is_whole = wrapped(context, width)
        self.row = text_height("body") + 8
        self.height = len(self.lines) * self.row
        line = f"{context.before} {MASK_LABEL} {context.after}".strip()
        (self.name,) = in_direction([line], turned=context.from_right)
        if not is_whole:
            self.spots = (Spot(QRectF(0, 0, width, self.height), None, self.name),)

    def paint(self, painter: QPainter, theme: Theme) -> None:
        """The words before, the mask as a chip, the words after."""
        for number, line in enumerate(self.lines):
            box = QRectF(0, number * self.row, self.width, self.row)
            _paint_line(painter, theme, box, line, turned=self.context.from_right)


def _chip() -> float:
    """How wide the mask is."""
    return text_width("strong", MASK_LABEL) + 12


def wrapped(context: MaskContext, width: float) -> tuple[list[WrappedLine], bool]:
    """The lines of a context at a width, and whether nothing of it is left out.

    What does not fit is left out at the far ends, so that the mask is always in sight.
    """
    before, after = text_width("body", context.before), text_width("body", context.after)
    whole = before + after + _chip() + 2 * GAP
    left, right = context.before, context.after
    if whole > width:
        room = max(MOST_LINES * FILLED * width - _chip() - 2 * GAP, 40.0)
        left = fitting(left, max(room / 2, room - after), last=True)
        right = fitting(right, max(room / 2, room - before), last=False)
    return _flowed(left.split(), right.split(), width), (left, right) == (
        context.before,
        context.after,
    )


def _flowed(before: Sequence[str], after: Sequence[str], width: float) -> list[WrappedLine]:
    """Words in lines; what closes a sentence stays with the mask."""
    closing = after[0] if after and after[0].strip(MARKS)[:1] in CLOSING else ""
    lines: list[WrappedLine] = []
    words: list[str] = []
    head: str | None = None  # what stands before the mask in the line that has it
    filled = 0.0

    def end_line() -> None:
        nonlocal head, filled
        line = " ".join(words)
        lines.append(WrappedLine(line) if head is None else WrappedLine(head, line, has_mask=True))
        words.clear()
        head, filled = None, 0.0

    space = text_width("body", " ")
    for word in before:
        wide = text_width("body", word)
        if words and filled + wide > width:
            end_line()
        words.append(word)
        filled += wide + space
    wide = _chip() + (2 + text_width("body", closing) if closing else 0.0)
    if words and filled + GAP + wide > width:
        end_line()
    head = " ".join(words)
    words.clear()
    filled += wide + GAP
    for number, word in enumerate(after):
        wide = text_width("body", word)
        if number == 0 and closing:
            words.append(word)
            continue
        if filled + space + wide > width:
            end_line()
        words.append(word)
        filled += space + wide
    end_line()
    return lines


def fitting(words: str, room: float, *, last: bool) -> str:
    """As many whole words as there is room for, an ellipsis in the place of the others.

    Args:
        words: A line.
        room: In pixels.
        last: Keep the last words; else the first.
    """
    if text_width("body", words) <= room:
        return words
    kept = words.split()
    while kept:
        kept = kept[1:] if last else kept[:-1]
        line = " ".join(["…", *kept] if last else [*kept, "…"])
        if text_width("body", line) <= room:
            return line.replace("… …", "…")
    return "…"


def _paint_line(
    painter: QPainter, theme: Theme, box: QRectF, line: WrappedLine, *, turned: bool
) -> None:
    """The words before, the mask as a chip, the words after."""
    left, right = in_direction([line.before, line.after], turned=turned)
    closes = right.strip(MARKS)[:1] in CLOSING

    def beside(x: float, wide: float) -> QRectF:
        """What comes next in the line, from the side where it begins."""
        left = box.right() - x - wide if turned else box.left() + x
        return QRectF(left, box.top(), wide, box.height())

    x, align = 0.0, Qt.AlignmentFlag.AlignLeft
    if left:
        wide = text_width("body", left)
        draw_text(painter, beside(x, wide), left, "body", theme.text, align)
        x += wide + GAP
    if not line.has_mask:
        return
    mark = beside(x, _chip()).adjusted(0, 1, 0, -1)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    draw_rounded(painter, mark, 4, theme.mask_fill, theme.mask)
    draw_text(painter, mark, MASK_LABEL, "strong", theme.mask)
    x += _chip() + (2 if closes else GAP)
    draw_text(painter, beside(x, text_width("body", right)), right, "body", theme.text, align)
