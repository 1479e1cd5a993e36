"""Rows with a label, bars, numbers and tags: what words, costs and losses are shown in.

Columns are as wide as what stands in them; the bars get what is left. Where that is too little,
columns that can be done without go, then labels are cut short.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from PySide6.QtCore import QLineF, QRectF, Qt
from PySide6.QtGui import QPainter, QPen

from explorer.text import N_, _
from explorer.text.bidi import isolated
from explorer.ui.blocks.block import PlacedBlock, SpokenCell, Spot
from explorer.ui.blocks.spacing import Space
from explorer.ui.blocks.tables.axis import PlacedAxis
from explorer.ui.blocks.tables.bars import paint_bar, paint_beneath
from explorer.ui.blocks.tables.column_widths import in_lines, least_widths, longest_word, tag_width
from explorer.ui.blocks.tables.labels import label_lines
from explorer.ui.blocks.tables.rows import TAG_GAP, BarAxis, BarColumn, BarRow
from explorer.ui.matrices.scale import shade_of
from explorer.ui.theme.schemes import FontRole, Theme
from explorer.ui.theme.shapes import draw_rounded, ink_on
from explorer.ui.typesetting.one_line import draw_text, text_height, text_width
from explorer.ui.typesetting.wrapping import SEAMS, wrapped_lines

LEFT = Qt.AlignmentFlag.AlignLeft
RIGHT = Qt.AlignmentFlag.AlignRight
ELIDE = Qt.TextElideMode.ElideRight
SIDE, BETWEEN = 8.0, 14.0
LEAST_BETWEEN = 7.0
"""Pixels between two columns in print before a word is parted."""
LEAST_WRAPPED = 130.0
"""Pixels that a column of wrapped words has at least."""
LEAST_LABEL = 110.0
"""Pixels to which labels are cut before columns are."""
LEAST_BARS = 60.0
"""Pixels below which bars say nothing: labels are cut before."""
WANTED_BARS = 84.0
"""Pixels of bars for which columns that can be done without make room."""
ROOMY_BARS = 90.0
"""Pixels of bars that need no more: labels have what is left."""
LABEL_SHARE = 0.6
"""What labels take at most where they are words, and the bars tell more than they do."""
LABEL_ROOM = 0.4
"""Of the table's width, what labels take before they are cut, whatever bars are left."""
THICK = 10.0
"""Of a bar that is alone in its row."""
ARROWS = {"up": " ▲", "down": " ▼", "": ""}
PLAIN = BarAxis()
NAMELESS = BarColumn("")


@dataclass(frozen=True)
class BarTable:
    """A table.

    Attributes:
        rows: In the order they are shown.
        columns: Of the numbers.
        axis: Of the bars.
        title: What a screen reader calls it.
        first: How many of the columns stand left of the bars.
        bold: Labels are written in bold.
        ruled: There is a line above every row.
        track: The room of the bars is drawn behind them.
        label: Title of the labels, and what choosing it does.
        peers: Rows of tables that stand together, so that columns are as wide in all of them.
        is_printed: Nothing may be cut: what has no room in a line takes several.
        above: The room above it.
        label_share: Of what the columns leave, the most that labels take where there are bars.
    """

    rows: Sequence[BarRow]
    columns: tuple[BarColumn, ...] = ()
    axis: BarAxis = PLAIN
    title: str = ""
    first: int = 0
    bold: bool = True
    ruled: bool = False
    track: bool = False
    label: BarColumn = NAMELESS
    peers: Sequence[BarRow] = ()
    is_printed: bool = False
    above: Space = Space.NEAR
    label_share: float = LABEL_SHARE

    def at(self, width: float) -> PlacedBlock:
        """With its columns placed."""
        return LaidTable(self, width)

    def in_print(self) -> "BarTable":
        """With nothing cut."""
        return replace(self, is_printed=True)


