import numpy as np
import pytest

from explorer.objectives import IGNORED
from explorer.objectives.pairs.next_sentence import (
    IS_NEXT,
    NOT_NEXT,
    SentencePair,
    alone,
    draw_pair,
    lay_out,
)

DOCUMENT = [[10, 11], [12], [13, 14]]
OTHER = [[50], [51, 52]]


def test_half_of_the_pairs_are_next():
    rng = np.random.default_rng(0)
    pairs = [draw_pair(DOCUMENT, OTHER, rng) for _ in range(4000)]
    assert np.mean([pair.label == NOT_NEXT for pair in pairs]) == pytest.approx(0.5, abs=0.03)


def test_the_second_text_follows_or_comes_from_the_other_document():
    rng = np.random.default_rng(1)
    for _ in range(200):
        pair = draw_pair(DOCUMENT, OTHER, rng)
        if pair.label == IS_NEXT:
            assert pair.first + pair.second == (10, 11, 12, 13, 14)
            assert pair.first
            assert pair.second
        else:
            assert pair.second in ((50, 51, 52), (51, 52))
            assert pair.first in ((10, 11), (10, 11, 12))


def test_layout_of_a_pair():
    laid = lay_out(SentencePair((10, 11), (12,), IS_NEXT), 2, 3)
    assert laid.tokens.tolist() == [2, 10, 11, 3, 12, 3]
    assert laid.segments.tolist() == [0, 0, 0, 0, 1, 1]
    assert laid.candidates.tolist() == [False, True, True, False, True, False]


def test_layout_of_a_text_alone():
    pair = alone(DOCUMENT[:2])
    laid = lay_out(pair, 2, 3)
    assert pair.label == IGNORED
    assert laid.tokens.tolist() == [2, 10, 11, 12, 3]
    assert not laid.segments.any()


def test_one_sentence_is_no_pair():
    with pytest.raises(ValueError, match="one sentence"):
        draw_pair([[1]], OTHER, np.random.default_rng(0))
