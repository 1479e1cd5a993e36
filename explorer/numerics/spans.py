"""Spans of a text from scores of where they begin and end (Devlin et al. 2019, section 4.2)."""

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

Floats = NDArray[np.float64]


def softmax(logits: ArrayLike) -> Floats:
    """Along the last axis; minus infinity has no chance."""
    values = np.asarray(logits, dtype=np.float64)
    shares: Floats = np.exp(values - values.max(axis=-1, keepdims=True))
    shares /= shares.sum(axis=-1, keepdims=True)
    return shares


def of_each_start(ends: ArrayLike) -> NDArray[Any]:
    """Ends for every start (starts x ends), also where they are the same for all of them."""
    values = np.asarray(ends)
    return values if values.ndim == 2 else np.broadcast_to(values, (len(values), len(values)))


def is_span(count: int, longest: int | None = None) -> NDArray[np.bool_]:
    """Which pairs of start and end are one: the end is not before the start, nor too far behind.

    Args:
        count: Tokens.
        longest: Tokens of the longest span; None for any.
    """
    allowed = np.triu(np.ones((count, count), dtype=bool))
    return allowed if longest is None else np.tril(allowed, longest - 1)


def best_span(starts: ArrayLike, ends: ArrayLike, longest: int | None = None) -> tuple[int, int]:
    """The start and the end whose scores together are highest.

    Args:
        starts: Logits (tokens).
        ends: Logits (tokens, or starts x ends).
        longest: Tokens of the longest span; None for any.
    """
    total = np.asarray(starts)[:, None] + of_each_start(ends)
    allowed = np.where(is_span(len(total), longest), total, -np.inf)
    start, end = np.unravel_index(int(allowed.argmax()), allowed.shape)
    return int(start), int(end)
