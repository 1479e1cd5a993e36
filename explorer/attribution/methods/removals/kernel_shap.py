"""Shapley values by a weighted regression over sets of words (Lundberg and Lee 2017)."""

import math

import numpy as np
from numpy.typing import NDArray

from explorer.api.attribution import AttributionMethod, MethodDescription, Scores
from explorer.attribution.removals import Present, values_of
from explorer.attribution.scoring import ScoresAsked
from explorer.text import N_


def kernel_shap(asked: ScoresAsked) -> Scores:
    """The weights of words in the best linear account of what sets of them give.

    Lundberg and Lee (2017), theorem 2: sets are weighed by the Shapley kernel, and what all words
    together change is kept exactly. Where all sets are no more than would be drawn, none is drawn.
    """
    count = len(asked.units)
    between = (asked.explained, asked.own, asked.baseline, asked.units)
    ends = values_of(*between, np.array([[False] * count, [True] * count]))
    if count == 1:
        return np.array([ends[1] - ends[0]])
    present, weights = coalitions(count, 2 * asked.samples * count, asked.seed)
    return regressed(present, weights, values_of(*between, present), float(ends[0]), float(ends[1]))


def coalitions(count: int, most: int, seed: int) -> tuple[Present, Scores]:
    """Sets of some units, neither none nor all, with their weights.

    All of them with the kernel's weights, where that is no more than `most`; else drawn by the
    kernel, each with what it leaves out (paired), with weights by how often.
    """
    if 2**count - 2 <= most:
        sets = np.arange(1, 2**count - 1)
        present = (sets[:, None] >> np.arange(count)) & 1 == 1
        return present, np.array([kernel(count, int(size)) for size in present.sum(1)])
    random = np.random.default_rng(seed)
    sizes = np.arange(1, count)
    chances = np.array([kernel(count, int(size)) * math.comb(count, int(size)) for size in sizes])
    drawn = random.choice(sizes, size=max(1, most // 2), p=chances / chances.sum())
    rows = np.zeros((len(drawn), count), bool)
    for row, size in zip(rows, drawn, strict=True):
        row[random.permutation(count)[:size]] = True
    found, times = np.unique(np.concatenate([rows, ~rows]), axis=0, return_counts=True)
    return found, times.astype(np.float64)


def kernel(count: int, size: int) -> float:
    """The weight of a set in the regression whose solution are Shapley values."""
    return (count - 1) / (math.comb(count, size) * size * (count - size))


def regressed(
    present: Present, weights: Scores, values: NDArray[np.float64], none: float, whole: float
) -> Scores:
    """The weighted least squares under which all units add up to `whole - none`.

    The last unit is what the others leave of the sum, so that the rest is without a constraint.
    """
    there = present.astype(np.float64)
    change = whole - none
    rows = there[:, :-1] - there[:, -1:]
    wanted = values - none - there[:, -1] * change
    root = np.sqrt(weights)
    solved, *_rest = np.linalg.lstsq(rows * root[:, None], wanted * root, rcond=None)
    found: Scores = np.append(solved, change - solved.sum())
    return found


METHOD = AttributionMethod(
    "kernel_shap",
    MethodDescription(
        N_("KernelSHAP"),
        N_(
            "What each word weighs in the best linear account of texts with some words only, by a "
            "kernel that makes these weights Shapley values."
        ),
        N_("Lundberg and Lee 2017"),
        adds_up=True,
    ),
    kernel_shap,
    by_unit=True,
    takes=frozenset({"baseline", "samples"}),
    texts=lambda tokens, _steps, samples: 2.0 * samples * tokens,
    short=N_("KernelSHAP"),
    order=80,
)
