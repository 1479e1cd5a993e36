"""Exact readers of the small world whose units are a model's own pieces."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence

from explorer.world.corpus import CLOSING
from explorer.world.exact.inside import ExactReader
from explorer.world.language.spelling import SpelledGrammar
from explorer.world.scenes import small_world

Tokenize = Callable[[str], Sequence[str]]


def exact_reader(tokenize: Tokenize) -> ExactReader:
    """A reader for pieces that know neither spaces nor capitals.

    Args:
        tokenize: cuts a text into the model's pieces.
    """

    @functools.cache
    def split(word: str) -> tuple[str, ...]:
        return tuple(tokenize(word))

    return ExactReader(small_world(), split)


def spelled_reader(tokenize: Tokenize) -> ExactReader:
    """A reader of texts as they are spelled, for pieces that know spaces or capitals.

    Its units are the pieces of surfaces (see `explorer.world.language.spelling`): those of "x" and
    a surface less those of "x" where there is no space before it, because some tokenizers put one
    before whatever comes first.

    Args:
        tokenize: cuts a text into the model's pieces.
    """

    @functools.cache
    def split(surface: str) -> tuple[str, ...]:
        if surface[:1] not in CLOSING:
            return tuple(tokenize(surface))
        return tuple(tokenize(f"x{surface}")[len(tokenize("x")) :])

    return ExactReader(SpelledGrammar(small_world()), split)
