"""Which words are concepts: base forms of inflected words, and words that say too little."""

from __future__ import annotations

import functools
from collections.abc import Iterator
from typing import Final

from explorer.world.language.english import (
    DOUBLING,
    IRREGULAR_PLURALS,
    IRREGULAR_VERBS,
    VOWELS,
    words,
)

STOP_WORDS: Final = frozenset(
    words(
        "a about above after again against all also am an and any are aren as at be because been "
        "before being below between both but by can cannot could did do does doing down during "
        "each few for from further had has have having he her here hers herself him himself his "
        "how i if in into is it its itself just may me might more most must my myself no nor not "
        "now of off on once only or other our ours ourselves out over own same shall she should "
        "so some such than that the their theirs them themselves then there these they this those "
        "through to too under until up upon very was we were what when where which while who whom "
        "why will with would you your yours yourself yourselves s t don ll re ve d m"
    )
)
"""Function words of English."""

SAYING_TOO_LITTLE: Final = frozenset(words("uk us take make object person people"))
"""Concepts that the authors leave out, because everything lies beside them."""

LONGEST_CONCEPT: Final = 4
"""Words of the longest concept that is looked for in a text."""


def is_left_out(concept: str) -> bool:
    """Whether the authors' graph goes without a concept of ConceptNet."""
    if concept in SAYING_TOO_LITTLE or not concept:
        return True
    return any(word in STOP_WORDS for word in concept.split(" "))


@functools.cache
def _irregular() -> dict[str, tuple[str, ...]]:
    """Base forms of words that no ending tells."""
    found: dict[str, tuple[str, ...]] = {}
    for table in (IRREGULAR_PLURALS, IRREGULAR_VERBS):
        for base, form in table.items():
            found[form] = (*found.get(form, ()), base)
    return found


def base_forms(word: str) -> tuple[str, ...]:
    """What a word may be a form of, itself first; many of them are no words.

    Which one it is, the concepts of the graph say.
    """
    return tuple(dict.fromkeys((word, *_irregular().get(word, ()), *_without_endings(word))))


def _without_endings(word: str) -> Iterator[str]:
    for ending, instead in (
        ("ies", ("y", "ie")),
        ("ves", ("f", "fe")),
        ("es", ("", "e")),
        ("s", ("",)),
        ("ied", ("y",)),
        ("ed", ("", "e")),
        ("ing", ("", "e")),
    ):
        stem = word.removesuffix(ending)
        if stem == word or len(stem) < 2 or word.endswith("ss"):
            continue
        for one in instead:
            yield stem + one
        doubled = len(stem) > 2 and stem[-1] == stem[-2] and stem[-1] not in VOWELS
        if ending in ("ed", "ing") and (doubled or stem[:-1] in DOUBLING):
            yield stem[:-1]
