"""Which words a sentence holds, and which of them is the one that is followed."""

import pytest

from explorer.text.occurrences import (
    places_of,
    repeated,
    sentences_in,
    words_in,
)


def test_sentences_of_a_text():
    text = "The meal was good . I ate it!  “Why?” she said.\n\nA line without an end\n한국어다。끝"
    assert list(sentences_in(text)) == [
        "The meal was good .",
        "I ate it!",
        "“Why?",
        "she said.",
        "A line without an end",
        "한국어다。",
        "끝",
    ]
    assert list(sentences_in("version 3.5 is out")) == ["version 3.5 is out"]


@pytest.mark.parametrize(
    ("word", "sentence", "places"),
    [
        ("bank", "The Bank by the bankers' bank.", [(4, 8), (25, 29)]),
        ("New York", "in new york now", [(3, 11)]),
        ("배", "배를 타고 배가 고프다. 담배", [(0, 1), (6, 7)]),
        ("行", "银行行长", [(1, 2), (2, 3)]),
        ("[MASK]", "a [MASK] here", [(2, 8)]),
        ("", "nothing", []),
        ("a.c", "abc a.c", [(4, 7)]),
    ],
)
def test_a_word_is_found_as_a_whole(word, sentence, places):
    assert list(places_of(word, sentence)) == places


def test_what_touches_the_followed_word_is_a_part_of_it():
    sentence = "배를 don't New"
    found = [(sentence[s.start : s.end], s.chosen) for s in words_in(sentence, "배")]
    assert found == [("배", True), ("don't", False), ("New", False)]


def test_the_first_word_that_stands_twice():
    assert repeated(iter(["A meal.", "The a meal"])) == ("A", True)
    assert repeated(iter(["one two", "three"])) == ("one", False)
    assert repeated(iter(["..."])) == ("", False)
