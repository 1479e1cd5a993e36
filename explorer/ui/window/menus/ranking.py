"""What is searched for by words, and which of it comes first."""

import enum
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from PySide6.QtGui import QAction, QIcon

from explorer.text.typed_words import Typed

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

    def match(self, typed: Typed) -> Match | None:
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

    def has_inside(self, typed: Typed) -> bool:
        """Whether all that was typed is somewhere in it, also within words."""
        return all(word in self._text for word in typed.words)

    def share(self, typed: Typed) -> float:
        """How many of the words that say something begin words of it, of 1."""
        return typed.share_of(self._words)

    @cached_property
    def _words(self) -> frozenset[str]:
        return frozenset(word for some in self._searched for one in some for word in one.words)

    @cached_property
    def _text(self) -> str:
        return " ".join(one.plain for some in self._searched for one in some)

    @cached_property
    def _searched(self) -> tuple[tuple[Typed, ...], tuple[Typed, ...], tuple[Typed, ...]]:
        rest = (self.place, self.about)
        return (
            tuple(Typed(one) for one in (self.said, *self.names)),
            tuple(Typed(one) for one in self.found_by),
            tuple(Typed(one) for one in rest),
        )


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
