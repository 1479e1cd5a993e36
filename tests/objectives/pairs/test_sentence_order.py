import numpy as np
import pytest

from explorer.objectives.pairs.sentence_order import IN_ORDER, SWAPPED, draw_ordered_pair

DOCUMENT = [[10, 11], [12], [13, 14]]


def pairs(count=2000):
    rng = np.random.default_rng(0)
    return [draw_ordered_pair(DOCUMENT, rng) for _ in range(count)]


def test_both_parts_come_from_one_document_in_either_order():
    for pair in pairs(200):
        assert pair.first
        assert pair.second
        if pair.label == IN_ORDER:
            assert pair.first + pair.second == (10, 11, 12, 13, 14)
        else:
            assert pair.label == SWAPPED
            assert pair.second + pair.first == (10, 11, 12, 13, 14)


def test_half_are_swapped_and_every_cut_is_made():
    drawn = pairs()
    assert np.mean([pair.label == SWAPPED for pair in drawn]) == pytest.approx(0.5, abs=0.03)
    firsts = {pair.first for pair in drawn if pair.label == IN_ORDER}
    assert firsts == {(10, 11), (10, 11, 12)}


def test_one_sentence_has_no_order():
    with pytest.raises(ValueError, match="one sentence"):
        draw_ordered_pair([[1]], np.random.default_rng(0))
