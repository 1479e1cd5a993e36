"""Span masking: runs of whole words instead of single tokens.

Joshi et al. 2020 (SpanBERT), section 3.1: until 15 % of the tokens are selected, the length of a
span (in words) is drawn from l ~ Geo(0.2), cut off at 10, and its first word from all words. The
lengths are those of the authors' code, p(l) = 0.2 * 0.8^(l - 1) for l = 1...10, divided by their
sum, which gives the paper's mean of 3.8. A span is replaced as one: by [MASK] throughout in 80 % of
cases, by random tokens in 10 %, not at all in 10 %.

What differs from the paper: spans neither overlap nor touch, so that the tokens beside a span are
always ones that were not selected.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from explorer.objectives import IGNORED
from explorer.objectives.masking.masked_language_model import MaskedText, MaskingPolicy, Tokens

GEOMETRIC: Final = 0.2
LONGEST: Final = 10

# A range of tokens [start, end).
Range = tuple[int, int]


def geometric_lengths(success: float = GEOMETRIC, longest: int = LONGEST) -> NDArray[np.float64]:
    """Probability of each length from 1 to the longest, shape [longest]."""
    weights = success * (1.0 - success) ** np.arange(longest)
    return np.asarray(weights / weights.sum())


def word_ranges(
    tokens: Tokens, candidates: NDArray[np.bool_], begins: NDArray[np.bool_]
) -> list[Range]:
    """The tokens of each whole word, from left to right; special tokens belong to none.

    Args:
        tokens: the text, shape [length].
        candidates: True at ordinary tokens, shape [length].
        begins: whether a token begins a word, shape [vocabulary].
    """
    words: list[Range] = []
    for place in np.flatnonzero(candidates).tolist():
        if words and words[-1][1] == place and not begins[tokens[place]]:
            words[-1] = (words[-1][0], place + 1)
        else:
            words.append((place, place + 1))
    return words


def budget(tokens: int, policy: MaskingPolicy) -> int:
    """How many of so many tokens are selected: the policy's share, at least one."""
    return min(tokens, max(1, round(policy.selected * tokens)))


def choose_spans(
    words: Sequence[Range],
    room: int,
    lengths: NDArray[np.float64],
    generator: np.random.Generator,
) -> list[Range]:
    """Spans of whole words that neither overlap nor touch.

    Args:
        words: the tokens of each word.
        room: how many tokens may be selected; the last span is cut to what is left. One word is
            taken whole even where it is longer.
        lengths: probability of each length in words, from 1.
        generator: source of randomness.
    """
    limits = np.cumsum(lengths)
    spans: list[Range] = []
    # In a short text there may be no place left that touches nothing.
    for _ in range(4 * len(words)):
        if room <= 0:
            break
        count = min(int(np.searchsorted(limits, generator.random())) + 1, len(lengths))
        first = int(generator.integers(len(words)))
        start, end = words[first]
        if end - start > room and spans:
            continue
        for word in words[first + 1 : first + count]:
            if word[0] != end or word[1] - start > room:
                break
            end = word[1]
        if all(end < other[0] or other[1] < start for other in spans):
            spans.append((start, end))
            room -= end - start
    return spans


def choose_words(words: Sequence[Range], room: int, generator: np.random.Generator) -> list[Range]:
    """Whole words (the authors' code of BERT has them as an option), in any order.

    Args:
        words: the tokens of each word.
        room: how many tokens may be selected; a word that has no room left is passed over, but one
            is taken.
        generator: source of randomness.
    """
    chosen: list[Range] = []
    for place in generator.permutation(len(words)).tolist():
        start, end = words[place]
        if end - start <= room or not chosen:
            chosen.append((start, end))
            room -= end - start
        if room <= 0:
            break
    return chosen


def replace_ranges(
    tokens: Tokens,
    ranges: Sequence[Range],
    ordinary: Tokens,
    mask_token: int,
    policy: MaskingPolicy,
    generator: np.random.Generator,
) -> MaskedText:
    """Select ranges of tokens and give all tokens of one range the same fate.

    Args:
        tokens: the text, shape [length].
        ranges: ranges that do not overlap.
        ordinary: the tokens a random replacement is drawn from, shape [vocabulary].
        mask_token: the number of [MASK].
        policy: shares of masked and random ranges.
        generator: source of randomness.
    """
    labels = np.full_like(tokens, IGNORED)
    inputs = tokens.copy()
    for start, end in ranges:
        labels[start:end] = tokens[start:end]
        fate = generator.random()
        if fate < policy.masked:
            inputs[start:end] = mask_token
        elif fate < policy.masked + policy.random:
            inputs[start:end] = generator.choice(ordinary, size=end - start)
    return MaskedText(inputs, labels)
