"""Texts of the smallest world, drawn with a seed; a twentieth of all texts is kept from training.

Whole texts are withheld, and no sentence is: there are so few sentences that a model would learn
which of them are never met, and the exact answer knows of no such gap.
"""

from __future__ import annotations

import functools
import hashlib
import itertools
from typing import Final

from explorer.world.corpus import CorpusDocument
from explorer.world.corpus import documents as drawn
from explorer.world.grammar import Grammar
from explorer.world.small.grammar import smallest_world

WITHHELD_SHARE: Final = 0.05
SPLIT_SALT: Final = "smallest world 1"

TRAINING_SEED: Final = 31
HELD_OUT_SEED: Final = 32


def documents(seed: int, count: int, grammar: Grammar | None = None) -> list[CorpusDocument]:
    """The first texts of a stream, withheld ones among them; the same seed gives the same ones."""
    return list(itertools.islice(drawn(seed, grammar or smallest_world()), count))


@functools.lru_cache(maxsize=200_000)
def is_withheld_text(words: tuple[str, ...]) -> bool:
    """Whether a text (its words) is kept from training."""
    text = f"{SPLIT_SALT}\n{' '.join(words).lower()}"
    number = int.from_bytes(hashlib.sha256(text.encode()).digest()[:8], "big")
    return number < WITHHELD_SHARE * 2**64


def training_texts(
    count: int, seed: int = TRAINING_SEED, grammar: Grammar | None = None
) -> list[CorpusDocument]:
    """The first texts of the stream that are not withheld."""
    stream = drawn(seed, grammar or smallest_world())
    open_to_all = (one for one in stream if not is_withheld_text(one.words))
    return list(itertools.islice(open_to_all, count))


def held_out_texts(
    count: int, seed: int = HELD_OUT_SEED, grammar: Grammar | None = None
) -> list[CorpusDocument]:
    """The first different texts of another stream that are withheld."""
    chosen: dict[tuple[str, ...], CorpusDocument] = {}
    for document in drawn(seed, grammar or smallest_world()):
        if len(chosen) == count:
            break
        if is_withheld_text(document.words):
            chosen.setdefault(document.words, document)
    return list(chosen.values())
