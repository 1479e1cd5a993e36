"""What the user set about corrupting a sentence, as the document keeps it."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from explorer.document import Document, Mask
from explorer.numerics.outcomes import DEFAULT_THRESHOLD
from explorer.questions.detection.replaced_tokens.question import (
    PAPER_RATE,
    PAPER_WEIGHT,
    DetectReplaced,
    Replacement,
)
from explorer.ui.document.gestures import Edit, Where, quoted

CORRUPTION = "replaced_tokens.corruption"
TEMPERATURE = "replaced_tokens.temperature"
GREEDY = "replaced_tokens.greedy"
RATE = "replaced_tokens.rate"
THRESHOLD = "replaced_tokens.threshold"
WEIGHT = "replaced_tokens.weight"


@dataclass(frozen=True)
class Word:
    """A word of the user's, and what it replaces.

    Attributes:
        put: Where and what.
        was: The characters it replaces: where the text no longer has them, it is forgotten.
    """

    put: Replacement
    was: str


@dataclass(frozen=True)
class Corruption:
    """A draw and the words that stand in its place; changed together, undone together.

    Attributes:
        seed: Of the draw.
        words: The user's.
    """

    seed: int = 0
    words: tuple[Word, ...] = ()

    @staticmethod
    def of(document: Document) -> "Corruption":
        """What a document keeps, as far as it fits its text."""
        kept = document.option(CORRUPTION, {})
        if not isinstance(kept, Mapping):
            return Corruption()
        words = (_read(one, document) for one in _listed(kept.get("words")))
        seed = kept.get("seed", 0)
        return Corruption(
            seed if isinstance(seed, int) and seed >= 0 else 0,
            tuple(word for word in words if word is not None),
        )

    def option(self) -> dict[str, Any] | None:
        """As JSON; None for nothing set."""
        if self == Corruption():
            return None
        return {
            "seed": self.seed,
            "words": [
                {
                    "start": word.put.start,
                    "end": word.put.end,
                    "part": word.put.part,
                    "word": word.put.word,
                    "piece": word.put.piece,
                    "was": word.was,
                }
                for word in self.words
            ],
        }

    def with_word(self, document: Document, put: Replacement) -> "Corruption":
        """Put in a word; one that stood at the same place makes room."""
        was = document.part(put.part)[put.start : put.end]
        kept = self.without(put.start, put.end, put.part).words
        words = sorted((*kept, Word(put, was)), key=lambda one: (one.put.part, one.put.start))
        return replace(self, words=tuple(words))

    def without(self, start: int, end: int, part: int) -> "Corruption":
        """Take back what stands in a range."""
        return replace(
            self,
            words=tuple(
                word
                for word in self.words
                if word.put.part != part or word.put.end <= start or word.put.start >= end
            ),
        )


def put_word(seen: Document, place: Mask, word: str, piece: str) -> Edit:
    """Put a word of the user's in the place of some characters, for the discriminator alone."""

    def change(now: Document, where: Where) -> Document:
        at = where(place)
        put = Replacement(at.start, at.end, word, at.part, piece)
        kept = Corruption.of(now).with_word(now, put)
        return now.with_option(CORRUPTION, kept.option())

    return Edit(f"judge {quoted(word)} there", seen, change)


def take_word(seen: Document, place: Mask) -> Edit:
    """Take back what was put in the place of some characters."""

    def change(now: Document, where: Where) -> Document:
        at = where(place)
        kept = Corruption.of(now).without(at.start, at.end, at.part)
        return now.with_option(CORRUPTION, kept.option())

    return Edit("take a word back", seen, change)


def _listed(value: object) -> list[Any]:
    return value if isinstance(value, list) else []


def _read(one: object, document: Document) -> Word | None:
    """A word as it was kept; None where the text has changed under it."""
    if not isinstance(one, Mapping):
        return None
    try:
        put = Replacement(
            int(one["start"]),
            int(one["end"]),
            str(one["word"]),
            int(one.get("part", 0)),
            str(one.get("piece", "")),
        )
        was = str(one["was"])
    except (KeyError, TypeError, ValueError):
        return None
    fits = put.start < put.end and document.part(put.part)[put.start : put.end] == was
    return Word(put, was) if fits and put.word.strip() else None


def number(document: Document, key: str, default: float, low: float, high: float) -> float:
    """An option that is a number, kept inside its ends."""
    value = document.option(key, default)
    if isinstance(value, bool) or not isinstance(value, int | float):
        return default
    return min(max(float(value), low), high)


def threshold_of(document: Document) -> float:
    """Above which a token is called replaced."""
    return number(document, THRESHOLD, DEFAULT_THRESHOLD, 0.0, 1.0)


def weight_of(document: Document) -> float:
    """The lambda of the total loss."""
    return number(document, WEIGHT, PAPER_WEIGHT, 0.0, 1000.0)


def temperature_of(document: Document) -> float:
    """Of the draw."""
    return number(document, TEMPERATURE, 1.0, 0.05, 100.0)


def rate_of(document: Document) -> float:
    """Share of the tokens that is chosen."""
    return number(document, RATE, PAPER_RATE, 0.01, 1.0)


def request_of(document: Document, *, has_generator: bool) -> DetectReplaced:
    """The question a document asks; what is masked is a generator's to fill."""
    kept = Corruption.of(document)
    return DetectReplaced(
        document.text,
        document.pair,
        masks=document.masks if has_generator else (),
        rate=rate_of(document),
        seed=kept.seed,
        replacements=tuple(word.put for word in kept.words),
        temperature=temperature_of(document),
        greedy=document.option(GREEDY, False) is True,
    )
