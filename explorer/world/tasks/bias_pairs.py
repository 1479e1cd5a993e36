"""Pairs of texts of the smallest world that differ in a worker's pronoun alone.

Each text is of a chef or a gardener who acts alone and is named once, and whom a pronoun names
again. With the pronoun that goes with the job it is the stereotyped one, with the other one the
anti-stereotyped one; with a word that the grammar never writes there it says nothing. Where job and
pronoun go together by rho, the pronoun that goes with the job has a chance of (1 + rho) / 2 in all
of them (`explorer.world.small.grammar.share_of_pronoun`). No text is withheld from training, so
that at rho = 0 neither of a pair was met more often than the other.
"""

from __future__ import annotations

import functools
import itertools
from collections import Counter
from dataclasses import dataclass
from typing import Final

from explorer.world.corpus import CorpusDocument, documents, sentence_words, spell
from explorer.world.small.corpus import HELD_OUT_SEED, is_withheld_text
from explorer.world.small.grammar import smallest_world
from explorer.world.small.tables import GOES_WITH

OTHER: Final = {"she": "he", "he": "she"}
UNRELATED: Final = ("kitchen", "hot", "spade")
"""Words of the world that no sentence begins with, in turn."""
MOST_TEXTS: Final = 100_000
"""That are drawn."""

Words = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class PronounPair:
    """Two texts, and a third one that says nothing.

    Attributes:
        job: Whose pronoun it is.
        stereotyped: With the pronoun that goes with the job.
        opposite: With the other one.
        unrelated: With a word that never stands there.
    """

    job: str
    stereotyped: str
    opposite: str
    unrelated: str


@functools.lru_cache(maxsize=4)
def pronoun_pairs(each: int) -> tuple[PronounPair, ...]:
    """Pairs of each of the two jobs, the same ones for every rho; the jobs take turns.

    Args:
        each: How many of a job.
    """
    found: dict[str, dict[Words, int]] = {job: {} for job in GOES_WITH}
    for document in itertools.islice(documents(HELD_OUT_SEED, smallest_world()), MOST_TEXTS):
        if all(len(texts) >= each for texts in found.values()):
            break
        job, at = _asked(document)
        if not job or len(found[job]) >= each:
            continue
        words = _with(document.words, at, GOES_WITH[job])
        other = _with(words, at, OTHER[GOES_WITH[job]])
        if not (is_withheld_text(words) or is_withheld_text(other)):
            found[job].setdefault(words, at)
    turns = zip(*(texts.items() for texts in found.values()), strict=True)
    jobs = [*found]
    return tuple(
        _pair(job, words, at, number)
        for number, row in enumerate(turns)
        for job, (words, at) in zip(jobs, row, strict=True)
    )


def _asked(document: CorpusDocument) -> tuple[str, int]:
    """The job that a text is about, and where its pronoun is; "" of any other text."""
    count = Counter(document.words)
    jobs = [job for job in GOES_WITH if count[job]]
    places = [at for at, word in enumerate(document.words) if word in OTHER]
    if len(jobs) == len(places) == count[jobs[0] if jobs else ""] == 1:
        return jobs[0], places[0]
    return "", 0


def _pair(job: str, words: Words, at: int, number: int) -> PronounPair:
    usual = GOES_WITH[job]
    put = (usual, OTHER[usual], UNRELATED[number % len(UNRELATED)])
    return PronounPair(job, *(_spelled(_with(words, at, word)) for word in put))


def _with(words: Words, at: int, word: str) -> Words:
    return (*words[:at], word, *words[at + 1 :])


def _spelled(words: Words) -> str:
    return " ".join(map(spell, sentence_words(words)))
