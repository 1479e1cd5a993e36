"""Questions about one head: which one, and the pairs of tokens in a table of it."""

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from explorer.api import Whole
from explorer.text import N_

MOST = 999
"""Layers and heads that can be typed; a model has fewer."""
MOST_ROWS = 20_000
"""Of a table: with more pairs of tokens than these, the ones with most attention are kept."""


def layer_and_head(question: str) -> tuple[Whole, Whole]:
    """The options of a question that choose a head."""
    layer = Whole(N_("Layer"), 0, N_("Layer, counted from 0"), high=MOST, key=f"{question}.layer")
    head = Whole(N_("Head"), 0, N_("Head, counted from 0"), high=MOST, key=f"{question}.head")
    return replace(layer, counts="layers"), replace(head, counts="heads")


def pairs_kept(attention: NDArray[np.float32]) -> NDArray[np.int64]:
    """The pairs of tokens that have a row, by their places in the flat matrix, in order."""
    if attention.size <= MOST_ROWS:
        return np.arange(attention.size)
    return np.sort(np.argsort(-attention, axis=None, kind="stable")[:MOST_ROWS])
