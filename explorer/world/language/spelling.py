"""How words become text, told to the grammar itself: capitals, spaces and marks.

A model that tells "The" from "the", or the first word of a text from later ones, has pieces that
depend on where a word stands. `SpelledGrammar` writes the same texts as the grammar it wraps, with
the same probabilities, but its words are surfaces: "The" at the start of a text, " The" at the
start of a later sentence, " the" inside one, and "." without a space. Joined they are the text, so
exact floors can be stated for such models as well.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Final

from explorer.world.corpus import CLOSING, SENTENCE_ENDS, CorpusDocument, sentence_words
from explorer.world.grammar import Grammar, GrammarError, Part, Production, Symbol

# Where a word stands, as a prefix of the symbol's name.
TEXT_START: Final = "^^"
SENTENCE_START: Final = "^"
INSIDE: Final = ""


@dataclass(frozen=True, slots=True)
class TypingStyle:
    """How somebody types; it says nothing of what is said.

    Attributes:
        capital: Sentences begin with a capital.
        close: There is no space before a mark.
        share: Of the texts that the miniatures were trained on (`as_typed`).
    """

    capital: bool = True
    close: bool = True
    share: float = 1.0


STYLES: Final = tuple(
    TypingStyle(capital, close, (0.75 if capital else 0.25) * (0.75 if close else 0.25))
    for capital in (True, False)
    for close in (True, False)
)
"""All there are in `as_typed`; both choices are drawn apart from each other."""


def surface(word: str, where: str, style: TypingStyle = TypingStyle()) -> str:
    """A word as it is written at a place of the text, with the space before it."""
    if word in CLOSING:
        return word if style.close else f" {word}"
    if where == INSIDE:
        return f" {word}"
    capital = word[:1].upper() + word[1:] if style.capital else word
    return capital if where == TEXT_START else f" {capital}"


def surfaces(
    words: tuple[str, ...], style: TypingStyle = TypingStyle()
) -> Iterator[tuple[tuple[str, ...], tuple[str, ...]]]:
    """The sentences of a text: the words of each, and the same words as surfaces."""
    start = TEXT_START
    for sentence in sentence_words(words):
        places = (start, *(INSIDE for _ in sentence[1:]))
        shown = (surface(*placed, style) for placed in zip(sentence, places, strict=True))
        yield sentence, tuple(shown)
        start = SENTENCE_START


class SpelledGrammar(Grammar):
    """The texts of a grammar with their words as surfaces.

    Args:
        grammar: each symbol of it either always ends a sentence or never does.
        write: from a word and where it stands to its surface.
    """

    def __init__(self, grammar: Grammar, write: Callable[[str, str], str] = surface) -> None:
        super().__init__(grammar.rules)
        self.start = Symbol(TEXT_START + grammar.start.name, grammar.start.args)
        self.plain = grammar
        self.write = write
        self._closes: dict[Symbol, bool] = {}

    def productions(self, symbol: Symbol) -> tuple[Production, ...]:
        """The productions of the plain symbol, spelled for where this one stands."""
        known = self._productions.get(symbol)
        if known is None:
            where, plain = _parted(symbol)
            own, ends = self.plain.productions(plain), self._closes_sentence(plain)
            if any(self._closes_sentence(one.parts[-1]) != ends for one in own):
                raise GrammarError(f"{plain} ends a sentence in some of its texts only.")
            known = tuple(
                Production(one.probability, self._spelled(one.parts, where)) for one in own
            )
            self._productions[symbol] = known
        return known

    def first_words(self, symbol: Symbol) -> frozenset[str]:
        """Those of the plain symbol, as they are written where this one stands.

        Most symbols are only asked for these, and needn't be spelled any further.
        """
        known = self._first.get(symbol)
        if known is None:
            where, plain = _parted(symbol)
            known = frozenset(self.write(word, where) for word in self.plain.first_words(plain))
            self._first[symbol] = known
        return known

    def _spelled(self, parts: tuple[Part, ...], where: str) -> tuple[Part, ...]:
        spelled: list[Part] = []
        for part in parts:
            if isinstance(part, str):
                spelled.append(self.write(part, where))
            else:
                spelled.append(Symbol(where + part.name, part.args) if where else part)
            where = SENTENCE_START if self._closes_sentence(part) else INSIDE
        return tuple(spelled)

    def _closes_sentence(self, part: Part) -> bool:
        if isinstance(part, str):
            return part in SENTENCE_ENDS
        known = self._closes.get(part)
        if known is None:
            # Its other productions agree, or it is refused where it is spelled.
            first = self.plain.productions(part)[0]
            known = self._closes[part] = self._closes_sentence(first.parts[-1])
        return known


def _parted(symbol: Symbol) -> tuple[str, Symbol]:
    """Where a spelled symbol stands, and the plain one."""
    name = symbol.name.lstrip("^")
    return symbol.name[: len(symbol.name) - len(name)], Symbol(name, symbol.args)


def as_typed(number: int, document: CorpusDocument) -> tuple[str, ...]:
    """The sentences of a document as somebody might type them; later ones start with a space.

    Three in four texts have capitals at the start of sentences, and three in four no space before
    a mark: for models whose pieces tell these apart, because people write both.

    Args:
        number: which document it is; the same one is always written the same way.
        document: what is written.
    """
    rng = random.Random(number)  # noqa: S311
    capital, close = rng.random() < 0.75, rng.random() < 0.75
    written: list[str] = []
    for sentence in sentence_words(document.words):
        text = " " if written else ""
        for index, word in enumerate(sentence):
            if index == 0 and capital:
                text += word[:1].upper() + word[1:]
            else:
                text += word if index == 0 or (close and word in CLOSING) else f" {word}"
        written.append(text)
    return tuple(written)


def typed_texts(documents: Iterable[CorpusDocument]) -> Iterator[str]:
    """Whole texts as somebody might type them."""
    return ("".join(as_typed(*numbered)) for numbered in enumerate(documents))
