"""Training a SentencePiece unigram tokenizer as ALBERT has it: uncased, "▁" for a space.

Kudo 2018, section 3.2. A word is any sequence of pieces x1 ... xn with the probability
p(x1) ... p(xn). Starting from all substrings of the words, expectation-maximisation fits p; then
the pieces whose loss would cost the least likelihood are dropped, a quarter at a time, until the
vocabulary has its size. Single letters always stay. Written out here because it is short, and
because its outcome must be the same on every machine.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any, Final

SPACE: Final = "▁"
# Numbered as in the published vocabulary.
SPECIAL_TOKENS: Final = ("<pad>", "<unk>", "[CLS]", "[SEP]", "[MASK]")
# Every letter and digit stays a piece, so no word of them is unknown.
ALPHABET: Final = tuple("abcdefghijklmnopqrstuvwxyz0123456789.,?!'\"-:;()" + SPACE)
CAPITALS: Final = tuple("ABCDEFGHIJKLMNOPQRSTUVWXYZ")
MARKS: Final = frozenset(".,?!'\"-:;()")

LONGEST: Final = 16
KEPT: Final = 0.75
ROUNDS: Final = 3


def train_unigram(
    texts: Iterable[str], vocabulary_size: int, *, cased: bool = False
) -> list[tuple[str, float]]:
    """Train on raw text.

    Args:
        texts: what is counted.
        vocabulary_size: how many pieces, special tokens included.
        cased: whether capital letters stay as they are.

    Returns:
        Special tokens, then pieces with their log-probability, the likeliest first.
    """
    counts: Counter[str] = Counter()
    for text in texts:
        counts.update(units(text if cased else text.lower()))
    alphabet = (*ALPHABET, *CAPITALS) if cased else ALPHABET
    size = vocabulary_size - len(SPECIAL_TOKENS)
    scores = _seeds(counts, alphabet)
    while True:
        expected: dict[str, float] = {}
        for _ in range(ROUNDS):
            expected = _expected_counts(counts, scores)
            scores = _maximised(expected, alphabet)
        if len(scores) <= size:
            break
        scores = _pruned(scores, expected, max(size, int(KEPT * len(scores))), alphabet)
    ordered = sorted(scores.items(), key=lambda item: (-item[1], item[0]))
    return [*((token, 0.0) for token in SPECIAL_TOKENS), *ordered]


def units(text: str) -> list[str]:
    """The words of a text with "▁" for the space before them, and its marks."""
    found: list[str] = []
    for word in text.split():
        start = 0
        shown = SPACE + word
        for place in range(1, len(shown)):
            # A piece is never of letters and marks together.
            if place > 1 and (shown[place] in MARKS or shown[place - 1] in MARKS):
                found.append(shown[start:place])
                start = place
        found.append(shown[start:])
    return found


def _seeds(counts: Mapping[str, int], alphabet: tuple[str, ...]) -> dict[str, float]:
    """All substrings that occur in two words or more often, weighted by how much they cover."""
    weights: Counter[str] = Counter(dict.fromkeys(alphabet, 1))
    for word, count in counts.items():
        for start in range(len(word)):
            for end in range(start + 1, min(len(word), start + LONGEST) + 1):
                weights[word[start:end]] += count * (end - start)
    return _maximised({piece: float(weight) for piece, weight in sorted(weights.items())}, alphabet)


def _maximised(expected: Mapping[str, float], alphabet: tuple[str, ...]) -> dict[str, float]:
    """M-step: log-probabilities from expected counts; a piece that is never used is dropped."""
    kept = {
        piece: max(count, 0.5)
        for piece, count in expected.items()
        if count >= 0.5 or piece in alphabet
    }
    total = math.fsum(kept.values())
    return {piece: math.log(count / total) for piece, count in kept.items()}


def _expected_counts(counts: Mapping[str, int], scores: Mapping[str, float]) -> dict[str, float]:
    """E-step: how often each piece is used, over all ways to cut each word."""
    expected = dict.fromkeys(scores, 0.0)
    for word, count in sorted(counts.items()):
        edges = [
            (start, end, math.exp(scores[word[start:end]]))
            for start in range(len(word))
            for end in range(start + 1, min(len(word), start + LONGEST) + 1)
            if word[start:end] in scores
        ]
        before = [1.0] + [0.0] * len(word)
        for start, end, p in edges:
            before[end] += before[start] * p
        behind = [0.0] * len(word) + [1.0]
        for start, end, p in reversed(edges):
            behind[start] += p * behind[end]
        for start, end, p in edges:
            share = before[start] * p * behind[end] / before[-1]
            expected[word[start:end]] += count * share
    return expected


def _pruned(
    scores: Mapping[str, float],
    expected: Mapping[str, float],
    size: int,
    alphabet: tuple[str, ...],
) -> dict[str, float]:
    """Keep the letters, and the pieces whose loss would cost the most likelihood."""
    cost = {
        piece: expected[piece] * (score - _best_without(piece, scores))
        for piece, score in scores.items()
        if piece not in alphabet
    }
    dearest = sorted(cost, key=lambda piece: (-cost[piece], piece))
    kept = {*alphabet, *dearest[: size - len(alphabet)]}
    return {piece: score for piece, score in scores.items() if piece in kept}


def _best_without(piece: str, scores: Mapping[str, float]) -> float:
    """Log-probability of the likeliest way to write a piece in other pieces."""
    best = [0.0] + [-math.inf] * len(piece)
    for end in range(1, len(piece) + 1):
        for start in range(end):
            part = piece[start:end]
            if part != piece and part in scores:
                best[end] = max(best[end], best[start] + scores[part])
    return best[-1]


def pretrained_tokenizer(vocabulary: list[tuple[str, float]], max_length: int) -> Any:
    """The ``AlbertTokenizer`` of transformers, ready for ``save_pretrained``."""
    from tokenizers import AddedToken
    from transformers import AlbertTokenizer

    return AlbertTokenizer(
        vocab=vocabulary,
        do_lower_case=True,
        model_max_length=max_length,
        # "the [MASK]" is read as "the[MASK]", because a piece brings its own space.
        mask_token=AddedToken("[MASK]", lstrip=True, special=True),
    )


def pretrained_sentinel_tokenizer(
    vocabulary: list[tuple[str, float]], sentinels: int, max_length: int
) -> Any:
    """The ``T5Tokenizer`` of transformers: the same pieces, other special tokens.

    Numbered as published: three special tokens, pieces, sentinels from the last to the first.
    """
    from transformers import T5Tokenizer

    pieces = [(piece, score) for piece, score in vocabulary if piece not in SPECIAL_TOKENS]
    special = [("<pad>", 0.0), ("</s>", 0.0), ("<unk>", 0.0)]
    last = [(f"<extra_id_{number}>", 0.0) for number in reversed(range(sentinels))]
    return T5Tokenizer(
        vocab=[*special, *pieces, *last], extra_ids=sentinels, model_max_length=max_length
    )
