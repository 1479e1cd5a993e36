"""Losses as rows: name, formula, what it is averaged over, value; grouped by paper."""

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QPainter, QPen

from explorer.questions.distillation.distillation_losses.terms import (
    DISTILBERT,
    HINTON,
    MOBILEBERT,
    TINYBERT,
    Term,
)
from explorer.text.glossary import explain
from explorer.ui.blocks.block import Spot
from explorer.ui.matrices.scale import number
from explorer.ui.sentence.token_layout import text_height, text_width
from explorer.ui.sentence.token_painting import draw_text
from explorer.ui.theme.schemes import Theme
from explorer.ui.widgets.text_block import paint_block, wrapped

LEFT = Qt.AlignmentFlag.AlignLeft
RIGHT = Qt.AlignmentFlag.AlignRight
SOURCES = {
    HINTON: "Hinton, Vinyals and Dean 2015, section 2: p is the teacher's distribution at T, q the "
    "student's",
    DISTILBERT: "Sanh et al. 2019, section 2: y is the hidden word, h a hidden state",
    TINYBERT: "Jiao et al. 2020, section 3, equations 7 to 10",
    MOBILEBERT: "Sun et al. 2020, section 3.5, equations 1 and 2",
}
EXPLAINED = {
    "distillation": "cross-entropy",
    "kl_teacher_student": "KL divergence",
    "kl_student_teacher": "KL divergence",
    "student": "hard label",
    "cosine": "hidden state",
    "tinybert_hidden": "layer map",
    "tinybert_attention": "layer map",
    "tinybert_prediction": "cross-entropy",
}
"""Losses by the term that a person may look up."""
GAP = 7.0
NARROW = 560.0
TOTAL = "total"


@dataclass(frozen=True)
class _Line:
    """One loss at its place."""

    term: Term
    top: float
    height: float
    formula: tuple[str, ...]
    small: tuple[str, ...]


class LossRows:
    """A block of a page."""

    def __init__(self, terms: Sequence[Term], width: float) -> None:
        self.width = width
        self.body, self.small = text_height("body"), text_height("small")
        values = [self._value(term) for term in terms]
        self.value_width = max((text_width("strong", value) for value in values), default=40) + 4
        titles = max((text_width("strong", term.title) for term in terms), default=80.0)
        self.is_narrow = width < NARROW
        self.formula = 0.0 if self.is_narrow else min(titles + 22, width * 0.4)
        self.headings: list[tuple[str, float]] = []
        self.lines: list[_Line] = []
        y = 0.0
        group = ""
        for term in terms:
            if term.group != group:
                group = term.group
                y += 14.0 if self.lines else 0.0
                self.headings.append((group, y))
                y += self._heading_height(group)
            line = self._arranged(term, y)
            self.lines.append(line)
            y += line.height
        self._height = y
        self.spots = tuple(
            Spot(QRectF(0, line.top, width, line.height), None, self._tooltip(line.term))
            for line in self.lines
        )

    @property
    def height(self) -> float:
        """Of all groups."""
        return self._height

    def _heading_height(self, group: str) -> float:
        lines = wrapped("small", SOURCES[group], self.width)
        return self.body + 2 + len(lines) * self.small + 5

    def _arranged(self, term: Term, top: float) -> _Line:
        room = self.width - self.formula - self.value_width - 16
        formula = tuple(wrapped("body", term.formula, room))
        words = [term.why] if term.value is None else [term.reduction]
        if term.layers:
            words.append(
                "student layer → teacher layer: "
                + " · ".join(f"{m} → {n}: {number(value)}" for m, n, value in term.layers)
            )
        full = self.width - self.formula - (0 if self.is_narrow else self.value_width + 16)
        small = tuple(line for text in words for line in wrapped("small", text, full))
        above = self.body + 1 if self.is_narrow else 0.0
        high = above + max(len(formula), 1) * self.body + len(small) * self.small + GAP
        return _Line(term, top, high, formula, small)

    @staticmethod
    def _value(term: Term) -> str:
        return number(term.value) if term.value is not None else "—"

    @staticmethod
    def _tooltip(term: Term) -> str:
        lines = [term.title, term.formula, term.reduction]
        explained = EXPLAINED.get(term.key)
        if explained is not None:
            lines.append(explain(explained))
        if term.scale != 1.0 and term.value is not None:
            lines.append(f"Without T²: {number(term.value / term.scale)}")
        if term.why:
            lines.append(term.why)
        return "\n".join(lines)

    def paint(self, painter: QPainter, theme: Theme) -> None:
        """Heading after heading, row after row."""
        for group, y in self.headings:
            place = QRectF(0, y, self.width, self.body)
            draw_text(painter, place, group, "strong", theme.text, LEFT)
            lines = wrapped("small", SOURCES[group], self.width)
            box = QRectF(0, y + self.body + 2, self.width, len(lines) * self.small)
            paint_block(painter, box, lines, "small", theme.muted)
        for line in self.lines:
            self._paint_line(painter, theme, line)

    def _paint_line(self, painter: QPainter, theme: Theme, line: _Line) -> None:
        term = line.term
        painter.setPen(QPen(theme.border, 1.0))
        painter.drawLine(QPointF(0, line.top - 3), QPointF(self.width, line.top - 3))
        is_total = term.key == TOTAL
        colour = theme.text if term.value is not None else theme.muted
        role = "strong" if is_total else "body"
        if is_total:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(theme.selection)
            box = QRectF(-4, line.top - 2, self.width + 8, line.height - 2)
            painter.drawRoundedRect(box, 4, 4)
        room = self.width - self.value_width - 10 if self.is_narrow else self.formula - 12
        place = QRectF(0, line.top, room, self.body)
        draw_text(painter, place, term.title, "strong" if is_total else "body", colour, LEFT)
        place = QRectF(self.width - self.value_width, line.top, self.value_width, self.body)
        draw_text(painter, place, self._value(term), "strong", colour, RIGHT)
        y = line.top + (self.body + 1 if self.is_narrow else 0.0)
        box = QRectF(self.formula, y, self.width, len(line.formula) * self.body)
        paint_block(painter, box, line.formula, "strong" if role == "strong" else "body", colour)
        y += max(len(line.formula), 1) * self.body
        box = QRectF(self.formula, y, self.width, len(line.small) * self.small)
        paint_block(painter, box, line.small, "small", theme.muted)
