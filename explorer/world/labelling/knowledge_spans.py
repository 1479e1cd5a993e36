"""What a text names and which of its words belong together, from what the text means.

A document knows its derivation, so its entities (things and people) and phrases (groups of words
that act as one) are known exactly, as ranges of characters of its text. A published ERNIE finds
them with a tagger and a lexicon; here there is nothing to guess.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from explorer.world.corpus import CorpusDocument
from explorer.world.grammar import spans
from explorer.world.language.spelling import surfaces
from explorer.world.scenes import ENTITY_RULES
from explorer.world.tables import DAYS, MONTHS, NAMES, PEOPLE

# Symbols whose words act as one: noun phrases, places, tools, times. Those of one word are no
# phrases.
PHRASE_RULES: Final = frozenset(
    {
        "a", "place", "worker", "worked_on", "tool", "old_tool", "some_food", "some_drink",
        "on_day", "past_time", "hours", "film_adjectives", "meal_when", "after_work",
    }
)  # fmt: skip

# Names that some rules write without a symbol of their own; they are the same entities.
PROPER_NAMES: Final = frozenset(
    [*DAYS, *MONTHS, *(first for first, *_ in PEOPLE)]
    + [name for names in NAMES.values() for _, name in names]
)
PROPER_NAME: Final = "proper_name"


@dataclass(frozen=True, slots=True)
class TextSpan:
    """Characters [start, end) of a text, and the rule or kind of name that they stand for."""

    start: int
    end: int
    rule: str


def word_offsets(document: CorpusDocument) -> list[tuple[int, int]]:
    """The characters [start, end) of each word in the document's text."""
    offsets: list[tuple[int, int]] = []
    place = 0
    for _, shown in surfaces(document.words):
        for word in shown:
            start = place + word.startswith(" ")
            place += len(word)
            offsets.append((start, place))
    return offsets


def entities(document: CorpusDocument) -> tuple[TextSpan, ...]:
    """Things and people, days and months that the text names; none inside another."""
    offsets = word_offsets(document)
    found = _outermost(document, ENTITY_RULES, fewest=1)
    covered = {place for span in found for place in range(span.start, span.end)}
    found += [
        TextSpan(start, end, PROPER_NAME)
        for word, (start, end) in zip(document.words, offsets, strict=True)
        if word in PROPER_NAMES and start not in covered
    ]
    return tuple(sorted(found, key=lambda span: span.start))


def phrases(document: CorpusDocument) -> tuple[TextSpan, ...]:
    """Groups of two or more words that act as one, from left to right; none inside another."""
    return tuple(_outermost(document, PHRASE_RULES, fewest=2))


def _outermost(document: CorpusDocument, names: frozenset[str], fewest: int) -> list[TextSpan]:
    offsets = word_offsets(document)
    found: list[TextSpan] = []
    covered = 0
    # In the order of their starts, the longer first.
    for span in spans(document.node, names):
        if span.start >= covered and span.end - span.start >= fewest:
            start, end = offsets[span.start][0], offsets[span.end - 1][1]
            found.append(TextSpan(start, end, span.symbol.name))
            covered = span.end
    return found
