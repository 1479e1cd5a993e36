import itertools

import numpy as np
import pytest

from explorer.objectives.generation.span_corruption import corrupt, draw_spans

SENTINELS = [90, 91, 92, 93, 94, 95, 96, 97, 98, 99]
END = 1


def test_the_example_of_the_paper():
    # Thank you for inviting me to your party last week .
    text = [10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20]
    inputs, target = corrupt(text, [(2, 4), (8, 9)], SENTINELS, END)
    assert inputs == [10, 11, 90, 14, 15, 16, 17, 91, 19, 20, END]
    assert target == [90, 12, 13, 91, 18, 92, END]


def test_spans_at_both_ends():
    inputs, target = corrupt([10, 11, 12], [(0, 1), (2, 3)], SENTINELS, END)
    assert inputs == [90, 11, 91, END]
    assert target == [90, 10, 91, 12, 92, END]


@pytest.mark.parametrize("length", [1, 2, 7, 20, 60])
def test_what_is_written_restores_the_text(length):
    rng = np.random.default_rng(length)
    text = list(range(100, 100 + length))
    for _ in range(50):
        spans = draw_spans(length, rng)
        assert 1 <= sum(stop - start for start, stop in spans) <= max(1, length // 2)
        inputs, target = corrupt(text, spans, SENTINELS, END)
        hidden = {}
        for token in target[:-1]:
            if token in SENTINELS:
                hidden[token] = current = []
            else:
                current.append(token)
        restored = [token for read in inputs[:-1] for token in hidden.get(read, [read])]
        assert restored == text
        assert hidden[target[-2]] == []


def test_spans_neither_touch_nor_have_one_length():
    rng = np.random.default_rng(1)
    lengths = set()
    for _ in range(200):
        spans = draw_spans(80, rng)
        assert all(before[1] < after[0] for before, after in itertools.pairwise(spans))
        lengths |= {stop - start for start, stop in spans}
    assert {1, 2, 3, 4, 5} <= lengths
    assert max(lengths) <= 10


def test_the_number_of_spans_does_not_tell_how_long_they_are():
    rng = np.random.default_rng(2)
    drawn = [draw_spans(16, rng) for _ in range(4000)]
    assert {len(spans) for spans in drawn} == {1}
    lengths = np.array([stop - start for ((start, stop),) in drawn])
    # Geometric with mean 3, as the objective says.
    assert np.mean(lengths == 1) == pytest.approx(1 / 3, abs=0.03)
    assert np.mean(lengths == 2) == pytest.approx(2 / 9, abs=0.03)
    starts = {start for ((start, _),) in drawn}
    assert starts == set(range(16))


def test_15_percent_of_a_long_text_are_dropped():
    rng = np.random.default_rng(3)
    drawn = [draw_spans(120, rng) for _ in range(1500)]
    dropped = [sum(stop - start for start, stop in spans) for spans in drawn]
    # The cut at 10 takes a little off the mean length of 3.
    assert np.mean(dropped) / 120 == pytest.approx(0.147, abs=0.006)
