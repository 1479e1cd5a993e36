import math
import random

import pytest

from explorer.numerics.evaluation.outcomes import (
    Counts,
    Outcome,
    area_under,
    binary_cross_entropy,
    count,
    outcome,
    roc,
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
    assert roc([0.1, 0.2], [False, False]) == ()
    assert area_under(()) is None


def test_a_roc_curve_passes_through_the_counts_of_every_threshold():
    points = roc(CHANCES, TRUTH)
    assert (points[0].false_alarm_rate, points[0].hit_rate) == (0.0, 0.0)
    assert (points[-1].false_alarm_rate, points[-1].hit_rate) == (1.0, 1.0)
    for point in points:
        counts = count(CHANCES, TRUTH, point.threshold)
        assert point.hit_rate == counts.recall
        assert point.false_alarm_rate == counts.false_alarm_rate


@pytest.mark.parametrize("seed", range(5))
def test_the_area_is_how_often_a_replaced_token_stands_above_an_original(seed):
    draw = random.Random(seed)
    # Few different values, so that there are many ties.
    chances = [round(draw.random(), 1) for _ in range(60)]
    truth = [draw.random() < 0.3 for _ in chances]
    pairs = [
        (a > b) + 0.5 * (a == b)
        for a, x in zip(chances, truth, strict=True)
        for b, y in zip(chances, truth, strict=True)
        if x and not y
    ]
    assert area_under(roc(chances, truth)) == pytest.approx(sum(pairs) / len(pairs))


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
