"""Minimal pairs of the small world: a text that its grammar writes, and one that it never writes.

Both differ in one word, or in the order of two neighbours, so that what a model prefers says what
it knows of that one thing (Warstadt et al. 2020, BLiMP, section 3). Nobody has to judge which of
them is right: the exact probability of the second one is 0.
"""

from __future__ import annotations

import itertools
import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from explorer.world.corpus import (
    CLOSING,
    HELD_OUT_SEED,
    documents,
    has_withheld,
    sentence_words,
    spell,
)
from explorer.world.exact.inside import ExactReader
from explorer.world.language import english
from explorer.world.tables import ACTIVITIES, OPPOSITES

LONGEST: Final = 16
"""Words and marks of a text: the exact probability of a short one is found soon."""
MOST_TEXTS: Final = 50_000
"""That are drawn: where a phenomenon is rarer, it has fewer pairs."""

Words = tuple[str, ...]
Changed = Iterator[tuple[int, Words]]
"""Places of a text, and what may be put in the place of the word there (or of two neighbours)."""


@dataclass(frozen=True, slots=True)
class MinimalPair:
    """Two texts.

    Attributes:
        phenomenon: What has to be known to tell them apart.
        good: One that the grammar writes.
        bad: One that it never writes.
        probability: The exact probability of the good one among all texts.
    """

    phenomenon: str
    good: str
    bad: str
    probability: float


def _mirrored(pairs: Mapping[str, str]) -> dict[str, str]:
    return {**pairs, **{second: first for first, second in pairs.items()}}


_VERBS: Final = tuple(dict.fromkeys([*(one.verb for one in ACTIVITIES), *english.IRREGULAR_VERBS]))
_AGREEMENT: Final = _mirrored(
    {
        "is": "are",
        "was": "were",
        "does": "do",
        "has": "have",
        **{
            english.present(verb, "he"): verb for verb in _VERBS if verb not in ("be", "have", "do")
        },
    }
)
_ARTICLES: Final = _mirrored({"a": "an"})
_PRONOUNS: Final = {"he": "she", "she": "he", "his": "her", "him": "her"}
_FORMS: Final = {
    verb: english.past(verb) for verb in _VERBS if verb != "be" and english.past(verb) != verb
}
_TOOLS: Final = tuple(
    tool
    for tool in dict.fromkeys(tool for one in ACTIVITIES for _weight, tool in one.tools)
    if english.plural(tool) != tool
)
_USED: Final = frozenset({"with", "use", "uses", "used", "using"})
_OPPOSITES: Final = tuple(dict.fromkeys(word for row in OPPOSITES for word in row[:2]))
_BEFORE_SINGULAR: Final = frozenset({"a", "an", "this", "every"})
_BEFORE_NOUN: Final = _BEFORE_SINGULAR | {"the", "my", "your", "his", "her", "our", "their"}
_UNCHANGED: Final = frozenset(verb for verb in _VERBS if english.past(verb) == verb)
_BEFORE_BASE: Final = frozenset({"will", "can", "could", "did", "does", "do", "to"})


def _replaced(words: Words, known: Mapping[str, str]) -> Changed:
    for at, word in enumerate(words):
        if word in known:
            yield at, (known[word],)


def _agreeing(words: Words) -> Changed:
    for at, put in _replaced(words, _AGREEMENT):
        # After an article "play" is no verb, and "cut" may be past.
        if at and words[at - 1] not in _BEFORE_NOUN and words[at] not in _UNCHANGED:
            yield at, put


def _plurals(words: Words) -> Changed:
    for at, (before, word) in enumerate(itertools.pairwise(words), 1):
        if before in _BEFORE_SINGULAR and english.plural(word) != word:
            yield at, (english.plural(word),)


def _forms(words: Words) -> Changed:
    for at, word in enumerate(words):
        if word in _FORMS and not _BEFORE_BASE.isdisjoint(words[max(0, at - 3) : at]):
            yield at, (_FORMS[word],)


def _among(words: Words, group: Sequence[str], rng: random.Random) -> Changed:
    for at, word in enumerate(words):
        if word in group:
            yield at, (rng.choice([one for one in group if one != word]),)


def _tools(words: Words, rng: random.Random) -> Changed:
    for at, word in enumerate(words):
        if word in _TOOLS and not _USED.isdisjoint(words[max(0, at - 2) : at]):
            alike = [one for one in _TOOLS if english.article(one) == english.article(word)]
            yield at, (rng.choice([one for one in alike if one != word]),)


def _swapped(words: Words) -> Changed:
    for at, (first, second) in enumerate(itertools.pairwise(words)):
        if CLOSING.isdisjoint((first, second)):
            yield at, (second, first)


PHENOMENA: Final[Mapping[str, Callable[[Words, random.Random], Changed]]] = {
    "verb_agreement": lambda words, _rng: _agreeing(words),
    "a_or_an": lambda words, _rng: _replaced(words, _ARTICLES),
    "noun_number": lambda words, _rng: _plurals(words),
    "verb_form": lambda words, _rng: _forms(words),
    "pronoun_gender": lambda words, _rng: _replaced(words, _PRONOUNS),
    "word_order": lambda words, _rng: _swapped(words),
    "tool": _tools,
    "adjective": lambda words, rng: _among(words, _OPPOSITES, rng),
}
"""What a pair may differ in: from a text to the changes that may make it impossible."""


def minimal_pairs(each: int, reader: ExactReader, seed: int = HELD_OUT_SEED) -> list[MinimalPair]:
    """Pairs made of texts that nobody is trained on, so many of each phenomenon.

    Args:
        each: How many.
        reader: Of the world's words.
        seed: Of the stream of texts.

    Returns:
        By phenomenon, in the order of `PHENOMENA`.
    """
    rng = random.Random(seed)  # noqa: S311
    found: dict[str, list[MinimalPair]] = {name: [] for name in PHENOMENA}
    known: set[Words] = set()
    for document in itertools.islice(documents(seed), MOST_TEXTS):
        wanted = [name for name, pairs in found.items() if len(pairs) < each]
        if not wanted:
            break
        words = document.words
        if len(words) > LONGEST or words in known or not has_withheld(document):
            continue
        known.add(words)
        # Of a text one pair alone, of what is rarest so far, so that pairs are independent.
        for name in sorted(wanted, key=lambda one: len(found[one])):
            pair = _pair(name, words, reader, rng)
            if pair is not None:
                found[name].append(pair)
                break
    return [pair for pairs in found.values() for pair in pairs]


def _pair(name: str, words: Words, reader: ExactReader, rng: random.Random) -> MinimalPair | None:
    """One of the changes, drawn, that the grammar never writes."""
    changes = [*PHENOMENA[name](words, rng)]
    rng.shuffle(changes)
    for at, put in changes:
        bad = (*words[:at], *put, *words[at + len(put) :])
        if bad != words and reader.probability(bad) == 0.0:
            return MinimalPair(name, _spelled(words), _spelled(bad), reader.probability(words))
    return None


def _spelled(words: Words) -> str:
    return " ".join(map(spell, sentence_words(words)))
