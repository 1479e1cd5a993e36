"""A word in its gap, and how its probability is told."""

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from explorer.document import Document
from explorer.questions.masking.candidate_words.question import CandidateWordsRequest, WordScore


def document_of(request: CandidateWordsRequest) -> Document:
    """The text that is asked about."""
    return Document(request.text, request.pair, request.masks)


def with_word(
    document: Document, gap: tuple[int, int, int], word: str, *, lone_space: bool
) -> Document:
    """A text with a word in the place of a gap (start, end, part), and the word masked."""
    start, end, part = gap
    changed = document.with_words(start, end, word, part)
    return changed.with_mask(start, start + len(word), part, letters=not lone_space)


def others(row: Any, piece: int) -> float:
    """The probability of all other pieces together, exact where the piece's own is nearly 1."""
    rest = row.cpu().double().clone()
    rest[piece] = float("-inf")
    return float(rest.exp().sum())


def log_odds(logs: Sequence[float], rest: Sequence[float]) -> float:
    """ln(p / (1 - p)) of a product of probabilities, in nats.

    Args:
        logs: The logarithm of each probability.
        rest: One minus each probability, which the logarithm is too coarse for near 1.
    """
    exact = sum(
        math.log1p(-left) if left < 0.5 else log for log, left in zip(logs, rest, strict=True)
    )
    return sum(logs) - math.log(max(-math.expm1(exact), 1e-300))


def with_places(scores: Sequence[WordScore]) -> tuple[WordScore, ...]:
    """Scores with their places among each other; equal ones share a place."""
    values = [one.log_probability for one in scores if one.log_probability is not None]
    return tuple(
        one
        if one.log_probability is None
        else replace(one, place=1 + sum(value > one.log_probability for value in values))
        for one in scores
    )
