"""The most probable words at one gap or several, in a few words."""

from collections.abc import Sequence

from explorer.text.bidi import isolated
from explorer.text.formatting.numbers import decimal, localised

Ranked = tuple[str, float]
"""A word and its probability."""

BEST = 3
PLACES = 4
LEAST = 0.01


def ranked_words(gaps: Sequence[Sequence[Ranked]]) -> str:
    """The first words at one gap, "soup 0.31, meal 0.20, tea 0.11"; the first of each of several.

    Args:
        gaps: The words at each, most probable first.
    """
    if len(gaps) == 1:
        return ", ".join(_told(*one) for one in gaps[0][:BEST])
    best = [_told(*words[0]) for words in gaps[:PLACES]]
    return " · ".join([*best, "…"] if len(gaps) > PLACES else best)


def _told(word: str, chance: float) -> str:
    # A word from the right would draw its number to its other side.
    word = isolated(word)
    if chance < LEAST / 2:
        return f"{word} <{localised(str(LEAST))}"
    return f"{word} {decimal(chance, 2)}"
