"""The most probable words in a few words."""

import pytest

from explorer.text.formatting.ranked_words import ranked_words


@pytest.mark.parametrize(
    ("gaps", "expected"),
    [
        (
            [[("soup", 0.31), ("meal", 0.2), ("tea", 0.11), ("bread", 0.1)]],
            "soup 0.31, meal 0.20, tea 0.11",
        ),
        ([[("w3", 0.5), ("other", 0.5)], [("w7", 0.5)]], "w3 0.50 · w7 0.50"),
        ([[(f"w{gap}", 0.5)] for gap in range(5)], "w0 0.50 · w1 0.50 · w2 0.50 · w3 0.50 · …"),
        ([[("##s", 0.001)]], "##s <0.01"),
        ([[]], ""),
        ([], ""),
    ],
)
def test_the_first_words_and_their_probabilities(gaps, expected):
    assert ranked_words(gaps) == expected
