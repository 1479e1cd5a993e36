"""The span-boundary objective.

Joshi et al. 2020 (SpanBERT), section 3.2: each token x_i of a masked span (x_s, ..., x_e) is also
predicted from the encoder's outputs at the tokens beside the span and the token's place in it,

    y_i = f(x_{s-1}, x_{e+1}, p_{i-s+1})
    h0 = [x_{s-1}; x_{e+1}; p_{i-s+1}]
    h1 = LayerNorm(GeLU(W1 h0))
    y_i = LayerNorm(GeLU(W2 h1))

with the piece embeddings as output weights; its cross-entropy is added to the masked language
model's. This file finds the spans; f is a head of the SpanBERT plugin.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from explorer.objectives import IGNORED

Numbers = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Boundaries:
    """For each selected token of a batch, row by row from left to right; each of shape [selected].

    Attributes:
        rows: its text.
        left: the position before its span.
        right: the position behind its span.
        places: its place in the span, from 0.
    """

    rows: Numbers
    left: Numbers
    right: Numbers
    places: Numbers


def boundaries(labels: Numbers) -> Boundaries:
    """Find the spans of a batch: runs of selected tokens, which never touch (see span_masking).

    Args:
        labels: `IGNORED` where a token is not selected, shape [batch, length].

    Raises:
        ValueError: a span has no token before or behind it.
    """
    selected = labels != IGNORED
    if selected[:, [0, -1]].any():
        raise ValueError("A span needs a token on either side: the outer ones are never selected.")
    rows, columns = np.nonzero(selected)
    positions = np.arange(labels.shape[1])
    # The nearest token to the left and to the right that is not selected.
    before = np.maximum.accumulate(np.where(selected, -1, positions), axis=1)
    far = labels.shape[1]
    behind = np.minimum.accumulate(np.where(selected, far, positions)[:, ::-1], axis=1)[:, ::-1]
    left = before[rows, columns]
    return Boundaries(rows, left, behind[rows, columns], columns - left - 1)
