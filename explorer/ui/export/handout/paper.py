"""A lecture as a PDF on sheets of A4 in two columns, letters as letters and lines as lines."""

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from PySide6.QtCore import QBuffer, QIODevice, QMarginsF, QRectF
from PySide6.QtGui import QColor, QPageSize, QPainter, QPdfWriter

from explorer.export_choices import MILLIMETRES
from explorer.text import _
from explorer.ui.export.devices import INCH, PDF_DOTS
from explorer.ui.export.handout.breaking import slices
from explorer.ui.export.handout.content import HandoutStep, Section
from explorer.ui.export.metadata import Metadata
from explorer.ui.export.paper import SPARE, PaperPicture
from explorer.ui.theme.schemes import FontRole, theme_of
from explorer.ui.typesetting.one_line import text_height
from explorer.ui.typesetting.wrapping import draw_lines, wrapped_lines

COLUMNS, WIDE, APART = 2, MILLIMETRES["column"], 8.0
"""How many stand side by side, and millimetres of each and between them."""
MARGIN = (210.0 - COLUMNS * WIDE - APART) / 2
ABOVE = 12.0
HIGH = 297.0 - 2 * ABOVE
"""Millimetres next to and above what is printed on a sheet, and of a column."""
PIXEL = 0.23
"""Millimetres of a logical pixel of the texts: their letters have 8 points."""
GAP = 8.0
BETWEEN = 3.0
"""Pixels around a picture, and millimetres above and below what is across both columns."""


def pdf_handout(title: str, sections: Sequence[Section], below: str = "") -> bytes:
    """The sheets, as the bytes of a file.

    Args:
        title: The lecture's.
        sections: Its scenes.
        below: What is said at the end of all pictures.
    """
    buffer = QBuffer()
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    writer = QPdfWriter(buffer)
    pictures = [one.picture for section in sections for one in section.parts if one.picture]
    captions = dict.fromkeys(one.caption for one in pictures)
    keywords = dict.fromkeys(itertools.chain.from_iterable(one.keywords for one in pictures))
    told = Metadata(title, "\n".join(filter(None, (*captions, below))), tuple(keywords))
    told.begin(writer)
    writer.setResolution(PDF_DOTS)
    writer.setPageSize(QPageSize(QPageSize.PageSizeId.A4))
    writer.setPageMargins(QMarginsF(0, 0, 0, 0))
    painter = QPainter(writer)
    painter.setRenderHint(QPainter.RenderHint.LosslessImageRendering)
    sheets = _Sheets(writer, painter)
    heading = [_Paragraph(title, "heading")]
    for section in sections:
        head = [_Paragraph(section.chapter, "heading", 2 * GAP)] if section.chapter else []
        head.append(_Paragraph(section.scene.title(), "title", GAP))
        sources = section.scene.cited
        source = [_Paragraph(_("Source: {sources}", sources=sources), "small", muted=True)]
        for part in section.parts:
            is_last = part is section.parts[-1] and bool(sources)
            under = [*_below(part), *(source if is_last else [])]
            sheets.put(_Entry([*heading, *head, *_above(part)], part.picture, under))
            heading, head = [], []
    if below:
        sheets.put(_Entry([*heading, _Paragraph(below, "small", GAP, muted=True)], None, ()))
    sheets.end()
    painter.end()
    pages = tuple(" ".join(one) for one in sheets.said)
    return replace(told, pages=pages).in_pdf(bytes(buffer.data().data()))


@dataclass(frozen=True)
class _Paragraph:
    """A paragraph.

    Attributes:
        text: Its words.
        role: Its letters.
        room: Logical pixels of room above it.
        muted: In grey.
    """

    text: str
    role: FontRole = "body"
    room: float = 2.0
    muted: bool = False

    def lines_in(self, width: float) -> list[str]:
        """Its lines in so many millimetres."""
        return wrapped_lines(self.role, self.text, width / PIXEL)

    def height_in(self, width: float) -> float:
        """Logical pixels, the room above it included."""
        return self.room + len(self.lines_in(width)) * text_height(self.role)


def _above(part: HandoutStep) -> list[_Paragraph]:
    return [
        _Paragraph(f"{number}. {one}", room=GAP if number == 1 else 2.0)
        for number, one in enumerate(part.look, 1)
    ]


def _below(part: HandoutStep) -> Iterator[_Paragraph]:
    if part.picture is not None:
        yield _Paragraph(part.picture.caption, "small", muted=True)
    for told in (part.verdict, part.trouble):
        if told:
            yield _Paragraph(told, "strong", GAP / 2)


@dataclass(frozen=True)
class _Entry:
    """A step with what is above and below its picture.

    Attributes:
        above: Its texts above.
        picture: None where there is no answer.
        below: Its texts below.
    """

    above: Sequence[_Paragraph]
    picture: PaperPicture | None
    below: Sequence[_Paragraph]

    @property
    def width(self) -> float:
        """Millimetres: a column's, or that of both where the picture is across them."""
        is_across = self.picture is not None and self.picture.width > WIDE + 1
        return COLUMNS * WIDE + APART if is_across else WIDE

    @property
    def height(self) -> float:
        """Millimetres."""
        texts = sum(one.height_in(self.width) for one in (*self.above, *self.below))
        high = 0.0 if self.picture is None else self.picture.height + 2 * GAP * PIXEL
        return texts * PIXEL + high


