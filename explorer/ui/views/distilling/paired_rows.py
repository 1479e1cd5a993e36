"""Words with two probabilities each: one table and one chart, aligned by word."""

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QColor, QPainter

from explorer.ui.blocks.block import Spot
from explorer.ui.sentence.token_layout import text_height, text_width
from explorer.ui.sentence.token_painting import draw_text
from explorer.ui.theme.schemes import Theme
from explorer.ui.views.distilling.roles import student_colour, teacher_colour
from explorer.ui.widgets.bar_rows import in_digits, scale_for

LEFT = Qt.AlignmentFlag.AlignLeft
RIGHT = Qt.AlignmentFlag.AlignRight
ELIDE_RIGHT = Qt.TextElideMode.ElideRight
BETWEEN = 12.0
NARROW = 470.0
"""Below this width the ranks are only in the tooltips."""
TAG = "hard label"
DIFFERENCE = "difference"


@dataclass(frozen=True)
class PairedRow:
    """One word.

    Attributes:
        word: As it is drawn.
        token: The piece.
        teacher: Its probability for the teacher.
        student: Its probability for the student.
        teacher_rank: 1 for the likeliest.
        student_rank: 1 for the likeliest.
        is_label: It is the hard label.
        pinned: What the student of a pinned answer gives it, where there is one.
    """

    word: str
    token: str
    teacher: float
    student: float
    teacher_rank: int
    student_rank: int
    is_label: bool = False
    pinned: float | None = None

    @property
    def difference(self) -> float:
        """The student's minus the teacher's."""
        return self.student - self.teacher


def signed(value: float) -> str:
    """A difference with its sign and four decimals."""
    if abs(value) < 0.00005:
        return "0.0000"
    return f"{'+' if value > 0 else '−'}{abs(value):.4f}"


