"""Whether probabilities are what they claim to be: the reliability curve and its summary.

Guo et al. 2017, arXiv 1706.04599, section 2.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

BINS = 15
"""Of equal width between 0 and 1, as in the paper."""


@dataclass(frozen=True)
class Bin:
    """The predictions whose confidence lies above `low` and not above `high`; 0 is in the first.

    Attributes:
        low: Lower end.
        high: Upper end.
        count: Predictions in it, at least one.
        confidence: Their mean confidence.
        accuracy: The mean of what came of them: of hits, or of their true probabilities.
    """

    low: float
    high: float
    count: int
    confidence: float
    accuracy: float

    @property
    def gap(self) -> float:
        """Accuracy less confidence: negative where the model is too sure."""
        return self.accuracy - self.confidence


@dataclass(frozen=True)
class Reliability:
    """How far predictions come true as often as they say.

    Attributes:
        curve: The reliability curve.
        count: Predictions that it is of.
        confidence: Their mean confidence; 0 of none.
        accuracy: The mean of what came of them; 0 of none.
        error: The expected calibration error; None of none.
        by_chance: The one that a perfectly calibrated model has by chance alone; None of none, and
            where the outcomes are true probabilities.
    """

    curve: tuple[Bin, ...]
    count: int
    confidence: float
    accuracy: float
    error: float | None
    by_chance: float | None


def reliability(
    confidence: NDArray[np.float64], outcome: NDArray[np.float64], *, drawn: bool = True
) -> Reliability:
    """What `reliability_curve` is of, and its summary.

    Args:
        confidence: The probability that each prediction was given.
        outcome: Whether it came true, 1 or 0; or its true probability, where that is known.
        drawn: Outcomes are the former.
    """
    curve = reliability_curve(confidence, outcome)
    return Reliability(
        curve,
        len(confidence),
        _mean(confidence),
        _mean(outcome),
        expected_calibration_error(curve),
        error_by_chance(confidence) if drawn else None,
    )


def reliability_curve(
    confidence: NDArray[np.float64], outcome: NDArray[np.float64], bins: int = BINS
) -> tuple[Bin, ...]:
    """The predictions by their confidence; bins without any are left out.

    Args:
        confidence: The probability that each prediction was given.
        outcome: Whether it came true, 1 or 0; or its true probability, where that is known.
        bins: How many, of equal width.
    """
    place = _bin_of(confidence, bins)
    counts = np.bincount(place, minlength=bins)
    sums = [np.bincount(place, values, minlength=bins) for values in (confidence, outcome)]
    return tuple(
        Bin(
            n / bins,
            (n + 1) / bins,
            int(counts[n]),
            float(sums[0][n] / counts[n]),
            float(sums[1][n] / counts[n]),
        )
        for n in np.flatnonzero(counts).tolist()
    )


def expected_calibration_error(curve: Sequence[Bin]) -> float | None:
    """The mean distance of accuracy from confidence, each bin by its count; None for no bins."""
    total = sum(one.count for one in curve)
    if not total:
        return None
    return math.fsum(one.count * abs(one.gap) for one in curve) / total


def error_by_chance(confidence: NDArray[np.float64], bins: int = BINS) -> float | None:
    """The expected calibration error that a perfectly calibrated model has by chance alone.

    Of independent hits and misses, to the normal approximation within each bin. Where the
    outcomes are true probabilities there is no chance, and the error of such a model is 0.

    Args:
        confidence: The probability that each prediction was given.
        bins: How many, of equal width.
    """
    if not len(confidence):
        return None
    variances = np.bincount(_bin_of(confidence, bins), confidence * (1.0 - confidence))
    return math.sqrt(2.0 / math.pi) * float(np.sqrt(variances).sum()) / len(confidence)


def error_interval(
    confidence: NDArray[np.float64],
    outcome: NDArray[np.float64],
    cluster: NDArray[np.int64],
    draws: int = 1000,
) -> tuple[float, float] | None:
    """The 95 % interval of the expected calibration error, by clusters that are drawn anew.

    A bootstrap whose draws are laid around the error that was found (the basic interval of Davison
    and Hinkley 1997, section 5.2): drawn anew, predictions lie further from the diagonal by chance
    alone, so that the plain quantiles would be too high. The seed is always the same.

    Args:
        confidence: The probability that each prediction was given.
        outcome: Whether it came true, 1 or 0; or its true probability, where that is known.
        cluster: Which text each one is of.
        draws: How often.

    Returns:
        None of fewer than two clusters.
    """
    names, number = np.unique(cluster, return_inverse=True)
    if len(names) < 2:
        return None
    cells = number * BINS + _bin_of(confidence, BINS)
    size = len(names) * BINS
    gaps = np.bincount(cells, outcome - confidence, minlength=size).reshape(-1, BINS)
    counts = np.bincount(number, minlength=len(names)).astype(np.float64)
    drawn = np.random.default_rng(0).multinomial(len(names), [1 / len(names)] * len(names), draws)
    errors = np.abs(drawn @ gaps).sum(axis=1) / (drawn @ counts)
    error = float(np.abs(gaps.sum(axis=0)).sum() / counts.sum())
    low, high = np.quantile(errors, (0.025, 0.975)).tolist()
    return max(0.0, 2 * error - high), min(1.0, max(0.0, 2 * error - low))


def _mean(values: NDArray[np.float64]) -> float:
    return math.fsum(values.tolist()) / len(values) if len(values) else 0.0


def _bin_of(confidence: NDArray[np.float64], bins: int) -> NDArray[np.intp]:
    return np.searchsorted(np.arange(1, bins) / bins, confidence, side="left")
