"""Swaps as they are typed, and what becomes of the text and its masks."""

import pytest

from explorer.api.question import UserMistake
from explorer.document import Document, Mask
from explorer.questions.cause.patching.swaps import Swap, swapped, swaps_of


@pytest.mark.parametrize("typed", ["plant > build", "plant->build", " plant → build "])
def test_any_arrow_stands_between_two_words(typed):
    assert swaps_of((typed,)) == (Swap("plant", "build"),)
    assert swaps_of((swaps_of((typed,))[0].written(),)) == (Swap("plant", "build"),)


@pytest.mark.parametrize("typed", ["plant", "plant >", "> build", "a > b > c", ""])
def test_what_is_no_swap_is_refused(typed):
    with pytest.raises(UserMistake, match="is no swap"):
        swaps_of((typed,))


def test_every_word_is_swapped_and_masks_stay_on_theirs():
    text = "I plant a plant, and plants need a trowel."
    trowel = text.index("trowel")
    document = Document(text, None, (Mask(trowel, trowel + 6),))
    other = swapped(document, swaps_of(("plant > house", "a > the")))
    assert other.text == "I house the house, and plants need the trowel."
    (mask,) = other.masks
    assert other.text[mask.start : mask.end] == "trowel"


def test_a_masked_word_is_not_swapped():
    document = Document("I plant a plant.", None, (Mask(10, 15),))
    assert swapped(document, (Swap("plant", "house"),)).text == "I house a plant."
    hidden = Document("I used a trowel.", None, (Mask(9, 15),))
    with pytest.raises(UserMistake, match="“trowel” is not in the text"):
        swapped(hidden, (Swap("trowel", "spade"),))
    with pytest.raises(UserMistake, match="“oak”"):
        swapped(hidden, (Swap("oak", "elm"),))
