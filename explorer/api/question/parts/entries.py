"""Rows of a title, a value, and what is said of it in as many lines as that takes."""

from dataclasses import dataclass

from explorer.api.question.parts.part import Part


@dataclass(frozen=True)
class OneEntry:
    """One row; its texts are Phrases or marked for translation.

    Attributes:
        title: What it is about.
        value: At the right, as it is read.
        text: Beside the title, as a formula; "" for nothing.
        notes: Below that, in small letters, a paragraph each.
        muted: It is not there, and the notes say why.
        chosen: It stands out.
        words: For the tooltip, line by line.
    """

    title: str
    value: str = ""
    text: str = ""
    notes: tuple[str, ...] = ()
    muted: bool = False
    chosen: bool = False
    words: tuple[str, ...] = ()


@dataclass(frozen=True)
class Entries(Part):
    """Rows that are read, not sorted; files have them from another part.

    Attributes:
        entries: In the order in which they are read.
    """

    entries: tuple[OneEntry, ...]
