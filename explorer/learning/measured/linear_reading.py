"""What is linear in the states of a model that stays as it is: a ridge regression."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray


def linear_reading(
    states: NDArray[np.float64],
    labels: NDArray[np.bool_],
    unseen: NDArray[np.float64],
    truth: NDArray[np.bool_],
    penalty: float = 1.0,
) -> float:
    """Accuracy on unseen pairs of a ridge regression to plus and minus one."""
    scores = ridge_scores(states, np.where(labels, 1.0, -1.0), unseen, penalty)
    return float(((scores > 0.0) == truth).mean())


def ridge_scores(
    states: NDArray[np.float64],
    targets: NDArray[np.float64],
    unseen: NDArray[np.float64],
    penalty: float,
) -> NDArray[np.float64]:
    """What a ridge regression of targets on standardised states says of unseen ones."""
    mean, spread = states.mean(axis=0), states.std(axis=0) + 1e-9
    known, other = (
        np.column_stack(((one - mean) / spread, np.ones(len(one)))) for one in (states, unseen)
    )
    gram = known.T @ known + penalty * np.eye(known.shape[1])
    scores: NDArray[np.float64] = other @ np.linalg.solve(gram, known.T @ targets)
    return scores