class _Sheets:
    """Steps, each whole in a column or across both; what stands above one ends at one height.

    Attributes:
        said: Of each sheet what stands on it, in reading order.
    """

    def __init__(self, writer: QPdfWriter, painter: QPainter) -> None:
        self._writer, self._painter = writer, painter
        self._x = self._y = self._top = 0.0
        self._theme = theme_of("light")
        self._waiting: list[_Entry] = []
        self.said: list[list[str]] = [[]]

    def put(self, entry: _Entry) -> None:
        """A step, after those before it."""
        if entry.width > WIDE:
            self.end()
            if self._top + entry.height > HIGH and self._top:
                self._turn()
            self._begin(0.0)
            self._draw(entry)
            self._top = self._y + BETWEEN
        else:
            self._waiting.append(entry)

    def end(self) -> None:
        """Put down what waits for its columns to be as high as each other."""
        waiting, self._waiting = self._waiting, []
        while waiting:
            sides = self._sides(waiting)
            if not any(sides):
                if self._top:
                    self._turn()
                    continue
                # It is higher than a sheet, and goes on overleaf.
                sides = [waiting[:1], []]
            for number, side in enumerate(sides):
                self._begin(number * (WIDE + APART))
                for one in side:
                    self._draw(one)
            waiting = waiting[len(sides[0]) + len(sides[1]) :]
            self._top = max(self._top + max(map(_high, sides)), self._y) + BETWEEN
            if waiting:
                self._turn()

    def _sides(self, waiting: Sequence[_Entry]) -> list[Sequence[_Entry]]:
        """What stands on the left and on the right: as much as there is room for.

        Where all of it fits, what is left below is as large as it can be.
        """
        room = HIGH - self._top
        first = _fitting(waiting, room)
        second = _fitting(waiting[first:], room)
        if first + second == len(waiting):
            # Of two ways that are as high the one that has more on the left.
            splits = [(waiting[:n], waiting[n:]) for n in range(len(waiting), -1, -1)]
            return list(min(splits, key=lambda one: max(map(_high, one))))
        return [waiting[:first], waiting[first : first + second]]

    def _begin(self, x: float) -> None:
        self._x, self._y = x, self._top

    def _draw(self, entry: _Entry) -> None:
        for one in entry.above:
            self._write(one, entry.width)
        if entry.picture is not None:
            self._y += GAP * PIXEL
            self._figure(entry.picture)
            self._y += GAP * PIXEL
        for one in entry.below:
            self._write(one, entry.width)

    def _write(self, words: _Paragraph, width: float) -> None:
        if self._y + words.height_in(width) * PIXEL > HIGH + SPARE:
            self._turn()
        self.said[-1].append(words.text)
        above = words.room if self._y > self._top else 0.0
        lines = words.lines_in(width)
        box = QRectF(0, above, width / PIXEL, words.height_in(width))
        colour: QColor = self._theme.muted if words.muted else self._theme.text
        self._at(self._y, PIXEL)
        draw_lines(self._painter, box, lines, words.role, colour)
        self._painter.restore()
        self._y += (words.height_in(width) - words.room + above) * PIXEL

    def _figure(self, printed: PaperPicture) -> None:
        """A picture; what is higher than a sheet goes on overleaf between two parts."""
        figure, pixel = printed.figure, printed.millimetres
        done, room = 0.0, (HIGH - self._y) / pixel
        # What fits to the last digit is not to be cut for it.
        whole = [figure.height] if figure.height * pixel <= HIGH - self._y + SPARE else None
        parts = whole or slices(figure, room, HIGH / pixel, self._theme)
        for number, part in enumerate(parts):
            if number:
                self._turn()
            if part:
                self._at(self._y, pixel)
                self._painter.setClipRect(QRectF(0, 0, figure.width, part))
                self._painter.translate(0, -done)
                figure.paint(self._painter)
                self._painter.restore()
                if not done:
                    self.said[-1].append(printed.words)
                else:
                    self.said[-1].append(_("{title}, continued.", title=printed.title))
            done += part
            self._y += part * pixel

    def _turn(self) -> None:
        """Begin the next sheet."""
        self._y = self._top = 0.0
        self._writer.newPage()
        self.said.append([])

    def _at(self, y: float, pixel: float) -> None:
        dots = PDF_DOTS / INCH
        self._painter.save()
        self._painter.scale(dots, dots)
        self._painter.translate(MARGIN + self._x, ABOVE + y)
        self._painter.scale(pixel, pixel)


def _high(side: Sequence[_Entry]) -> float:
    """Millimetres of some steps one below the other."""
    return sum(one.height for one in side)


def _fitting(waiting: Sequence[_Entry], room: float) -> int:
    """How many fit below each other."""
    heights = itertools.accumulate(one.height for one in waiting)
    return sum(1 for one in heights if one <= room)