class LaidTable(PlacedBlock):
    """A table at a width."""

    def __init__(self, table: BarTable, width: float) -> None:
        self._table, self._width, self.name = table, width, table.title
        self._columns = list(enumerate(table.columns))
        self._line = text_height("body")
        self._small = text_height("small")
        self._bars = max((len(row.bars) for row in table.rows), default=0)
        self._in_lines = table.is_printed
        titled = any(column.title for column in (table.label, *table.columns))
        titled = titled or (table.axis.titled and self._bars > 0)
        self._at = self._arrange()
        self._axis = PlacedAxis(table.axis, *self._at["bars"], name=table.title)
        self.axes = (self._axis,) if self._bars else ()
        deep = max((len(self._title_lines(*one)) for one in self._titled()), default=1)
        self._head = deep * self._small + 6 if titled else 0.0
        self._tops: list[float] = []
        y = self._head
        for row in table.rows:
            y += self._small + 4 if row.apart else 0.0
            self._tops.append(y)
            y += self._high(row)
        self.height = y + 2

    @cached_property
    def spots(self) -> Sequence[Spot]:  # type: ignore[override]
        """The titles that say or do something, and every row."""
        return (*self._titles(), *map(self._spot, self._table.rows, self._tops))

    @cached_property
    def anchors(self) -> Mapping[Any, QRectF]:  # type: ignore[override]
        """The rows that a page can be asked for."""
        rows = zip(self._table.rows, self._tops, strict=True)
        return {
            row.anchor: QRectF(0, top, self._width, self._high(row))
            for row, top in rows
            if row.anchor is not None
        }

    @property
    def columns(self) -> tuple[str, ...]:
        """The titles of the columns that there is room for."""
        return tuple(column.title for _n, column in self._columns)

    # ---- where things stand -----------------------------------------------------------------

    def _flat(self) -> float:
        return self._line + (12 if self._bars > 1 or self._table.ruled else 9)

    def _high(self, row: BarRow) -> float:
        return self._flat() + self._more(row) * self._line + len(self._below(row)) * self._small

    def _below(self, row: BarRow) -> list[str]:
        """What is said below a row, line by line: no further than its bars, but for warnings."""
        is_under_bars = self._bars and row.below_colour == "muted"
        end = self._at["bars"][1] if is_under_bars else self._width - SIDE
        room = end - self._at["label"][0]
        return [
            line for one in row.below.splitlines() for line in wrapped_lines("small", one, room)
        ]

    def _more(self, row: BarRow) -> int:
        """Lines below the first."""
        cells = (len(self._lines(row, n)) for n, c in self._columns if self._wraps(c))
        return max(1, len(self._label_lines(row)), *cells) - 1

    def _wraps(self, column: BarColumn) -> bool:
        """Whether what stands in a column may take several lines."""
        return column.wraps or (self._in_lines and not self._bars)

    def _label_lines(self, row: BarRow) -> list[str]:
        """A row's label, line by line."""
        left, right = self._at["label"]
        told = (self._role(row), row.label, row.tag, right - left)
        return label_lines(*told) if self._in_lines else [row.label]

    def _title_lines(self, number: object, column: BarColumn) -> list[str]:
        """The title of a column, line by line."""
        title = column.title + ARROWS[column.sorted]
        if not self._in_lines or self._bars:
            return [title]
        left, right = self._at[number]
        return wrapped_lines("small", title, right - left + 1) or [""]

    def _lines(self, row: BarRow, number: int) -> list[str]:
        """A cell's words, line by line."""
        left, right = self._at[number]
        strong = self._table.columns[number].strong or (row.strong and not self._bars)
        role: FontRole = "strong" if strong else "body"
        return wrapped_lines(role, self._cell(row, number)[0], right - left)

    def _wide(self, number: int, column: BarColumn) -> float:
        strong = column.strong or (not self._bars and not column.wraps)
        role: FontRole = "strong" if strong else "body"
        role = "mono" if column.mono else role
        every = (*self._table.rows, *self._table.peers)
        cells = (text_width(role, row.cells[number]) for row in every if number < len(row.cells))
        title = column.title + ARROWS[column.sorted]
        return max([text_width("small", title), *cells]) + 1

    def _role(self, row: BarRow) -> FontRole:
        return "strong" if self._table.bold or row.strong else "body"

    def _label_width(self, *, tagged: bool = False) -> float:
        """What labels take in one line, or those with a tag alone."""

        def wide(row: BarRow) -> float:
            return text_width(self._role(row), row.label) + tag_width(row.tag)

        rows = [r for r in (*self._table.rows, *self._table.peers) if r.tag or not tagged]
        title = text_width("small", self._table.label.title + ARROWS[self._table.label.sorted])
        return max([title, *map(wide, rows)]) + 4

    def _arrange(self) -> dict[object, tuple[float, float]]:
        """Left and right edge of lead, label, bars and every column, by number."""
        leads = [text_width("small", row.lead) for row in (*self._table.rows, *self._table.peers)]
        lead = max(leads, default=0.0)
        begin = SIDE + (lead + 10 if lead else 0.0)
        label, tagged = self._label_width(), self._label_width(tagged=True)
        widths = {number: self._wide(number, column) for number, column in self._columns}
        while True:
            least = sum(
                min(widths[n], LEAST_WRAPPED) if column.wraps and not self._bars else widths[n]
                for n, column in self._columns
            )
            left = self._width - SIDE - begin - least - len(self._columns) * BETWEEN
            words = min(label, left)
            if self._bars:
                # What a tag says of a word is worth more than long bars.
                most = min(tagged, left - BETWEEN - LEAST_BARS)
                # Nor are labels cut that a sensible part of the table has room for.
                sensible = min(LABEL_ROOM * self._width, left - BETWEEN - LEAST_BARS)
                # Nor where bars of a sensible length are left.
                sensible = max(sensible, left - BETWEEN - ROOMY_BARS)
                share = max(left, 80.0) * self._table.label_share
                words = min(label, max(share, most, sensible))
            if self._table.is_printed and self._bars:
                words = min(max(words, self._least_label(tagged=False)), max(left, 80.0))
            bars = left - words - BETWEEN
            spare = [n for n, column in self._columns if column.dispensable]
            fits = bars > WANTED_BARS - 0.1 if self._bars else left >= label
            if fits or not spare:
                break
            self._columns = [pair for pair in self._columns if pair[0] != spare[-1]]
        if not self._bars:
            return self._without_bars(begin, label, self._wrapping(begin, label, widths))
        at: dict[object, tuple[float, float]] = {"lead": (0.0, begin - 10)}
        x = begin
        at["label"] = (x, x + words)
        x += words + BETWEEN
        for number, _column in [pair for pair in self._columns if pair[0] < self._table.first]:
            at[number] = (x, x + widths[number])
            x += widths[number] + BETWEEN
        right = self._width - SIDE
        for number, _column in reversed([p for p in self._columns if p[0] >= self._table.first]):
            at[number] = (right - widths[number], right)
            right -= widths[number] + BETWEEN
        at["bars"] = (x, max(right, x))
        return at

    def _wrapping(self, begin: float, label: float, widths: dict[int, float]) -> dict[int, float]:
        """What the others leave, shared among the columns that wrap by what they would take."""
        wraps = [n for n, column in self._columns if column.wraps]
        whole = sum(widths[n] for n in wraps)
        others = sum(widths[n] for n, _column in self._columns if n not in wraps)
        room = self._width - SIDE - begin - label - others - len(self._columns) * BETWEEN
        if whole <= room:
            return widths
        # What needs little gets that; the others share the rest.
        shared = dict(widths)
        for n in sorted(wraps, key=lambda n: widths[n]):
            share = max(room, 0.0) / max(len(wraps), 1)
            shared[n] = min(widths[n], max(share, LEAST_WRAPPED))
            room -= shared[n]
            wraps = wraps[1:]
        return shared

    def _without_bars(
        self, begin: float, label: float, widths: dict[int, float]
    ) -> dict[object, tuple[float, float]]:
        """Label and columns from the left.

        Where there is too little room, labels of several words take several lines; others are cut,
        for they are told in full; then everything takes several lines; and where single words have
        no room, everything is narrower.
        """
        room, between = self._width - SIDE - begin, BETWEEN
        columns = sum(widths[n] + between for n, _column in self._columns)
        if label + columns > room and self._least_label("") + columns <= room:
            self._in_lines, label = True, room - columns
        elif min(label, LEAST_LABEL) + columns > room or self._table.is_printed:
            rows = self._table.rows
            told = {n: (c, [self._cell(r, n)[0] for r in rows]) for n, c in self._columns}
            strong = any(row.strong for row in rows)
            least = self._least_label()
            words = least + least_widths(told, strong=strong)
            if self._table.is_printed:
                between = min(BETWEEN, max((room - words) / max(len(told), 1), LEAST_BETWEEN))
            free = room - between * len(told)
            self._in_lines |= words <= free
            if self._in_lines:
                label, widths = in_lines((label, least), widths, told, free, strong=strong)
                columns = sum(widths[n] + between for n, _column in self._columns)
        if not self._in_lines:
            label = min(label, max(room - columns, LEAST_LABEL))
        squeeze = min(1.0, room / max(label + columns, 1.0))
        at: dict[object, tuple[float, float]] = {"lead": (0.0, begin - 10)}
        at["label"] = (begin, begin + label * squeeze)
        x = begin + label * squeeze
        for number, _column in self._columns:
            x += between * squeeze
            at[number] = (x, x + widths[number] * squeeze)
            x += widths[number] * squeeze
        at["bars"] = (x, x)
        return at

    def _least_label(self, seams: str = SEAMS, *, tagged: bool = True) -> float:
        """Width at which no word of a label is cut, nor of what stands above them.

        Args:
            seams: Signs at which a word may be parted.
            tagged: Nor of the tags beside them.
        """
        widths = [longest_word("small", [self._table.label.title])]
        for row in self._table.rows:
            tag = tag_width(row.tag) if tagged else 0.0
            widths.append(longest_word(self._role(row), [row.label], seams) + tag)
        return max(widths)

    def _box(self, name: object, top: float, height: float) -> QRectF:
        left, right = self._at[name]
        return QRectF(left, top, right - left, height)

    def x_of(self, value: float) -> float:
        """Where a value stands on the axis."""
        return self._axis.x_of(value)

    # ---- what is said -----------------------------------------------------------------------

    def _titles(self) -> list[Spot]:
        return [
            Spot(
                self._box(number, 0, self._head).adjusted(-4, 0, 4, 0),
                column.key or ("column", column.title),
                column.about,
                " ".join(filter(None, (column.about, _(SORTED[column.sorted])))),
                column.act,
            )
            for number, column in self._titled()
            if column.act is not None or column.words
        ]

    def _titled(self) -> list[tuple[object, BarColumn]]:
        """What has a title: the labels, and the columns there is room for."""
        return [("label", self._table.label), *self._columns]

    def _spot(self, row: BarRow, top: float) -> Spot:
        high = self._high(row)
        shown = [(column.title, *self._cell(row, number)) for number, column in self._columns]
        cells = [
            SpokenCell(f"{title} {isolated(text)}".strip(), self._box(number, top, high), text)
            for title, text, number in shown
            if text
        ]
        label = f"{row.lead} {isolated(row.label)}" if row.lead else row.label
        label_cell = SpokenCell(label, self._box("label", top, high), row.label)
        words = row.words
        left, right = self._at["label"]
        wide = text_width(self._role(row), row.label) + tag_width(row.tag)
        cut = wide > right - left + 1 and not self._in_lines
        if cut and not words.startswith(row.label):
            whole_label = ", ".join(filter(None, (row.label, row.tag)))
            words = "\n".join(filter(None, (whole_label, words)))
        parts = (label, row.tag, *(cell.text for cell in cells), row.below)
        said = ", ".join(isolated(part) for part in parts if part)
        return Spot(
            QRectF(0, top, self._width, high),
            row.key,
            words,
            row.spoken or said,
            row.act,
            (label_cell, *cells),
        )

    @staticmethod
    def _cell(row: BarRow, number: int) -> tuple[str, int]:
        return (row.cells[number] if number < len(row.cells) else "", number)

    # ---- painting ---------------------------------------------------------------------------

    def paint(self, painter: QPainter, theme: Theme) -> None:
        """Titles, the axis, and the rows."""
        for number, column in self._titled():
            box = self._box(number, 0, self._head)
            begins = column.left or number == "label"
            colour = theme.colour(column.title_colour)
            side = LEFT if begins else RIGHT
            lines = self._title_lines(number, column)
            one = QRectF(box.left(), box.top(), box.width(), box.height() / len(lines))
            for place, words in enumerate(lines):
                line = one.translated(0, place * self._small)
                draw_text(painter, line, words, "small", colour, side, ELIDE)
        if self._bars and self._axis.is_wide and self._table.axis.titled:
            self._axis.paint(painter, theme, self._head, self.height)
        seen = painter.clipBoundingRect() if painter.hasClipping() else None
        for row, top in zip(self._table.rows, self._tops, strict=True):
            # What stands apart is above its row.
            above, below = top - self._small - 4, top + self._high(row)
            if seen is None or (above <= seen.bottom() and below >= seen.top()):
                self._paint_row(painter, theme, row, top)

    def _paint_row(self, painter: QPainter, theme: Theme, row: BarRow, top: float) -> None:
        high, flat = self._high(row), self._flat()
        if row.apart:
            line = QRectF(self._at["label"][0], top - self._small - 4, self._width, self._small + 4)
            draw_text(painter, line, row.apart, "small", theme.muted, LEFT)
        if self._table.ruled:
            painter.setPen(QPen(theme.border, 1.0))
            painter.drawLine(QLineF(0, top, self._width, top))
        if row.ground:
            draw_rounded(
                painter,
                QRectF(1, top + 0.5, self._width - 2, high - 1),
                4,
                theme.colour(row.ground),
            )
        if row.lead:
            draw_text(painter, self._box("lead", top, flat), row.lead, "small", theme.muted, RIGHT)
        self._paint_label(painter, theme, row, top, flat)
        for number, column in self._columns:
            text, _ = self._cell(row, number)
            strong = column.strong or (row.strong and not self._bars)
            role: FontRole = "mono" if column.mono else "strong" if strong else "body"
            own = row.inks[number] if number < len(row.inks) else ""
            ink = theme.muted if text == NOT_THERE else theme.colour(own or column.colour)
            shade = row.shades[number] if number < len(row.shades) else None
            lines = self._lines(row, number) if self._wraps(column) else [text]
            if shade is not None:
                ground = shade_of(shade, theme)
                ink = ink_on(ground)
                painter.setPen(Qt.PenStyle.NoPen)
                painter.setBrush(ground)
                box = self._box(number, top, flat + (len(lines) - 1) * self._line)
                painter.drawRoundedRect(box.adjusted(-4, 2, 4, -2), 3, 3)
            for place, words in enumerate(lines):
                box = self._box(number, top + place * self._line, flat)
                draw_text(painter, box, words, role, ink, LEFT if column.left else RIGHT, ELIDE)
        self._paint_bars(painter, theme, row, top, flat)

    def _paint_label(
        self, painter: QPainter, theme: Theme, row: BarRow, top: float, flat: float
    ) -> None:
        box = self._box("label", top, flat)
        lines, role = self._label_lines(row), self._role(row)
        # The word before what is said of it.
        wide = min(max(text_width(role, line) for line in lines), box.width())
        ink = theme.muted if row.muted else theme.text
        for number, words in enumerate(lines):
            place = QRectF(box.left(), top + number * self._line, wide, flat)
            draw_text(painter, place, words, role, ink, LEFT, ELIDE)
        down = 0.0 if lines[-1] else (len(lines) - 1) * self._line
        left = box.left() + (0.0 if down else wide + TAG_GAP)
        if row.tag and box.right() - left > 24:
            beside = QRectF(left, top + 1 + down, box.right() - left, flat)
            draw_text(painter, beside, row.tag, "small", theme.mask, LEFT, ELIDE)
        under = top + flat + self._more(row) * self._line - 5
        for number, words in enumerate(self._below(row)):
            place = QRectF(box.left(), under + number * self._small, self._width, self._small)
            draw_text(painter, place, words, "small", theme.colour(row.below_colour), LEFT)

    def _paint_bars(
        self, painter: QPainter, theme: Theme, row: BarRow, top: float, flat: float
    ) -> None:
        if self._axis.width < 12 or not row.bars:
            return
        room = (flat - 10) / len(row.bars)
        thick = THICK if len(row.bars) == 1 else room - 1
        y = top + flat / 2 - THICK / 2 if len(row.bars) == 1 else top + 5
        tracked = self._table.track and not row.ground
        rooms = [
            QRectF(self._axis.left, y + n * room, self._axis.width, thick)
            for n in range(len(row.bars))
        ]
        # All that is beneath comes first: it is wider than the bars, and would cut the next one.
        for bar, its in zip(row.bars, rooms, strict=True):
            if bar is not None and bar.beneath is not None:
                paint_beneath(painter, theme, bar.beneath, its, self._axis)
        for bar, its in zip(row.bars, rooms, strict=True):
            if bar is not None:
                paint_bar(painter, theme, bar, its, self._axis, tracked)
        if row.mark is not None:
            x = self.x_of(row.mark)
            painter.setPen(QPen(theme.accent, 2.0))
            painter.drawLine(QLineF(x, top + 3, x, top + flat - 3))


SORTED = {"": "", "up": N_("Now up."), "down": N_("Now down.")}

NOT_THERE = "–"
"""A cell for what does not exist, as a word that a vocabulary lacks."""
