"""A page laid out for paper: as wide as it will be printed, in type that can be read there."""

import math
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

from PySide6.QtCore import QRectF
from PySide6.QtGui import QPainter

from explorer.api.question import UserMistake
from explorer.export_choices import PAGE_HEIGHT, SLIDE_HEIGHT, PictureChoice
from explorer.text import N_, _
from explorer.text.formatting.numbers import decimal
from explorer.ui.blocks.block import Block
from explorer.ui.blocks.figure import Figure
from explorer.ui.blocks.page.focus import focused
from explorer.ui.blocks.page.page import Page
from explorer.ui.blocks.page.parts import branches_of, on_paper, without
from explorer.ui.blocks.page.shown import Origin, Shown
from explorer.ui.export.devices import INCH, PIXEL, figure_image, figure_pdf, figure_svg, png_bytes
from explorer.ui.export.figure_parts import FigurePart, first_that_fit, leaves_of, parts_of
from explorer.ui.export.metadata import Metadata
from explorer.ui.export.side_by_side import beside_each_other, side_by_side
from explorer.ui.theme.schemes import Theme, theme_of
from explorer.ui.typesetting.one_line import text_height
from explorer.ui.typesetting.wrapping import draw_lines, wrapped_lines
from explorer.ui.views.frame.key_finding import in_words

SCREEN_WIDTH = 960.0
"""Pixels of a picture as on screen, margins included, where there is no screen."""
SCREEN_MARGIN, PAPER_MARGIN, SLIDE_MARGIN = 24.0, 3.0, 28.0
"""Pixels around it; a figure on paper stands in a column that has margins of its own."""
CAPTION_GAP = 16.0
LARGEST_ON_SLIDE = 20.0
"""Points of the smallest type on a slide at most."""
STEP = 0.5
"""Points between two tries."""
NARROWER = (1.0, 0.85, 0.72)
"""Shares of a slide's width that are tried."""
SPARE = 0.3
"""Millimetres that nobody sees."""
WIDEST_PAGE = 210.0
"""Millimetres of A4: what is wider goes onto no page."""


@dataclass(frozen=True)
class PaperPicture:
    """A picture with the size it has on paper.

    Attributes:
        figure: In logical pixels.
        title: Of the page it is of.
        caption: How the answer came about.
        millimetres: Of a logical pixel.
        points: The smallest type on paper.
        most: How high it may be, in millimetres: a slide, or a page where it goes onto one.
        left_out: Titles of the parts that it does not show.
        off: Where those stand on the page.
        words: What it shows, for whoever does not see it.
        keywords: What it is of: the question, the parts that it shows, the models.
    """

    figure: Figure
    title: str
    caption: str
    millimetres: float
    points: float
    most: float = math.inf
    left_out: tuple[str, ...] = ()
    off: frozenset[str] = frozenset()
    words: str = ""
    keywords: tuple[str, ...] = ()

    @property
    def told(self) -> Metadata:
        """What the file says of itself."""
        pages = (self.words,) if self.words else ()
        return Metadata(self.title, self.description, self.keywords, pages)

    @property
    def description(self) -> str:
        """What the file says of itself: what it shows, and how that came about."""
        return " ".join(filter(None, (self.words, self.caption)))

    @property
    def fits(self) -> bool:
        """It is no higher than it may be."""
        return self.height <= self.most + SPARE

    def too_high(self, choice: PictureChoice) -> str:
        """What is to be done where it does not fit."""
        height, most = decimal(self.height, 0), decimal(self.most, 0)
        if choice.size == "slide":
            return _(
                "The picture is {height} mm high, and a slide {most} mm: choose fewer parts or "
                "fewer rows.",
                height=height,
                most=most,
            )
        return _(
            "The picture is {height} mm high, and a page has room for {most} mm: choose fewer "
            "parts, or a greater width.",
            height=height,
            most=most,
        )

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
            return figure_svg(self.figure, self.told, self.millimetres, outlines=choice.outlines)
        if choice.form == "pdf":
            return figure_pdf(self.figure, self.told, self.millimetres, outlines=choice.outlines)
        return png_bytes(figure_image(self.figure, choice.dpi, self.millimetres), self.told)


