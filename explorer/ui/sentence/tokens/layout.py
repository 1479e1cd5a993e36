"""Where each token of a strip stands: lines of words at a given width. No painting here."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from PySide6.QtCore import QRectF

from explorer.ui.sentence.pieces import Piece
from explorer.ui.sentence.tokens.runs import TextDirections
from explorer.ui.typesetting.one_line import text_height, text_width

MASK_LABEL = "[MASK]"
"""What stands at a masked token, whatever its tokenizer calls it."""
PAD = 6.0
"""Left and right of a token's text."""
PAD_TIGHT = 3.5
"""On the side where a token is joined to another."""
GAP = 5.0
"""Between words."""
LINE_GAP = 6.0
"""Between lines."""
MARGIN = 8.0
"""Around it all."""
RAIL = 12.0
"""Before the second text, for its coloured rail."""


@dataclass
class TokenLayout:
    """Rectangles in the strip's coordinates.

    Attributes:
        boxes: One a piece, in order; what is painted and what can be clicked.
        lines: Indices of the pieces in each line.
        tail: The note on what was left out, or None.
        height: Of everything, margins included.
        box_height: Of a token.
        leftward: Pieces whose word runs from the right: each stands left of the one before.
        from_right: Texts (0 and 1) that begin at the right.
        right_lines: Their lines.
    """

    boxes: list[QRectF] = field(default_factory=list)
    lines: list[list[int]] = field(default_factory=list)
    tail: QRectF | None = None
    height: float = 0.0
    box_height: float = 0.0
    leftward: frozenset[int] = frozenset()
    from_right: frozenset[int] = frozenset()
    right_lines: frozenset[int] = frozenset()

    def pads(self, pieces: Sequence[Piece], index: int) -> tuple[float, float]:
        """Room left and right of a piece's text."""
        before, after = pads(pieces, index)
        return (after, before) if index in self.leftward else (before, after)

    def beside(self, index: int, step: int) -> int | None:
        """The piece that stands beside another: right of it (1) or left (-1).

        At the end of a line it is the one that is read next, or was read before.
        """
        row = next(number for number, line in enumerate(self.lines) if index in line)
        seen = sorted(self.lines[row], key=lambda one: self.boxes[one].left())
        place = seen.index(index) + step
        if 0 <= place < len(seen):
            return seen[place]
        forward = (step > 0) != self.begins_right(row)
        row += 1 if forward else -1
        if not 0 <= row < len(self.lines):
            return None
        edge = min if forward != self.begins_right(row) else max
        return edge(self.lines[row], key=lambda one: self.boxes[one].left())

    def begins_right(self, row: int) -> bool:
        """Whether a line is read from the right."""
        return row in self.right_lines


def pads(pieces: Sequence[Piece], index: int) -> tuple[float, float]:
    """Room before and after a piece's text."""
    before = PAD_TIGHT if pieces[index].joined else PAD
    follows = index + 1 < len(pieces) and pieces[index + 1].joined
    return before, PAD_TIGHT if follows else PAD


def piece_width(pieces: Sequence[Piece], index: int, note: str) -> float:
    """Width a piece wants, its guess included."""
    piece = pieces[index]
    left, right = pads(pieces, index)
    if piece.masked:
        inner = text_width("strong", MASK_LABEL)
        if piece.text and not piece.typed:
            inner += 5 + text_width("small", piece.text)
    elif piece.special:
        inner = text_width("small", piece.text)
    else:
        inner = text_width("token", piece.text)
    widest = max(inner, text_width("small", note) + 2 if note else 0.0)
    return max(widest, 8.0) + left + right


def _words(pieces: Sequence[Piece]) -> list[list[int]]:
    words: list[list[int]] = []
    for index, piece in enumerate(pieces):
        if piece.joined and words and not pieces[words[-1][-1]].special:
            words[-1].append(index)
        else:
            words.append([index])
    return words


class _Cursor:
    """Where the next piece goes."""

    def __init__(
        self, width: float, line_height: float, notes: Mapping[int, str], may: Collection[int]
    ) -> None:
        self.right = max(width - MARGIN, MARGIN + 40.0)
        self.line_height = line_height
        self.note_height = text_height("small") + 2
        self.notes, self.may = notes, may
        self.indent = MARGIN
        self.x = MARGIN
        self.y = MARGIN
        self.line: list[int] = []
        self.lines: list[list[int]] = []

    @property
    def room(self) -> float:
        """Width of a whole line."""
        return self.right - self.indent

    def fits(self, width: float) -> bool:
        """Whether it fits into what is left of the line."""
        return self.x + width <= self.right + 0.01

    def new_line(self, extra: float = 0.0) -> None:
        """Go to the beginning of the next line, unless this one is empty."""
        if self.line:
            has_notes = any(index in self.notes or index in self.may for index in self.line)
            self.y += self.line_height + extra + (self.note_height if has_notes else 0.0)
            self.lines.append(self.line)
            self.line = []
        self.x = self.indent


