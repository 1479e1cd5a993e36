import math
import statistics

import numpy as np
import pytest

from explorer.learning.measured.floors import compare, measured
from explorer.learning.measured.places import EvaluatedPiece, places_by_rule


@pytest.fixture(scope="module")
def places(text, tokenizer):
    return places_by_rule(text.reader(tokenizer.tokenize), text.held_out(80), 2, each=5)


def exact_logs(tokenizer, places):
    logs = np.full((len(places), len(tokenizer)), -60.0)
    for row, place in zip(logs, places, strict=True):
        for piece, probability in place.exact.items():
            row[tokenizer.convert_tokens_to_ids(piece)] = math.log(probability)
    return logs


def test_the_exact_answer_has_no_excess(tokenizer, places):
    found = measured(tokenizer, places, exact_logs(tokenizer, places))
    for one in (found.whole, *found.rules.values()):
        assert one.excess == pytest.approx(0.0, abs=1e-9)
        assert one.accuracy == pytest.approx(one.best_accuracy)


def test_any_other_answer_has_some(tokenizer, places):
    rng = np.random.default_rng(1)
    for sharpness in (0.1, 1.0, 10.0):
        drawn = rng.dirichlet(np.full(len(tokenizer), sharpness), len(places)) + 1e-9
        found = measured(tokenizer, places, np.log(drawn / drawn.sum(axis=1, keepdims=True)))
        assert found.whole.excess > 0.0
        assert all(one.excess > 0.0 for one in found.rules.values())
        assert found.whole.accuracy <= found.whole.best_accuracy


def test_the_whole_weighs_rules_as_often_as_they_write(tokenizer, places):
    logs = np.log(np.random.default_rng(2).dirichlet(np.ones(len(tokenizer)), len(places)))
    found = measured(tokenizer, places, logs)
    weights = dict.fromkeys(found.rules, 0.0)
    for place in places:
        weights[place.rule] += place.weight
    total = sum(weights.values())
    expected = sum(weights[rule] * one.excess for rule, one in found.rules.items()) / total
    assert found.whole.excess == pytest.approx(expected)
    error = math.sqrt(
        sum((weights[rule] / total * one.excess_error) ** 2 for rule, one in found.rules.items())
    )
    assert found.whole.excess_error == pytest.approx(error)


def test_the_error_of_excess_is_that_of_its_mean(tokenizer):
    places = [EvaluatedPiece((None,), 0, "the", {"the": p, "a": 1.0 - p}) for p in (0.9, 0.5, 0.7)]
    logs = np.full((3, len(tokenizer)), -math.log(len(tokenizer)))
    found = compare(tokenizer, places, logs)
    alone = [math.log(len(tokenizer)) - place.entropy for place in places]
    assert found.excess == pytest.approx(statistics.mean(alone))
    assert found.excess_error == pytest.approx(statistics.stdev(alone) / math.sqrt(3))
    assert found.loss_error == pytest.approx(0.0)
