"""Centred kernel alignment of two layers: how alike they arrange the same tokens."""

from __future__ import annotations

import math
from functools import cached_property

import numpy as np

from explorer.numerics.distributions.temperature import Floats, Logits

FEWEST = 4
"""Samples that the unbiased estimator needs."""


SMALL = 1200
"""Samples up to which K takes little memory: 12 MB a layer."""


class CentredStates:
    """The states of one layer with their columns centred, and what is made of them once.

    Args:
        states: Shape [samples, width].
    """

    def __init__(self, states: Logits) -> None:
        given = np.asarray(states, dtype=np.float64)
        self.states: Floats = given - given.mean(axis=0, keepdims=True)

    @property
    def samples(self) -> int:
        """How many there are."""
        return int(self.states.shape[0])

    @property
    def width(self) -> int:
        """Of a state."""
        return int(self.states.shape[1])

    @cached_property
    def gram(self) -> Floats:
        """``K = X X^T``: products of every sample with every other; rows sum to 0."""
        found: Floats = self.states @ self.states.T
        return found

    @cached_property
    def lengths(self) -> Floats:
        """The diagonal of K: squared lengths of the states."""
        found: Floats = np.einsum("ij,ij->i", self.states, self.states)
        return found

    @cached_property
    def own(self) -> float:
        """``|X^T X|_F^2``."""
        return shared_variance(self, self)

    @cached_property
    def own_unbiased(self) -> float:
        """`unbiased_hsic` with itself."""
        return unbiased_hsic(self, self)


def shared_variance(left: CentredStates, right: CentredStates) -> float:
    """``|Y^T X|_F^2 = sum_ij K_ij L_ij``: by features or by samples.

    A layer's K is made once and serves all pairs it is in, so that it is quicker while it is small.
    """
    if left.samples <= max(SMALL, min(left.width, right.width)):
        return float(np.vdot(left.gram, right.gram))
    return float(np.square(left.states.T @ right.states).sum())


def alignment(left: CentredStates, right: CentredStates) -> float:
    """Linear CKA: ``|Y^T X|_F^2 / (|X^T X|_F |Y^T Y|_F)`` (Kornblith et al. 2019, section 3).

    1 where one layer is a rotation, a shift or a multiple of the other; widths may differ. With
    few samples for the width it is biased upwards. 0 where one layer gives every token the same
    state.
    """
    lengths = math.sqrt(left.own) * math.sqrt(right.own)
    return shared_variance(left, right) / lengths if lengths > 0 else 0.0


def unbiased_hsic(left: CentredStates, right: CentredStates) -> float:
    """HSIC_1, the unbiased estimator of Song et al. 2012 (section 2, equation 5).

    ``1 / (n (n - 3)) [tr(K~ L~) + 1'K~1 1'L~1 / ((n - 1)(n - 2)) - 2 / (n - 2) 1'K~L~1]``, where
    K~ and L~ have no diagonal. It is the same for centred states, whose K has rows that sum to 0:
    those of K~ then sum to minus what was on the diagonal.

    Raises:
        ValueError: There are fewer than 4 samples.
    """
    n = left.samples
    if n < FEWEST:
        raise ValueError(f"{n} samples; the unbiased estimator needs {FEWEST}")
    both = float(left.lengths @ right.lengths)
    sums = float(left.lengths.sum() * right.lengths.sum())
    off_diagonal = shared_variance(left, right) - both
    found = off_diagonal + sums / ((n - 1) * (n - 2)) - 2 * both / (n - 2)
    return found / (n * (n - 3))


def unbiased_alignment(left: CentredStates, right: CentredStates) -> float:
    """Linear CKA of `unbiased_hsic` (Nguyen, Raghu and Kornblith 2021, section 3).

    Near 0 for layers that have nothing to do with each other, however few the samples; it may be a
    little below. 0 where a layer's own estimate is not above 0.
    """
    if left.own_unbiased <= 0 or right.own_unbiased <= 0:
        return 0.0
    lengths = math.sqrt(left.own_unbiased) * math.sqrt(right.own_unbiased)
    return unbiased_hsic(left, right) / lengths
