"""What is searched for by words, and which of it comes first."""

import enum
import re
import unicodedata
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import cached_property

from PySide6.QtGui import QAction, QIcon

_WORD = re.compile(r"[^\W_]+")
FILLERS = frozenset(
    (
        *(
            "a",
            "an",
            "and",
            "are",
            "as",
            "can",
            "do",
            "does",
            "for",
            "how",
            "i",
            "in",
            "is",
            "it",
            "me",
        ),
        *(
            "my",
            "of",
            "on",
            "please",
            "show",
            "the",
            "to",
            "want",
            "what",
            "where",
            "which",
            "with",
        ),
        *("나는", "내", "를", "을", "은", "는", "이", "어떻게"),
    )
)
"""Words of a whole question that say nothing of what is looked for."""
NEARLY = 10
"""Rows at most, where nothing has all the words."""
HALF = 0.5


class EntryKind(enum.IntEnum):
    """What is found, in the order in which equally good ones are listed."""

    PAGE = 0
    COMMAND = 1
    MODEL = 2
    SAMPLE = 3
    SCENE = 4
    OPTION = 5
    TERM = 6


class Match(enum.IntEnum):
    """How well something fits what was typed, the best first."""

    SAME = 0
    BEGINS = 1
    IN_NAME = 2
    IN_TERM = 3
    WORDS_BEGIN = 4
    INSIDE = 5


@dataclass(frozen=True)
class MenuCommand:
    """An action as it is searched for.

    Attributes:
        action: What is done.
        said: What it is called.
        place: The menu it is in, a scene's chapter, or what is done with a model.
        about: What else is searched: a page's question, the text of a sample.
        kind: What it is.
        names: What it is called in other languages.
        found_by: The field's terms and everyday words for it.
        icon: What it is listed with, if anything.
    """

    action: QAction
    said: str
    place: str
    about: str
    kind: EntryKind
    names: tuple[str, ...] = ()
    found_by: tuple[str, ...] = ()
    icon: QIcon | None = None

    def match(self, typed: "Typed") -> Match | None:
        """How well it fits what was typed; None where some of the words are nowhere in it."""
        names, terms, _rest = self._searched
        if any(one.joined == typed.joined for one in (*names, *terms)):
            return Match.SAME
        if any(one.joined.startswith(typed.joined) for one in (*names, *terms)):
            return Match.BEGINS
        for fits, match in ((names, Match.IN_NAME), (terms, Match.IN_TERM)):
            if any(typed.begins(one.words) for one in fits):
                return match
        return Match.WORDS_BEGIN if typed.begins(self._words) else None

    def has_inside(self, typed: "Typed") -> bool:
        """Whether all that was typed is somewhere in it, also within words."""
        return all(word in self._text for word in typed.words)

    def share(self, typed: "Typed") -> float:
        """How many of the words that say something begin words of it, of 1."""
        return typed.share_of(self._words)

    @cached_property
    def _words(self) -> frozenset[str]:
        return frozenset(word for some in self._searched for one in some for word in one.words)

    @cached_property
    def _text(self) -> str:
        return " ".join(one.plain for some in self._searched for one in some)

    @cached_property
    def _searched(self) -> "tuple[tuple[Typed, ...], tuple[Typed, ...], tuple[Typed, ...]]":
        rest = (self.place, self.about)
        return (
            tuple(Typed(one) for one in (self.said, *self.names)),
            tuple(Typed(one) for one in self.found_by),
            tuple(Typed(one) for one in rest),
        )


class Typed:
    """A text as it is compared: without capitals, marks and ways of writing the same letters.

    Attributes:
        plain: The text.
        words: Its words.
        joined: Its letters and digits alone: "t-SNE", "tSNE" and "t sne" are one.
    """

    def __init__(self, text: str) -> None:
        # Korean from some keyboards and files comes as single letters of its syllables.
        self.plain = unicodedata.normalize("NFKC", text).casefold()
        self.words = tuple(_WORD.findall(self.plain))
        self.joined = "".join(self.words)

    def begins(self, words: Collection[str]) -> bool:
        """Whether each of its words begins one of some words."""
        return all(any(there.startswith(word) for there in words) for word in self.words)

    def share_of(self, words: Collection[str]) -> float:
        """The part of its words, fillers left out, that begin some of some words."""
        asked = [word for word in self.words if word not in FILLERS]
        if not asked:
            return 0.0
        return sum(any(one.startswith(word) for one in words) for word in asked) / len(asked)


def found(commands: Sequence[MenuCommand], text: str) -> list[MenuCommand]:
    """What fits a text, best first, and of equally good ones by kind.

    Words in the middle of other words count where nothing else fits ("NER" is in "generation"), and
    where nothing has all words, what has at least half of those that say something.
    """
    if not text.strip():
        return sorted(commands, key=lambda one: one.kind)
    typed = Typed(text)
    if not typed.words:
        return []
    ranked = [(match, one) for one in commands if (match := one.match(typed)) is not None]
    if not ranked:
        ranked = [(Match.INSIDE, one) for one in commands if one.has_inside(typed)]
    if ranked:
        return [one for _match, one in sorted(ranked, key=lambda pair: (pair[0], pair[1].kind))]
    near = [(share, one) for one in commands if (share := one.share(typed)) >= HALF]
    near.sort(key=lambda pair: (-pair[0], pair[1].kind))
    return [one for _share, one in near[:NEARLY]]
