"""Words of a vocabulary that a model reads as nearly the same, by the vectors it has for them."""

import unicodedata
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from explorer.hf.text.vocabularies.overlap import whole_words
from explorer.hf.text.vocabularies.pieces import is_after_space, written_together

BLOCK = 50_000
"""Pieces whose vectors are held at once."""

SEARCHED = 40
"""Candidates that are looked through for every neighbour that is wanted: most are of another kind
than the word."""

Vectors = Callable[[Sequence[int]], Any]
"""From pieces' numbers to what the model reads for them: tensor (pieces x width), float32."""


@dataclass(frozen=True)
class NearWord:
    """A word near to another.

    Attributes:
        word: As a person writes it.
        cosine: Between the vectors of the two.
        id: The piece that it is.
    """

    word: str
    cosine: float
    id: int


def nearest_words(
    tokenizer: Any, vectors: Vectors, words: Sequence[Sequence[int]], count: int
) -> list[tuple[NearWord, ...]]:
    """The whole words of a vocabulary that are nearest to each of some words, nearest first.

    A word of several pieces stands where the mean of their vectors does. Neighbours are words of
    the same kind (`kind_of`), no spelling of the word itself, and pieces that can stand where it
    does: behind a space, or at the beginning of a text, where byte-level vocabularies have others.

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
) -> list[tuple[NearWord, ...]]:
    import torch

    found: list[tuple[NearWord, ...]] = [() for _ in words]
    first = tokenizer.convert_ids_to_tokens([pieces[0] for pieces in words])
    behind = [is_after_space(tokenizer, piece) for piece in first]
    for after_space in (True, False):
        asked = [n for n, one in enumerate(behind) if one is after_space]
        known = _words_at(tokenizer, after_space=after_space)
        if not asked or not known:
            continue
        means = torch.stack([vectors(list(words[n])).mean(dim=0) for n in asked])
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
        places, values = best.indices.T.tolist(), best.values.T.tolist()
        for word, order, near in zip(asked, places, values, strict=True):
            own = written_together(tokenizer, tokenizer.convert_ids_to_tokens(list(words[word])))
            alike = [
                NearWord(names[at], cosine, numbers[at])
                for at, cosine in zip(order, near, strict=True)
                if names[at].casefold() != own.casefold() and kind_of(names[at]) == kind_of(own)
            ]
            found[word] = tuple(alike[:count])
    return found


def _words_at(tokenizer: Any, *, after_space: bool) -> dict[str, int]:
    """Whole words that are one piece in such a place.

    What has a piece without a space alone, as the end of a longer word, is no word.
    """
    spaced = whole_words(tokenizer, after_space=True)
    if after_space:
        return spaced
    others = whole_words(tokenizer, after_space=False)
    pieces = tokenizer.convert_ids_to_tokens(list(others.values()))
    return {
        word: number
        for (word, number), piece in zip(others.items(), pieces, strict=True)
        if word in spaced and not is_after_space(tokenizer, piece)
    }


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
