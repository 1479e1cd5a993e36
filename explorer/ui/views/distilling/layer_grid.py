"""Every student layer against every teacher layer as coloured cells; a click maps one to one."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPen

from explorer.distillation.softening import Floats
from explorer.ui.blocks.block import Spot
from explorer.ui.matrices.scale import Scale, number, short
from explorer.ui.theme import Theme
from explorer.ui.widgets.token_layout import text_height, text_width
from explorer.ui.widgets.token_painting import draw_text

LEFT = Qt.AlignmentFlag.AlignLeft
RIGHT = Qt.AlignmentFlag.AlignRight
WIDEST, LOWEST = 76.0, 26.0
SMALLEST = 12.0


@dataclass(frozen=True)
class Measure:
    """What the cells hold.

    Attributes:
        key: "mse", "cosine", "cka", "attention_mse" or "attention_kl".
        title: In the chooser.
        words: What it means, and which end is alike.
        more_is_alike: A large number means alike layers.
    """

    key: str
    title: str
    words: str
    more_is_alike: bool


def scale_of(values: Floats, measure: Measure) -> Scale:
    """From 0 to the largest; where 1 is the most there can be, from a little below the least."""
    if not measure.more_is_alike:
        return Scale(float(values.max()) or 1.0)
    least = math.floor(float(values.min()) * 20 - 1e-9) / 20
    return Scale(1.0, low=min(least, 0.95))


class LayerGrid:
    """A block of a page.

    Attributes:
        values: Student layers x teacher layers.
    """

    def __init__(
        self,
        values: Floats,
        measure: Measure,
        mapped: Sequence[int],
        width: float,
        *,
        with_embeddings: bool,
    ) -> None:
        self.values, self.measure, self.mapped = values, measure, tuple(mapped)
        self.first = 0 if with_embeddings else 1
        self.rows = self._names(values.shape[0])
        self.columns = self._names(values.shape[1])
        self.label = max(text_width("small", name) for name in self.rows) + 10
        self.side = text_height("small") + 6
        self.top = 2 * text_height("small") + 10
        room = width - self.label - self.side - 4
        self.cell = max(min(room / values.shape[1], WIDEST), SMALLEST)
        self.row: float = max(min(self.cell * 0.52, 34.0), min(LOWEST, self.cell))
        self.width = width
        self.scale = scale_of(values, measure)
        self.spots = tuple(
            Spot(self._box(m, n), self._key(m, n), self._tooltip(m, n), self._spoken(m, n))
            for m in range(values.shape[0])
            for n in range(values.shape[1])
        )

    @property
    def height(self) -> float:
        """Of the labels and the cells."""
        return self.top + self.row * len(self.rows) + 4

    def _names(self, count: int) -> list[str]:
        numbers = range(self.first, self.first + count)
        return ["emb." if number == 0 else str(number) for number in numbers]

    def _box(self, m: int, n: int) -> QRectF:
        left = self.side + self.label + n * self.cell
        return QRectF(left, self.top + m * self.row, self.cell, self.row)

    def _layers(self, m: int, n: int) -> tuple[int, int]:
        return m + self.first, n + self.first

    def _key(self, m: int, n: int) -> tuple[str, tuple[int, int]] | None:
        student, teacher = self._layers(m, n)
        return ("map", (student, teacher)) if student and teacher else None

    def _is_mapped(self, m: int, n: int) -> bool:
        student, teacher = self._layers(m, n)
        if student == 0:
            return teacher == 0
        return student <= len(self.mapped) and self.mapped[student - 1] == teacher

    def _spoken(self, m: int, n: int) -> str:
        value = number(float(self.values[m, n]))
        return f"Student {self._name(m)}, teacher {self._name(n)}: {value}"

    def _name(self, index: int) -> str:
        layer = index + self.first
        return f"layer {layer}" if layer else "embeddings"

    def _tooltip(self, m: int, n: int) -> str:
        lines = [
            f"Student {self._name(m)}, teacher {self._name(n)}",
            f"{self.measure.title}: {number(float(self.values[m, n]))}",
        ]
        if self._is_mapped(m, n):
            lines.append("The student's layer learns from this one.")
        elif self._key(m, n) is not None:
            lines.append("Click to let the student's layer learn from this one.")
        return "\n".join(lines)

    def paint(self, painter: QPainter, theme: Theme) -> None:
        """Labels, cells, numbers where they fit, and the layer map."""
        small = text_height("small")
        wide = self.cell * self.values.shape[1]
        left = self.side + self.label
        place = QRectF(left, 0, max(wide, 120), small)
        draw_text(painter, place, "teacher's layer", "small", theme.muted, LEFT)
        for n, name in enumerate(self.columns):
            place = QRectF(left + n * self.cell, small + 4, self.cell, small)
            if text_width("small", name) <= self.cell:
                draw_text(painter, place, name, "small", theme.text)
        painter.save()
        painter.translate(0, self.top + self.row * self.values.shape[0])
        painter.rotate(-90)
        place = QRectF(0, 0, max(self.row * self.values.shape[0], 90), self.side)
        draw_text(painter, place, "student's layer", "small", theme.muted, LEFT)
        painter.restore()
        colours = self.scale.colours(self.values, theme)
        for m, name in enumerate(self.rows):
            place = QRectF(self.side, self.top + m * self.row, self.label - 6, self.row)
            draw_text(painter, place, name, "small", theme.text, RIGHT)
            for n in range(self.values.shape[1]):
                self._paint_cell(painter, theme, m, n, QColor(*colours[m, n].tolist()))
        for m in range(self.values.shape[0]):
            for n in range(self.values.shape[1]):
                if self._is_mapped(m, n):
                    self._paint_mark(painter, theme, self._box(m, n))

    def _paint_cell(self, painter: QPainter, theme: Theme, m: int, n: int, colour: QColor) -> None:
        box = self._box(m, n)
        painter.setPen(QPen(theme.surface, 1.0))
        painter.setBrush(colour)
        painter.drawRect(box)
        words = short(float(self.values[m, n]))
        if text_width("small", words) + 6 <= box.width() and text_height("small") <= box.height():
            ink = QColor("#14161a") if colour.lightnessF() > 0.5 else QColor("#ffffff")
            draw_text(painter, box, words, "small", ink)

    @staticmethod
    def _paint_mark(painter: QPainter, theme: Theme, box: QRectF) -> None:
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.setPen(QPen(QColor("#000000"), 4.0))
        painter.drawRect(box.adjusted(1.5, 1.5, -1.5, -1.5))
        painter.setPen(QPen(theme.bar_original, 2.4))
        painter.drawRect(box.adjusted(1.5, 1.5, -1.5, -1.5))
