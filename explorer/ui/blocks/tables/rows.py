"""What a table of bars is made of: columns, rows, bars, an axis. Values only."""

from dataclasses import dataclass
from typing import Any

from explorer.text import _

FIRST_BAR, SECOND_BAR = "bar", "bar_second"
"""The colours of two bars side by side that are of two models, or of two answers."""

TAG_GAP = 8.0
"""Pixels between a label and what is said of it."""


@dataclass(frozen=True)
class BarColumn:
    """A column of numbers or words.

    Attributes:
        title: Above it.
        colour: Of its cells, by its name in the theme.
        title_colour: Of its title.
        strong: Its cells are written in bold.
        mono: Its cells are written in letters of one width.
        left: Its cells begin at the left, as words do; numbers end at the right.
        dispensable: It goes first where there is no room for the bars, or for all columns.
        words: What it means, for a tooltip; "" for nothing.
        act: What choosing its title does, as sorting; None for nothing.
        sorted: "up" or "down" where rows are sorted by it; "" where not.
        key: Which title it is, where several tables have the same; None for its words.
        wraps: Its words go on in a second line where there is little room; only in a table
            without bars.
    """

    title: str
    colour: str = "text"
    title_colour: str = "muted"
    strong: bool = False
    mono: bool = False
    left: bool = False
    dispensable: bool = False
    words: str = ""
    act: Any = None
    sorted: str = ""
    key: Any = None
    wraps: bool = False

    @property
    def about(self) -> str:
        """What it means, and what choosing its title does."""
        said = [f"{self.title}: {self.words}"] if self.words else []
        if self.act is not None:
            said.append(_("Sort by {title}.", title=self.title))
        return "\n".join(said)


@dataclass(frozen=True)
class Bar:
    """One bar of a row.

    Attributes:
        value: On the table's axis.
        colour: By its name in the theme.
        hollow: An outline, for what is not the answer itself.
        beneath: What it is seen against, in grey, as the same at T = 1; None for nothing.
        begin: Where it begins on the axis.
    """

    value: float
    colour: str = "bar"
    hollow: bool = False
    beneath: float | None = None
    begin: float = 0.0


@dataclass(frozen=True)
class BarRow:
    """A row.

    Attributes:
        label: What it is about.
        cells: One a column; "" is left empty.
        bars: One below the other; None leaves the place of one empty.
        mark: Where the pinned answer's bar ends, on the axis; None for no mark.
        lead: A number before the label, as a rank; "" for none.
        tag: What the label is besides, in small coloured letters.
        below: What stands below it in small letters, as the pieces of a word; "" for nothing.
        below_colour: Its colour.
        ground: The colour behind it; "" for none.
        muted: The label is not in the running.
        strong: The label is written in bold, whatever the others are.
        apart: It stands apart from the rows above, which these words say; "" where it does not.
        words: For the tooltip.
        inks: Colours of its cells where they are not their columns', by their names in the theme;
            "" for the column's.
        shades: Of its cells, a number between -1 and 1 that a diverging scale gives a colour behind
            the cell; None for no colour.
        anchor: By what a page is asked to bring it into sight, as a token's position.
        spoken: For a screen reader; "" for label, cells and tag.
        key: Which row it is, so that the keyboard finds it again.
        act: What choosing it does; None for nothing.
    """

    label: str
    cells: tuple[str, ...] = ()
    bars: tuple[Bar | None, ...] = ()
    mark: float | None = None
    lead: str = ""
    tag: str = ""
    below: str = ""
    below_colour: str = "muted"
    ground: str = ""
    muted: bool = False
    strong: bool = False
    apart: str = ""
    words: str = ""
    inks: tuple[str, ...] = ()
    shades: tuple[float | None, ...] = ()
    anchor: Any = None
    spoken: str = ""
    key: Any = None
    act: Any = None


@dataclass(frozen=True)
class BarAxis:
    """Where values stand between the ends of the bars' room.

    Attributes:
        top: The value at the right end.
        powers: Powers of ten below `top` at the left end, where values are dots, for a bar has no
            beginning there; 0 for an axis from nothing.
        titled: The ends, or the powers, are written above the bars.
        top_said: The right end as it is written; "" for the number.
        low_said: The left end likewise.
        low: The value at the left end, where bars may go to both sides of nothing.
    """

    top: float = 1.0
    powers: int = 0
    titled: bool = True
    top_said: str = ""
    low_said: str = ""
    low: float = 0.0

    def is_left_by(self, value: float) -> bool:
        """Whether a value lies beyond the right end, but for rounding."""
        return value > self.top * (1.0 + 1e-6)
