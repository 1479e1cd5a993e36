"""What stands above every frame of a film: its step, and where among all frames it is."""

from collections.abc import Sequence
from dataclasses import replace

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
    """The frames of a film with their steps, all of one size.

    Args:
        pictures: Pages.
        steps: Of the training, one each.
        choice: How they became pictures.
    """
    theme = theme_of("dark" if choice.dark else "light")
    margin = {"screen": SCREEN_MARGIN, "slide": SLIDE_MARGIN}.get(choice.size, PAPER_MARGIN)
    width = max(one.figure.width for one in pictures)
    high = max(one.figure.height for one in pictures)
    return [
        replace(
            one,
            figure=_framed(one.figure, width, high, margin, steps, number, theme),
            words=f"{words_of_step(steps[number], steps[-1])}. {one.words}",
        )
        for number, one in enumerate(pictures)
    ]


def _framed(
    figure: Figure,
    width: float,
    high: float,
    margin: float,
    steps: Sequence[int],
    number: int,
    theme: Theme,
) -> Figure:
    strip = ABOVE + text_height("heading") + BELOW
    words = words_of_step(steps[number], steps[-1])
    # As wide as the widest, so that nothing moves while the film plays.
    widest = max(text_width("heading", words_of_step(one, steps[-1])) for one in steps)

    def paint(painter: QPainter) -> None:
        painter.fillRect(QRectF(0, 0, width, strip + high), theme.surface)
        box = QRectF(margin, ABOVE, width - 2 * margin, text_height("heading"))
        draw_text(painter, box, words, "heading", theme.text, Qt.AlignmentFlag.AlignLeft)
        _draw_line(painter, box, box.left() + widest + GAP, len(steps), number, theme)
        with painter_moved(painter, 0, strip):
            figure.paint(painter)

    return Figure(width, strip + high, paint)


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
