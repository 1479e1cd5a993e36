"""Distributions at a temperature (Hinton, Vinyals and Dean 2015, section 2, equation 1).

``p_i(T) = exp(z_i / T) / sum_j exp(z_j / T)``: above 1 a temperature T makes a distribution more
even and shows which wrong answers a model holds for less wrong; below 1 it makes it sharper.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from explorer.numerics.distributions import divergence

Floats = divergence.Floats
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
    return divergence.entropy(log_softmax(logits, temperature))


def top_share(logits: Logits, temperature: float = 1.0) -> Floats:
    """The probability of the likeliest class, along the last axis."""
    found: Floats = softmax(logits, temperature).max(axis=-1)
    return found


def dark_knowledge(logits: Logits, temperature: float = 1.0) -> Floats:
    """What a distribution says of the classes but the likeliest, in nats, along the last axis.

    Hinton, Vinyals and Dean 2015, section 1: how probable the wrong answers are relative to each
    other. It is ``KL(p || s)`` to the distribution s that has the same likeliest class with the
    same probability and spreads the rest evenly, which is a hard label smoothed as much (Szegedy
    et al. 2016, section 7). So it is 0 for a uniform distribution and for a hard label, which
    tell nothing of the wrong answers, and the share of the wrong answers times how far they are
    from being all alike: ``(1 - p_max) KL(p without the likeliest || uniform)``.
    """
    logs = log_softmax(logits, temperature)
    return divergence.kl(logs, _evenly_but_the_likeliest(logs))


def _evenly_but_the_likeliest(logs: Floats) -> Floats:
    """Log-probabilities with the likeliest class as it is and the rest spread over the others."""
    top = logs.argmax(axis=-1, keepdims=True)
    wrong = np.exp(logs)
    np.put_along_axis(wrong, top, 0.0, axis=-1)
    # Their sum, not 1 minus the top, which has lost its digits where the top is near 1.
    mean = wrong.sum(axis=-1, keepdims=True) / max(logs.shape[-1] - 1, 1)
    with np.errstate(divide="ignore"):
        found: Floats = np.broadcast_to(np.log(mean), logs.shape).copy()
    np.put_along_axis(found, top, np.take_along_axis(logs, top, axis=-1), axis=-1)
    return found


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
class TemperatureCurves:
    """What a temperature does to one distribution.

    Attributes:
        temperatures: In rising order.
        entropy: In nats, at each.
        top_share: Probability of the likeliest class, at each.
        dark_knowledge: In nats, at each.
    """

    temperatures: Floats
    entropy: Floats
    top_share: Floats
    dark_knowledge: Floats


def curves(logits: Logits, temperatures: Sequence[float] | Floats) -> TemperatureCurves:
    """What some temperatures do to one distribution (its logits, one axis)."""
    at = np.asarray(temperatures, dtype=np.float64)
    measures = (entropy, top_share, dark_knowledge)
    return TemperatureCurves(at, *(np.array([float(of(logits, t)) for t in at]) for of in measures))
