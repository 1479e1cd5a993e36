"""Vocabularies as words: every piece as a person reads it, so that two can be compared by word."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from explorer.hf.facts import kept_with
from explorer.hf.text.vocabularies.pieces import glue, special_pieces, written
from explorer.text.pieces import dotted

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class VocabularyWords:
    """What the pieces of a vocabulary are as words.

    Attributes:
        words: Each word once, in the order of its first piece.
        word_of: For every piece its word's index; -1 for special tokens and unused rows.
    """

    words: tuple[str, ...]
    word_of: NDArray[np.int64]

    def probabilities(self, row: Floats) -> Floats:
        """A distribution over pieces as one over words; special tokens are in none.

        Args:
            row: Probabilities of the pieces; may be longer than the vocabulary.
        """
        pieces = row[: len(self.word_of)]
        kept = self.word_of >= 0
        sums: Floats = np.zeros(len(self.words))
        np.add.at(sums, self.word_of[kept], pieces[kept])
        return sums

    def in_no_word(self, row: Floats) -> float:
        """What special tokens and unused rows have of a distribution over pieces."""
        known = len(self.word_of)
        return float(row[:known][self.word_of < 0].sum() + row[known:].sum())


@kept_with
def word_list(tokenizer: Any, *, folded: bool) -> VocabularyWords:
    """The words of a vocabulary.

    Args:
        tokenizer: A fast transformers tokenizer.
        folded: Without regard to capital letters.
    """
    special = special_pieces(tokenizer)
    vocabulary = tokenizer.get_vocab()
    numbers = np.full(max(vocabulary.values()) + 1, -1, dtype=np.int64)
    known: dict[str, int] = {}
    for piece, number in sorted(vocabulary.items(), key=lambda one: one[1]):
        if piece not in special:
            word = word_as_shown(tokenizer, piece)
            word = word.casefold() if folded else word
            numbers[number] = known.setdefault(word, len(known))
    return VocabularyWords(tuple(known), numbers)


def word_as_shown(tokenizer: Any, piece: str) -> str:
    """A piece as a word; a part of one with dots where the rest would be."""
    return dotted(written(tokenizer, piece), glue(tokenizer, piece))


def folds(tokenizer: Any) -> bool:
    """Whether a tokenizer takes capital letters away."""
    pieces = tokenizer.tokenize("Aa")
    return bool(pieces) and not any("A" in piece for piece in pieces)
