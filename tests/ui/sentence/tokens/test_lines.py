"""Where lines of tokens break."""

from dataclasses import dataclass

import pytest

from explorer.ui.sentence.tokens.lines import GAP, lines_of


@dataclass(frozen=True)
class Word:
    text: str
    special: bool = False
    part: int = 0
    joined: bool = False


WORDS = [
    Word("[CLS]", special=True),
    *map(Word, ("the", "chef", ",", "who", "cooked", ".")),
    Word("[SEP]", special=True),
]


def lines(width):
    return [
        [piece.text for piece, _, _ in line] for line in lines_of(WORDS, [30.0] * len(WORDS), width)
    ]


def test_no_line_begins_with_a_sign_or_the_last_special_token():
    whole = 8 * 30 + 7 * GAP
    assert lines(whole) == [[word.text for word in WORDS]]
    assert lines(whole - 1) == [["[CLS]", "the", "chef", ",", "who"], ["cooked", ".", "[SEP]"]]
    assert lines(3 * 30 + 2 * GAP) == [
        ["[CLS]", "the"],
        ["chef", ",", "who"],
        ["cooked", ".", "[SEP]"],
    ]


@pytest.mark.parametrize("width", range(30, 400, 7))
def test_every_piece_is_laid_out_once_inside_the_width(width):
    placed = lines_of(WORDS, [30.0] * len(WORDS), float(width))
    assert [piece for line in placed for piece, _, _ in line] == WORDS
    assert all(x >= 0 and x + wide <= width + 0.5 for line in placed for _, x, wide in line)
