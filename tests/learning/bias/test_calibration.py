"""What measures say where the answer is known."""

import math
from itertools import combinations
from statistics import fmean, stdev

import numpy as np
import pytest

from explorer.learning.bias.calibration import (
    EXPERIMENT,
    KnownBias,
    MeasureCalibration,
    bundled_results,
    calibrations,
)
from explorer.learning.bias.measures import MEASURES
from explorer.learning.experiments.definition import bundled_experiments, command_of
from explorer.learning.experiments.definition_file import read_experiment
from explorer.learning.experiments.one_training import planned
from explorer.learning.experiments.running import wanted_runs
from explorer.numerics.evaluation.rank_correlation import kendall
from explorer.numerics.evaluation.student_t import t_quantile


def made(*worlds, sign=1):
    rhos = (0.0, 0.25, 0.5, 0.75)
    known = tuple(KnownBias(*one) for one in zip(rhos, worlds, strict=True))
    return MeasureCalibration("swap", known, sign)


APART = made((0.0, 0.1, 0.2), (0.1, 0.2, 0.4), (1.0, 1.1, 1.3), (2.0, 2.2, 2.1))


def by_hand(first, second):
    """Kendall's tau-b, pair by pair."""
    pairs = list(combinations(range(len(first)), 2))
    sign = [np.sign(first[a] - first[b]) * np.sign(second[a] - second[b]) for a, b in pairs]
    ours = sum(first[a] != first[b] for a, b in pairs)
    theirs = sum(second[a] != second[b] for a, b in pairs)
    return sum(sign) / math.sqrt(ours * theirs)


def test_kendalls_tau_is_counted_pair_by_pair():
    rng = np.random.default_rng(3)
    for _draw in range(20):
        first, second = rng.integers(0, 5, 7), rng.integers(0, 5, 7)
        assert kendall(first, second) == pytest.approx(by_hand(first, second))
    assert kendall([1, 2, 3], [1, 1, 1]) is None


def test_means_in_the_order_of_rho_have_a_tau_of_one():
    assert APART.tau == pytest.approx(1.0)
    assert APART.is_monotone
    falling = made((3.0, 3.1), (2.0, 2.1), (1.0, 1.1), (0.5, 0.6), sign=-1)
    assert falling.is_monotone
    swapped = made((0.0, 0.1), (2.0, 2.1), (1.0, 1.1), (3.0, 3.1))
    assert swapped.tau == pytest.approx(2 / 3)
    assert not swapped.is_monotone


def test_one_model_shows_what_is_beyond_models_without_bias():
    values = APART.worlds[0].values
    reach = t_quantile(0.975, 2) * stdev(values) * math.sqrt(1 + 1 / 3)
    low, high = APART.unbiased
    assert (low, high) == pytest.approx((fmean(values) - reach, fmean(values) + reach))
    assert APART.seen_alone == 0.5
    assert APART.seen_together == 0.5
    blind = made((0.0, 1.0, 2.0), (0.5, 1.0, 1.5), (0.0, 1.1, 2.0), (0.2, 1.0, 2.1))
    assert blind.seen_alone is None
    assert blind.seen_together is None


def test_a_rho_below_one_that_is_not_seen_is_not_seen_either():
    gap = made((0.0, 0.1, 0.2), (3.0, 3.1, 3.2), (0.1, 0.2, 0.3), (3.0, 3.1, 3.3))
    assert gap.seen_alone == 0.75


def test_bundled_results_are_whole_and_name_their_command():
    experiment = read_experiment(bundled_experiments() / f"{EXPERIMENT}.toml")
    results = bundled_results()
    assert results.command == command_of(EXPERIMENT, short=False)
    wanted = {one.key: one.plan for one in wanted_runs(experiment, planned, short=False)}
    made = {(one.way, one.seed, one.control): one.plan for one in results.runs}
    assert {key: wanted[key] for key in made} == made
    assert {key for key in wanted if not key[-1]} <= made.keys()
    for one in calibrations():
        assert [world.rho for world in one.worlds] == [0.0, 0.25, 0.5, 0.75]
        assert all(len(world.values) == experiment.full.seeds for world in one.worlds)
    assert {one.name for one in calibrations()} == {*MEASURES}


def test_some_measure_is_in_the_order_of_rho():
    assert any(one.is_monotone for one in calibrations())
