import pickle

import numpy as np
import pytest

from explorer.api.question import Distribution, MaskPredictions
from explorer.serialise import from_json, to_builtins, to_json

ONE = np.array([0.5, 0.25, 0.125, 0.125])
OTHER = np.array([0.25, 0.25, 0.49, 0.01])


def distribution(values, vocabulary="v"):
    return Distribution(np.log(values).astype(np.float32), vocabulary)


def test_two_distributions_are_as_far_apart_as_the_definitions_say():
    one, other = distribution(ONE), distribution(OTHER)
    assert one.divergence(other) == pytest.approx(
        float((ONE * np.log(ONE / OTHER)).sum()), rel=1e-5
    )
    assert one.total_variation(other) == pytest.approx(0.5 * np.abs(ONE - OTHER).sum(), rel=1e-5)
    assert one.divergence(one) == 0.0
    assert one.total_variation(one) == 0.0


def test_a_piece_that_has_nothing_adds_nothing():
    with np.errstate(divide="ignore"):
        one = distribution(np.array([0.5, 0.5, 0.0, 0.0]))
    assert one.divergence(distribution(OTHER)) == pytest.approx(
        0.5 * np.log(0.5 / 0.25) * 2, rel=1e-5
    )


def test_probability_and_rank():
    one = distribution(ONE)
    assert one.probability(1) == pytest.approx(0.25)
    assert [one.rank(piece) for piece in range(4)] == [1, 2, 3, 3]


def test_only_the_same_vocabulary_can_be_compared():
    one = distribution(ONE)
    assert one.is_comparable(distribution(OTHER))
    assert not one.is_comparable(distribution(OTHER, "w"))
    assert not one.is_comparable(None)
    with pytest.raises(ValueError, match="different vocabularies"):
        one.divergence(distribution(OTHER, "w"))


def test_it_crosses_to_the_window_and_into_no_log():
    one = distribution(ONE)
    copy = pickle.loads(pickle.dumps(one, protocol=5))
    assert copy.vocabulary == "v"
    assert (copy.values == one.values).all()
    assert not copy.values.flags.writeable
    answer = MaskPredictions(3, (), None, 1.0, one)
    read = from_json(MaskPredictions, to_json(answer))
    assert read == answer
    assert read.distribution is None
    assert to_builtins(answer)["distribution"] is None
    assert "distribution" not in repr(answer)
