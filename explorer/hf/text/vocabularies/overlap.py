"""What two vocabularies have in common: the words that both write as one piece."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from explorer.hf.facts import kept_with
from explorer.hf.text.vocabularies.pieces import (
    SPACE,
    WORD_START,
    end_of_words,
    glue,
    special_pieces,
    written,
)

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


@dataclass(frozen=True)
class SharedWords:
    """Words in both vocabularies, each one piece in either.

    Attributes:
        words: As a person writes them.
        left_ids: Their numbers in the first vocabulary.
        right_ids: Their numbers in the second.
    """

    words: tuple[str, ...]
    left_ids: "NDArray[np.int64]"
    right_ids: "NDArray[np.int64]"


def same_vocabulary(left: Any, right: Any) -> bool:
    """Whether two fast tokenizers give the same pieces the same numbers."""
    if left is right:
        return True
    same: bool = left.get_vocab() == right.get_vocab()
    return same


@kept_with
def whole_words(tokenizer: Any, *, after_space: bool) -> dict[str, int]:
    """The words that are one piece of a vocabulary, with their numbers; signs are words.

    Args:
        tokenizer: A fast transformers tokenizer.
        after_space: A space stands before the place; byte-level vocabularies have another piece
            for a word there than at the beginning of a text.
    """
    special = special_pieces(tokenizer)
    end = end_of_words(tokenizer)
    found: dict[str, int] = {}
    fits: set[str] = set()
    for piece, number in sorted(tokenizer.get_vocab().items(), key=lambda item: item[1]):
        if piece in special or glue(tokenizer, piece, unspaced=not after_space):
            continue
        word = written(tokenizer, piece)
        if not word or "\ufffd" in word:  # half a character is no word
            continue
        # A sign may be there with and without its space, or its end; the one that fits is meant.
        fitting = (
            piece.endswith(end) if end else piece.startswith((WORD_START, SPACE)) is after_space
        )
        if word not in found or (fitting and word not in fits):
            found[word] = number
        if fitting:
            fits.add(word)
    return found


def shared_words(left: Any, right: Any, *, after_space: bool) -> SharedWords:
    """The words of both vocabularies, in the order of the first."""
    import numpy as np

    ours = whole_words(left, after_space=after_space)
    theirs = whole_words(right, after_space=after_space)
    words = tuple(word for word in ours if word in theirs)
    return SharedWords(
        words,
        np.array([ours[word] for word in words], dtype=np.int64),
        np.array([theirs[word] for word in words], dtype=np.int64),
    )
