"""Distributions at a temperature (Hinton, Vinyals and Dean 2015, section 2, equation 1).

``p_i(T) = exp(z_i / T) / sum_j exp(z_j / T)``: above 1 a temperature T makes a distribution more
even and shows which wrong answers a model holds for less wrong; below 1 it makes it sharper.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Logits = NDArray[np.float32] | NDArray[np.float64]

COOLEST = 0.25
HOTTEST = 20.0
"""The range of temperatures a user can choose from."""


def log_softmax(logits: Logits, temperature: float = 1.0) -> Floats:
    """Log-probabilities at a temperature, along the last axis; shape as the logits'.

    Raises:
        ValueError: The temperature is not above 0.
    """
    if not temperature > 0.0:
        raise ValueError(f"A temperature must be above 0, and {temperature} is not.")
    scaled = np.asarray(logits, dtype=np.float64) / temperature
    scaled = scaled - scaled.max(axis=-1, keepdims=True)
    found: Floats = scaled - np.log(np.exp(scaled).sum(axis=-1, keepdims=True))
    return found


def softmax(logits: Logits, temperature: float = 1.0) -> Floats:
    """Probabilities at a temperature, along the last axis; shape as the logits'."""
    found: Floats = np.exp(log_softmax(logits, temperature))
    return found


def entropy(logits: Logits, temperature: float = 1.0) -> Floats:
    """``-sum_i p_i log p_i`` in nats, along the last axis; log-probabilities are logits too.

    A class that is impossible (minus infinity) adds nothing.
    """
    logs = log_softmax(logits, temperature)
    p = np.exp(logs)
    found: Floats = -(p * np.where(p > 0, logs, 0.0)).sum(axis=-1)
    return np.maximum(found, 0.0)


def top_share(logits: Logits, temperature: float = 1.0) -> Floats:
    """The probability of the likeliest class, along the last axis."""
    found: Floats = softmax(logits, temperature).max(axis=-1)
    return found


def dark_knowledge(logits: Logits, temperature: float = 1.0) -> Floats:
    """The probability of everything but the likeliest class."""
    return 1.0 - top_share(logits, temperature)


def ranks(logits: Logits) -> NDArray[np.int64]:
    """The place of every class, 1 the likeliest, along the last axis; equals stand as they come.

    A temperature changes no rank.
    """
    order = np.argsort(-np.asarray(logits, dtype=np.float64), axis=-1, kind="stable")
    found = np.empty(order.shape, dtype=np.int64)
    places = np.broadcast_to(np.arange(1, order.shape[-1] + 1), order.shape)
    np.put_along_axis(found, order, places, axis=-1)
    return found


def temperatures_between(low: float = COOLEST, high: float = HOTTEST, count: int = 65) -> Floats:
    """Temperatures at equal ratios, ends included."""
    found: Floats = np.geomspace(low, high, count)
    return found


@dataclass(frozen=True)
class Curves:
    """What a temperature does to one distribution.

    Attributes:
        temperatures: In rising order.
        entropy: In nats, at each.
        top_share: Probability of the likeliest class, at each.
    """

    temperatures: Floats
    entropy: Floats
    top_share: Floats

    @property
    def dark_knowledge(self) -> Floats:
        """1 minus the share of the likeliest class, at each temperature."""
        return 1.0 - self.top_share


def curves(logits: Logits, temperatures: Sequence[float] | Floats) -> Curves:
    """Entropy and top share of one distribution (its logits, one axis) over temperatures."""
    at = np.asarray(temperatures, dtype=np.float64)
    return Curves(
        at,
        np.array([float(entropy(logits, t)) for t in at]),
        np.array([float(top_share(logits, t)) for t in at]),
    )
