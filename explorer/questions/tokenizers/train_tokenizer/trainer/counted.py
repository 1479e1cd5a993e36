"""Words of a text with how often they stand in it, as a trainer counts them, and pairs in them."""

import itertools
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from typing import Any

CHUNK = re.compile(r" *[^ ]+| +")
"""A word with the spaces before it: nothing that tokenizers look at goes beyond that."""


def chunks_of(lines: Iterable[str], *, spaced: bool) -> Counter[str]:
    """What stands between spaces, each once with its count.

    Args:
        lines: Of the text.
        spaced: Spaces before a word belong to it, as in byte-level pieces.
    """
    found: Counter[str] = Counter()
    for line in lines:
        found.update(CHUNK.findall(line) if spaced else filter(None, line.split(" ")))
    return found


def words_of(tokenizer: Any, chunks: Counter[str]) -> Counter[str]:
    """The words that a tokenizer divides a text into before it looks for pieces.

    Args:
        tokenizer: With its normalizer and pre-tokenizer.
        chunks: Of the text.
    """
    found: Counter[str] = Counter()
    prepare, divide = tokenizer.normalizer, tokenizer.pre_tokenizer
    for chunk, count in chunks.items():
        text = prepare.normalize_str(chunk) if prepare is not None else chunk
        for word, _place in divide.pre_tokenize_str(text):
            found[word] += count
    return found


Merge = tuple[str, str, str]
"""Both pieces, and what they make."""


def occurrences(words: Iterable[tuple[Sequence[str], int]], merges: Iterable[Merge]) -> list[int]:
    """How often each pair stands in the text just before it is merged.

    Args:
        words: Each in single letters, and its count.
        merges: In the order in which they were learnt.
    """
    cut = [(list(letters), count) for letters, count in words]
    holders: defaultdict[tuple[str, str], set[int]] = defaultdict(set)
    for number, (letters, _count) in enumerate(cut):
        for pair in itertools.pairwise(letters):
            holders[pair].add(number)
    found = []
    for left, right, made in merges:
        seen = 0
        for number in holders.pop((left, right), ()):
            letters, count = cut[number]
            pairs = list(itertools.pairwise(letters))
            seen += count * pairs.count((left, right))
            merged = _merged(letters, left, right, made)
            letters[:] = merged
            for pair in itertools.pairwise(merged):
                holders[pair].add(number)
        found.append(seen)
    return found


def _merged(letters: Sequence[str], left: str, right: str, made: str) -> list[str]:
    """The letters with a pair merged wherever it stands, from the left."""
    merged: list[str] = []
    at = 0
    while at < len(letters):
        if letters[at] == left and letters[at + 1 : at + 2] == [right]:
            merged.append(made)
            at += 2
        else:
            merged.append(letters[at])
            at += 1
    return merged
