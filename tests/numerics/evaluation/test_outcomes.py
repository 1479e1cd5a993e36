import math

import pytest

from explorer.numerics.evaluation.outcomes import (
    Counts,
    Outcome,
    binary_cross_entropy,
    count,
    outcome,
    sigmoid,
)

CHANCES = [0.9, 0.8, 0.7, 0.4, 0.3, 0.1]
TRUTH = [True, False, True, True, False, False]


def test_the_four_outcomes():
    assert outcome(0.9, replaced=True) is Outcome.HIT
    assert outcome(0.5, replaced=True) is Outcome.MISS
    assert outcome(0.51, replaced=False) is Outcome.FALSE_ALARM
    assert outcome(0.5, replaced=False) is Outcome.CORRECT_REJECTION
    assert outcome(0.2, replaced=True, threshold=0.1) is Outcome.HIT


def test_counts_and_what_follows_from_them():
    counts = count(CHANCES, TRUTH)
    assert counts == Counts(hits=2, misses=1, false_alarms=1, correct_rejections=2)
    assert counts.precision == pytest.approx(2 / 3)
    assert counts.recall == pytest.approx(2 / 3)
    assert counts.false_alarm_rate == pytest.approx(1 / 3)
    assert counts.accuracy == pytest.approx(4 / 6)
    assert counts.tokens == 6
    assert counts + Counts(1, 1, 1, 1) == Counts(3, 2, 2, 3)


def test_what_is_not_defined_is_none():
    nothing = count([0.1, 0.2], [False, False])
    assert nothing.precision is None
    assert nothing.recall is None
    assert Counts().accuracy is None


def test_the_loss_is_the_plain_formula_and_does_not_overflow():
    logits = [2.0, -1.0, 0.5]
    truth = [True, False, False]
    by_hand = -(
        math.log(1 / (1 + math.exp(-2.0)))
        + math.log(1 - 1 / (1 + math.exp(1.0)))
        + math.log(1 - 1 / (1 + math.exp(-0.5)))
    )
    assert binary_cross_entropy(logits, truth) == pytest.approx(by_hand / 3)
    assert binary_cross_entropy([-900.0], [True]) == pytest.approx(900.0)
    assert binary_cross_entropy([900.0], [True]) == 0.0


@pytest.mark.parametrize("logit", [-800.0, -3.0, 0.0, 3.0, 800.0])
def test_the_sigmoid(logit):
    expected = 0.0 if logit < -700 else 1.0 if logit > 700 else 1 / (1 + math.exp(-logit))
    assert sigmoid(logit) == pytest.approx(expected)
