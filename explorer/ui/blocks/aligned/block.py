"""A text with rows of pieces below its characters: where every piece stands, and its painting."""

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

from PySide6.QtCore import QLineF, QRectF, Qt
from PySide6.QtGui import QPainter, QPen

from explorer.text.bidi import isolated, runs_from_right
from explorer.ui.blocks.aligned.columns import SPACES, lines_of, placed, shaped, units_of, width_of
from explorer.ui.blocks.aligned.rows import AlignedPiece, AlignedRow
from explorer.ui.blocks.block import PlacedBlock, SpokenCell, Spot
from explorer.ui.blocks.page.last_values import remembered
from explorer.ui.blocks.spacing import Space
from explorer.ui.theme.schemes import FontRole, Theme
from explorer.ui.theme.shapes import draw_rounded
from explorer.ui.typesetting.one_line import draw_text, text_height, text_width

PAD = 4.0
"""Left and right of what stands in a piece."""
SEAM, WORD_GAP, RADIUS = 0.5, 1.5, 4.0
BETWEEN_ROWS, BETWEEN_LINES = 3.0, 14.0
ABOVE_TEXT, BELOW_TEXT = 6.0, 2.0
"""Letters of other fonts may be taller."""
LABELS = 0.28
"""Of the width, the most that labels take."""
BESIDE_LABELS = 12.0


@dataclass(frozen=True)
class AlignedRows:
    """A block: a text, line by line, and below each line what every row makes of it.

    Attributes:
        text: Its characters are the columns.
        rows: In order.
        title: For a screen reader.
        removed_words: What is said of a character that is crossed out.
        above: The room above it.
    """

    text: str
    rows: Sequence[AlignedRow]
    title: str = ""
    removed_words: str = ""
    above: Space = Space.APART

    def at(self, width: float) -> PlacedBlock:
        """With its columns placed in lines, once for a size of letters."""
        return _laid(self, width, text_height("token"), text_height("small"))


@dataclass(frozen=True)
class Box:
    """A piece, or what of it stands in one line.

    Attributes:
        piece: Which one it is.
        number: Of the piece in its row.
        row: Number of the row.
        at: Where it is.
        text: What stands in it; "" in all but the widest part of a piece that is in two lines.
        left: A word, or a line, begins or ends at its left edge: its corners are round there.
        right: The same of its right edge.
    """

    piece: AlignedPiece
    number: int
    row: int
    at: QRectF
    text: str
    left: bool
    right: bool


@dataclass(frozen=True)
class MeasuredPiece:
    """What a piece takes, wherever it stands.

    Attributes:
        span: Its first column, and one past its last.
        text: What stands in it.
        needed: Its width at least, in pixels.
    """

    span: tuple[int, int]
    text: str
    needed: float


