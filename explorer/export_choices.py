"""How pictures and tables are written into files, as the user chose it last."""

from dataclasses import dataclass
from typing import Annotated, Literal

import msgspec

from explorer.text import N_

CaptionPlace = Literal["file", "comment", "none"]
"""Where the caption of a CSV table goes: into a file beside it, into its first line, nowhere."""
Form = Literal["pdf", "svg", "png"]
TableForm = Literal["csv", "json"]
Size = Literal["screen", "column", "columns", "slide", "own"]

MILLIMETRES: dict[str, float] = {"column": 84.0, "columns": 174.0, "slide": 254.0}
"""How wide a picture of a size is; those of the others depend on the window, or are typed."""
SLIDE_HEIGHT = 143.0
"""Millimetres: 16 to 9, as PowerPoint and Beamer have it."""
NARROWEST, WIDEST = 60.0, 600.0
"""Millimetres that can be typed."""
LEAST_POINTS, MOST_POINTS = 7.0, 24.0
"""Of the smallest type in a picture; journals want 7 points at least."""
SLIDE_POINTS = 14.0
"""The same on a slide, which is read from the last row."""
LEAST_DPI, MOST_DPI = 72, 1200
FIGURE_HEIGHT, PAGE_HEIGHT = 120.0, 230.0
"""Millimetres: how high a figure of one column is before parts are left out, and what fits on a
page of A4 above a caption."""


@dataclass(frozen=True)
class PictureField:
    """One of a picture's choices, as the dialog and the command line have it.

    Attributes:
        name: Of the field of PictureChoice.
        label: In the dialog.
        said: On the command line; "" where it is a window's alone.
        low: The least number; nothing for a switch.
        high: The greatest.
        step: Between two numbers.
        unit: Behind a number.
        tip: In the dialog.
    """

    name: str
    label: str
    said: str
    low: float = 0.0
    high: float = 0.0
    step: float = 1.0
    unit: str = ""
    tip: str = ""

    @property
    def is_switch(self) -> bool:
        """Whether it is on or off."""
        return self.high == 0


PICTURE_FIELDS = (
    PictureField(
        "points",
        N_("&Smallest type"),
        N_(
            "of a picture of a width: points of its smallest type, from 7 on, on a slide from 14 on"
        ),
        LEAST_POINTS,
        MOST_POINTS,
        0.5,
        N_(" pt"),
    ),
    PictureField(
        "dpi", N_("&Dots an inch"), N_("of a PNG: dots an inch"), LEAST_DPI, MOST_DPI, 50.0
    ),
    PictureField("title", N_("&Title above"), N_("of a picture: the page's title above it")),
    PictureField(
        "caption",
        N_("&Caption below: how the answer came about"),
        N_("of a picture: below it, how the answer came about"),
    ),
    PictureField(
        "explanations",
        N_("&Explanations in small letters"),
        N_("of a picture: with the paragraphs in small grey letters"),
    ),
    PictureField("dark", N_("&Dark ground"), N_("of a picture: light on dark")),
    PictureField(
        "both",
        N_("&Both pages side by side"),
        "",
        tip=N_(
            "With the same page of the other model, text or settings, as it is shown next to it."
        ),
    ),
    PictureField(
        "outlines",
        N_("Text as &outlines"),
        N_("of a PDF or an SVG: letters are shapes, the same in every program"),
        tip=N_("Letters look the same in every program, but can't be edited or searched."),
    ),
)
"""What there is to choose beside form and size; dialog and command line are made of it."""


@dataclass(frozen=True)
class PictureChoice:
    """How a page becomes a picture.

    Attributes:
        form: Of the file, where its name does not say which.
        size: As on screen, one column or two of a journal, a slide, or a width of its own.
        millimetres: That width.
        points: The smallest type at the width of the paper; on a slide it is larger where there
            is room. Means nothing as on screen.
        dpi: Dots an inch of a PNG.
        title: The page's title stands above it.
        caption: How the answer came about stands below it.
        explanations: With the paragraphs in small grey letters.
        dark: Light on dark, as for slides.
        outlines: Letters are shapes, which look the same in any program and can't be edited.
        also: Other forms, each in a file beside it.
        both: With the same page that stands beside it in the window.
    """

    form: Form = "png"
    size: Size = "screen"
    millimetres: Annotated[float, msgspec.Meta(ge=NARROWEST, le=WIDEST)] = 120.0
    points: Annotated[float, msgspec.Meta(ge=LEAST_POINTS, le=MOST_POINTS)] = LEAST_POINTS
    dpi: Annotated[int, msgspec.Meta(ge=72, le=1200)] = 300
    title: bool = True
    caption: bool = True
    explanations: bool = True
    dark: bool = False
    outlines: bool = False
    also: tuple[Form, ...] = ()
    both: bool = False

    @property
    def width(self) -> float | None:
        """In millimetres; None for as on screen."""
        return self.millimetres if self.size == "own" else MILLIMETRES.get(self.size)

    @property
    def least_points(self) -> float:
        """Of the smallest type."""
        return max(self.points, SLIDE_POINTS if self.size == "slide" else LEAST_POINTS)

    @property
    def figure_height(self) -> float | None:
        """Millimetres as far as parts are shown where none are chosen; None for all of them."""
        if self.size == "slide":
            return SLIDE_HEIGHT
        return None if self.width is None else max(FIGURE_HEIGHT, min(self.width, PAGE_HEIGHT))


@dataclass(frozen=True)
class TableChoice:
    """How a table becomes a file.

    Attributes:
        form: Of the file.
        caption: Where that of a CSV table goes; JSON has a place for it.
    """

    form: TableForm = "csv"
    caption: CaptionPlace = "file"
