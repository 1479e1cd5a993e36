"""Who is who: the teacher is blue and stands first, the student is green, second, and dashed."""

from collections.abc import Mapping
from dataclasses import dataclass

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPen

from explorer.api import STUDENT, TEACHER, ModelCard, ModelStamp, cast_of
from explorer.ui.theme import Theme
from explorer.ui.widgets.token_layout import text_height, text_width
from explorer.ui.widgets.token_painting import draw_text

VIEWS = ("soft_targets", "distillation", "cost")
"""Operations whose views compare a teacher with its student."""

LEFT = Qt.AlignmentFlag.AlignLeft


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
        slots: Where the two lie now; "" for one that is not loaded.
    """

    teacher: str
    student: str
    slots: tuple[str, str] = ("A", "B")

    @property
    def said(self) -> tuple[str, str]:
        """Both with what they do and where they lie."""
        whole = []
        for role, name, slot in zip(
            ("Teacher", "Student"), (self.teacher, self.student), self.slots, strict=True
        ):
            whole.append(f"{role} ({slot}): {name}" if slot else f"{role}: {name}")
        return whole[0], whole[1]


def pair_of(teacher: ModelStamp, student: ModelStamp, cards: Mapping[str, ModelCard]) -> Pair:
    """Two models by name: their titles and slots where they are loaded, else their ids."""
    cast = cast_of({TEACHER: teacher, STUDENT: student}, cards)
    slots = cast.get(TEACHER, ""), cast.get(STUDENT, "")
    names = [
        cards[slot].title if slot else stamp.id
        for slot, stamp in zip(slots, (teacher, student), strict=True)
    ]
    return Pair(names[0], names[1], slots)


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
        self.words = pair.said
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