class PairedRows:
    """A block of a page: header, axis, rows."""

    def __init__(self, rows: Sequence[PairedRow], width: float, *, chooses: bool) -> None:
        self.rows, self.width = tuple(rows), width
        largest = max((max(row.teacher, row.student) for row in rows), default=1.0)
        self.scale = scale_for(largest)
        self.row_height = text_height("body") + 10
        self.header = text_height("small") + 8
        self._columns()
        self.spots = tuple(
            Spot(
                QRectF(0, self.header + n * self.row_height, width, self.row_height),
                ("word", row.word) if chooses else None,
                self._tooltip(row, chooses),
                self._spoken(row),
            )
            for n, row in enumerate(self.rows)
        )

    @property
    def height(self) -> float:
        """Of the header and all rows."""
        return self.header + len(self.rows) * self.row_height

    def _columns(self) -> None:
        every = self.rows
        number = max(
            [text_width("body", "0.0000")]
            + [text_width("body", in_digits(p)) for r in every for p in (r.teacher, r.student)]
        )
        shown = self.width >= NARROW
        ranks = [f"#{rank:,}" for r in every for rank in (r.teacher_rank, r.student_rank)]
        rank = max([text_width("small", "#00"), *(text_width("small", one) for one in ranks)])
        rank = rank + 6 if shown else 0.0
        words = max((self._word_width(row) for row in every), default=40.0)
        self.word_end = min(words, self.width * 0.3)
        self.teacher_number = self.word_end + BETWEEN + number
        self.teacher_rank = self.teacher_number + rank
        difference = max(text_width("body", "+0.0000"), text_width("small", DIFFERENCE)) + 2
        if self.width < NARROW * 0.75:
            difference = 0.0
        self.difference = self.width
        self.student_rank = self.width - (difference + BETWEEN if difference else 0.0)
        self.student_number = self.student_rank - rank
        self.bar = self.teacher_rank + BETWEEN
        self.bar_end = max(self.student_number - number - BETWEEN, self.bar + 30)
        self.number_width, self.rank_width, self.difference_width = number, rank, difference

    @staticmethod
    def _word_width(row: PairedRow) -> float:
        tag = text_width("small", TAG) + 8 if row.is_label else 0.0
        return text_width("strong" if row.is_label else "body", row.word) + tag + 8

    @staticmethod
    def _spoken(row: PairedRow) -> str:
        return (
            f"{row.word}: teacher {in_digits(row.teacher)}, rank {row.teacher_rank}; "
            f"student {in_digits(row.student)}, rank {row.student_rank}"
        )

    @staticmethod
    def _tooltip(row: PairedRow, chooses: bool) -> str:
        lines = [
            f"{row.word}   (piece: {row.token})",
            f"Teacher: {in_digits(row.teacher)}, rank {row.teacher_rank:,}",
            f"Student: {in_digits(row.student)}, rank {row.student_rank:,}",
            f"Difference: {signed(row.difference)}",
        ]
        if row.teacher > 0 and row.student > 0:
            lines.append(f"The student gives it {row.student / row.teacher:.3g} times as much.")
        if row.pinned is not None:
            change = signed(row.student - row.pinned)
            lines.append(f"Pinned student: {in_digits(row.pinned)}; now {change}")
        if row.is_label:
            lines.append("The word that is hidden: the hard label.")
        if chooses:
            lines.append("Click to put it into the sentence.")
        return "\n".join(lines)

    def paint(self, painter: QPainter, theme: Theme) -> None:
        """The header, then row after row."""
        self._paint_header(painter, theme)
        y = self.header
        for row in self.rows:
            self._paint_row(painter, theme, row, y)
            y += self.row_height

    def _paint_header(self, painter: QPainter, theme: Theme) -> None:
        high = self.header - 4

        def write(end: float, wide: float, words: str, colour: QColor) -> None:
            draw_text(painter, QRectF(end - wide, 0, wide, high), words, "small", colour, RIGHT)

        teacher = self.teacher_rank - self.word_end
        write(self.teacher_rank, teacher, "teacher", teacher_colour(theme))
        write(self.student_rank, self.student_rank - self.bar_end, "student", student_colour(theme))
        if self.difference_width:
            write(self.difference, self.difference_width, DIFFERENCE, theme.muted)
        axis = QRectF(self.bar, 0, self.bar_end - self.bar, high)
        draw_text(painter, axis, "0", "small", theme.muted, LEFT)
        if self.bar_end - self.bar > 60:
            draw_text(painter, axis, f"{self.scale:g}", "small", theme.muted, RIGHT)

    def _paint_row(self, painter: QPainter, theme: Theme, row: PairedRow, y: float) -> None:
        high = self.row_height
        if row.is_label:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(theme.mask_fill)
            painter.drawRoundedRect(QRectF(0, y + 0.5, self.width, high - 1), 4, 4)
        role = "strong" if row.is_label else "body"
        tag = text_width("small", TAG) + 8 if row.is_label else 0.0
        words = QRectF(4, y, max(self.word_end - tag - 4, 20.0), high)
        draw_text(
            painter,
            words,
            row.word,
            "strong" if role == "strong" else "body",
            theme.text,
            LEFT,
            ELIDE_RIGHT,
        )
        if row.is_label:
            place = QRectF(self.word_end - tag + 6, y + 1, tag, high)
            draw_text(painter, place, TAG, "small", theme.mask, LEFT)
        for end, rank_end, probability, rank in (
            (self.teacher_number, self.teacher_rank, row.teacher, row.teacher_rank),
            (self.student_number, self.student_rank, row.student, row.student_rank),
        ):
            place = QRectF(end - self.number_width, y, self.number_width, high)
            draw_text(painter, place, in_digits(probability), "body", theme.text, RIGHT)
            if self.rank_width:
                place = QRectF(end, y + 1, rank_end - end, high)
                draw_text(painter, place, f"#{rank:,}", "small", theme.muted, RIGHT)
        if self.difference_width:
            place = QRectF(self.difference - self.difference_width, y, self.difference_width, high)
            draw_text(painter, place, signed(row.difference), "body", theme.muted, RIGHT)
        self._paint_bars(painter, theme, row, y)

    def _paint_bars(self, painter: QPainter, theme: Theme, row: PairedRow, y: float) -> None:
        whole = self.bar_end - self.bar
        thick = max(round((self.row_height - 8) / 2), 4)
        top = y + self.row_height / 2 - thick - 0.5
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(theme.track)
        painter.drawRoundedRect(QRectF(self.bar, top, whole, 2 * thick + 1), 2, 2)
        for n, (probability, colour) in enumerate(
            ((row.teacher, teacher_colour(theme)), (row.student, student_colour(theme)))
        ):
            painter.setBrush(colour)
            length = max(whole * min(probability / self.scale, 1.0), 1.0)
            painter.drawRoundedRect(QRectF(self.bar, top + n * (thick + 1), length, thick), 2, 2)
        if row.pinned is not None:
            at = self.bar + whole * min(row.pinned / self.scale, 1.0)
            painter.setBrush(theme.text)
            painter.drawRect(QRectF(at - 1, top + thick - 1, 2, thick + 4))
