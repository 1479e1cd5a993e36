"""Texts of small worlds, whose grammar is known."""

from __future__ import annotations

import functools
import itertools
from abc import abstractmethod
from collections.abc import Callable, Iterator, Sequence
from typing import Final

import numpy as np

from explorer.learning.texts.documents import BLOCK, EndlessDocuments, WrittenDocument
from explorer.learning.texts.training_text import HeldOutText, LearningText
from explorer.world import corpus
from explorer.world.corpus import CorpusDocument, has_withheld, is_withheld, sentence_words
from explorer.world.exact.inside import ExactReader
from explorer.world.exact.readers import Tokenize
from explorer.world.exact.truth import Truth
from explorer.world.grammar import Grammar
from explorer.world.korean.grammar import korean_world
from explorer.world.scenes import small_world
from explorer.world.small import corpus as smallest
from explorer.world.small.grammar import smallest_world
from explorer.world.small.korean import smallest_world_in_korean
from explorer.world.small.rules import rules_of

READ: Final = 6000
"""Documents that a vocabulary is made of."""


class GrammarText(LearningText):
    """Texts of a grammar; some are withheld from training."""

    grammar: Grammar
    seed: int
    """Of the texts that are read."""

    @abstractmethod
    def is_withheld(self, document: CorpusDocument) -> bool:
        """Whether nobody is trained on a document."""

    def drawn(self, seed: int) -> Iterator[CorpusDocument]:
        """An endless stream of documents that are read."""
        stream = corpus.documents(seed, self.grammar)
        return (one for one in stream if not self.is_withheld(one))

    def documents(self, count: int, seed: int) -> Sequence[WrittenDocument]:
        """The first ones of the world's own text, or an endless stream of the seed's own."""
        if count:
            return list(itertools.islice(self.drawn(self.seed), count))

        def draw(block: int) -> list[WrittenDocument]:
            own = np.random.SeedSequence((self.seed, seed, block)).generate_state(1)[0]
            return list(itertools.islice(self.drawn(int(own)), BLOCK))

        return EndlessDocuments(draw)

    def vocabulary_texts(self) -> Iterator[str]:
        """The first documents of the world's own text."""
        return (one.text for one in itertools.islice(self.drawn(self.seed), READ))

    def reader(self, tokenize: Tokenize) -> ExactReader:
        """Of pieces that know neither spaces nor capitals."""
        return ExactReader(self.grammar, functools.cache(lambda word: tuple(tokenize(word))))

    def truth(self, tokenize: Tokenize) -> Truth:
        """Of texts in any of the styles that the pieces tell apart."""
        return Truth(tokenize, world=self.grammar)


class WorldText(GrammarText):
    """The text that the bundled miniatures were trained on; withheld sentences are not in it."""

    grammar = small_world()
    seed = corpus.TRAINING_SEED

    def is_withheld(self, document: CorpusDocument) -> bool:
        """Any of its sentences is."""
        return has_withheld(document)

    def held_out(self, count: int) -> Sequence[HeldOutText]:
        """Words of withheld sentences are asked about, by what the text is about."""
        return [
            HeldOutText(
                one.words,
                tuple(
                    one.kind if is_withheld(sentence) else ""
                    for sentence in sentence_words(one.words)
                    for _ in sentence
                ),
            )
            for one in corpus.held_out_documents(count)
        ]


class SmallestWorldText(GrammarText):
    """A world that is learnt in a minute, rule by rule.

    Args:
        rho: how much job and pronoun go together.
    """

    made: Callable[[float], Grammar] = staticmethod(smallest_world)
    seed = smallest.TRAINING_SEED

    def __init__(self, rho: float = 0.0) -> None:
        self.grammar = self.made(rho)

    def is_withheld(self, document: CorpusDocument) -> bool:
        """The whole of it is."""
        return smallest.is_withheld_text(document.words)

    def held_out(self, count: int) -> Sequence[HeldOutText]:
        """All words are asked about, by the rule that wrote them."""
        found = smallest.held_out_texts(count, grammar=self.grammar)
        return [HeldOutText(one.words, rules_of(one)) for one in found]


class KoreanText(SmallestWorldText):
    """The same world in Korean."""

    made = staticmethod(smallest_world_in_korean)
    strips_accents = False


class KoreanWorldText(GrammarText):
    """The text that BERT's Korean miniature was trained on.

    Whole texts are withheld, of those that are long enough to be new: a day has but one behind it.
    """

    grammar = korean_world()
    seed = 41
    strips_accents = False

    def is_withheld(self, document: CorpusDocument) -> bool:
        """The whole of it is."""
        is_long = len(document.words) >= corpus.WITHHELD_WORDS
        return is_long and smallest.is_withheld_text(document.words)

    def held_out(self, count: int) -> Sequence[HeldOutText]:
        """All words are asked about, by what the text is about."""
        found: dict[tuple[str, ...], HeldOutText] = {}
        for one in corpus.documents(self.seed + 1, self.grammar):
            if len(found) == count:
                break
            if self.is_withheld(one):
                rules = (one.kind,) * len(one.words)
                found.setdefault(one.words, HeldOutText(one.words, rules))
        return list(found.values())
