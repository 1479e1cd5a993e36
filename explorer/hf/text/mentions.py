"""Finds the names of entities in a text: the longest names first."""

import re
from collections.abc import Callable
from dataclasses import dataclass

from explorer.api.family import EntityLinks, Mention

WORD = re.compile(r"\w+(?:['’.&-]\w+)*")
LONGEST = 10
"""Words of a name that is looked for at most: longer ones are titles of chapters."""


@dataclass(frozen=True)
class NamedEntities:
    """What is known by name.

    Attributes:
        called: From a name, as it is written, to the ids of what is called so; the likeliest
            first.
        longest: Words in the longest name.
    """

    called: Callable[[str], tuple[str, ...]]
    longest: int


def link_entities(named: NamedEntities, text: str, pair: str | None = None) -> EntityLinks:
    """The entities that a text and its pair name.

    Capitals count: "apple" is none of a company's name. Of names that share characters the
    longest is taken, of those as long the one that comes first.

    Args:
        named: What is known by name.
        text: The sentence.
        pair: The second one; None for none.
    """
    found: list[Mention] = []
    same: list[Mention] = []
    for part, words in enumerate((text, pair or "")):
        places = [match.span() for match in WORD.finditer(words)]
        for first in range(len(places)):
            for last in range(first, min(len(places), first + min(named.longest, LONGEST))):
                start, end = places[first][0], places[last][1]
                ids = named.called(words[start:end])
                if ids:
                    found.append(Mention(start, end, ids[0], part))
                    same += [Mention(start, end, other, part) for other in ids[1:]]
    taken: list[Mention] = []
    for one in sorted(found, key=lambda one: (one.start - one.end, one.part, one.start)):
        (same if any(one.overlaps(other) for other in taken) else taken).append(one)
    return EntityLinks(*(tuple(sorted(some, key=_reading_order)) for some in (taken, same)))


def _reading_order(mention: Mention) -> tuple[int, int, int]:
    return mention.part, mention.start, mention.end
