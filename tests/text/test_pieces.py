from types import SimpleNamespace

import pytest

from explorer.api.question import Token, alone
from explorer.text.pieces import drawn, readable, visible, word_or_piece


@pytest.mark.parametrize(
    ("piece", "read"),
    [("##ing", "ing"), ("Ġthe", "the"), ("▁the", "the"), ("the</w>", "the"), ("##", "##")],
)
def test_marks_of_tokenizers_are_left_out(piece, read):
    assert readable(piece) == read


def test_a_space_alone_is_made_visible():
    assert readable("▁") == "␣"
    assert visible("\n") == "↵"
    assert visible(" a  b ") == "a b"


def test_a_piece_stands_for_a_word_that_it_does_not_spell():
    assert word_or_piece(SimpleNamespace(word="", token="ðŁ")) == "ðŁ"
    assert word_or_piece(SimpleNamespace(word=" ", token="Ġ")) == "␣"


@pytest.mark.parametrize(("glue", "shown"), [("before", "…ing"), ("after", "ing…"), ("", "ing")])
def test_a_piece_that_is_part_of_a_word_is_drawn_so(glue, shown):
    assert drawn(SimpleNamespace(word="ing", token="##ing", glue=glue)) == shown


def test_a_token_alone_has_dots_for_the_rest_of_its_word():
    assert alone(Token("##ing", 7, 3, 6, special=False, joined=True)) == "…ing"
    assert alone(Token("##ing", 7, 3, 6, special=False, joined=True, masked=True)) == "[MASK]"
    assert alone(Token("-", 7, 3, 4, special=False, joined=True)) == "-"
