"""Probabilities before and after, a row each: two bars, two numbers, and the difference."""

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QColor, QPainter

from explorer.questions.attention.head_ablation.question import Changes, MaskChange, WordChange
from explorer.ui.blocks.block import Spot
from explorer.ui.matrices.scale import Scale
from explorer.ui.sentence.pieces import visible
from explorer.ui.sentence.token_layout import text_height, text_width
from explorer.ui.sentence.token_painting import draw_text
from explorer.ui.theme.schemes import FontRole, Theme
from explorer.ui.widgets.bar_rows import in_digits, scale_for

LEFT = Qt.AlignmentFlag.AlignLeft
RIGHT = Qt.AlignmentFlag.AlignRight
ELIDE = Qt.TextElideMode.ElideRight
BETWEEN = 12.0
TAG = "original"


@dataclass(frozen=True)
class ChangeRow:
    """One row.

    Attributes:
        label: The word, or the token.
        before: A probability; None where it is not known.
        after: The same, afterwards.
        marked: It is the word under the mask.
        words: For the tooltip.
    """

    label: str
    before: float | None
    after: float | None
    marked: bool = False
    words: str = ""


def signed(change: float) -> str:
    """A difference with its sign and four decimals; "0" where there is none at all."""
    if change == 0:
        return "0"
    if abs(change) < 0.00005:
        return "+0.0000" if change > 0 else "−0.0000"
    return f"{'+' if change > 0 else '−'}{abs(change):.4f}"


def rows_of_mask(mask: MaskChange) -> tuple[ChangeRow, ...]:
    """The words at one mask."""
    return tuple(
        ChangeRow(
            visible(one.word) or one.token, one.before, one.after, one.is_original, about(one)
        )
        for one in mask.words
    )


def about(one: WordChange) -> str:
    """What is known of a word, line by line."""
    lines = [visible(one.word) or one.token, f"Piece: {one.token}"]
    for when, probability, rank in (
        ("Before", one.before, one.rank_before),
        ("After", one.after, one.rank_after),
    ):
        if probability is None or rank is None:
            lines.append(f"{when}: not found by the search for spans")
        else:
            lines.append(f"{when}: {in_digits(probability)}, rank {rank:,}")
    if one.is_original:
        lines.append("The word that is under the mask.")
    return "\n".join(lines)


def rows_of_tokens(changes: Changes) -> tuple[ChangeRow, ...]:
    """A discriminator's probabilities that the tokens were replaced; special ones left out."""
    before, after = changes.replaced_before, changes.replaced_after
    if before is None or after is None:
        return ()
    rows = []
    for position, token in enumerate(changes.tokens):
        if not token.special:
            was, now = float(before[position]), float(after[position])
            words = (
                f"{token.text}, at position {position}\nReplaced, before: {in_digits(was)}\n"
                f"After: {in_digits(now)}"
            )
            rows.append(ChangeRow(token.text, was, now, words=words))
    return tuple(rows)


