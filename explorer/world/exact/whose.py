"""Which small world a model's pieces are of: its grammar is the one that exact answers sum over."""

from __future__ import annotations

import functools
from collections.abc import Collection
from typing import Final

from explorer.world.exact.readers import Tokenize
from explorer.world.grammar import Grammar
from explorer.world.korean.grammar import korean_world
from explorer.world.language.lexicon import lexicon
from explorer.world.scenes import small_world

KNOWN: Final = 0.5
"""The share of a world's words that are pieces of a tokenizer that was made of its text."""


def share_of_pieces(tokenize: Tokenize, words: Collection[str]) -> float:
    """Which part of some words a tokenizer leaves whole; one that it does not know is none."""

    def is_whole(word: str) -> bool:
        pieces = tokenize(word)
        return len(pieces) == 1 and word.lower() in pieces[0].lower()

    return sum(map(is_whole, words)) / len(words)


def world_of(tokenize: Tokenize) -> Grammar:
    """The Korean world's grammar where the pieces are its words and not the usual world's.

    A tokenizer of both languages, as XLM's, reads Korean that was put together from English texts,
    and has no grammar of that.
    """
    known = functools.partial(share_of_pieces, tokenize)
    is_korean = known(lexicon("korean")) > KNOWN > known(lexicon("en"))
    return korean_world() if is_korean else small_world()
