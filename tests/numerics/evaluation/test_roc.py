import random

import numpy as np
import pytest

from explorer.numerics.evaluation.outcomes import count
from explorer.numerics.evaluation.roc import CURVE, area_under, pooled_curve, roc

CHANCES = [0.9, 0.8, 0.7, 0.4, 0.3, 0.1]
TRUTH = [True, False, True, True, False, False]


def test_the_curve_of_many_tokens_is_thinned_and_its_area_is_not():
    draw = np.random.default_rng(3)
    truth = draw.random(20_000) < 0.1
    chances = np.where(truth, draw.random(20_000), draw.random(20_000) ** 2).astype(np.float32)
    curve, area = pooled_curve(chances, truth)
    assert len(curve) == CURVE
    whole = roc(chances.tolist(), truth.tolist())
    assert area == pytest.approx(area_under(whole))
    assert {curve[0], curve[-1]} == {whole[0], whole[-1]}
    assert set(curve) <= set(whole)
    assert pooled_curve(chances, np.zeros(20_000, bool)) == ((), None)


def test_there_is_no_curve_where_nothing_was_replaced():
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