class ChangeRows:
    """A block of a page: header, axis, rows.

    Args:
        rows: In order.
        width: In pixels.
        scale: Probability at the right end of the bars; None fits the rows.
    """

    def __init__(self, rows: Sequence[ChangeRow], width: float, scale: float | None = None) -> None:
        self.rows, self.width = tuple(rows), width
        known = [p for row in rows for p in (row.before, row.after) if p is not None]
        self.scale = scale if scale is not None else scale_for(max(known, default=1.0))
        self._high = text_height("body") + 8
        self._head = text_height("small") + 6
        self._number = max([text_width("body", "0.0000"), *(self._wide(p) for p in known)])
        self._change = max(text_width("body", "+0.0000"), text_width("small", "change")) + 14
        labels = [text_width("strong", row.label) + self._tag(row) for row in rows]
        self._word = min(max(labels, default=40.0), width * 0.34) + BETWEEN
        self._bar = self._word + self._number + BETWEEN
        self._end = max(width - self._change - BETWEEN - self._number - BETWEEN, self._bar + 24)
        self.height = self._head + len(self.rows) * self._high
        self.spots = tuple(
            Spot(
                QRectF(0, self._head + n * self._high, width, self._high),
                None,
                row.words,
                row.words.replace("\n", ". "),
            )
            for n, row in enumerate(self.rows)
        )

    @staticmethod
    def _wide(probability: float) -> float:
        return text_width("body", in_digits(probability))

    @staticmethod
    def _tag(row: ChangeRow) -> float:
        return text_width("small", TAG) + 8 if row.marked else 0.0

    def paint(self, painter: QPainter, theme: Theme) -> None:
        """The header, then row after row."""
        high = self._head - 4
        number = QRectF(self._word, 0, self._number, high)
        draw_text(painter, number, "before", "small", theme.muted, RIGHT)
        axis = QRectF(self._bar, 0, self._end - self._bar, high)
        draw_text(painter, axis, "0", "small", theme.muted, LEFT)
        draw_text(painter, axis, f"{self.scale:g}", "small", theme.muted, RIGHT)
        number = QRectF(self._end + BETWEEN, 0, self._number, high)
        draw_text(painter, number, "after", "small", theme.accent, RIGHT)
        change = QRectF(self.width - self._change, 0, self._change - 2, high)
        draw_text(painter, change, "change", "small", theme.muted, RIGHT)
        for n, row in enumerate(self.rows):
            self._paint_row(painter, theme, row, self._head + n * self._high)

    def _paint_row(self, painter: QPainter, theme: Theme, row: ChangeRow, y: float) -> None:
        high = self._high
        if row.marked:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(theme.mask_fill)
            painter.drawRoundedRect(QRectF(0, y + 0.5, self.width, high - 1), 4, 4)
        tag = self._tag(row)
        place = QRectF(4, y, self._word - BETWEEN - tag, high)
        role: FontRole = "strong" if row.marked else "body"
        draw_text(painter, place, row.label, role, theme.text, LEFT, ELIDE)
        if row.marked:
            wide = min(text_width(role, row.label), place.width())
            draw_text(
                painter,
                QRectF(8 + wide, y + 1, tag, high),
                TAG,
                "small",
                theme.mask,
                LEFT,
            )
        self._paint_number(painter, theme, row.before, QRectF(self._word, y, self._number, high))
        after = QRectF(self._end + BETWEEN, y, self._number, high)
        self._paint_number(painter, theme, row.after, after)
        if row.before is not None and row.after is not None:
            change = row.after - row.before
            box = QRectF(self.width - self._change, y + 2, self._change - 2, high - 4)
            ground = shade(change, self.scale, theme)
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(ground)
            painter.drawRoundedRect(box, 3, 3)
            light = 0.299 * ground.red() + 0.587 * ground.green() + 0.114 * ground.blue()
            ink = QColor("#101216") if light > 140 else QColor("#f4f5f7")
            draw_text(painter, box.adjusted(0, 0, -4, 0), signed(change), "body", ink, RIGHT)
        self._paint_bars(painter, theme, row, y)

    @staticmethod
    def _paint_number(painter: QPainter, theme: Theme, value: float | None, box: QRectF) -> None:
        text = in_digits(value) if value is not None else "–"
        draw_text(painter, box, text, "body", theme.text, RIGHT)

    def _paint_bars(self, painter: QPainter, theme: Theme, row: ChangeRow, y: float) -> None:
        whole = self._end - self._bar
        thick = max(round((self._high - 8) / 2), 4)
        top = y + self._high / 2 - thick - 0.5
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(theme.track)
        painter.drawRoundedRect(QRectF(self._bar, top, whole, 2 * thick + 1), 2, 2)
        for n, (probability, colour) in enumerate(
            ((row.before, theme.muted), (row.after, theme.bar))
        ):
            if probability is not None:
                painter.setBrush(colour)
                length = max(whole * min(probability / self.scale, 1.0), 1.0)
                box = QRectF(self._bar, top + n * (thick + 1), length, thick)
                painter.drawRoundedRect(box, 2, 2)


def shade(change: float, scale: float, theme: Theme) -> QColor:
    """A colour for a difference: the strongest where it is as large as the bars' axis."""
    import numpy as np

    colours = Scale(scale, diverging=True).colours(np.array([change], np.float32), theme)
    return QColor(*(int(c) for c in colours[0]))
