"""Training a byte-level BPE tokenizer as RoBERTa has it: casing kept, spaces part of the pieces.

Sources: Sennrich et al. 2016, section 3.2, for merging the most frequent pair; Radford et al. 2019
(GPT-2), section 2.2, for bytes as the alphabet; Liu et al. 2019, section 4.4, for its use here.
Every text can be written in bytes, so no piece is ever unknown.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any, Final

# Numbered as in the published vocabulary: these four first, the mask last.
FIRST_TOKENS: Final = ("<s>", "<pad>", "</s>", "<unk>")
MASK: Final = "<mask>"


def train_byte_bpe(texts: Iterable[str], vocabulary_size: int) -> tuple[dict[str, int], list[Any]]:
    """Train on raw text.

    Returns:
        The number of each piece, special tokens included, and the merges in their order.
    """
    from tokenizers import Tokenizer, models, pre_tokenizers
    from tokenizers.trainers import BpeTrainer

    counted = Tokenizer(models.BPE())
    counted.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    trainer = BpeTrainer(
        vocab_size=vocabulary_size - 1,
        special_tokens=list(FIRST_TOKENS),
        # The trainer would number the bytes that it meets first in the order of a hash map.
        initial_alphabet=sorted(pre_tokenizers.ByteLevel.alphabet()),
        show_progress=False,
    )
    counted.train_from_iterator(texts, trainer)
    trained = json.loads(counted.to_str())["model"]
    vocabulary: dict[str, int] = trained["vocab"]
    vocabulary[MASK] = len(vocabulary)
    return vocabulary, [tuple(merge) for merge in trained["merges"]]


def pretrained_tokenizer(vocabulary: dict[str, int], merges: list[Any], max_length: int) -> Any:
    """The ``RobertaTokenizer`` of transformers, ready for ``save_pretrained``."""
    from tokenizers import AddedToken
    from transformers import RobertaTokenizer

    return RobertaTokenizer(
        vocab=vocabulary,
        merges=merges,
        model_max_length=max_length,
        # "the <mask>" is read as "the<mask>", because a piece brings its own space.
        mask_token=AddedToken(MASK, lstrip=True, special=True),
    )


def pretrained_left_tokenizer(
    vocabulary: dict[str, int], merges: list[Any], end: str, max_length: int
) -> Any:
    """The ``GPT2Tokenizer`` of transformers, whose one special token separates texts."""
    from transformers import GPT2Tokenizer

    return GPT2Tokenizer(
        vocab=vocabulary,
        merges=merges,
        unk_token=end,
        bos_token=end,
        eos_token=end,
        model_max_length=max_length,
    )
