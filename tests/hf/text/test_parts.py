"""Which characters belong to the one before them, wherever they stand in Unicode."""

import sys
import unicodedata

from explorer.hf.text.parts import FIRST_MARK, JOINERS, leans_back


def test_marks_and_joiners_lean_back_and_nothing_else_does():
    characters = map(chr, range(sys.maxunicode + 1))
    leaning = {one for one in characters if leans_back(one)}
    marks = {
        one
        for one in map(chr, range(sys.maxunicode + 1))
        if unicodedata.category(one) in ("Mn", "Me")
    }
    assert leaning == marks | JOINERS
    assert min(leaning) == FIRST_MARK
