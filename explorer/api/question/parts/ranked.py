"""Rows that one number ranks, each with a bar: words, edits, whole fillings."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar, Literal

from explorer.api.question.parts.rows import Rows
from explorer.api.tokens import Mask


@dataclass(frozen=True)
class RowLook:
    """What a row is on the screen beside its cells; texts are Phrases or marked for translation.

    Attributes:
        label: In the place of its first cell: words, or the characters of a place of the text.
        lead: A number before the label, as a rank.
        tag: What the label is besides, in small coloured letters.
        below: A second line, as the pieces of a word.
        words: What is known of it, line by line, for the tooltip.
        spoken: For a screen reader; "" for label, cells and tag.
        ground: It stands out, as the row that is chosen or as what is hidden in the text.
        inks: Colours of cells by the names of their columns, by their names in the theme.
        muted: It is not in the running and can't be chosen; `below` says why.
        key: What tells it from others, so that the keyboard stays on it; () for its keys.
    """

    label: str | Mask = ""
    lead: str = ""
    tag: str = ""
    below: str = ""
    words: tuple[str, ...] = ()
    spoken: str = ""
    ground: Literal["", "selection", "mask_fill"] = ""
    inks: Mapping[str, str] = field(default_factory=dict)
    muted: bool = False
    key: tuple[Any, ...] = ()


@dataclass(frozen=True)
class Ranked(Rows):
    """Rows as they look, with what the numbers of their bars were in a pinned answer.

    The same row is that of the same keys, in any part of the pinned answer with rows of this kind.

    Attributes:
        look: From a row to what it is besides; None for nothing.
        hollow: The second bars are outlines: what is not the answer itself.
        powers: Of ten below 1 that the bars' axis goes down to; 0 for an axis from nothing.
        place: The column that counts rows from the first, by its name: a row that the pinned
            answer has not is new there, or stands further down than it lists. "" for none.
        name: What a screen reader calls the table; "" for its title, or the question's.
        of: What the numbers are of, as the word whose probability moves: where a pinned answer's
            are of something else, that is said. A Phrase; "" for nothing.
    """

    DRAWS_PINNED: ClassVar[bool] = True

    look: Callable[[Any], RowLook] | None = None
    hollow: bool = False
    powers: int = 0
    place: str = ""
    name: str = ""
    of: str = ""

    @property
    def barred(self) -> tuple[str, ...]:
        """The columns that have bars; the first one's are marked."""
        return tuple(self.bars) or tuple(name for name in (self.bar, self.second_bar) if name)
