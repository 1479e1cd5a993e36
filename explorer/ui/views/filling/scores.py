"""The user's own words in one gap: a row each, on a scale where every line is ten times less."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from PySide6.QtCore import QLineF, QRectF, Qt
from PySide6.QtGui import QPainter, QPen

from explorer.operations.score_words import GapScores, WordScore
from explorer.ui.theme import Theme
from explorer.ui.views.filling.fillings import times
from explorer.ui.widgets.bar_rows import in_digits
from explorer.ui.widgets.painted_page import Spot
from explorer.ui.widgets.token_layout import text_height, text_width
from explorer.ui.widgets.token_painting import draw_text

LEFT = Qt.AlignmentFlag.AlignLeft
RIGHT = Qt.AlignmentFlag.AlignRight
ELIDE = Qt.TextElideMode.ElideRight
SIDE, BETWEEN = 8.0, 14.0
DEEPEST = 12
"""Powers of ten below 1 that the axis goes down to at most."""

FAVOURITE, ORIGINAL = "the model's own", "in the text"


@dataclass(frozen=True)
class Row:
    """A word.

    Attributes:
        score: Its numbers.
        tag: What it is besides a word of the user's: in the text, or the model's own choice.
        before: Its probability in the pinned answer; None where nothing is pinned, or it was not
            asked for.
    """

    score: WordScore
    tag: str = ""
    before: float | None = None

    @property
    def pieces(self) -> str:
        """Its pieces, where there are several."""
        pieces = self.score.pieces
        spaced = (one.token.replace("Ġ", "␣").replace("▁", "␣") for one in pieces)
        return " + ".join(spaced) if len(pieces) > 1 else ""


def rows_of(gap: GapScores, pinned: Mapping[str, float] | None = None) -> tuple[Row, ...]:
    """The words of a gap, most probable first; those without a number last.

    The hidden word and the model's own favourite are put among them, unless the user asked for
    them.
    """
    asked = {one.word.casefold() for one in gap.scores}
    rows = [Row(one, _tag(one, gap)) for one in gap.scores]
    original, favourite = gap.original, gap.favourite
    if original is not None and original.word.casefold() not in asked:
        rows.append(Row(original, ORIGINAL))
        asked.add(original.word.casefold())
    if favourite is not None and favourite.word.casefold() not in asked and not favourite.glue:
        log = math.log(max(favourite.probability, 1e-300))
        odds = log - math.log(max(1.0 - favourite.probability, 1e-300))
        own = WordScore(favourite.word, (favourite,), log, odds, 1)
        rows.append(Row(own, FAVOURITE))
    if pinned is not None:
        rows = [Row(row.score, row.tag, pinned.get(row.score.word)) for row in rows]
    return tuple(sorted(rows, key=lambda row: -(row.score.log_probability or -math.inf)))


def _tag(one: WordScore, gap: GapScores) -> str:
    if gap.original is not None and one.word.casefold() == gap.original.word.casefold():
        return ORIGINAL
    best = gap.favourite
    if best is not None and not best.glue and one.word.casefold() == best.word.casefold():
        return FAVOURITE
    return ""


def axis_of(rows: Sequence[Row]) -> int:
    """Powers of ten that the axis holds, so that the least probable word has a bar."""
    logs = [row.score.log_probability for row in rows if row.score.log_probability is not None]
    least = min(logs, default=0.0) / math.log(10)
    return min(max(math.ceil(-least), 2), DEEPEST)


def details(row: Row) -> str:
    """What is known of a word."""
    one = row.score
    if one.log_probability is None:
        return one.problem
    lines = [one.word, f"Probability: {in_digits(math.exp(one.log_probability))}"]
    if one.rank is not None:
        lines.append(f"Rank {one.rank:,} in the vocabulary")
    for number, piece in enumerate(one.pieces):
        if len(one.pieces) > 1:
            after = "" if number == 0 else ", after the pieces before it"
            lines.append(
                f"{piece.token}: {in_digits(piece.probability)}, rank {piece.rank:,}{after}"
            )
    if row.before is not None:
        lines.append(f"Pinned answer: {in_digits(row.before)}")
    lines.append("Click to put it into the sentence.")
    return "\n".join(lines)


class Scores:
    """A block: the words of one gap.

    Args:
        rows: Most probable first.
        gap: The number of the gap, for the spots' keys.
        width: In pixels.
        axis: Powers of ten the bars' axis holds; the same for gaps that are compared.
    """

    def __init__(self, rows: Sequence[Row], gap: int, width: float, axis: int) -> None:
        self._rows, self._width, self._axis = rows, width, axis
        self._line = text_height("body")
        self._small = text_height("small")
        self._head = self._small + 6
        self._tops: list[float] = []
        y = self._head
        for row in rows:
            self._tops.append(y)
            y += self._high(row)
        self.height = y + 2
        self._pinned = any(row.before is not None for row in rows)
        self._columns = self._arrange()
        self.spots = tuple(
            Spot(
                QRectF(0, top, width, self._high(row)),
                ("word", gap, row.score.word) if row.score.log_probability is not None else None,
                details(row),
                f"{row.score.word}: {self._number(row)}",
            )
            for row, top in zip(rows, self._tops, strict=True)
        )

    def _high(self, row: Row) -> float:
        return self._line + 10 + (self._small if row.pieces or row.score.problem else 0.0)

    @staticmethod
    def _number(row: Row) -> str:
        log = row.score.log_probability
        return "–" if log is None else in_digits(math.exp(log))

    def _cells(self, row: Row) -> dict[str, str]:
        one = row.score
        change = ""
        if row.before is not None and one.log_probability is not None:
            change = times(one.log_probability - math.log(max(row.before, 1e-300)))
        return {
            "change": change,
            "log-odds": "" if one.log_odds is None else f"{one.log_odds:+.2f}".replace("-", "−"),
            "rank": "" if one.rank is None else f"{one.rank:,}",
            "probability": self._number(row),
        }

    def _arrange(self) -> dict[str, tuple[float, float]]:
        at: dict[str, tuple[float, float]] = {}
        right = self._width - SIDE
        names = ["log-odds", "rank", "probability"]
        if self._pinned:
            names.insert(0, "change")
        if self._width < 400:
            names.remove("log-odds")
        if not any(row.score.rank for row in self._rows):
            names.remove("rank")
        for name in names:
            texts = [self._cells(row)[name] for row in self._rows]
            wide = max(text_width("small", name), *(text_width("body", text) for text in texts))
            at[name] = (right - wide, right)
            right -= wide + BETWEEN
        words = max(
            (
                max(
                    text_width("strong", row.score.word)
                    + (text_width("small", row.tag) + 12 if row.tag else 0),
                    text_width("small", row.pieces),
                )
                for row in self._rows
            ),
            default=0.0,
        )
        at["word"] = (SIDE, SIDE + min(words + 4, max(right - SIDE, 80.0) * 0.6))
        at["bars"] = (at["word"][1] + BETWEEN, right)
        return at

    def _cell(self, name: str, top: float, height: float) -> QRectF:
        left, right = self._columns[name]
        return QRectF(left, top, right - left, height)

    def _x(self, log: float) -> float:
        """Where a probability, given as its logarithm, stands on the axis."""
        left, right = self._columns["bars"]
        share = 1.0 + log / math.log(10) / self._axis
        return left + (right - left) * min(max(share, 0.0), 1.0)

    def paint(self, painter: QPainter, theme: Theme) -> None:
        """Heads, the axis, and the rows."""
        for name in ("probability", "rank", "log-odds", "change"):
            if name in self._columns:
                cell = self._cell(name, 0, self._head)
                draw_text(painter, cell, name, "small", theme.muted, RIGHT)
        self._paint_axis(painter, theme)
        for row, top in zip(self._rows, self._tops, strict=True):
            self._paint_row(painter, theme, row, top)

    def _paint_axis(self, painter: QPainter, theme: Theme) -> None:
        left, right = self._columns["bars"]
        if right - left < 60:
            return
        step = max(1, math.ceil(self._axis / max(1, (right - left) // 56)))
        for power in range(0, self._axis + 1, step):
            x = self._x(-power * math.log(10))
            painter.setPen(QPen(theme.border, 1.0))
            painter.drawLine(QLineF(x, self._head, x, self.height))
            text = "1" if power == 0 else in_digits(10.0**-power) if power < 4 else _power(power)
            text = text.rstrip("0") if 0 < power < 4 else text
            box = QRectF(x - 28, 0, 56, self._head - 2)
            draw_text(painter, box, text, "small", theme.muted)

    def _paint_row(self, painter: QPainter, theme: Theme, row: Row, top: float) -> None:
        one, line = row.score, self._line + 10
        word = self._cell("word", top, line)
        tag = text_width("small", row.tag) + 12 if row.tag else 0.0
        wide = min(text_width("strong", one.word), max(word.width() - tag, 24.0))
        box = QRectF(word.left(), top, wide, line)
        colour = theme.muted if one.log_probability is None else theme.text
        draw_text(painter, box, one.word, "strong", colour, LEFT, ELIDE)
        if row.tag:
            beside = QRectF(word.left() + wide + 8, top + 1, max(word.width() - wide - 8, 0), line)
            if beside.width() > 30:
                draw_text(painter, beside, row.tag, "small", theme.mask, LEFT, ELIDE)
        if one.problem:
            below = QRectF(SIDE, top + line - 5, self._width - 2 * SIDE, self._small)
            draw_text(painter, below, one.problem, "small", theme.warning, LEFT, ELIDE)
        elif row.pieces:
            right = self._columns["bars"][1]
            below = QRectF(SIDE, top + line - 5, right - SIDE, self._small)
            draw_text(painter, below, row.pieces, "small", theme.muted, LEFT, ELIDE)
        for name, text in self._cells(row).items():
            if name in self._columns and text:
                ink = theme.accent if name == "change" else theme.text
                ink = theme.muted if name == "rank" else ink
                draw_text(painter, self._cell(name, top, line), text, "body", ink, RIGHT)
        self._paint_bar(painter, theme, row, top, line)

    def _paint_bar(
        self, painter: QPainter, theme: Theme, row: Row, top: float, line: float
    ) -> None:
        left, right = self._columns["bars"]
        log = row.score.log_probability
        if log is None or right - left < 12:
            return
        x = self._x(log)
        bar = QRectF(left, top + line / 2 - 5, max(x - left, 2.0), 10)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(theme.bar_original if row.tag == ORIGINAL else theme.bar)
        painter.drawRoundedRect(bar, 2, 2)
        if row.before:
            at = self._x(math.log(row.before))
            painter.setPen(QPen(theme.accent, 2.0))
            painter.drawLine(QLineF(at, top + 4, at, top + line - 4))


def _power(power: int) -> str:
    return f"10{str(-power).translate(str.maketrans('-0123456789', '⁻⁰¹²³⁴⁵⁶⁷⁸⁹'))}"
