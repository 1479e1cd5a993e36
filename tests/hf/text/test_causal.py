from types import SimpleNamespace

import pytest

from explorer.hf.text.causal import NO_PIECE, cut_around_masks


def words(text):
    """A cutter that gives every word a piece of the word's length."""
    import re

    found = list(re.finditer(r"\S+", text))
    return SimpleNamespace(
        ids=[len(one.group()) for one in found],
        offsets=[one.span() for one in found],
        token_to_word=lambda index: index,
    )


@pytest.mark.parametrize(
    ("text", "ids", "offsets"),
    [
        ("a bcd", [1, 3], [(0, 1), (2, 5)]),
        ("", [], []),
        ("[MASK]", [-1], [(0, 6)]),
        ("a  [MASK]bc", [1, -1, 2], [(0, 1), (3, 9), (9, 11)]),
        ("[MASK] [MASK]", [-1, -1], [(0, 6), (7, 13)]),
        ("ab [MASK] cde", [2, -1, 3], [(0, 2), (3, 9), (10, 13)]),
    ],
)
def test_nothing_of_a_typed_mask_is_cut(text, ids, offsets):
    seen = []
    cut = cut_around_masks(lambda piece: (seen.append(piece), words(piece))[1], text)
    assert (cut.ids, cut.offsets) == (ids, offsets)
    assert not any("MASK" in piece for piece in seen)
    assert not any(piece.endswith(" ") for piece in seen[:-1])


def test_words_are_told_apart_across_masks():
    cut = cut_around_masks(words, "ab cd[MASK]ef")
    numbers = [cut.token_to_word(i) for i in range(4)]
    assert numbers[2] is None
    assert len(set(numbers)) == 4


def test_nothing_has_no_number():
    assert NO_PIECE.id == -1