class LaidRows(PlacedBlock):
    """The block at a width."""

    def __init__(self, block: AlignedRows, width: float) -> None:
        self._block, self.name = block, block.title
        self._units = units_of(block.text)
        self._starts = [unit.start for unit in self._units]
        wanted = max(
            (text_width("strong" if r.strong else "small", r.label) for r in block.rows), default=0
        )
        self._labels = min(wanted + 2, width * LABELS)
        self._room = max(40.0, width - self._labels - BESIDE_LABELS)
        self._measured = [[self._measure(piece) for piece in row.pieces] for row in block.rows]
        self._groups = [list(self._grouped(row)) for row in self._measured]
        self._widths = self._column_widths()
        self._base = runs_from_right(block.text)
        self._high = text_height("token") + 6
        self._head = text_height("token") + ABOVE_TEXT + BELOW_TEXT
        self._lines = lines_of(self._units, self._widths, self._room)
        self._at: list[dict[int, tuple[float, float]]] = [
            placed(self._units, self._widths, line, self._base, self._room) for line in self._lines
        ]
        self._tall = self._head + len(block.rows) * (self._high + BETWEEN_ROWS)
        count = len(self._lines)
        self.height = count * self._tall + max(0, count - 1) * BETWEEN_LINES
        self._boxes: list[list[Box]] = [[] for _ in range(count)]
        for line, box in self._all_boxes():
            self._boxes[line].append(box)

    def _unit(self, character: int) -> int:
        """The column of a character."""
        return max(0, bisect_right(self._starts, character) - 1)

    def _span(self, piece: AlignedPiece) -> tuple[int, int]:
        """The first column of a piece, and one past its last."""
        first = min(self._unit(piece.start), max(0, len(self._units) - 1))
        last = bisect_left(self._starts, piece.end)
        return first, max(first + 1, last)

    def _measure(self, piece: AlignedPiece) -> MeasuredPiece:
        text = self._text(piece)
        needed = text_width(_role(piece), text) + 2 * PAD + 2 * WORD_GAP
        return MeasuredPiece(self._span(piece), text, needed)

    def _grouped(self, row: Sequence[MeasuredPiece]) -> Iterator[tuple[range, list[int]]]:
        """Columns, and the pieces that have them: several where they share a column."""
        columns, held = range(0), list[int]()
        for number, piece in enumerate(row):
            first, end = piece.span
            if held and first < columns.stop:
                columns = range(min(columns.start, first), max(columns.stop, end))
                held.append(number)
                continue
            if held:
                yield columns, held
            columns, held = range(first, end), [number]
        if held:
            yield columns, held

    def _column_widths(self) -> list[float]:
        """As wide as their letters, and as what stands in the pieces below them."""
        widths = [width_of(unit) for unit in self._units]
        for row, groups in zip(self._measured, self._groups, strict=True):
            for columns, held in groups:
                if not self._units:
                    return []
                needed = sum(row[number].needed for number in held)
                lacking = needed - sum(widths[columns.start : columns.stop])
                if lacking > 0:
                    for column in columns:
                        widths[column] += lacking / len(columns)
        # A piece wider than the page is cut, and does not make the page wider.
        return [min(width, self._room) for width in widths]

    def _text(self, piece: AlignedPiece) -> str:
        if piece.text:
            return piece.text
        text = self._block.text
        start, end = piece.start, piece.end
        while start < end - 1 and text[start].isspace():
            start += 1
        return shaped(text, start, end) if end > start else ""

    def _all_boxes(self) -> Iterator[tuple[int, Box]]:
        """Every piece, row by row, with the line that it or a part of it stands in."""
        line_of = [line for line, columns in enumerate(self._lines) for _ in columns]
        for number, groups in enumerate(self._groups):
            for columns, held in groups:
                lines = range(line_of[columns.start], line_of[columns.stop - 1] + 1)
                # A piece that stands in two lines says what it is in the larger part; of a space
                # and a single letter that is the letter's.
                largest = max(lines, key=lambda line: (len(self._own(line, columns)), line))
                for line in lines:
                    for box in self._boxes_in(line, number, columns, held, said=line == largest):
                        yield line, box

    def _own(self, line: int, columns: range) -> range:
        """The columns of a group that stand in a line."""
        own = self._lines[line]
        return range(max(columns.start, own.start), min(columns.stop, own.stop))

    def _boxes_in(
        self, line: int, number: int, columns: range, held: Sequence[int], *, said: bool
    ) -> Iterator[Box]:
        """What stands in a line of the pieces of a row that share columns."""
        row, at = self._block.rows[number], self._at[line]
        y = line * (self._tall + BETWEEN_LINES) + self._head
        y += number * (self._high + BETWEEN_ROWS)
        parts = _beside(at, self._own(line, columns))
        widest = max(parts, key=len)
        for part in parts:
            box = QRectF(part[0][0], y, part[-1][1] - part[0][0], self._high)
            if part is widest:
                yield from self._side_by_side(row, number, held, box, said=said)
                continue
            # The space before a word of the other direction stands at its other side.
            first = at[columns.start] in part if columns.start in at else False
            only = [held[0] if first else held[-1]]
            yield from self._side_by_side(row, number, only, box, said=False)

    def _side_by_side(
        self, row: AlignedRow, number: int, held: Sequence[int], box: QRectF, *, said: bool
    ) -> Iterator[Box]:
        """The pieces that share columns, as wide as what stands in each asks for."""
        measured = [self._measured[number][one] for one in held]
        needed = [one.needed for one in measured]
        spans = [one.span for one in measured]
        more = box.width() - sum(needed)
        count = sum(end - first for first, end in spans)
        if more >= 0:
            shares = (more * (end - first) / count for first, end in spans)
            wide = [own + share for own, share in zip(needed, shares, strict=True)]
        else:
            wide = [own * box.width() / sum(needed) for own in needed]
        turned = self._units[spans[0][0]].leftward
        x = box.right() if turned else box.left()
        for one, width, found in zip(held, wide, measured, strict=True):
            piece = row.pieces[one]
            x -= width if turned else 0.0
            follows = one + 1 < len(row.pieces) and row.pieces[one + 1].joined
            ends = (not piece.joined, not follows)
            left, right = reversed(ends) if turned else ends
            inner = QRectF(x, box.top(), width, box.height()).adjusted(
                WORD_GAP if left else SEAM, 0, -(WORD_GAP if right else SEAM), 0
            )
            inner.translate(self._labels + BESIDE_LABELS, 0)
            yield Box(piece, one, number, inner, found.text if said else "", left, right)
            x += 0.0 if turned else width

    @cached_property
    def spots(self) -> Sequence[Spot]:  # type: ignore[override]
        """Rows, and their pieces."""
        return tuple(self._spots())

    def _spots(self) -> Iterator[Spot]:
        """Every line's rows: the label is the row, with its pieces as cells; each piece a place."""
        for line, boxes in enumerate(self._boxes):
            top = line * (self._tall + BETWEEN_LINES) + self._head
            of_rows: dict[int, list[Box]] = {}
            for box in boxes:
                of_rows.setdefault(box.row, []).append(box)
            for number, row in enumerate(self._block.rows):
                own = of_rows.get(number, [])
                y = top + number * (self._high + BETWEEN_ROWS)
                cells = tuple(SpokenCell(b.piece.spoken or b.text, b.at, b.text) for b in own)
                said = ", ".join(isolated(box.text or box.piece.spoken) for box in own)
                label = QRectF(0, y, self._labels, self._high)
                spoken = f"{row.label}: {said}"
                yield Spot(
                    label, ("row", line, number), row.words or row.label, spoken, None, cells
                )
                for box in own:
                    key = ("piece", line, number, box.number)
                    piece = box.piece
                    yield Spot(box.at, key, piece.words, piece.spoken or piece.words, piece.act)

    def paint(self, painter: QPainter, theme: Theme) -> None:
        """The lines that are to be seen."""
        seen = painter.clipBoundingRect() if painter.hasClipping() else None
        for line in range(len(self._lines)):
            top = line * (self._tall + BETWEEN_LINES)
            if seen is not None and (top + self._tall < seen.top() or top > seen.bottom()):
                continue
            if seen is None or top + self._head >= seen.top():
                self._paint_letters(painter, theme, line, top)
            self._paint_labels(painter, theme, top)
            for box in self._boxes[line]:
                if seen is None or seen.intersects(box.at):
                    _paint(painter, theme, box)
            self._paint_removed(painter, theme, line, top)

    def _paint_letters(self, painter: QPainter, theme: Theme, line: int, top: float) -> None:
        for number, (left, right) in self._at[line].items():
            text = self._units[number].text
            x = left + self._labels + BESIDE_LABELS
            box = QRectF(x, top, right - left, self._head - BELOW_TEXT)
            ink = theme.edge if text in SPACES else theme.text
            draw_text(painter, box, text, "token", ink)

    def _paint_labels(self, painter: QPainter, theme: Theme, top: float) -> None:
        for number, row in enumerate(self._block.rows):
            y = top + self._head + number * (self._high + BETWEEN_ROWS)
            role: FontRole = "strong" if row.strong else "small"
            box = QRectF(0, y, self._labels, self._high)
            ink = theme.text if row.strong else theme.muted
            draw_text(painter, box, row.label, role, ink, Qt.AlignmentFlag.AlignRight)

    def _paint_removed(self, painter: QPainter, theme: Theme, line: int, top: float) -> None:
        """A cross where a row has no piece for a character."""
        painter.setPen(QPen(theme.danger, 1.4))
        for number, row in enumerate(self._block.rows):
            y = top + self._head + number * (self._high + BETWEEN_ROWS) + self._high / 2
            for character in row.removed:
                column = self._unit(character)
                if column not in self._at[line] or self._is_covered(number, column):
                    continue
                left, right = self._at[line][column]
                x = (left + right) / 2 + self._labels + BESIDE_LABELS
                painter.drawLine(QLineF(x - 3, y - 3, x + 3, y + 3))
                painter.drawLine(QLineF(x - 3, y + 3, x + 3, y - 3))

    def _is_covered(self, row: int, column: int) -> bool:
        """Whether a piece stands there for another character of the same letter."""
        return any(column in columns for columns, _ in self._groups[row])