def printed(
    page: Page,
    shown: Shown,
    origin: Origin,
    title: str,
    choice: PictureChoice,
    off: Collection[str] | None = (),
    screen: float = SCREEN_WIDTH,
    titles: Sequence[str] = (),
) -> PaperPicture:
    """Lay a page out as it was chosen.

    Args:
        page: How the answer looks.
        shown: The answer.
        origin: How it came about.
        title: What stands above it.
        choice: The size, and what is to be seen.
        off: Where parts stand that are left out; None leaves out those that make it higher than
            a figure.
        screen: Width of the page as on screen, in pixels.
        titles: Of what alone is shown, as on the stage; the whole page where it has none of them.

    Raises:
        UserMistake: All parts are left out.
    """
    wholes = list(_wholes(page, shown, origin, choice))
    if titles:
        meant = [(twin, focused(whole, titles)) for twin, whole in wholes]
        wholes = meant if all(whole for _twin, whole in meant) else wholes
    twin = shown.twin if len(wholes) > 1 else None
    caption = page.legend(shown, origin)
    if twin is not None:
        own, its = twin.titles
        caption = f"{own}: {caption} {its}: {page.legend(twin.shown, twin.origin)}"
    above, below = title if choice.title else "", caption if choice.caption else ""
    if off is None:
        # On a slide they take from its height; around a figure they do not count.
        around = (above, below) if choice.size == "slide" else ("", "")
        off = left_out_of_a_figure(page, shown, choice, around)
    columns = _cut(wholes, off, choice)
    if not any(blocks for _title, blocks in columns):
        raise UserMistake(N_("The picture is empty."), N_("Choose what it shows."))
    sheet = _PaperSheet(columns, above, below, theme_of("dark" if choice.dark else "light"))
    figure, pixel, points = _laid_out(sheet, choice, screen)
    leaves = [leaf for one in branches_of(wholes[0][1]) for leaf in one.leaves]
    titles = tuple(one.title for one in leaves if one.key in off)
    seen = (one.title for one in leaves if one.key not in off)
    origins = (origin,) if twin is None else (origin, twin.origin)
    models = (one.id for its in origins for one in its.models.values())
    words = in_words(page.of, shown.result, shown.settings_of(page.of))
    if twin is not None:
        beside = in_words(page.of, twin.shown.result, twin.shown.settings_of(page.of))
        words = f"{own}: {words} {its}: {beside}"
    return PaperPicture(
        figure,
        title,
        caption,
        pixel,
        points,
        _most(choice),
        titles,
        frozenset(off),
        words,
        tuple(dict.fromkeys(filter(None, (_(page.of.title), *seen, *models)))),
    )


def left_out_of_a_figure(
    page: Page, shown: Shown, choice: PictureChoice, around: tuple[str, str] = ("", "")
) -> frozenset[str]:
    """Where the parts stand that would make a figure higher than it should be.

    Args:
        page: How the answer looks.
        shown: The answer.
        choice: The size, and what is to be seen.
        around: What stands above and below it.
    """
    most = choice.figure_height
    leaves = leaves_of(parts_of(page, shown)) if most is not None else ()
    if most is None or len(leaves) < 2:
        return frozenset()
    paths, theme = [one.path for one in leaves], theme_of("light")
    wholes = list(_wholes(page, shown, Origin(""), choice))

    def height_of(shown_parts: Sequence[FigurePart]) -> float:
        off = set(paths) - {one.path for one in shown_parts}
        sheet = _PaperSheet(_cut(wholes, off, choice), *around, theme)
        figure, pixel, _points = _laid_out(sheet, choice, SCREEN_WIDTH)
        return figure.height * pixel

    shown_parts = first_that_fit(leaves, height_of, most + SPARE)
    return frozenset(paths) - {one.path for one in shown_parts}


