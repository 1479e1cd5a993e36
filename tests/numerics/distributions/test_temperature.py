import math

import numpy as np
import pytest

from explorer.numerics.distributions import temperature as of

TEMPERATURES = (0.25, 0.7, 1.0, 2.0, 7.5, 20.0)
ROWS = np.random.default_rng(3).normal(0, 4, (3, 50)).astype(np.float32)


def plainly(row, temperature):
    """Probabilities as the formula has them, in plain Python."""
    powers = [math.exp(float(z) / temperature) for z in row]
    return [power / sum(powers) for power in powers]


@pytest.mark.parametrize("temperature", TEMPERATURES)
def test_probabilities_entropy_and_shares_are_the_formulas(temperature):
    probabilities = of.softmax(ROWS, temperature)
    for index, row in enumerate(ROWS):
        expected = plainly(row, temperature)
        np.testing.assert_allclose(probabilities[index], expected, rtol=1e-10)
        unsure = -sum(p * math.log(p) for p in expected)
        assert of.entropy(row, temperature) == pytest.approx(unsure, rel=1e-10)
        assert of.top_share(row, temperature) == pytest.approx(max(expected), rel=1e-12)
        *others, top = sorted(expected)
        even = (1.0 - top) / len(others)
        told = sum(p * math.log(p / even) for p in others)
        assert of.dark_knowledge(row, temperature) == pytest.approx(told, rel=1e-6, abs=1e-9)


def test_what_is_alike_for_all_wrong_answers_is_no_dark_knowledge():
    assert of.dark_knowledge(np.zeros(30)) == pytest.approx(0.0, abs=1e-12)
    assert of.dark_knowledge(np.array([7.0, 1.0, 1.0, 1.0])) == pytest.approx(0.0, abs=1e-12)
    hard = np.array([0.0, -np.inf, -np.inf])
    assert of.dark_knowledge(hard) == of.entropy(hard) == 0.0
    assert of.dark_knowledge(np.array([3.0])) == 0.0
    told = of.dark_knowledge(np.array([3.0, 2.0, 0.0, -np.inf]))
    p = [math.exp(z) / (math.exp(3) + math.exp(2) + 1) for z in (2.0, 0.0)]
    even = sum(p) / 3
    assert told == pytest.approx(sum(a * math.log(a / even) for a in p))


def test_the_hottest_distribution_is_not_the_one_that_knows_most():
    """Hinton et al. 2015, section 2: a temperature that is too high tells no answers apart."""
    known = of.curves(ROWS[0] * 3, np.geomspace(0.1, 2000.0, 60)).dark_knowledge
    most = int(known.argmax())
    assert 0 < most < len(known) - 1
    assert known[0] < 0.01 * known[most]
    assert known[-1] < 0.01 * known[most]


def test_logits_that_would_overflow_are_no_trouble():
    assert of.softmax(np.array([5000.0, 4999.0]))[0] == pytest.approx(1 / (1 + math.exp(-1)))
    assert of.entropy(np.array([1e6, -1e6], dtype=np.float32), 0.25) == 0.0


@pytest.mark.parametrize("temperature", [0.0, -1.0, math.nan])
def test_a_temperature_must_be_above_zero(temperature):
    with pytest.raises(ValueError, match="above 0"):
        of.softmax(ROWS, temperature)


def test_a_temperature_changes_no_rank():
    found = of.ranks(ROWS)
    for row, places in zip(ROWS, found, strict=True):
        by_hand = {z: place for place, z in enumerate(sorted(row, reverse=True), start=1)}
        assert [by_hand[z] for z in row] == places.tolist()
    np.testing.assert_array_equal(of.ranks(of.softmax(ROWS, 20.0)), found)
    assert of.ranks(np.array([1.0, 1.0, 2.0])).tolist() == [2, 3, 1]


def test_curves_are_the_single_numbers():
    found = of.curves(ROWS[0], TEMPERATURES)
    for index, temperature in enumerate(TEMPERATURES):
        assert found.entropy[index] == of.entropy(ROWS[0], temperature)
        assert found.top_share[index] == of.top_share(ROWS[0], temperature)
        assert found.dark_knowledge[index] == of.dark_knowledge(ROWS[0], temperature)
    assert (np.diff(found.entropy) > 0).all()
    assert found.entropy[-1] < math.log(50)


def test_temperatures_stand_at_equal_ratios():
    found = of.temperatures_between(count=5)
    assert found[0] == pytest.approx(0.25)
    assert found[-1] == pytest.approx(20.0)
    np.testing.assert_allclose(found[1:] / found[:-1], (20 / 0.25) ** 0.25)
