"""Words of a vocabulary that a model reads as nearly the same, by the vectors it has for them."""

import unicodedata
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from explorer.hf.text.vocabularies.overlap import whole_words
from explorer.hf.text.vocabularies.pieces import written_together

BLOCK = 50_000
"""Pieces whose vectors are held at once."""

SEARCHED = 40
"""Candidates that are looked through for every neighbour that is wanted: most are of another kind
than the word."""

Vectors = Callable[[Sequence[int]], Any]
"""From pieces' numbers to what the model reads for them: tensor (pieces x width), float32."""


@dataclass(frozen=True)
class Neighbour:
    """A word near to another.

    Attributes:
        word: As a person writes it.
        cosine: Between the vectors of the two.
    """

    word: str
    cosine: float


def nearest_words(
    tokenizer: Any, vectors: Vectors, words: Sequence[Sequence[int]], count: int
) -> list[tuple[Neighbour, ...]]:
    """The whole words of a vocabulary that are nearest to each of some words, nearest first.

    A word of several pieces stands where the mean of their vectors does. Neighbours are words of
    the same kind (`kind_of`), and no spelling of the word itself.

    Args:
        tokenizer: A fast transformers tokenizer.
        vectors: The model's.
        words: The pieces of each.
        count: How many are wanted of each; fewer where there are no more.
    """
    import torch

    with torch.inference_mode():
        return _nearest(tokenizer, vectors, words, count)


def _nearest(
    tokenizer: Any, vectors: Vectors, words: Sequence[Sequence[int]], count: int
) -> list[tuple[Neighbour, ...]]:
    import torch

    known = whole_words(tokenizer, after_space=True)
    if not words or not known:
        return [() for _ in words]
    means = torch.stack([vectors(list(pieces)).mean(dim=0) for pieces in words])
    queries = torch.nn.functional.normalize(means, dim=-1)
    names, numbers = list(known), list(known.values())
    cosines = torch.cat(
        [
            torch.nn.functional.normalize(vectors(numbers[start : start + BLOCK]), dim=-1)
            @ queries.T
            for start in range(0, len(numbers), BLOCK)
        ]
    )
    best = cosines.topk(min(SEARCHED * count, len(numbers)), dim=0)
    found = []
    places, values = best.indices.T.tolist(), best.values.T.tolist()
    for pieces, order, near in zip(words, places, values, strict=True):
        own = written_together(tokenizer, tokenizer.convert_ids_to_tokens(list(pieces)))
        alike = [
            Neighbour(names[at], cosine)
            for at, cosine in zip(order, near, strict=True)
            if names[at].casefold() != own.casefold() and kind_of(names[at]) == kind_of(own)
        ]
        found.append(tuple(alike[:count]))
    return found


def kind_of(word: str) -> tuple[str, str, str]:
    """What neighbours have in common: letters or digits, capitals, the script."""
    letters = next((one for one in word if one.isalpha()), "")
    content = "letters" if word.isalpha() else "digits" if word.isnumeric() else "mixed"
    if not letters or letters.lower() == letters.upper():
        case = "none"
    elif word.islower():
        case = "lower"
    elif word.istitle():
        case = "title"
    else:
        case = "upper" if word.isupper() else "mixed"
    script = unicodedata.name(letters, "").partition(" ")[0] if letters else ""
    return content, case, script


def spelled_like(word: str, like: str) -> str:
    """A word with the capitals of another, as where a tokenizer takes all capitals away."""
    if len(like) > 1 and like.isupper():
        return word.upper()
    return word[:1].upper() + word[1:] if like[:1].isupper() else word
