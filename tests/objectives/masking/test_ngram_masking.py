import numpy as np
import pytest

from explorer.objectives.masking.ngram_masking import ngram_lengths
from explorer.objectives.masking.span_masking import choose_spans


def test_ngrams_have_the_papers_distribution():
    assert ngram_lengths() == pytest.approx([6 / 11, 3 / 11, 2 / 11])


def test_ngrams_are_drawn_with_it():
    words = [(place, place + 1) for place in range(1000)]
    rng = np.random.default_rng(0)
    first = [choose_spans(words, 4, ngram_lengths(), rng)[0] for _ in range(3000)]
    found = np.bincount([end - start for start, end in first], minlength=4)[1:] / len(first)
    assert found == pytest.approx([6 / 11, 3 / 11, 2 / 11], abs=0.03)
