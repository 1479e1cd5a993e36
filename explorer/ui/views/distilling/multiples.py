"""The same words at several temperatures, side by side on one scale."""

from collections.abc import Mapping, Sequence

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QPainter

from explorer.ui.blocks.block import Spot
from explorer.ui.charts.limits import round_up
from explorer.ui.sentence.token_layout import text_height, text_width
from explorer.ui.sentence.token_painting import draw_text
from explorer.ui.theme.schemes import Theme
from explorer.ui.views.distilling.paired_rows import PairedRow
from explorer.ui.views.distilling.roles import student_colour, teacher_colour
from explorer.ui.widgets.bar_rows import in_digits

LEFT = Qt.AlignmentFlag.AlignLeft
RIGHT = Qt.AlignmentFlag.AlignRight
ELIDE_RIGHT = Qt.TextElideMode.ElideRight
GAP = 22.0
NARROWEST = 150.0
PAD = 6.0


class Multiples:
    """A block of a page."""

    def __init__(self, at: Mapping[float, Sequence[PairedRow]], now: float, width: float) -> None:
        self.at, self.now, self.width = dict(at), now, width
        fits = int((width + GAP) // (NARROWEST + GAP))
        self.columns = max(1, min(len(self.at), fits))
        if self.columns == 3 and len(self.at) == 4:
            self.columns = 2
        self.wide = (width - GAP * (self.columns - 1)) / self.columns
        every = [row for rows in self.at.values() for row in rows]
        largest = max((max(row.teacher, row.student) for row in every), default=1.0)
        self.scale = round_up(largest)
        self.row = text_height("small") + 4
        self.title = text_height("strong") + 6
        count = max((len(rows) for rows in self.at.values()), default=0)
        self.each = self.title + count * self.row + 2 * PAD
        widest = max((text_width("small", row.word) for row in every), default=30.0)
        self.words = min(widest + 8, self.wide * 0.42)
        self.spots = tuple(
            Spot(
                QRectF(x, y, self.wide, self.each),
                ("temperature", temperature),
                self._tooltip(temperature, rows),
                f"Temperature {temperature:g}",
            )
            for (temperature, rows), (x, y) in zip(self.at.items(), self._corners(), strict=True)
        )

    @property
    def height(self) -> float:
        """Of all rows of pictures."""
        count = -(-len(self.at) // self.columns)
        return count * self.each + (count - 1) * GAP / 2

    @staticmethod
    def _tooltip(temperature: float, rows: Sequence[PairedRow]) -> str:
        lines = [f"T = {temperature:g} (click to choose it): teacher, student"]
        lines += [f"{r.word}: {in_digits(r.teacher)}, {in_digits(r.student)}" for r in rows]
        return "\n".join(lines)

    def _corners(self) -> list[tuple[float, float]]:
        return [
            (
                (n % self.columns) * (self.wide + GAP),
                (n // self.columns) * (self.each + GAP / 2),
            )
            for n in range(len(self.at))
        ]

    def paint(self, painter: QPainter, theme: Theme) -> None:
        """Picture after picture."""
        for (temperature, rows), (x, y) in zip(self.at.items(), self._corners(), strict=True):
            painter.save()
            painter.translate(x, y)
            self._paint_one(painter, theme, temperature, rows)
            painter.restore()

    def _paint_one(
        self, painter: QPainter, theme: Theme, temperature: float, rows: Sequence[PairedRow]
    ) -> None:
        is_now = abs(temperature - self.now) < 1e-9
        title = QRectF(PAD, PAD, self.wide - 2 * PAD, self.title - 4)
        painter.setPen(theme.mask if is_now else theme.border)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawRoundedRect(QRectF(0.5, 0.5, self.wide - 1, self.each - 1), 5, 5)
        colour = theme.mask if is_now else theme.text
        draw_text(painter, title, f"T = {temperature:g}", "strong", colour, LEFT)
        draw_text(painter, title, f"to {self.scale:g}", "small", theme.muted, RIGHT)
        y = PAD + self.title
        left = PAD + self.words
        whole = self.wide - left - PAD
        thick = max(round((self.row - 5) / 2), 3)
        for row in rows:
            place = QRectF(PAD, y, self.words - 6, self.row)
            draw_text(painter, place, row.word, "small", theme.text, LEFT, ELIDE_RIGHT)
            top = y + self.row / 2 - thick - 0.5
            painter.setPen(Qt.PenStyle.NoPen)
            for n, (probability, ink) in enumerate(
                ((row.teacher, teacher_colour(theme)), (row.student, student_colour(theme)))
            ):
                painter.setBrush(ink)
                length = max(whole * min(probability / self.scale, 1.0), 1.0)
                painter.drawRect(QRectF(left, top + n * (thick + 1), length, thick))
            y += self.row
