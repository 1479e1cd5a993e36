"""How alike the states of two layers are, token by token and as wholes."""

from __future__ import annotations

import numpy as np

from explorer.numerics.temperature import Floats, Logits


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


def linear_cka(left: Logits, right: Logits) -> float:
    """Linear centred kernel alignment: 1 where one layer is a rotation of the other.

    ``|Y^T X|_F^2 / (|X^T X|_F |Y^T Y|_F)`` with columns centred (Kornblith et al. 2019, section 3);
    computed from the tokens' products with each other, which is the same number and small.
    Widths may differ. With fewer tokens than numbers in a state it is biased upwards. 0 where one
    layer gives every token the same state.

    Args:
        left: States, shape [tokens, width].
        right: States, shape [tokens, other width].
    """
    return alignment(centred_products(left), centred_products(right))


def centred_products(states: Logits) -> Floats:
    """Products of every token's state with every other's, columns centred: tokens x tokens."""
    centred = np.asarray(states, dtype=np.float64)
    centred = centred - centred.mean(axis=0, keepdims=True)
    found: Floats = centred @ centred.T
    return found


def alignment(left: Floats, right: Floats) -> float:
    """`linear_cka` of two layers, from their centred products."""
    shared = float((left * right).sum())
    lengths = float(np.linalg.norm(left) * np.linalg.norm(right))
    return shared / lengths if lengths > 0 else 0.0


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
