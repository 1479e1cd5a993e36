"""The measures of contextuality against loops over all pairs."""

import itertools

import numpy as np
import pytest

from explorer.numerics.vectors import contextuality as of
from explorer.numerics.vectors.projection import standardised

RANDOM = np.random.default_rng(5)
STATES = RANDOM.normal(size=(30, 8)) + 0.7
SENTENCES = [np.arange(0, 7), np.arange(7, 9), np.arange(9, 22), np.arange(22, 30)]
WORDS = [np.array([0, 8, 12]), np.array([3, 4]), np.array([1, 10, 20, 25, 29])]


def cosine(a, b):
    return float(a @ b / np.linalg.norm(a) / np.linalg.norm(b))


def test_self_similarity_is_the_mean_of_all_pairs_of_a_word():
    expected = np.mean(
        [
            np.mean([cosine(STATES[a], STATES[b]) for a, b in itertools.combinations(places, 2)])
            for places in WORDS
        ]
    )
    assert of.self_similarity(of.unit_length(STATES), WORDS) == pytest.approx(expected, abs=1e-12)


def test_intra_sentence_similarity_is_the_cosine_with_the_mean():
    expected = np.mean(
        [
            np.mean([cosine(STATES[a], STATES[places].mean(axis=0)) for a in places])
            for places in SENTENCES
        ]
    )
    assert of.intra_sentence_similarity(STATES, SENTENCES) == pytest.approx(expected, abs=1e-12)


def test_anisotropy_is_the_mean_of_all_pairs_of_different_sentences():
    pairs = [
        cosine(STATES[a], STATES[b])
        for one, other in itertools.combinations(SENTENCES, 2)
        for a in one
        for b in other
    ]
    found = of.anisotropy(of.unit_length(STATES), SENTENCES)
    assert found == pytest.approx(np.mean(pairs), abs=1e-12)


def test_standardised_dimensions_count_alike():
    outlier = STATES.copy()
    outlier[:, 0] = 1000.0 + RANDOM.normal(size=30)
    outlier[:, 1] = 5.0
    assert of.anisotropy(of.unit_length(outlier), SENTENCES) > 0.99
    even = standardised(outlier)
    assert abs(of.anisotropy(of.unit_length(even), SENTENCES)) < 0.2
    assert np.all(even[:, 1] == 0)
    kept = even[:, [0, *range(2, 8)]]
    assert kept.mean(axis=0) == pytest.approx(np.zeros(7), abs=1e-9)
    assert kept.std(axis=0) == pytest.approx(np.ones(7))


def test_a_state_that_is_zero_has_no_direction():
    assert np.all(of.unit_length(np.zeros((2, 3))) == 0)
