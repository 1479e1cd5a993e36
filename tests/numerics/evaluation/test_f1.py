"""F1, thresholds and intervals against counting one by one."""

import numpy as np
import pytest

from explorer.numerics.evaluation.f1 import best_thresholds, found_f1


def counted(said, true):
    hits = sum(1 for a, b in zip(said, true, strict=True) if a and b)
    if not hits:
        return 0.0
    precision, recall = hits / sum(said), hits / sum(true)
    return 2 * precision * recall / (precision + recall)


def test_the_best_threshold_is_that_of_brute_force():
    generator = np.random.default_rng(3)
    values = generator.normal(size=(60, 7)).round(1)  # with many equal ones
    labels = generator.random((60, 3)) < np.array([0.1, 0.4, 0.8])
    scores, thresholds = best_thresholds(values, labels)
    for label in range(3):
        for column in range(7):
            true = labels[:, label].tolist()
            every = {
                one: counted((values[:, column] >= one).tolist(), true)
                for one in values[:, column].tolist()
            }
            assert scores[label, column] == pytest.approx(max(every.values()))
            assert every[thresholds[label, column]] == pytest.approx(max(every.values()))
            assert thresholds[label, column] == max(
                one for one, f1 in every.items() if f1 == pytest.approx(max(every.values()))
            )


def test_f1_is_the_mean_of_precision_and_recall():
    said = np.array([True, True, True, False, False, True])
    true = np.array([True, False, True, True, False, False])
    found = found_f1(said, true, np.arange(6))
    assert found.precision == 0.5
    assert found.recall == pytest.approx(2 / 3)
    assert found.value == pytest.approx(counted(said.tolist(), true.tolist()))
    nothing = found_f1(np.zeros(6, bool), np.zeros(6, bool), np.arange(6))
    assert (nothing.value, nothing.precision, nothing.recall) == (0.0, 0.0, 0.0)


def test_the_interval_is_that_of_drawing_whole_groups():
    generator = np.random.default_rng(0)
    groups = np.repeat(np.arange(40), 5)
    true = generator.random(200) < 0.3
    said = np.where(generator.random(200) < 0.8, true, ~true)
    found = found_f1(said, true, groups)
    drawn = []
    for _ in range(2000):
        chosen = generator.integers(0, 40, 40)
        places = np.concatenate([np.flatnonzero(groups == one) for one in chosen])
        drawn.append(counted(said[places].tolist(), true[places].tolist()))
    assert [found.low, found.high] == pytest.approx(np.quantile(drawn, [0.025, 0.975]), abs=0.02)
    assert found.low < found.value < found.high
    # Groups that are alike say less than as many words on their own.
    alike = found_f1(np.repeat(said[:40], 5), np.repeat(true[:40], 5), groups)
    alone = found_f1(np.repeat(said[:40], 5), np.repeat(true[:40], 5), np.arange(200))
    assert alike.high - alike.low > alone.high - alone.low
