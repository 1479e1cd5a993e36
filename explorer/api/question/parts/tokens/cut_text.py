"""A text, and below its characters rows of pieces: ways to cut it, or steps on the way."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from explorer.api.question.parts.part import Part
from explorer.api.question.rows.rows import Table

Line = str | tuple[str, Mapping[str, object]]
"""A Phrase; or, where there are tens of thousands, a sentence that is marked for translation and
what stands in its places."""


@dataclass(frozen=True)
class CutPiece:
    """A piece of a row.

    Attributes:
        start: Its first character in the text.
        end: One past its last; pieces that share a letter stand side by side below it.
        text: What stands in it; "" for the text's own characters.
        joined: It continues the word of the piece before it.
        ink: Colour of its letters, by its name in the theme.
        ground: Colour behind them.
        dotted: A dotted line stands below its letters.
        small: Its letters are small, as those of bytes.
        lines: What is known of it, line by line.
        spoken: What a screen reader says before these lines.
    """

    start: int
    end: int
    text: str = ""
    joined: bool = False
    ink: str = "text"
    ground: str = "raised"
    dotted: bool = False
    small: bool = False
    lines: tuple[Line, ...] = ()
    spoken: str = ""


@dataclass(frozen=True)
class CutRow:
    """One way to cut the text.

    Attributes:
        label: Before it, a Phrase or marked for translation.
        pieces: In the order of the text.
        removed: Characters that no piece stands for, crossed out.
        words: Of the label, for a tooltip.
        strong: The label is written in bold.
    """

    label: str
    pieces: tuple[CutPiece, ...]
    removed: tuple[int, ...] = ()
    words: str = ""
    strong: bool = False


@dataclass(frozen=True)
class CutText(Part):
    """A text and the rows below it.

    Attributes:
        text: Its characters are the columns.
        rows: From above.
        name: What a screen reader calls it, marked for translation.
        legend: What colours mean, a sentence marked for translation and the colour's name.
        filed: Makes its rows in files; None where it has none.
    """

    text: str
    rows: tuple[CutRow, ...]
    name: str
    legend: tuple[tuple[str, str], ...] = ()
    filed: Callable[[], Table] | None = None

    def parts_with_rows(self) -> Iterator[tuple[str, Part]]:
        """Itself, where it says what its rows in files are."""
        return iter(()) if self.filed is None else super().parts_with_rows()

    def table(self) -> Table:
        """What its rows tell, by whoever made them."""
        return Table((), ()) if self.filed is None else self.filed()
