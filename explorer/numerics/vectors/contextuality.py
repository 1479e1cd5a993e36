"""How contextual the states of words are (Ethayarajh 2019, section 3.3)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from explorer.numerics.distributions.temperature import Floats, Logits

Places = NDArray[np.intp]


def unit_length(states: Logits) -> Floats:
    """States divided by their lengths; one that is 0 stays so."""
    given = np.asarray(states, dtype=np.float64)
    lengths = np.linalg.norm(given, axis=1, keepdims=True)
    found: Floats = np.divide(given, lengths, out=np.zeros_like(given), where=lengths > 0)
    return found


def mean_of_pairs(units: Floats) -> float:
    """Mean cosine of all pairs of different rows; two at least."""
    n = len(units)
    total = units.sum(axis=0)
    own = float(np.square(units).sum())
    return (float(total @ total) - own) / (n * (n - 1))


def self_similarity(units: Floats, words: Iterable[Places]) -> float:
    """Mean cosine of a word's states in different contexts, averaged over the words.

    Args:
        units: States of length 1.
        words: Where each word stands; twice at least.
    """
    return float(np.mean([mean_of_pairs(units[places]) for places in words]))


def intra_sentence_similarity(states: Logits, sentences: Iterable[Places]) -> float:
    """Mean cosine of a sentence's tokens with their mean, averaged over the sentences."""
    given = np.asarray(states, dtype=np.float64)
    found = []
    for places in sentences:
        middle = unit_length(given[places].mean(axis=0, keepdims=True))[0]
        found.append(float((unit_length(given[places]) @ middle).mean()))
    return float(np.mean(found))


def anisotropy(units: Floats, sentences: Sequence[Places]) -> float:
    """Mean cosine of two tokens of different sentences: of all such pairs, not of a sample.

    Args:
        units: States of length 1.
        sentences: Where the tokens of each stand; two at least.
    """
    sums = np.stack([units[places].sum(axis=0) for places in sentences])
    total = sums.sum(axis=0)
    counts = np.array([len(places) for places in sentences], dtype=np.float64)
    pairs = counts.sum() ** 2 - (counts**2).sum()
    return float((total @ total - np.square(sums).sum()) / pairs)
