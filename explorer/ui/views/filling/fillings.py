"""Whole fillings as rows: two bars each, one for the words together and one for each alone."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from PySide6.QtCore import QLineF, QRectF, Qt
from PySide6.QtGui import QPainter, QPen

from explorer.api import Table
from explorer.operations.fill_jointly import Filling, FillJointlyResult
from explorer.ui.blocks.block import Spot
from explorer.ui.blocks.tokens import swatch
from explorer.ui.theme import Theme
from explorer.ui.widgets.bar_rows import in_digits, scale_for, signed
from explorer.ui.widgets.pieces import visible
from explorer.ui.widgets.token_layout import text_height, text_width
from explorer.ui.widgets.token_painting import draw_text

LEFT = Qt.AlignmentFlag.AlignLeft
RIGHT = Qt.AlignmentFlag.AlignRight
ELIDE = Qt.TextElideMode.ElideRight
BETWEEN = 14.0
SIDE = 8.0
BETWEEN_WORDS = " · "
TOGETHER, ALONE = "together", "each alone"


@dataclass(frozen=True)
class Row:
    """A filling.

    Attributes:
        filling: Its words and numbers.
        rank: Its place, "–" for the one that no method looked for.
        is_alone: It is the best word of every mask alone.
        before: Its probability and rank in the pinned answer; None where nothing is pinned.
    """

    filling: Filling
    rank: str
    is_alone: bool = False
    before: "Before | None" = None

    @property
    def text(self) -> str:
        """Its words."""
        return BETWEEN_WORDS.join(visible(word) or "␣" for word in self.filling.words)


@dataclass(frozen=True)
class Before:
    """A filling in the pinned answer.

    Attributes:
        log_joint: None where that answer did not hold it.
        rank: Its place there; None where the method did not find it.
    """

    log_joint: float | None = None
    rank: int | None = None


def factor(filling: Filling) -> str:
    """How many times as probable the words are together as they would be each alone."""
    if filling.log_independent is None:
        return ""
    return times(filling.log_joint - filling.log_independent)


def times(log_ratio: float) -> str:
    """A ratio given as its logarithm: "× 2.2", "÷ 43"."""
    sign = "×" if log_ratio >= 0 else "÷"
    if abs(log_ratio) > math.log(9_999.5):
        return f"{sign} {in_power(abs(log_ratio))}"
    ratio = math.exp(abs(log_ratio))
    return f"{sign} {ratio:.1f}" if ratio < 9.95 else f"{sign} {ratio:,.0f}"


def in_power(log: float) -> str:
    """A number given as its logarithm, as a power of ten."""
    exponent = math.floor(log / math.log(10))
    return f"10{str(exponent).translate(str.maketrans('-0123456789', '⁻⁰¹²³⁴⁵⁶⁷⁸⁹'))}"


def details(row: Row) -> str:
    """What is known of a filling, mask by mask."""
    filling = row.filling
    lines = [row.text, f"Together: {in_digits(math.exp(filling.log_joint))}"]
    if filling.log_independent is not None:
        lines.append(f"If each mask were alone: {in_digits(math.exp(filling.log_independent))}")
    for number, chosen in enumerate(filling.chosen):
        line = f"{chosen.word}: {in_digits(chosen.probability)} when it was filled"
        line += f" (rank {chosen.rank:,})"
        if filling.alone:
            beside = filling.alone[number]
            line += f", {in_digits(beside.probability)} alone (rank {beside.rank:,})"
        lines.append(line)
    if row.before is not None:
        lines.append(_then(row.before))
    lines.append("Click to put these words into the sentence.")
    return "\n".join(lines)


def _then(before: Before) -> str:
    if before.log_joint is None:
        return "The pinned answer does not list it."
    place = f", place {before.rank}" if before.rank is not None else ""
    return f"Pinned: {in_digits(math.exp(before.log_joint))}{place}"


class Fillings:
    """A block: a row a filling.

    Args:
        rows: In the order they are shown.
        width: In pixels.
    """

    def __init__(self, rows: Sequence[Row], width: float) -> None:
        self._rows, self._width = rows, width
        self._has_alone = any(row.filling.log_independent is not None for row in rows)
        self._pinned = any(row.before is not None for row in rows)
        self._line = text_height("body")
        self._high = self._line + 12
        self._head = text_height("small") + 6
        self.height = self._head + self._high * len(rows)
        self._largest = max(
            (
                math.exp(value)
                for row in rows
                for value in (row.filling.log_joint, row.filling.log_independent)
                if value is not None
            ),
            default=1.0,
        )
        # Fillings of many masks are all improbable; the axis then ends at the longest bar.
        self._scale = scale_for(self._largest) if self._largest >= 0.005 else self._largest
        self._columns = self._arrange()
        self.spots = tuple(
            Spot(
                QRectF(0, self._head + n * self._high, width, self._high),
                ("filling", n),
                details(row),
                f"{row.text}: together {in_digits(math.exp(row.filling.log_joint))}",
            )
            for n, row in enumerate(rows)
        )

    def _arrange(self) -> dict[str, tuple[float, float]]:
        """Left and right edge of every column."""
        numbers = [self._number(row.filling.log_joint) for row in self._rows]
        right = self._width - SIDE
        at: dict[str, tuple[float, float]] = {}
        columns = [("factor", [factor(row.filling) for row in self._rows])]
        if self._has_alone:
            alone = [self._number(row.filling.log_independent) for row in self._rows]
            columns.append(("alone", [*alone, ALONE]))
        else:
            columns = []
        columns.append(("together", [*numbers, TOGETHER]))
        if self._pinned:
            columns.insert(0, ("pinned", [*map(_change, self._rows), "change"]))
        for name, texts in columns:
            wide = max(text_width("body", text) for text in texts)
            at[name] = (right - wide, right)
            right -= wide + BETWEEN
        left = SIDE + text_width("small", "00") + 10
        at["rank"] = (SIDE, left - 10)
        room = max(right - left, 80.0)
        tag = text_width("small", ALONE) + 12
        plain = max(text_width("strong", row.text) for row in self._rows)
        tagged = [text_width("strong", row.text) + tag for row in self._rows if row.is_alone]
        self._has_tag = max([plain, *tagged]) <= room * 0.62
        words = max([plain, *tagged]) if self._has_tag else plain
        at["words"] = (left, left + min(words + 2, room * 0.72))
        at["bars"] = (at["words"][1] + BETWEEN, right)
        return at

    @staticmethod
    def _number(log: float | None) -> str:
        return "" if log is None else in_digits(math.exp(log))

    def _cell(self, name: str, top: float, height: float) -> QRectF:
        left, right = self._columns[name]
        return QRectF(left, top, right - left, height)

    def paint(self, painter: QPainter, theme: Theme) -> None:
        """The head and the rows."""
        heads = {"together": TOGETHER, "alone": ALONE, "pinned": "change"}
        for name, words in heads.items():
            if name in self._columns:
                cell = self._cell(name, 0, self._head)
                draw_text(painter, cell, words, "small", theme.muted, RIGHT)
        bars = self._cell("bars", 0, self._head)
        if bars.width() > 60:
            draw_text(painter, bars, "0", "small", theme.muted, LEFT)
            end = f"{self._scale:g}" if self._scale >= 0.005 else in_digits(self._scale)
            draw_text(painter, bars, end, "small", theme.muted, RIGHT)
        for number, row in enumerate(self._rows):
            self._paint_row(painter, theme, row, self._head + number * self._high)

    def _paint_row(self, painter: QPainter, theme: Theme, row: Row, top: float) -> None:
        high = self._high
        if row.is_alone:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(theme.mask_fill)
            painter.drawRoundedRect(QRectF(1, top + 1, self._width - 2, high - 2), 4, 4)
        draw_text(painter, self._cell("rank", top, high), row.rank, "small", theme.muted, RIGHT)
        words = self._cell("words", top, high)
        tag = text_width("small", ALONE) + 10 if row.is_alone and self._has_tag else 0.0
        wide = min(text_width("strong", row.text), max(words.width() - tag, 20.0))
        place = QRectF(words.left(), top, wide, high)
        draw_text(painter, place, row.text, "strong", theme.text, LEFT, ELIDE)
        if tag:
            beside = QRectF(words.left() + wide + 10, top + 1, tag, high)
            draw_text(painter, beside, ALONE, "small", theme.mask, LEFT)
        self._paint_bars(painter, theme, row, top)
        numbers = {
            "together": (self._number(row.filling.log_joint), theme.text),
            "alone": (self._number(row.filling.log_independent), theme.muted),
            "factor": (factor(row.filling), theme.text),
            "pinned": (_change(row), theme.accent),
        }
        for name, (text, colour) in numbers.items():
            if name in self._columns and text:
                draw_text(painter, self._cell(name, top, high), text, "body", colour, RIGHT)

    def _paint_bars(self, painter: QPainter, theme: Theme, row: Row, top: float) -> None:
        bars = self._cell("bars", top, self._high)
        if bars.width() < 12:
            return
        half = (self._high - 10) / 2
        filling = row.filling
        both = ((filling.log_joint, True), (filling.log_independent, False))
        for number, (log, filled) in enumerate(both):
            if log is None:
                continue
            share = math.exp(log) / self._scale
            box = QRectF(
                bars.left(), top + 5 + number * half, max(bars.width() * share, 1.5), half - 1
            )
            swatch(painter, box, theme, filled=filled)
        if row.before is not None and row.before.log_joint is not None:
            x = bars.left() + bars.width() * math.exp(row.before.log_joint) / self._scale
            if x <= bars.right() + 1:
                painter.setPen(QPen(theme.accent, 2.0))
                painter.drawLine(QLineF(x, top + 3, x, top + self._high - 3))


def _change(row: Row) -> str:
    """The joint probability against the pinned one, as a difference."""
    before = row.before
    if before is None:
        return ""
    if before.log_joint is None:
        return "new"
    return signed(math.exp(row.filling.log_joint) - math.exp(before.log_joint))


def before_of(pinned: FillJointlyResult) -> Mapping[tuple[str, ...], Before]:
    """The pinned fillings by their words, capital letters aside: models differ in them."""
    known: dict[tuple[str, ...], Before] = {}
    if pinned.independent is not None:
        known[key_of(pinned.independent)] = Before(pinned.independent.log_joint)
    for rank, one in reversed(list(enumerate(pinned.fillings, 1))):
        known[key_of(one)] = Before(one.log_joint, rank)
    return known


def key_of(filling: Filling) -> tuple[str, ...]:
    """A filling's words, as two models' fillings are told to be the same."""
    return tuple(word.casefold() for word in filling.words)


def compared_table(plain: Table, known: Mapping[tuple[str, ...], Before]) -> Table:
    """A table of fillings with what each had in the pinned answer.

    Args:
        plain: As the operation makes it.
        known: The pinned fillings.
    """
    place = {name: index for index, name in enumerate(plain.columns)}
    rows = []
    for row in plain.rows:
        words = tuple(str(row[place["filling"]]).casefold().split(" | "))
        before = known.get(words, Before())
        log = row[place["log_joint"]]
        change = None
        if before.log_joint is not None and isinstance(log, float):
            change = math.exp(log) - math.exp(before.log_joint)
        rows.append((*row, before.log_joint, before.rank, change))
    return Table((*plain.columns, "pinned_log_joint", "pinned_rank", "change"), tuple(rows))
