"""What two models cost, row by row: the teacher's bar is whole, the student's is its share."""

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QPainter, QPen

from explorer.ui.blocks.block import Spot
from explorer.ui.theme import FontRole, Theme
from explorer.ui.views.distilling.roles import student_colour, teacher_colour
from explorer.ui.widgets.token_layout import text_height, text_width
from explorer.ui.widgets.token_painting import draw_text

LEFT = Qt.AlignmentFlag.AlignLeft
RIGHT = Qt.AlignmentFlag.AlignRight
GAP = 14.0


@dataclass(frozen=True)
class CostRow:
    """One kind of cost.

    Attributes:
        title: What it is.
        teacher: As it is written.
        student: As it is written.
        share: The student's as a share of the teacher's; None where no bar makes sense.
        saved: "1.7 x smaller".
        words: For the tooltip.
    """

    title: str
    teacher: str
    student: str
    share: float | None = None
    saved: str = ""
    words: str = ""


class CostRows:
    """A block of a page."""

    def __init__(self, rows: Sequence[CostRow], width: float) -> None:
        self.rows, self.width = tuple(rows), width
        self.row = text_height("body") + 14
        self.header = text_height("small") + 6
        title = max(text_width("body", row.title) for row in rows) + 4
        self.title = min(title, width * 0.36)
        one = max(text_width("strong", row.teacher) for row in rows)
        two = max(text_width("strong", row.student) for row in rows)
        self.teacher = self.title + GAP + max(one, text_width("small", "teacher"))
        self.student = self.teacher + GAP + max(two, text_width("small", "student"))
        saved = max(text_width("body", row.saved) for row in rows)
        self.saved = saved if self.student + GAP + saved <= width else 0.0
        self.bar = self.student + GAP
        self.bar_end = width - (self.saved + GAP if self.saved else 0.0)
        self.spots = tuple(
            Spot(
                QRectF(0, self.header + n * self.row, width, self.row),
                None,
                "\n".join(part for part in (row.words, row.saved) if part),
            )
            for n, row in enumerate(self.rows)
        )

    @property
    def height(self) -> float:
        """Of the header and all rows."""
        return self.header + len(self.rows) * self.row

    def paint(self, painter: QPainter, theme: Theme) -> None:
        """The header, then row after row."""
        for end, words, colour in (
            (self.teacher, "teacher", teacher_colour(theme)),
            (self.student, "student", student_colour(theme)),
        ):
            place = QRectF(end - 80, 0, 80, self.header - 4)
            draw_text(painter, place, words, "small", colour, RIGHT)
        for n, row in enumerate(self.rows):
            self._paint_row(painter, theme, row, self.header + n * self.row)

    def _paint_row(self, painter: QPainter, theme: Theme, row: CostRow, y: float) -> None:
        painter.setPen(QPen(theme.border, 1.0))
        painter.drawLine(QPointF(0, y), QPointF(self.width, y))

        def write(left: float, right: float, words: str, role: FontRole, *, end: bool) -> None:
            place = QRectF(left, y, max(right - left, 10.0), self.row)
            draw_text(painter, place, words, role, theme.text, RIGHT if end else LEFT)

        write(0, self.title, row.title, "body", end=False)
        write(self.title + 4, self.teacher, row.teacher, "strong", end=True)
        write(self.teacher + 4, self.student, row.student, "strong", end=True)
        if self.saved:
            write(self.bar_end + 8, self.width, row.saved, "body", end=True)
        room = self.bar_end - self.bar
        if row.share is None or room < 40:
            return
        thick = (self.row - 16) / 2
        top = y + self.row / 2 - thick - 0.5
        longest = max(row.share, 1.0)
        painter.setPen(Qt.PenStyle.NoPen)
        for number, (share, colour) in enumerate(
            ((1.0, teacher_colour(theme)), (row.share, student_colour(theme)))
        ):
            painter.setBrush(colour)
            box = QRectF(self.bar, top + number * (thick + 1), room * share / longest, thick)
            painter.drawRoundedRect(box, 2, 2)


class ClaimRows:
    """A block of a page: what papers say, and what this pair has here."""

    HEADERS = ("", "compared with", "smaller", "faster", "source")

    def __init__(self, rows: Sequence[tuple[str, ...]], width: float) -> None:
        self.rows, self.width = [self.HEADERS, *rows], width
        self.row = text_height("body") + 10
        widths = [
            max(text_width("strong", row[column]) for row in self.rows)
            for column in range(len(self.HEADERS))
        ]
        total = sum(widths) + GAP * (len(widths) - 1)
        squeeze = min(1.0, width / total)
        self.columns: list[tuple[float, float]] = []
        x = 0.0
        for wide in widths:
            self.columns.append((x, wide * squeeze))
            x += (wide + GAP) * squeeze
        self.spots = tuple(
            Spot(QRectF(0, n * self.row, width, self.row), None, " · ".join(filter(None, row)))
            for n, row in enumerate(self.rows)
            if n
        )

    @property
    def height(self) -> float:
        """Of the header and all rows."""
        return len(self.rows) * self.row

    def paint(self, painter: QPainter, theme: Theme) -> None:
        """Row after row; the first of them, what is measured here, stands out."""
        for n, row in enumerate(self.rows):
            y = n * self.row
            if n:
                painter.setPen(QPen(theme.border, 1.0))
                painter.drawLine(QPointF(0, y), QPointF(self.width, y))
            for (x, wide), words in zip(self.columns, row, strict=True):
                role: FontRole = "small" if n == 0 else "strong" if n == 1 else "body"
                colour = theme.muted if n == 0 else theme.text
                draw_text(painter, QRectF(x, y, wide + 2, self.row), words, role, colour, LEFT)
