import itertools

import numpy as np
import pytest

from explorer.objectives import IGNORED
from explorer.objectives.masking.masked_language_model import MaskingPolicy
from explorer.objectives.masking.span_masking import (
    budget,
    choose_spans,
    geometric_lengths,
    replace_ranges,
    word_ranges,
)

MASK = 4
ORDINARY = np.arange(5, 1000)


def test_lengths_are_geometric_cut_off_at_10_with_the_papers_mean():
    lengths = geometric_lengths()
    assert len(lengths) == 10
    assert lengths.sum() == pytest.approx(1.0)
    assert lengths[1:] / lengths[:-1] == pytest.approx(0.8)
    assert lengths @ np.arange(1, 11) == pytest.approx(3.8, abs=0.01)


def test_words_are_told_by_how_their_pieces_begin():
    begins = np.ones(1000, dtype=bool)
    begins[[50, 51]] = False
    tokens = np.array([2, 10, 50, 51, 11, 3, 50, 12, 3])
    words = word_ranges(tokens, tokens > 4, begins)
    # A special token ends a word whatever follows.
    assert words == [(1, 4), (4, 5), (6, 7), (7, 8)]


def draws(words, room, count=3000, lengths=None):
    lengths = geometric_lengths() if lengths is None else lengths
    rng = np.random.default_rng(0)
    return [choose_spans(words, room, lengths, rng) for _ in range(count)]


def test_spans_are_whole_words_within_the_room_that_do_not_touch():
    words, place, rng = [], 1, np.random.default_rng(1)
    while place < 100:
        end = place + int(rng.integers(1, 4))
        words.append((place, end))
        place = end
    starts, ends = {start for start, _ in words}, {end for _, end in words}
    for spans in draws(words, 15, 400):
        assert 0 < sum(end - start for start, end in spans) <= 15
        assert {start for start, _ in spans} <= starts
        assert {end for _, end in spans} <= ends
        for one, other in itertools.pairwise(sorted(spans)):
            assert one[1] < other[0]


def test_first_spans_have_the_drawn_lengths_where_there_is_room():
    words = [(place, place + 1) for place in range(1, 2001)]
    first = [spans[0][1] - spans[0][0] for spans in draws(words, 12, 3000)]
    found = np.bincount(first, minlength=11)[1:] / len(first)
    assert found == pytest.approx(geometric_lengths(), abs=0.025)


def test_short_texts_have_one_span():
    assert draws([(1, 2), (2, 3)], 1, 5) == [[span] for (span,) in draws([(1, 2), (2, 3)], 1, 5)]
    # A word that is longer than the room is taken whole.
    assert choose_spans([(1, 5)], 1, geometric_lengths(), np.random.default_rng(0)) == [(1, 5)]


def test_spans_stay_between_special_tokens():
    words = [(1, 2), (2, 3), (4, 5), (5, 6)]
    for spans in draws(words, 4, 300):
        assert all(end <= 3 or start >= 4 for start, end in spans)


def test_the_budget_is_15_percent_and_one_at_least():
    policy = MaskingPolicy()
    assert [budget(count, policy) for count in (1, 4, 20, 100)] == [1, 1, 3, 15]


def test_a_range_has_one_fate_80_10_10():
    tokens = np.arange(100, 900)
    ranges = [(start, start + 4) for start in range(0, 800, 8)]
    fates = {"mask": 0, "kept": 0, "random": 0}
    rng = np.random.default_rng(0)
    for _ in range(60):
        text = replace_ranges(tokens, ranges, ORDINARY, MASK, MaskingPolicy(), rng)
        for start, end in ranges:
            assert (text.labels[start:end] == tokens[start:end]).all()
            assert (text.labels[end : end + 4] == IGNORED).all()
            assert (text.inputs[end : end + 4] == tokens[end : end + 4]).all()
            masked = text.inputs[start:end] == MASK
            assert masked.all() or not masked.any()
            kept = (text.inputs[start:end] == tokens[start:end]).all()
            fates["mask" if masked.all() else "kept" if kept else "random"] += 1
    shares = np.array(list(fates.values())) / sum(fates.values())
    assert shares == pytest.approx([0.8, 0.1, 0.1], abs=0.015)
    assert tokens[0] == 100, "the text itself is left alone"
