"""Entropy, cross-entropy and the Kullback-Leibler divergence of log-probabilities, each once.

All in nats, along the last axis, summed in float64. A class that is impossible (minus infinity)
under the distribution whose mean is taken adds nothing, whatever the other one says of it.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]


def entropy(logs: Floats) -> Floats:
    """``-sum_i p_i log p_i``, a number a row.

    Args:
        logs: Log-probabilities, shape [..., classes].
    """
    return np.maximum(-_mean(logs, logs), 0.0)


def cross_entropy(p: Floats, q: Floats) -> Floats:
    """``-sum_i p_i log q_i``, a number a row; infinite where q rules out what p does not.

    Args:
        p: Log-probabilities, shape [..., classes].
        q: Log-probabilities of the same classes.
    """
    return -_mean(p, q)


def kl(p: Floats, q: Floats) -> Floats:
    """``KL(p || q) = sum_i p_i (log p_i - log q_i)``, a number a row.

    The differences are summed, not two sums subtracted: these have both signs and nearly cancel.
    Infinite where q rules out what p does not.

    Args:
        p: Log-probabilities, shape [..., classes].
        q: Log-probabilities of the same classes.
    """
    apart = np.subtract(p, q, where=np.exp(p) > 0, out=np.zeros_like(p))
    return np.maximum(_mean(p, apart), 0.0)


def _mean(logs: Floats, values: Floats) -> Floats:
    """``sum_i p_i values_i`` over the classes that are possible."""
    p = np.exp(logs)
    found: Floats = (p * np.where(p > 0, values, 0.0)).sum(axis=-1)
    return found
