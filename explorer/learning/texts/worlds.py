"""Texts of small worlds, whose grammar is known."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from typing import Final

import numpy as np

from explorer.learning.texts.documents import BLOCK, EndlessDocuments, WrittenDocument
from explorer.learning.texts.training_text import TrainingText
from explorer.world.corpus import TRAINING_SEED, documents, has_withheld, training_documents
from explorer.world.exact.inside import ExactReader
from explorer.world.exact.readers import Tokenize, exact_reader

READ: Final = 6000
"""Documents that a vocabulary is made of."""


class WorldText(TrainingText):
    """The text that the bundled miniatures were trained on; withheld sentences are not in it."""

    def documents(self, count: int, seed: int) -> Sequence[WrittenDocument]:
        """The first ones of the miniatures' text, or an endless stream of the seed's own."""
        if count:
            return training_documents(count)

        def draw(block: int) -> list[WrittenDocument]:
            own = np.random.SeedSequence((TRAINING_SEED, seed, block)).generate_state(1)[0]
            fresh = (one for one in documents(int(own)) if not has_withheld(one))
            return list(itertools.islice(fresh, BLOCK))

        return EndlessDocuments(draw)

    def vocabulary_texts(self) -> Iterator[str]:
        """The first documents of the miniatures' text."""
        return (document.text for document in training_documents(READ))

    def reader(self, tokenize: Tokenize) -> ExactReader:
        """Of pieces that know neither spaces nor capitals."""
        return exact_reader(tokenize)