Columns = Sequence[tuple[str, list[Block]]]
"""The blocks of a page, or of two that stand beside each other, each with its title."""


def _wholes(
    page: Page, shown: Shown, origin: Origin, choice: PictureChoice
) -> Iterator[tuple[str, list[Block]]]:
    """All blocks of the page, and of its twin where both are wanted."""
    twin = shown.twin if choice.both else None
    other = None if twin is None else shown.turned(origin)
    if twin is None or other is None:
        yield "", page.alone(shown)
        return
    for title, one in zip(twin.titles, (shown, other), strict=True):
        yield title, page.alone(one)


def _cut(wholes: Columns, off: Collection[str], choice: PictureChoice) -> Columns:
    """Those without the parts that are left out."""
    return [
        (title, on_paper(without(whole, off), explanations=choice.explanations))
        for title, whole in wholes
    ]


def _most(choice: PictureChoice) -> float:
    """Millimetres of height that there are for a picture."""
    if choice.size == "slide":
        return SLIDE_HEIGHT
    return math.inf if choice.width is None or choice.width > WIDEST_PAGE else PAGE_HEIGHT


def _laid_out(
    sheet: "_PaperSheet", choice: PictureChoice, screen: float
) -> tuple[Figure, float, float]:
    """A sheet of a size: the picture, millimetres of a pixel, points of the smallest type."""
    wide, most = choice.width, choice.figure_height
    if wide is None or most is None:
        return sheet.at(screen, SCREEN_MARGIN), PIXEL, _smallest() * 72 / 96
    least = choice.least_points
    if choice.size != "slide":
        pixel = _pixel(least)
        return sheet.at(wide / pixel, PAPER_MARGIN, most=most / pixel), pixel, least
    points = max(LARGEST_ON_SLIDE, least)
    while True:
        pixel = _pixel(points)
        high = SLIDE_HEIGHT / pixel
        # What grows with its width, as a matrix, is made narrower first.
        shares = (1.0,) if points - STEP >= least else NARROWER
        tried = []
        for share in shares:
            tried.append(sheet.at(wide / pixel, SLIDE_MARGIN, high, high, share))
            if tried[-1].height <= high + 0.5:
                return tried[-1], pixel, points
        if points - STEP < least:
            # None fits: the lowest, and of those that are as low the widest.
            return min(tried, key=lambda one: round(one.height)), pixel, points
        points -= STEP


def _smallest() -> int:
    """Pixels of the smallest type that pages are written in."""
    return Theme.font("small").pixelSize()


def _pixel(points: float) -> float:
    """Millimetres of a logical pixel where the smallest type has so many points."""
    return points * INCH / 72 / _smallest()


@dataclass(frozen=True)
class _PaperSheet:
    """Blocks with a title above and a caption below, on the theme's ground."""

    columns: Columns
    title: str
    caption: str
    theme: Theme

    def at(
        self,
        width: float,
        margin: float,
        least: float = 0.0,
        most: float = math.inf,
        share: float = 1.0,
    ) -> Figure:
        """The picture at a width, its margins included.

        Args:
            width: In pixels.
            margin: Around it.
            least: It is so high at least.
            most: Where it is higher in one column, its panels stand side by side.
            share: Of the width that the blocks take, in its middle.
        """
        theme, inner = self.theme, width - 2 * margin
        figure = beside_each_other(self.columns, inner * share, theme, most)
        if figure.height > most and share == 1 and len(self.columns) == 1:
            figure = side_by_side(self.columns[0][1], inner, theme)
        left = margin + inner * (1 - share) / 2
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
            painter.translate(left, top)
            figure.paint(painter)
            painter.restore()
            area = QRectF(margin, below, inner, height - below)
            draw_lines(painter, area, caption, "small", theme.muted)

        breaks = tuple(top + one for one in figure.breaks)
        return Figure(width, height, paint, breaks)
