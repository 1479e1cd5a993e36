"""How alike the states of two layers are, token by token and as wholes."""

from __future__ import annotations

import numpy as np

from explorer.numerics.distributions.temperature import Floats, Logits


def mean_squared(left: Logits, right: Logits) -> float:
    """Mean of the squared differences, over all numbers of two arrays of the same shape."""
    difference = np.asarray(left, dtype=np.float64) - np.asarray(right, dtype=np.float64)
    return float((difference**2).mean())


def mean_cosine(left: Logits, right: Logits) -> float:
    """Cosine of the angle between states, averaged over the tokens; 0 with a state that is 0.

    Args:
        left: States, shape [tokens, width].
        right: Same shape.
    """
    a, b = np.asarray(left, dtype=np.float64), np.asarray(right, dtype=np.float64)
    lengths = np.linalg.norm(a, axis=-1) * np.linalg.norm(b, axis=-1)
    products = (a * b).sum(axis=-1)
    cosines = np.divide(products, lengths, out=np.zeros_like(products), where=lengths > 0)
    return float(cosines.mean())


def least_squares(student: Logits, teacher: Logits) -> Floats:
    """The student's states times the W that brings them nearest to the teacher's.

    ``W = argmin |S W - T|^2``, fitted on these very states, without a bias. With no more tokens
    than the student is wide the fit is exact and says nothing about the student.

    Args:
        student: States, shape [tokens, student's width].
        teacher: States, shape [tokens, teacher's width].

    Returns:
        ``S W``, shape [tokens, teacher's width].
    """
    s, t = np.asarray(student, dtype=np.float64), np.asarray(teacher, dtype=np.float64)
    # States are float32, so directions fainter than its rounding are noise: an embedding that was
    # widened has no more directions than it had before, and would be fitted by its rounding errors.
    noise = float(np.finfo(np.float32).eps) * max(s.shape, default=1)
    weights, _, _, _ = np.linalg.lstsq(s, t, rcond=noise)
    found: Floats = s @ weights
    return found
