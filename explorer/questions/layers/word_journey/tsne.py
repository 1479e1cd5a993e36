"""t-SNE (van der Maaten and Hinton 2008) by openTSNE, which is there where it was asked for."""

import importlib.util
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from explorer.api.question import UserMistake
from explorer.text import N_

FEWEST = 5
"""Words that it can be made of."""
PERPLEXITY = 30.0
_AT_FIRST = 1e-4
"""Deviation of where it begins, as its authors' program has it."""
_SEED = 0
_STEPS_AT_A_TIME = 25

Vectors = NDArray[np.float64]


def is_installed() -> bool:
    """Whether openTSNE is there; it is not imported."""
    return importlib.util.find_spec("openTSNE") is not None


def library() -> Any:
    """The module openTSNE, which takes seconds to import.

    Raises:
        UserMistake: It is not installed.
    """
    try:
        import openTSNE
    except ImportError:
        raise UserMistake(
            N_("t-SNE is computed by the library openTSNE, which is not installed."),
            N_("Install it (pip install plm-explorer[tsne]), or choose PCA."),
        ) from None
    return openTSNE


def perplexity(words: int) -> float:
    """How many neighbours count for each of so many words: 30, or a third of fewer."""
    return min(PERPLEXITY, (words - 1) / 3)


def embedded(vectors: Vectors, begin: Vectors, check: Callable[[], None]) -> Vectors:
    """Where t-SNE puts vectors. Shape [vectors, 2]; the same each time.

    Args:
        vectors: Shape [vectors, width], `FEWEST` at least.
        begin: Where it begins, their principal components: what is random else, and what keeps
            groups about where they are.
        check: Called every few steps; may raise to stop.

    Raises:
        UserMistake: openTSNE is not installed.
    """
    spread = float(begin[:, 0].std())
    if not spread > 0:
        # All vectors are the same, as are all points.
        return begin

    def checked(_step: int, _error: float, _points: Any) -> bool:
        check()
        return False

    made = library().TSNE(
        perplexity=perplexity(len(vectors)),
        initialization=begin * (_AT_FIRST / spread),
        neighbors="exact",
        negative_gradient_method="bh",
        # With more threads its sums come in another order, and its pictures out otherwise.
        n_jobs=1,
        random_state=_SEED,
        callbacks=[checked],
        callbacks_every_iters=_STEPS_AT_A_TIME,
    )
    check()
    return np.asarray(made.fit(vectors), dtype=np.float64)
