"""Rows of pieces below the characters of one text: values only."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class AlignedPiece:
    """A piece of a row.

    Attributes:
        start: Its first character in the text.
        end: One past its last; pieces that share a letter are drawn side by side below it.
        text: What stands in it; "" for the text's own characters.
        joined: It continues the word of the piece before it, and is drawn together with that.
        ink: Colour of its letters, by its name in the theme.
        ground: Colour behind them.
        dotted: A dotted line stands below its letters.
        small: Its letters are small, as those of bytes.
        words: For the tooltip.
        spoken: For a screen reader.
        act: What choosing it does, a gesture; None for nothing.
    """

    start: int
    end: int
    text: str = ""
    joined: bool = False
    ink: str = "text"
    ground: str = "raised"
    dotted: bool = False
    small: bool = False
    words: str = ""
    spoken: str = ""
    act: Any = None


@dataclass(frozen=True)
class AlignedRow:
    """One way to cut the text.

    Attributes:
        label: Before it.
        pieces: In the order of the text.
        removed: Characters that no piece stands for, crossed out.
        words: Of the label, for a tooltip.
        strong: The label is written in bold.
    """

    label: str
    pieces: Sequence[AlignedPiece]
    removed: Sequence[int] = ()
    words: str = ""
    strong: bool = False
