"""A sentence on a page: what is explained, how it was done, what must not be missed."""

from dataclasses import dataclass
from enum import StrEnum

from explorer.api.question.parts.part import Part


class Manner(StrEnum):
    """How a sentence is said."""

    NOTE = "note"
    """In small letters: what is so in this answer, as how it was had."""
    EXPLANATION = "explanation"
    """How what stands there is read: behind the (i) of the title above it, in small letters on
    paper; of the page's header where no title is above it."""
    ABOUT = "about"
    """What the whole page is: behind the (i) of its header, wherever it stands on paper."""
    PLAIN = "plain"
    """As a text is."""
    HEADING = "heading"
    """What the page is about, in large letters."""
    TITLE = "title"
    """What follows, where no part is called so."""
    STRONG = "strong"
    """What the answer is about."""
    WARNING = "warning"
    """What must not be missed."""
    PAPER = "paper"
    """As a text is, only in pictures: the window says it by itself."""
    HINT = "hint"
    """What can be done at the screen; a picture leaves it out."""


@dataclass(frozen=True)
class Said(Part):
    """A sentence, or a paragraph of them.

    Attributes:
        text: A Phrase, or marked for translation; "" draws nothing.
        manner: How it is said.
        words: What its terms mean, for a tooltip; "" for none.
        near: It goes on with what is above it.
    """

    text: str
    manner: Manner = Manner.NOTE
    words: str = ""
    near: bool = False
