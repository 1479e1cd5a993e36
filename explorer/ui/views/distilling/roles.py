"""Who is who: the teacher is blue and stands first, the student is green, second, and dashed."""

from collections.abc import Mapping
from dataclasses import dataclass

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPen

from explorer.api import ModelCard
from explorer.document import Document
from explorer.operations.soft_targets import SWAPPED
from explorer.ui.theme import Theme
from explorer.ui.widgets.token_layout import text_height, text_width
from explorer.ui.widgets.token_painting import draw_text

VIEWS = ("soft_targets", "distillation", "cost")
"""Operations whose views compare a teacher with its student."""

LEFT = Qt.AlignmentFlag.AlignLeft


def slots_of(document: Document) -> tuple[str, str]:
    """The teacher's slot and the student's."""
    return ("B", "A") if document.option(SWAPPED, False) is True else ("A", "B")


def teacher_colour(theme: Theme) -> QColor:
    """Of the teacher's bars and lines."""
    return theme.bar


def student_colour(theme: Theme) -> QColor:
    """Of the student's bars and lines."""
    return theme.bar_second


@dataclass(frozen=True)
class Pair:
    """The two models by name.

    Attributes:
        teacher: What the user reads.
        student: What the user reads.
        slots: Of both.
    """

    teacher: str
    student: str
    slots: tuple[str, str] = ("A", "B")


def pair_of(
    teacher_id: str, student_id: str, cards: Mapping[str, ModelCard], document: Document | None
) -> Pair:
    """Names of two models: their titles where they are loaded, else their ids."""
    titles = {card.stamp.id: card.title for card in cards.values()}
    slots = slots_of(document) if document is not None else ("A", "B")
    return Pair(titles.get(teacher_id, teacher_id), titles.get(student_id, student_id), slots)


def paint_line_sample(painter: QPainter, colour: QColor, box: QRectF, *, dashed: bool) -> None:
    """A short piece of a line, through the middle of a box."""
    pen = QPen(colour, 2.2)
    if dashed:
        pen.setDashPattern([3.0, 2.0])
    pen.setCapStyle(Qt.PenCapStyle.FlatCap)
    painter.setPen(pen)
    middle = box.center().y()
    painter.drawLine(QPointF(box.left(), middle), QPointF(box.right(), middle))


class Legend:
    """One line that says which colour is whose."""

    spots = ()

    def __init__(self, pair: Pair, width: float) -> None:
        self.width = width
        self.words = (
            f"Teacher ({pair.slots[0]}): {pair.teacher}",
            f"Student ({pair.slots[1]}): {pair.student}",
        )
        self._row = text_height("body") + 4
        total = sum(text_width("body", words) + 40 for words in self.words)
        self._stacked = total > width

    @property
    def height(self) -> float:
        """One line, or two where it is narrow."""
        return self._row * (2 if self._stacked else 1)

    def paint(self, painter: QPainter, theme: Theme) -> None:
        """A square and a name each."""
        x = y = 0.0
        for words, colour in zip(
            self.words, (teacher_colour(theme), student_colour(theme)), strict=True
        ):
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(colour)
            painter.drawRoundedRect(QRectF(x + 1, y + self._row / 2 - 5, 10, 10), 2, 2)
            room = self.width - x - 18
            wide = min(text_width("body", words) + 2, room)
            draw_text(painter, QRectF(x + 18, y, wide, self._row), words, "body", theme.text, LEFT)
            if self._stacked:
                y += self._row
            else:
                x += wide + 38
