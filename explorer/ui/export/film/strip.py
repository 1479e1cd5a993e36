"""What is above and below every frame of a film: its step among all of them, and its caption."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QPainter, QPen

from explorer.export_choices import PictureChoice
from explorer.text import _
from explorer.text.formatting.numbers import whole
from explorer.ui.blocks.figure import Figure
from explorer.ui.export.paper import PAPER_MARGIN, SCREEN_MARGIN, SLIDE_MARGIN, PaperPicture
from explorer.ui.theme.schemes import Theme, theme_of
from explorer.ui.theme.shapes import painter_moved
from explorer.ui.typesetting.one_line import draw_text, text_height, text_width
from explorer.ui.typesetting.wrapping import draw_lines, wrapped_lines

ABOVE, BELOW = 10.0, 4.0
"""Pixels above the strip and below it."""
GAP, DOT, MARK = 18.0, 6.0, 2.0
"""Pixels between words and the line of frames, and half the width of its frame and of others."""
NARROWEST = 60.0
"""Pixels of a line of frames that is drawn at all."""


def words_of_step(step: int, last: int) -> str:
    """Which step of the training a frame is of."""
    return _("Step {step} of {last}", step=whole(step), last=whole(last))


def with_steps(
    pictures: Sequence[PaperPicture], steps: Sequence[int], choice: PictureChoice
) -> list[PaperPicture]:
    """The frames of a film with their steps above and their captions below, all of one size.

    Args:
        pictures: Pages without captions.
        steps: Of the training, one each.
        choice: How they became pictures.
    """
    margin = {"screen": SCREEN_MARGIN, "slide": SLIDE_MARGIN}.get(choice.size, PAPER_MARGIN)
    sheet = _FilmSheet(
        tuple(steps),
        max(one.figure.width for one in pictures),
        max(one.figure.height for one in pictures),
        margin,
        tuple(one.caption if choice.caption else "" for one in pictures),
        theme_of("dark" if choice.dark else "light"),
    )
    return [
        replace(
            one,
            figure=sheet.framed(one.figure, number),
            words=f"{words_of_step(steps[number], steps[-1])}. {one.words}",
        )
        for number, one in enumerate(pictures)
    ]


@dataclass(frozen=True)
class _FilmSheet:
    """What all frames have in common: nothing of it moves while a film plays.

    Attributes:
        steps: Of all frames.
        width: Of each, in pixels.
        high: Of the highest page.
        margin: At the sides.
        captions: Of all frames; "" for none.
        theme: The colours.
    """

    steps: tuple[int, ...]
    width: float
    high: float
    margin: float
    captions: tuple[str, ...]
    theme: Theme

    @property
    def inner(self) -> float:
        """The width without margins."""
        return self.width - 2 * self.margin

    def framed(self, figure: Figure, number: int) -> Figure:
        """A page as a frame of the film."""
        theme, head = self.theme, ABOVE + text_height("heading") + BELOW
        lines = [wrapped_lines("small", one, self.inner) for one in self.captions]
        deep = max(map(len, lines)) * text_height("small")
        # Pages on a screen and on a slide end with a margin of their own.
        bottom = head + self.high + max(0.0, ABOVE - self.margin)
        height = bottom + deep + max(self.margin, ABOVE) if deep else head + self.high
        words = words_of_step(self.steps[number], self.steps[-1])
        widest = max(
            text_width("heading", words_of_step(one, self.steps[-1])) for one in self.steps
        )

        def paint(painter: QPainter) -> None:
            painter.fillRect(QRectF(0, 0, self.width, height), theme.surface)
            box = QRectF(self.margin, ABOVE, self.inner, text_height("heading"))
            draw_text(painter, box, words, "heading", theme.text, Qt.AlignmentFlag.AlignLeft)
            left = box.left() + widest + GAP
            _draw_line(painter, box, left, len(self.steps), number, theme)
            with painter_moved(painter, 0, head):
                figure.paint(painter)
            below = QRectF(self.margin, bottom, self.inner, deep)
            draw_lines(painter, below, lines[number], "small", theme.muted)

        return Figure(self.width, height, paint)


def _draw_line(
    painter: QPainter, box: QRectF, left: float, count: int, number: int, theme: Theme
) -> None:
    """All frames on a line, as far apart as they come, and the one that is shown."""
    right, middle = box.right() - DOT, box.center().y()
    if right - left < NARROWEST:
        return
    places = [left + DOT + (right - left - DOT) * n / max(1, count - 1) for n in range(count)]
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(QPen(theme.edge, 1))
    painter.drawLine(QPointF(places[0], middle), QPointF(places[-1], middle))
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(theme.edge)
    for place in places:
        painter.drawEllipse(QPointF(place, middle), MARK, MARK)
    painter.setBrush(theme.accent)
    painter.drawEllipse(QPointF(places[number], middle), DOT, DOT)
    painter.restore()
