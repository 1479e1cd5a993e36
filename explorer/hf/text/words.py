"""Words of a text by Unicode's categories alone, the same for every tokenizer."""

import unicodedata

import numpy as np
from numpy.typing import NDArray

from explorer.hf.text.parts import JOINERS

ZERO_WIDTH_JOINER = "\u200d"
MODIFIERS = range(0x1F3FB, 0x1F400)
"""Skin colours of emoji."""


def words_of(text: str) -> NDArray[np.int32]:
    """For every character the number of its word, from 0 on; -1 for spaces.

    Letters, digits and the marks on them are one word as long as they stand together; every other
    sign is one for itself, an emoji with what is joined to it. In scripts without spaces, as Thai
    and Chinese, a whole sentence is one.
    """
    numbers = np.full(len(text), -1, dtype=np.int32)
    word, open_word, before = -1, False, " "
    for place, character in enumerate(text):
        if character.isspace():
            open_word = False
        else:
            letter = character.isalnum() or character == "_"
            leans = unicodedata.category(character)[0] == "M" or character in JOINERS
            leans = leans or ord(character) in MODIFIERS or before == ZERO_WIDTH_JOINER
            # What leans on a sign belongs to it, and what leans on a space is a word.
            continues = not before.isspace() and (leans or (letter and open_word))
            if not continues:
                word += 1
                open_word = letter
            numbers[place] = word
        before = character
    return numbers
