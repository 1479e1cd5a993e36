"""How pictures and tables are written into files, as the user chose it last."""

from dataclasses import dataclass
from typing import Annotated, Literal

import msgspec

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


@dataclass(frozen=True)
class PictureChoice:
    """How a page becomes a picture.

    Attributes:
        form: Of the file.
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

    @property
    def width(self) -> float | None:
        """In millimetres; None for as on screen."""
        return self.millimetres if self.size == "own" else MILLIMETRES.get(self.size)


@dataclass(frozen=True)
class TableChoice:
    """How a table becomes a file.

    Attributes:
        form: Of the file.
        caption: Where that of a CSV table goes; JSON has a place for it.
    """

    form: TableForm = "csv"
    caption: CaptionPlace = "file"
