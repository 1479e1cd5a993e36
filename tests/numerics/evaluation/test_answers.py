"""Exact match and F1 as the official scripts of SQuAD and KorQuAD have them."""

import pytest

from explorer.numerics.evaluation.answers import exact_match, f1, normalised


def test_capitals_punctuation_and_articles_say_nothing():
    assert normalised("The  Cat, an owl!") == "cat owl"
    assert exact_match("The cat.", ["a cat", "dog"]) == 1.0
    assert exact_match("Theodor", ["odor"]) == 0.0


@pytest.mark.parametrize(
    ("answer", "right", "expected"),
    [
        ("Denver Broncos", ["Denver Broncos"], 1.0),
        # One of two words, one of one: precision 1/2, recall 1.
        ("Denver Broncos", ["Broncos", "team"], 2 / 3),
        ("the the cat", ["cat cat"], 2 / 3),
        ("Denver", ["Carolina"], 0.0),
        ("", [""], 1.0),
        ("Denver", [""], 0.0),
        ("", ["Denver"], 0.0),
        # An article alone is nothing once it is normalised.
        ("the", [""], 1.0),
    ],
)
def test_words_that_are_shared(answer, right, expected):
    assert f1(answer, right) == pytest.approx(expected)


def test_korean_is_compared_by_characters_and_keeps_its_words():
    # 4 of 5 characters said are among the 4 wanted.
    assert f1("교향곡을", ["교향곡"]) == pytest.approx(2 * 3 / 7)
    assert exact_match("1989년 2월 15일", ["1989년 2월 15일."]) == 1.0
    assert f1("the 곡", ["곡"]) == pytest.approx(2 * 1 / 5)
