"""Two distributions over the same words, beside each other at some places of a text."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from explorer.api.question.headline import Headline
from explorer.api.question.parts.charts.amounts import Amount
from explorer.api.question.parts.gestures import Gesture
from explorer.api.question.parts.part import SILENT, Part
from explorer.api.question.rows.rows import Table
from explorer.api.question.standing_out import beyond
from explorer.api.tokens import Token
from explorer.text import Phrase
from explorer.text.formatting.probabilities import in_percent


@dataclass(frozen=True)
class ComparedSide:
    """Whose distribution.

    Attributes:
        name: In sentences, as the place {teacher}.
        title: What people read above its numbers, marked for translation.
    """

    name: str
    title: str


@dataclass(frozen=True)
class ComparedWord:
    """A word, as both have it.

    Attributes:
        word: As it is drawn; a Phrase where it is no word of a model's.
        chances: Its probability on either side; None where that one does not know it.
        ranks: 1 for the likeliest; None where it is not known.
        tag: What it is besides, as the word that stands there; marked for translation.
        about: What else is known of it, line by line; Phrases, or marked for translation.
        put: What choosing it puts into the sentence; "" for nothing.
        instead: What the first says in the place of a number, marked for translation.
        beneath: What both were under a setting that all others are seen against, as at T = 1: in
            grey beneath the bars; None for nothing.
    """

    word: str
    chances: tuple[float | None, float | None]
    ranks: tuple[int | None, int | None] = (None, None)
    tag: str = ""
    about: tuple[str, ...] = ()
    put: str = ""
    instead: str = ""
    beneath: tuple[float, float] | None = None

    @property
    def apart(self) -> float | None:
        """How far both are from each other; None where one does not know it."""
        first, second = self.chances
        return None if first is None or second is None else abs(second - first)


@dataclass(frozen=True)
class ComparedPlace:
    """Both distributions at one place.

    Attributes:
        position: Of the token; None for what is said of the whole text.
        words: In the order in which they are read.
        title: What stands above them, where it is no token's; a Phrase or marked for translation.
        said: How far both are from each other, what the words hold: above the words.
        below: How they are read: behind the (i) of the page's header, below them on paper.
        beside: What stands at their side.
        measures: How far both are from each other, in the table of all places where only one is
            looked at, and against a pinned answer.
    """

    position: int | None
    words: tuple[ComparedWord, ...]
    title: str = ""
    said: tuple[str, ...] = ()
    below: tuple[str, ...] = ()
    beside: Sequence[Part] = ()
    measures: tuple[Amount, ...] = ()


@dataclass(frozen=True)
class Apart:
    """How the word is told on which both differ most.

    Attributes:
        small: A difference that does not stand out.
        at_token: The sentence, marked for translation, with places for the {word}, the
            {position} and, by the names of the sides, both shares.
        of_text: The same without the position.
        alike: The same where nothing stands out; "" for silence.
        values: Of further places.
    """

    small: float
    at_token: str
    of_text: str = ""
    alike: str = ""
    values: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Compared(Part):
    """Two distributions over the words that both have.

    Attributes:
        sides: Whose: the first is blue, the second green.
        tokens: The input as the first saw it.
        places: In the order of the input.
        kind: The dataclass of the rows in files; None for what other parts have in theirs.
        rows: Makes them when they are asked for.
        apart: What to look at first, or how that is told; None for nothing.
        only: Numbers of the places that are drawn; None for all.
        choose: From the number of a place to the gesture of looking at it alone, where only one is
            drawn; None where all are.
        notes: Words below tokens, by position; Phrases.
        brief: Bars without numbers.
        top: Where the bars' axis ends at least, so that lengths can be compared when the numbers
            change; None for one that holds the bars of now.
        among: Words for whose numbers there is room too.
    """

    sides: tuple[ComparedSide, ComparedSide]
    tokens: tuple[Token, ...]
    places: tuple[ComparedPlace, ...]
    kind: type | None = None
    rows: Callable[[], Iterable[Any]] = tuple
    apart: Apart | Headline | None = None
    only: tuple[int, ...] | None = None
    choose: Callable[[int], Gesture] | None = None
    notes: Mapping[int, str] = field(default_factory=dict)
    brief: bool = False
    top: float | None = None
    among: tuple[ComparedWord, ...] = ()

    @property
    def drawn(self) -> tuple[ComparedPlace, ...]:
        """The places that are drawn."""
        return self.places if self.only is None else tuple(self.places[n] for n in self.only)

    def table(self) -> Table:
        """As the question has its rows."""
        return Table((), ()) if self.kind is None else Table.of(self.kind, self.rows())

    def parts_with_rows(self) -> Iterator[tuple[str, Part]]:
        """Itself, if it has any."""
        if self.kind is not None:
            yield self.title, self

    def headline(self) -> Headline:
        """The word on which both differ most; where nobody knows two, that of the surest one."""
        if not isinstance(self.apart, Apart):
            return self.apart or SILENT
        told = [(place, word) for place in self.places for word in place.words]
        both = [one for one in told if one[1].apart is not None]
        place, word = max(both or told, key=lambda one: _far(one[1]), default=(None, None))
        if place is None or word is None:
            return SILENT
        sentence = self.apart.at_token if place.position is not None else self.apart.of_text
        if _far(word) < self.apart.small:
            sentence = self.apart.alike
        if not sentence:
            return SILENT
        shares = {
            side.name: in_percent(chance)
            for side, chance in zip(self.sides, word.chances, strict=True)
            if chance is not None
        }
        values = {"word": word.word, "position": str(place.position), **self.apart.values}
        far = 0.0 if sentence == self.apart.alike else beyond(_far(word), self.apart.small, 1.0)
        words = Phrase(sentence, **values, **shares)
        return Headline(words, place.position, strength=far)


def _far(word: ComparedWord) -> float:
    return word.chances[0] or 0.0 if word.apart is None else word.apart
