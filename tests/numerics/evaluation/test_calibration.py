"""Calibration: by hand, against a loop, and of models that are calibrated by construction."""

import numpy as np
import pytest

from explorer.numerics.evaluation.calibration import (
    BINS,
    Bin,
    Reliability,
    error_by_chance,
    expected_calibration_error,
    reliability,
    reliability_curve,
)


def loop(confidence, outcome, bins):
    """Guo et al. 2017, equation 3, as it is written: the m-th bin is ((m - 1) / M, m / M]."""
    total = 0.0
    for m in range(1, bins + 1):
        inside = (confidence > (m - 1) / bins) & (confidence <= m / bins)
        if m == 1:
            inside |= confidence == 0.0
        if inside.any():
            total += inside.sum() * abs(outcome[inside].mean() - confidence[inside].mean())
    return total / len(confidence)


def test_by_hand():
    confidence = np.array([0.1, 0.2, 0.9, 0.8, 1.0])
    outcome = np.array([0.0, 1.0, 1.0, 1.0, 0.0])
    low, high = reliability_curve(confidence, outcome, bins=2)
    assert low == Bin(0.0, 0.5, 2, pytest.approx(0.15), 0.5)
    assert high == Bin(0.5, 1.0, 3, pytest.approx(0.9), pytest.approx(2 / 3))
    assert low.gap == pytest.approx(0.35)
    expected = (2 * 0.35 + 3 * (0.9 - 2 / 3)) / 5
    assert expected_calibration_error((low, high)) == pytest.approx(expected)


@pytest.mark.parametrize("bins", [1, 2, 10, BINS])
@pytest.mark.parametrize("seed", range(4))
def test_against_a_loop(bins, seed):
    draw = np.random.default_rng(seed)
    # On the edges, too.
    confidence = np.concatenate([draw.random(500) ** 2, np.arange(bins + 1) / bins])
    outcome = (draw.random(len(confidence)) < 0.6).astype(float)
    curve = reliability_curve(confidence, outcome, bins)
    assert sum(one.count for one in curve) == len(confidence)
    assert expected_calibration_error(curve) == pytest.approx(loop(confidence, outcome, bins))


def test_a_model_that_is_calibrated_errs_by_chance_alone():
    draw = np.random.default_rng(3)
    confidence = draw.beta(4, 1, 4000)
    errors = []
    for _ in range(200):
        outcome = (draw.random(len(confidence)) < confidence).astype(float)
        errors.append(expected_calibration_error(reliability_curve(confidence, outcome)))
    chance = error_by_chance(confidence)
    assert chance < 0.015
    assert np.mean(errors) == pytest.approx(chance, rel=0.1)
    assert max(errors) < 2.5 * chance
    # One that is too sure is told from it at once.
    sure = reliability_curve(confidence**0.5, outcome)
    assert expected_calibration_error(sure) > 5 * chance


def test_the_truth_has_no_error_against_itself():
    exact = np.random.default_rng(4).random(1000)
    assert expected_calibration_error(reliability_curve(exact, exact)) == 0.0


def test_nothing_says_nothing():
    nothing = np.zeros(0)
    assert reliability_curve(nothing, nothing) == ()
    assert expected_calibration_error(()) is None
    assert error_by_chance(nothing) is None


def test_the_summary_is_of_the_same_predictions():
    draw = np.random.default_rng(5)
    confidence = draw.random(300)
    hits = (draw.random(300) < confidence).astype(float)
    found = reliability(confidence, hits)
    assert found.curve == reliability_curve(confidence, hits)
    assert found.count == 300
    assert found.confidence == pytest.approx(confidence.mean())
    assert found.accuracy == pytest.approx(hits.mean())
    assert found.error == pytest.approx(loop(confidence, hits, BINS))
    assert found.by_chance == error_by_chance(confidence)
    assert reliability(confidence, confidence, drawn=False).by_chance is None
    nothing = np.zeros(0)
    assert reliability(nothing, nothing) == Reliability((), 0, 0.0, 0.0, None, None)