@remembered(4)
def _laid(block: AlignedRows, width: float, _high: float, _small: float) -> LaidRows:
    """A long text has thousands of places, and a page is drawn anew with every key and slider."""
    return LaidRows(block, width)


def _beside(
    at: Mapping[int, tuple[float, float]], columns: Sequence[int]
) -> list[list[tuple[float, float]]]:
    """The edges of columns, from the left; apart where another column stands between."""
    edges = sorted(at[column] for column in columns)
    parts = [edges[:1]]
    for before, own in pairwise(edges):
        if own[0] - before[1] > 0.5:
            parts.append([])
        parts[-1].append(own)
    return parts


def _role(piece: AlignedPiece) -> FontRole:
    return "small" if piece.small else "token"


def _paint(painter: QPainter, theme: Theme, box: Box) -> None:
    piece = box.piece
    fill = theme.colour(piece.ground)
    draw_rounded(painter, box.at, RADIUS, fill)
    for square, edge in ((not box.left, box.at.left()), (not box.right, box.at.right() - RADIUS)):
        if square:
            painter.fillRect(QRectF(edge, box.at.top(), RADIUS, box.at.height()), fill)
    draw_text(painter, box.at, box.text, _role(piece), theme.colour(piece.ink))
    if piece.dotted:
        pen = QPen(theme.danger, 2.0, Qt.PenStyle.CustomDashLine, Qt.PenCapStyle.RoundCap)
        pen.setDashPattern([0.1, 2.0])
        painter.setPen(pen)
        y = box.at.bottom() - 3.0
        painter.drawLine(QLineF(box.at.left() + 5, y, box.at.right() - 5, y))
