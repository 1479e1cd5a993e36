"""What each unit adds on average over orders."""

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from explorer.api.attribution import AttributionMethod, MethodDescription, Scores
from explorer.attribution.explained import ExplainedAnswer, Units
from explorer.attribution.removals import Present, values_of
from explorer.text import N_


def shapley(
    explained: ExplainedAnswer, own: Any, baseline: Any, units: Units, samples: int, seed: int
) -> tuple[Scores, Scores]:
    """What each unit adds on average over orders, and the standard error of that.

    Where all sets of units are no more than the samples would look at, nothing is sampled: the
    values are exact, and their errors zero. Each sampled order is also gone backwards (Mitchell et
    al. 2022, section 3.3, antithetic sampling), and the error is that of the pairs.

    Args:
        explained: The number.
        own: The text's vectors (places x width).
        baseline: Those of the baseline.
        units: What is scored.
        samples: Orders, each there and back.
        seed: Of the orders.
    """
    count = len(units)
    if 2**count <= 2 * samples * count:
        return exact_shapley(explained, own, baseline, units), np.zeros(count)
    random = np.random.default_rng(seed)
    orders = [random.permutation(count) for _ in range(samples)]
    both = [one for order in orders for one in (order, order[::-1])]
    present = np.concatenate([_growing(order) for order in both])
    values = values_of(explained, own, baseline, units, present)
    steps = np.diff(values.reshape(len(both), count + 1), axis=1)
    added = np.empty_like(steps)
    for row, order in enumerate(both):
        added[row, order] = steps[row]
    pairs = added.reshape(samples, 2, count).mean(axis=1)
    errors = pairs.std(axis=0, ddof=1) / math.sqrt(samples) if samples > 1 else np.zeros(count)
    return pairs.mean(axis=0), errors


def exact_shapley(explained: ExplainedAnswer, own: Any, baseline: Any, units: Units) -> Scores:
    """Shapley values by their definition, over all sets of units."""
    count = len(units)
    sets = np.arange(2**count)
    present = (sets[:, None] >> np.arange(count)) & 1 == 1
    values = values_of(explained, own, baseline, units, present)
    sizes = present.sum(axis=1)
    ways = [
        math.factorial(size) * math.factorial(count - size - 1) / math.factorial(count)
        for size in range(count)
    ]
    found: Scores = np.empty(count)
    for number in range(count):
        before = sets[~present[:, number]]
        weights = np.array(ways)[sizes[before]]
        found[number] = (weights * (values[before | 1 << number] - values[before])).sum()
    return found


def _growing(order: NDArray[np.int64]) -> Present:
    """Texts that get one unit after the other, from none to all (units + 1 x units)."""
    present = np.zeros((len(order) + 1, len(order)), bool)
    for step, unit in enumerate(order, start=1):
        present[step:, unit] = True
    return present


METHOD = AttributionMethod(
    "shapley",
    MethodDescription(
        N_("Shapley values"),
        N_(
            "What a word adds on average, over the orders in which words may take the baseline's "
            "place; sampled, with the standard error."
        ),
        N_("Shapley 1953; Lundberg and Lee 2017"),
        adds_up=True,
    ),
    lambda asked: shapley(
        asked.explained, asked.own, asked.baseline, asked.units, asked.samples, asked.seed
    ),
    by_unit=True,
    takes=frozenset({"baseline", "samples"}),
    texts=lambda tokens, _steps, samples: 2.0 * samples * tokens,
    short=N_("Shapley"),
    order=70,
)
