"""Training byte-pair encodings of words, "</w>" at the end of each, as GPT-1 and XLM have them.

Sennrich et al. 2016, section 3.2: starting from letters, the most frequent pair of neighbours
becomes a new piece, until the vocabulary has its size.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any, Final

WORD_END: Final = "</w>"
LETTERS: Final = "abcdefghijklmnopqrstuvwxyz"
DIGITS_AND_MARKS: Final = "0123456789.,?!'\"-:;()"

_WORD: Final = re.compile(r"\w+|[^\w\s]")


def words_of(text: str) -> list[str]:
    """The words and marks of a plain text."""
    return _WORD.findall(text)


def train_word_bpe(
    texts: Iterable[str], vocabulary_size: int, special: Iterable[str], letters: str
) -> tuple[dict[str, int], list[tuple[str, str]]]:
    """Train on raw text.

    Args:
        texts: what is counted.
        vocabulary_size: how many pieces, special tokens included.
        special: special tokens, numbered first in their order.
        letters: characters that must be pieces, inside a word and at its end.

    Returns:
        The number of each piece, and the merges in their order.
    """
    import json

    from tokenizers import Tokenizer, models, pre_tokenizers
    from tokenizers.trainers import BpeTrainer

    counted = Tokenizer(models.BPE(end_of_word_suffix=WORD_END))
    counted.pre_tokenizer = pre_tokenizers.Sequence(
        [pre_tokenizers.WhitespaceSplit(), pre_tokenizers.Punctuation()]
    )
    special = list(special)
    alphabet = [*letters, *(letter + WORD_END for letter in letters)]
    trainer = BpeTrainer(
        vocab_size=vocabulary_size,
        # The trainer would number the letters that it meets first in the order of a hash map.
        special_tokens=[*special, *alphabet],
        end_of_word_suffix=WORD_END,
        show_progress=False,
    )
    counted.train_from_iterator(texts, trainer)
    trained = json.loads(counted.to_str())["model"]
    merges: list[Any] = trained["merges"]
    return dict(trained["vocab"]), [(str(one), str(other)) for one, other in merges]
