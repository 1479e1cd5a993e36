"""Intervals of means, against scipy's."""

import math

import pytest

from explorer.numerics.evaluation.student_t import MeanInterval, mean_interval, t_quantile, t_share


@pytest.mark.parametrize("freedom", [1, 2, 3, 4, 5, 9, 10, 31])
@pytest.mark.parametrize("share", [0.5, 0.75, 0.95, 0.975, 0.995])
def test_the_quantile_is_scipys(freedom: int, share: float) -> None:
    stats = pytest.importorskip("scipy.stats")
    assert t_quantile(share, freedom) == pytest.approx(stats.t.ppf(share, freedom), abs=1e-9)
    for t in (0.0, 0.3, 2.5, 40.0):
        assert t_share(t, freedom) == pytest.approx(stats.t.cdf(t, freedom), abs=1e-12)


@pytest.mark.parametrize(
    ("freedom", "printed"), [(1, 12.706), (2, 4.303), (4, 2.776), (9, 2.262), (30, 2.042)]
)
def test_the_quantile_is_the_printed_one(freedom: int, printed: float) -> None:
    assert round(t_quantile(0.975, freedom), 3) == printed


def test_an_interval_by_hand() -> None:
    found = mean_interval([1.0, 2.0, 6.0])
    reach = 4.302652729749 * math.sqrt(7.0) / math.sqrt(3.0)
    assert found.mean == 3.0
    assert found.count == 3
    assert found.low == pytest.approx(3.0 - reach)
    assert found.high == pytest.approx(3.0 + reach)


def test_a_narrower_level_gives_a_narrower_interval() -> None:
    wide, narrow = (mean_interval([1.0, 2.0, 6.0], level) for level in (0.95, 0.5))
    assert wide.low is not None
    assert narrow.low is not None
    assert wide.low < narrow.low < 3.0


def test_one_value_has_no_interval() -> None:
    assert mean_interval([2.5]) == MeanInterval(2.5, None, None, 1)
    with pytest.raises(ValueError, match="no mean"):
        mean_interval([])


@pytest.mark.parametrize(("share", "freedom"), [(0.4, 3), (1.0, 3), (0.9, 0)])
def test_what_has_no_quantile_is_refused(share: float, freedom: int) -> None:
    with pytest.raises(ValueError, match="share"):
        t_quantile(share, freedom)
