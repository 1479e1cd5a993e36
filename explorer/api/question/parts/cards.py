"""Parts that stand side by side, each with what belongs to it."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from explorer.api.model import ModelStamp
from explorer.api.question.headline import Headline
from explorer.api.question.parts.gestures import Gesture
from explorer.api.question.parts.part import SILENT, Part
from explorer.api.question.rows.rows import Cell


class Width(StrEnum):
    """How wide a card is at least, where there is the room."""

    NARROW = "narrow"
    """A small chart, or a word with a bar."""
    MEDIUM = "medium"
    """A table of words with a number each."""
    WIDE = "wide"
    """A table of several columns, or a chart that is read exactly."""


@dataclass(frozen=True)
class OneCard:
    """A few parts that belong together.

    Attributes:
        title: What stands above them; a Phrase or marked for translation, "" for nothing.
        parts: From above.
        words: What the title means, for a tooltip.
        position: The token that it is about, to which it is scrolled; None for none.
        model: What it is about, whose title stands above it in the place of one; None for none.
        name: What it is called where cards are left out of a picture, a Phrase or marked; "" for
            its title.
        gesture: What choosing it does; it is one place then, which `words` explain. None for
            nothing.
        chosen: It is the one that was chosen.
    """

    title: str
    parts: Sequence[Part]
    words: str = ""
    position: int | None = None
    model: ModelStamp | None = None
    name: str = ""
    gesture: Gesture | None = None
    chosen: bool = False


@dataclass(frozen=True)
class Cards(Part):
    """Cards side by side, as many as the width holds.

    The kinds of parts in them are named beside it where a question says what it is made of:
    `Sequence[Cards | Curves | Rows]`.

    Attributes:
        cards: In reading order.
        width: How wide each is at least.
        framed: They have frames.
        shares: How wide each is against the others, where all stand side by side; () for equally.
        filled: The cards of a last row that is not full are wider.
    """

    cards: tuple[OneCard, ...]
    width: Width = Width.MEDIUM
    framed: bool = True
    shares: tuple[float, ...] = ()
    filled: bool = False

    @property
    def inside(self) -> Iterator[Part]:
        """The parts of all cards."""
        return (part for card in self.cards for part in card.parts)

    def parts_with_rows(self) -> Iterator[tuple[str, Part]]:
        """Those in its cards; what has no title is called as its card."""
        for card in self.cards:
            for part in card.parts:
                yield from ((title or card.title, one) for title, one in part.parts_with_rows())

    def summary(self) -> Mapping[str, Cell]:
        """All cells of what is in them; of equal names the first."""
        every = reversed(list(self.inside))
        return {name: cell for part in every for name, cell in part.summary().items()}

    def headline(self) -> Headline:
        """That of the first part in them that is not silent."""
        return next((one for part in self.inside if (one := part.headline()).sentence), SILENT)


def every_part(parts: Iterable[Part]) -> Iterator[Part]:
    """Parts, and behind each one of cards those in it."""
    for one in parts:
        yield one
        if isinstance(one, Cards):
            yield from every_part(one.inside)