def arrange(
    pieces: Sequence[Piece],
    width: float,
    notes: Mapping[int, str] | None = None,
    tail: str = "",
    may: Collection[int] = (),
) -> TokenLayout:
    """Wrap pieces at a width.

    The pieces of a word stay in one line where a line can hold them; the second text begins a
    line of its own; a piece wider than a line gets the whole line (and is elided when painted).

    Args:
        pieces: In the order of the input.
        width: In pixels.
        notes: Small texts below pieces, by index: the guesses under the masks.
        tail: The note on what the model does not see; "" for none.
        may: Pieces that may get a note later: there is room for it already.
    """
    notes = notes or {}
    box_height = text_height("token") + 8
    cursor = _Cursor(width, box_height + LINE_GAP, notes, may)
    boxes = [QRectF() for _ in pieces]
    part = 0
    words = _words(pieces)
    for word in words:
        if pieces[word[0]].part != part:
            part = pieces[word[0]].part
            cursor.indent = MARGIN + (RAIL if part else 0.0)
            cursor.new_line(extra=4.0)
        widths = [min(piece_width(pieces, i, notes.get(i, "")), cursor.room) for i in word]
        total = sum(widths)
        if not cursor.fits(total) and cursor.line:
            cursor.new_line()
        for index, wide in zip(word, widths, strict=True):
            if not cursor.fits(wide) and cursor.line:
                cursor.new_line()
            boxes[index] = QRectF(cursor.x, cursor.y, wide, box_height)
            cursor.line.append(index)
            cursor.x += wide
        cursor.x += GAP
    tail_box = None
    if tail:
        wide = min(text_width("small", tail) + 22, cursor.room)
        if cursor.line and not cursor.fits(min(wide, 220.0)):
            cursor.new_line()
        tail_box = QRectF(cursor.x, cursor.y, min(wide, cursor.right - cursor.x), box_height)
        cursor.line.append(-1)
    cursor.new_line()
    run = TextDirections(pieces, words)
    if run.any_from_right:
        for line in cursor.lines:
            tail_box = _from_right(line, boxes, tail_box, run, cursor.right)
    lines = [[i for i in line if i >= 0] for line in cursor.lines]
    shown = [line for line in lines if line]
    bottom = cursor.y - LINE_GAP if cursor.lines else MARGIN + box_height
    return TokenLayout(
        boxes=boxes,
        lines=shown,
        tail=tail_box,
        height=bottom + MARGIN,
        box_height=box_height,
        leftward=run.leftward - run.numbers.keys(),
        from_right=run.from_right,
        right_lines=frozenset(
            number for number, line in enumerate(shown) if pieces[line[0]].part in run.from_right
        ),
    )


def _from_right(
    line: list[int],
    boxes: list[QRectF],
    tail: QRectF | None,
    run: TextDirections,
    right: float,
) -> QRectF | None:
    """Put the pieces of a line where they are read; returns where the note on the rest stands.

    Args:
        line: Its pieces in the order of the input, as they stand from the left; -1 for the note.
        boxes: Where they stand; changed.
        tail: Where the note stands.
        run: Which of them run from the right.
        right: Where a line ends.
    """
    inside = [index for index in line if index >= 0]
    if not inside:
        return tail
    begins_right = run.begins_right(inside[0])
    left = boxes[inside[0]].left()
    gaps = {
        after: boxes[after].left() - boxes[before].right() for before, after in pairwise(inside)
    }
    at = MARGIN + right - left if begins_right else left
    for group in run.in_sight(inside):
        # A group that runs against the line is laid out as a whole, from its own beginning.
        wide = sum(boxes[index].width() for index in group)
        wide += sum(gaps[index] for index in group[1:])
        at += (-1 if begins_right else 1) * (gaps.get(group[0], 0.0))
        start = at - wide if begins_right else at
        leftward = run.runs_left(group[0])
        x = start + wide if leftward else start
        spaces = [0.0, *(gaps[index] for index in group[1:])]
        for index, gap in zip(run.as_seen(group), spaces, strict=True):
            width = boxes[index].width()
            x += -(gap + width) if leftward else gap
            boxes[index].moveLeft(x)
            x += 0.0 if leftward else width
        at = start if begins_right else start + wide
    if tail is not None and line[-1] == -1 and begins_right:
        tail = QRectF(at - GAP - tail.width(), tail.top(), tail.width(), tail.height())
        if tail.left() < MARGIN:
            tail.setLeft(MARGIN)
    return tail
