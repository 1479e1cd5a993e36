"""Paragraphs and headings."""

from dataclasses import dataclass, field, replace
from typing import Any, Literal

from PySide6.QtCore import QRectF
from PySide6.QtGui import QPainter

from explorer.text.bidi import runs_from_right
from explorer.ui.blocks.block import PlacedBlock, Spot
from explorer.ui.blocks.spacing import Space
from explorer.ui.theme.schemes import FontRole, Theme
from explorer.ui.typesetting.mark import draw_mark, room_of_mark
from explorer.ui.typesetting.one_line import text_height, text_width
from explorer.ui.typesetting.wrapping import draw_lines, wrapped_lines

LONGEST = 150
"""Letters in a line, about; from the end of a longer one the eye does not find the next."""

Explains = Literal["", "above", "page"]
"""What a paragraph explains: nothing, what stands below the title above it, the whole page."""


@dataclass(frozen=True)
class WrappedParagraph(PlacedBlock):
    """A paragraph at a width.

    Attributes:
        text: Wrapped at the width.
        width: In pixels.
        role: Of the font.
        colour: By its name in the theme.
        below: Room that is left free below it.
        marked: An (i) stands after it.
    """

    text: str
    width: float
    role: FontRole = "body"
    colour: str = "text"
    spots: tuple[Spot, ...] = ()
    below: float = 0.0
    marked: bool = False
    lines: list[str] = field(init=False)
    name: str = field(init=False)
    height: float = field(init=False)

    def __post_init__(self) -> None:
        room = room_of_mark(self.role) if self.marked else 0.0
        lines = wrapped_lines(self.role, self.text, self.width - room)
        height = len(lines) * text_height(self.role) + self.below
        for name, value in (("lines", lines), ("name", self.text), ("height", height)):
            object.__setattr__(self, name, value)

    def paint(self, painter: QPainter, theme: Theme) -> None:
        """Line by line."""
        box = QRectF(0, 0, self.width, self.height - self.below)
        draw_lines(painter, box, self.lines, self.role, theme.colour(self.colour))
        if self.marked:
            draw_mark(painter, box, self.lines, self.role)


@dataclass(frozen=True)
class Text:
    """A paragraph.

    Attributes:
        text: Wrapped where it is drawn.
        role: Of the font.
        colour: By its name in the theme.
        above: The room above it.
        words: For a tooltip, as what its terms mean; "" for none.
        act: The gesture of choosing it, where it has such words; None for none.
        below: Room that is left free below it, for what stands first on pages of its own.
        on_paper: What of it is read where nothing can be clicked, "" for nothing; None for all.
        explains: What it explains: the window has it behind an (i) (`explained.py`).
        marked: An (i) stands after it, whose words are `words`.
    """

    text: str
    role: FontRole = "body"
    colour: str = "text"
    above: Space = Space.NEAR
    words: str = ""
    act: Any = None
    below: float = 0.0
    on_paper: str | None = None
    explains: Explains = ""
    marked: bool = False

    def at(self, width: float) -> PlacedBlock:
        """Wrapped at a width, and before that where a line would be too long to be read."""
        if not runs_from_right(self.text):
            width = min(width, LONGEST * text_width(self.role, "x"))
        laid = WrappedParagraph(
            self.text, width, self.role, self.colour, below=self.below, marked=self.marked
        )
        if not self.words:
            return laid
        wide = max((text_width(self.role, line) for line in laid.lines), default=0.0)
        wide += room_of_mark(self.role) if self.marked else 0.0
        box = QRectF(0, 0, min(wide, width), laid.height - self.below)
        return replace(laid, spots=(Spot(box, None, self.words, self.text, self.act),))


def heading(text: str, above: Space = Space.SECTION) -> Text:
    """The title of what follows."""
    return Text(text, "title", above=above)


def section(title: str, about: str, above: Space = Space.SECTION) -> tuple[Text, Text]:
    """The title of what follows, and behind its (i) what that is.

    Args:
        title: Of what follows.
        about: What it is.
        above: Room above the title.
    """
    return heading(title, above), explanation(about, Space.TIGHT)


def note(text: str, above: Space = Space.NEAR, words: str = "", hint: str = "") -> Text:
    """What is so in this answer, as how it was had, in small muted letters.

    Args:
        text: What is to be read everywhere.
        above: The room above it.
        words: For a tooltip.
        hint: A sentence on what can be done at the screen, which nobody can do on paper.
    """
    if not hint:
        return Text(text, "small", "muted", above, words)
    return Text(f"{text} {hint}".strip(), "small", "muted", above, words, on_paper=text)


def explanation(text: str, above: Space = Space.NEAR, *, of_page: bool = False) -> Text:
    """How something is read: behind the (i) of the title above it, in small letters on paper.

    Args:
        text: A few sentences.
        above: The room above it on paper.
        of_page: It explains the whole page, and stands behind the (i) of its header.
    """
    return Text(text, "small", "muted", above, explains="page" if of_page else "above")


def hint(text: str, above: Space = Space.NEAR) -> Text:
    """What can be done at the screen; a picture leaves it out."""
    return note("", above, hint=text)


def warning(text: str, above: Space = Space.NEAR) -> Text:
    """What must not be missed, in small letters."""
    return Text(text, "small", "warning", above)
