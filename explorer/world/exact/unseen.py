"""Which words of a text truly matter for one of them: how much less probable it is without each.

The world's exact distribution at a word's place, with everything else visible, is laid beside the
one with another word hidden, too: that word is then summed out, which is all that can be done by
who does not see it. The loss of the place's own word, in nats, is what not seeing the other costs.
"""

from __future__ import annotations

import math
import random
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from explorer.world.corpus import (
    CLOSING,
    HELD_OUT_SEED,
    SENTENCE_ENDS,
    documents,
    has_withheld,
    is_withheld,
    sentence_words,
)
from explorer.world.exact.inside import ExactReader

LEAST: Final = 0.1
"""Nats that one word must be worth at a place that is counted."""
DIGITS: Final = 9
"""Of losses; what remains of a sum that is zero is less."""


@dataclass(frozen=True, slots=True)
class Unseen:
    """A place in a text, and what each other word is worth there.

    Attributes:
        words: The text's, marks among them.
        asked: Number of the word that is asked about.
        log_probability: Of that word, where all others are seen, in nats.
        losses: By how much that falls where each word is unseen; 0 for the asked one itself.
    """

    words: tuple[str, ...]
    asked: int
    log_probability: float
    losses: tuple[float, ...]

    @property
    def largest(self) -> float:
        """What the word is worth that matters most."""
        return max(self.losses)

    @property
    def right(self) -> frozenset[int]:
        """The words that matter most: one, or several of the same worth."""
        return frozenset(n for n, one in enumerate(self.losses) if one == self.largest)


def unseen(reader: ExactReader, words: tuple[str, ...], asked: int) -> Unseen:
    """Hide every word in turn, beside the one that is asked about."""

    def log_probability(hidden: int) -> float:
        pattern = [None if n in (asked, hidden) else word for n, word in enumerate(words)]
        return math.log(reader.posterior(pattern, asked)[words[asked]])

    seen = log_probability(asked)
    losses = (
        # Adding nothing makes minus nothing plain.
        round(seen - log_probability(n), DIGITS) + 0.0 if n != asked else 0.0
        for n in range(len(words))
    )
    return Unseen(words, asked, round(seen, DIGITS), tuple(losses))


def held_out_places(reader: ExactReader, seed: int = HELD_OUT_SEED) -> Iterator[Unseen]:
    """Places in texts that were kept from training, at which one word at least matters.

    Each text gives one place at most, drawn among the words of its sentences that were withheld,
    so that what is found at one says nothing of another.
    """
    rng = random.Random(seed)  # noqa: S311
    known: set[tuple[str, ...]] = set()
    for document in documents(seed):
        if not has_withheld(document) or document.words in known:
            continue
        known.add(document.words)
        found = unseen(reader, document.words, rng.choice(_choices(document.words)))
        if found.largest > LEAST:
            yield found


def _choices(words: tuple[str, ...]) -> list[int]:
    """The words of withheld sentences, without marks and what begins with a capital there."""
    choices: list[int] = []
    start = 0
    for sentence in sentence_words(words):
        if is_withheld(sentence):
            choices += [
                start + n
                for n, word in enumerate(sentence)
                if n and word not in CLOSING | SENTENCE_ENDS
            ]
        start += len(sentence)
    return choices
