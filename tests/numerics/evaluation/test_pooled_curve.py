import numpy as np
import pytest

from explorer.numerics.evaluation.outcomes import area_under, roc
from explorer.numerics.evaluation.pooled_curve import CURVE, pooled_curve


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
