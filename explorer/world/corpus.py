"""Documents drawn from the small world with a seed, and the sentences that are kept from training.

The split is a property of a sentence's text, not of a draw: a sentence is withheld when a salted
hash of it falls in the lowest `WITHHELD_SHARE`. A document with a withheld sentence is never
trained on. Sentences of fewer than `WITHHELD_WORDS` words are never withheld: they are the short
facts ("the movie was fun .") that every longer text builds on.
"""

from __future__ import annotations

import functools
import hashlib
import random
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from explorer.world.grammar import DerivationNode, Grammar
from explorer.world.scenes import small_world

WITHHELD_SHARE: Final = 0.05
WITHHELD_WORDS: Final = 7
SPLIT_SALT: Final = "small world 1"
SENTENCE_ENDS: Final = frozenset(".?!")
CLOSING: Final = frozenset(".,?!")

# Seeds of the two streams of documents.
TRAINING_SEED: Final = 11
HELD_OUT_SEED: Final = 12


@dataclass(frozen=True, slots=True)
class CorpusDocument:
    """One text: its derivation, which is what it means, and its words."""

    node: DerivationNode
    words: tuple[str, ...]

    @property
    def kind(self) -> str:
        """Which subject the document is about (the rule's name)."""
        first = self.node.children[0]
        return first if isinstance(first, str) else first.symbol.name

    @property
    def sentences(self) -> tuple[str, ...]:
        """The sentences as a person would write them."""
        return tuple(spell(words) for words in sentence_words(self.words))

    @property
    def text(self) -> str:
        """The whole text as a person would write it."""
        return " ".join(self.sentences)


def sentence_words(words: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
    """Cut words into sentences after each mark that ends one."""
    start = 0
    for index, word in enumerate(words):
        if word in SENTENCE_ENDS:
            yield words[start : index + 1]
            start = index + 1
    if start < len(words):
        yield words[start:]


def spell(words: tuple[str, ...]) -> str:
    """Write a sentence: a capital first, and no space before a mark."""
    text = ""
    for word in words:
        text += word if word in CLOSING or not text else " " + word
    return text[:1].upper() + text[1:]


@functools.lru_cache(maxsize=200_000)
def is_withheld(sentence: tuple[str, ...]) -> bool:
    """Whether a sentence (its words) is kept from training."""
    if len(sentence) < WITHHELD_WORDS:
        return False
    text = f"{SPLIT_SALT}\n{' '.join(sentence).lower()}"
    number = int.from_bytes(hashlib.sha256(text.encode()).digest()[:8], "big")
    return number < WITHHELD_SHARE * 2**64


def documents(seed: int, grammar: Grammar | None = None) -> Iterator[CorpusDocument]:
    """An endless stream of documents; the same seed gives the same stream."""
    grammar = grammar or small_world()
    rng = random.Random(seed)  # noqa: S311
    while True:
        node = grammar.sample(rng)
        yield CorpusDocument(node, tuple(node.words()))


def has_withheld(document: CorpusDocument) -> bool:
    """Whether any sentence of the document is kept from training."""
    return any(is_withheld(sentence) for sentence in sentence_words(document.words))


def training_documents(count: int, seed: int = TRAINING_SEED) -> list[CorpusDocument]:
    """The first ``count`` documents of the stream that hold no withheld sentence."""
    chosen: list[CorpusDocument] = []
    for document in documents(seed):
        if len(chosen) == count:
            break
        if not has_withheld(document):
            chosen.append(document)
    return chosen


def held_out_documents(count: int, seed: int = HELD_OUT_SEED) -> list[CorpusDocument]:
    """The first ``count`` different documents of the stream with a withheld sentence."""
    chosen: dict[tuple[str, ...], CorpusDocument] = {}
    for document in documents(seed):
        if len(chosen) == count:
            break
        if has_withheld(document):
            chosen.setdefault(document.words, document)
    return list(chosen.values())
