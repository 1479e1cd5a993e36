"""Sentence-order prediction.

Lan et al. 2020 (ALBERT), section 3.1: the two texts always follow each other in one document. In
half of the pairs they are swapped, and the model tells which. A next-sentence pair can be told
from its subjects alone; this one cannot, because both halves are about the same thing.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from explorer.objectives.pairs.next_sentence import SentencePair, Sentences

# The numbering of transformers' AlbertForPreTraining.
IN_ORDER: Final = 0
SWAPPED: Final = 1


def draw_ordered_pair(document: Sentences, generator: np.random.Generator) -> SentencePair:
    """Cut a document in two, and swap the parts in half of the cases.

    Args:
        document: sentences of token numbers; at least two.
        generator: source of randomness.

    Raises:
        ValueError: the document has one sentence only.
    """
    if len(document) < 2:
        raise ValueError("A document of one sentence has no order.")
    cut = int(generator.integers(1, len(document)))
    first = tuple(token for sentence in document[:cut] for token in sentence)
    second = tuple(token for sentence in document[cut:] for token in sentence)
    if generator.random() < 0.5:
        return SentencePair(first, second, IN_ORDER)
    return SentencePair(second, first, SWAPPED)
