"""Intervals by clusters: as drawing clusters again and again has them."""

import numpy as np
import pytest

from explorer.numerics.evaluation.clustered_rates import area_interval, rate_interval
from explorer.numerics.evaluation.roc import area_under, roc


def clusters(seed, count=60, size=12):
    """Tokens of sentences that are hard or easy as a whole."""
    draw = np.random.default_rng(seed)
    cluster = np.repeat(np.arange(count), size).astype(np.int32)
    truth = draw.random(len(cluster)) < 0.3
    hard = np.repeat(draw.normal(0, 0.8, count), size)
    scores = (truth * 1.2 + hard * truth + draw.normal(0, 1, len(cluster))).astype(np.float32)
    return scores, truth, cluster


def area_of(scores, truth):
    return area_under(roc(scores.tolist(), truth.tolist()))


def drawn_again(measure, scores, truth, cluster, times=400):
    """The measure of clusters drawn with replacement."""
    draw = np.random.default_rng(7)
    count = cluster.max() + 1
    found = []
    for _ in range(times):
        chosen = np.concatenate(
            [np.flatnonzero(cluster == n) for n in draw.integers(0, count, count)]
        )
        found.append(measure(scores[chosen], truth[chosen]))
    return np.std(found)


def test_the_area_and_how_sure_it_is():
    scores, truth, cluster = clusters(1)
    area, (low, high) = area_interval(scores, truth, cluster)
    assert area == pytest.approx(area_of(scores, truth))
    spread = drawn_again(area_of, scores, truth, cluster)
    assert (high - low) / (2 * 1.96) == pytest.approx(spread, rel=0.15)


def test_equal_scores_count_one_half():
    scores = np.array([0.5, 0.5, 0.5, 0.5], np.float32)
    truth = np.array([True, False, True, False])
    area, (low, high) = area_interval(scores, truth, np.array([0, 0, 1, 1], np.int32))
    assert area == 0.5
    assert low <= 0.5 <= high


def test_there_is_no_interval_of_one_cluster_and_no_area_of_one_truth():
    scores, truth, cluster = clusters(2)
    assert area_interval(scores, np.ones_like(truth), cluster) is None
    area, interval = area_interval(scores, truth, np.zeros_like(cluster))
    assert area == pytest.approx(area_of(scores, truth))
    assert interval is None


def test_a_rate_is_less_sure_where_clusters_differ():
    scores, truth, cluster = clusters(3, count=200)
    hit = truth & (scores > 0.6)
    hits, among = (
        np.bincount(cluster[hit], minlength=200),
        np.bincount(cluster[truth], minlength=200),
    )
    low, high = rate_interval(hits, among)
    rate = hits.sum() / among.sum()
    assert low < rate < high
    spread = drawn_again(lambda s, t: (s[t] > 0.6).mean(), scores, truth, cluster)
    assert (high - low) / (2 * 1.96) == pytest.approx(spread, rel=0.15)
    # As many tokens that are judged one by one tell more.
    alone = np.ones(among.sum(), np.int64)
    each = np.zeros_like(alone)
    each[: hits.sum()] = 1
    tighter = rate_interval(each, alone)
    assert tighter[1] - tighter[0] < high - low


@pytest.mark.parametrize("found", [0, 30])
def test_a_rate_of_none_or_all_is_not_sure_either(found):
    hits, among = np.full(3, found // 3), np.full(3, 10)
    low, high = rate_interval(hits, among)
    assert high - low > 0.05
    assert low >= 0.0
    assert high <= 1.0
    assert rate_interval(np.array([0]), np.array([0])) is None
