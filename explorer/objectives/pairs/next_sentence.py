"""Next-sentence prediction.

Devlin et al. 2019, section 3.1 (task 2): text B follows text A in half of the pairs (IsNext), and
comes from another document in the other half (NotNext). The pair is read as
``[CLS] A [SEP] B [SEP]`` with segment 0 up to the first [SEP] and segment 1 after it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from explorer.objectives import IGNORED

# The numbering of transformers' BertForNextSentencePrediction.
IS_NEXT: Final = 0
NOT_NEXT: Final = 1

Sentences = Sequence[Sequence[int]]


@dataclass(frozen=True, slots=True)
class SentencePair:
    """Two texts as token numbers; ``label`` is `IGNORED` when there is no second one."""

    first: tuple[int, ...]
    second: tuple[int, ...]
    label: int


def _joined(sentences: Sentences) -> tuple[int, ...]:
    return tuple(token for sentence in sentences for token in sentence)


def draw_pair(
    document: Sentences, other: Sentences, generator: np.random.Generator
) -> SentencePair:
    """Cut a document in two, and keep or replace the second part.

    Args:
        document: sentences of token numbers; at least two.
        other: another document, for NotNext.
        generator: source of randomness.

    Raises:
        ValueError: the document has one sentence only.
    """
    if len(document) < 2:
        raise ValueError("A document of one sentence cannot be cut into a pair.")
    cut = int(generator.integers(1, len(document)))
    first = _joined(document[:cut])
    if generator.random() < 0.5:
        return SentencePair(first, _joined(document[cut:]), IS_NEXT)
    start = int(generator.integers(0, len(other)))
    return SentencePair(first, _joined(other[start:]), NOT_NEXT)


@dataclass(frozen=True, slots=True)
class PairTokens:
    """A pair laid out for the model.

    Attributes:
        tokens: with special tokens, shape [length].
        segments: 0 or 1, shape [length].
        candidates: True at ordinary tokens, shape [length].
    """

    tokens: NDArray[np.int64]
    segments: NDArray[np.int64]
    candidates: NDArray[np.bool_]


def lay_out(pair: SentencePair, cls_token: int, sep_token: int) -> PairTokens:
    """``[CLS] A [SEP] B [SEP]``, or ``[CLS] A [SEP]`` when there is no B."""
    tokens = [cls_token, *pair.first, sep_token]
    split = len(tokens)
    if pair.second:
        tokens += [*pair.second, sep_token]
    numbers = np.array(tokens, dtype=np.int64)
    segments = (np.arange(len(tokens)) >= split).astype(np.int64)
    return PairTokens(numbers, segments, (numbers != cls_token) & (numbers != sep_token))


def alone(sentences: Sentences) -> SentencePair:
    """A text without a second one: no next-sentence label."""
    return SentencePair(_joined(sentences), (), IGNORED)
