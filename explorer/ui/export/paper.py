"""A page laid out for paper: as wide as it will be printed, in type that can be read there."""

from collections.abc import Collection
from dataclasses import dataclass

from PySide6.QtCore import QRectF
from PySide6.QtGui import QPainter

from explorer.api.question import UserMistake
from explorer.export_choices import LEAST_POINTS, SLIDE_HEIGHT, PictureChoice
from explorer.text import N_
from explorer.ui.blocks.block import Block, page_of
from explorer.ui.blocks.figure import Figure
from explorer.ui.blocks.page import Page
from explorer.ui.blocks.parts import on_paper, without
from explorer.ui.blocks.shown import Origin, Shown
from explorer.ui.export.devices import INCH, PIXEL, figure_image, figure_pdf, figure_svg, png_bytes
from explorer.ui.theme.schemes import Theme, theme_of
from explorer.ui.typesetting.one_line import text_height
from explorer.ui.typesetting.wrapping import draw_lines, wrapped_lines

SCREEN_WIDTH = 960.0
"""Pixels of a picture as on screen, margins included, where there is no screen."""
SCREEN_MARGIN, PAPER_MARGIN, SLIDE_MARGIN = 24.0, 3.0, 28.0
"""Pixels around it; a figure on paper stands in a column that has margins of its own."""
CAPTION_GAP = 16.0
LARGEST_ON_SLIDE = 16.0
"""Points of the smallest type on a slide at most."""
STEP = 0.5
"""Points between two tries."""


@dataclass(frozen=True)
class Printed:
    """A picture with the size it has on paper.

    Attributes:
        figure: In logical pixels.
        title: Of the page it is of.
        caption: How the answer came about.
        millimetres: Of a logical pixel.
        points: The smallest type on paper.
        fits: It is no higher than it may be, as a slide.
    """

    figure: Figure
    title: str
    caption: str
    millimetres: float
    points: float
    fits: bool = True

    @property
    def width(self) -> float:
        """In millimetres."""
        return self.figure.width * self.millimetres

    @property
    def height(self) -> float:
        """In millimetres."""
        return self.figure.height * self.millimetres

    def written(self, choice: PictureChoice) -> bytes:
        """As a file."""
        if choice.form == "svg":
            return figure_svg(
                self.figure,
                self.title,
                self.caption,
                self.millimetres,
                outlines=choice.outlines,
            )
        if choice.form == "pdf":
            return figure_pdf(
                self.figure,
                self.title,
                self.caption,
                self.millimetres,
                outlines=choice.outlines,
            )
        image = figure_image(self.figure, choice.dpi, self.millimetres)
        return png_bytes(image, self.title, self.caption)


def printed(
    page: Page,
    shown: Shown,
    origin: Origin,
    title: str,
    choice: PictureChoice,
    off: Collection[str] = (),
    screen: float = SCREEN_WIDTH,
) -> Printed:
    """Lay a page out as it was chosen.

    Args:
        page: How the answer looks.
        shown: The answer.
        origin: How it came about.
        title: What stands above it.
        choice: The size, and what is to be seen.
        off: Keys of parts that are left out.
        screen: Width of the page as on screen, in pixels.

    Raises:
        UserMistake: All parts are left out.
    """
    blocks = on_paper(without(page.alone(shown), off), explanations=choice.explanations)
    if not blocks:
        raise UserMistake(N_("The picture is empty."), N_("Choose what it shows."))
    caption = page.legend(shown, origin)
    sheet = _Sheet(
        blocks,
        title if choice.title else "",
        caption if choice.caption else "",
        theme_of("dark" if choice.dark else "light"),
    )
    wide = choice.width
    if wide is None:
        figure = sheet.at(screen, SCREEN_MARGIN)
        return Printed(figure, title, caption, PIXEL, _smallest() * 72 / 96)
    if choice.size != "slide":
        pixel = _pixel(choice.points)
        return Printed(sheet.at(wide / pixel, PAPER_MARGIN), title, caption, pixel, choice.points)
    points = max(LARGEST_ON_SLIDE, choice.points)
    while True:
        pixel = _pixel(points)
        figure = sheet.at(wide / pixel, SLIDE_MARGIN, SLIDE_HEIGHT / pixel)
        fits = figure.height <= SLIDE_HEIGHT / pixel + 0.5
        if fits or points - STEP < choice.points:
            return Printed(figure, title, caption, pixel, points, fits)
        points -= STEP


def _smallest() -> int:
    """Pixels of the smallest type that pages are written in."""
    return Theme.font("small").pixelSize()


def _pixel(points: float) -> float:
    """Millimetres of a logical pixel where the smallest type has so many points."""
    return max(points, LEAST_POINTS) * INCH / 72 / _smallest()


@dataclass(frozen=True)
class _Sheet:
    """Blocks with a title above and a caption below, on the theme's ground."""

    blocks: list[Block]
    title: str
    caption: str
    theme: Theme

    def at(self, width: float, margin: float, least: float = 0.0) -> Figure:
        """The picture at a width, its margins included, and at least so high."""
        theme, inner = self.theme, width - 2 * margin
        figure = page_of(self.blocks, inner).figure(theme)
        title = wrapped_lines("heading", self.title, inner)
        caption = wrapped_lines("small", self.caption, inner)
        heading, small = text_height("heading"), text_height("small")
        top = margin + (len(title) * heading + 10 if title else 0.0)
        bottom = top + figure.height
        below = bottom + CAPTION_GAP
        height = below + len(caption) * small if caption else bottom
        height = max(height + margin, least)

        def paint(painter: QPainter) -> None:
            painter.fillRect(QRectF(0, 0, width, height), theme.surface)
            above = QRectF(margin, margin - 4 if margin > 4 else margin, inner, heading)
            draw_lines(painter, above, title, "heading", theme.text)
            painter.save()
            painter.translate(margin, top)
            figure.paint(painter)
            painter.restore()
            area = QRectF(margin, below, inner, height - below)
            draw_lines(painter, area, caption, "small", theme.muted)

        return Figure(width, height, paint)
