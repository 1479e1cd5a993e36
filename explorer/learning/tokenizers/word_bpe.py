"""Training byte-pair encodings of words, "</w>" at the end of each, as GPT-1 and XLM have them.

Sennrich et al. 2016, section 3.2: starting from letters, the most frequent pair of neighbours
becomes a new piece, until the vocabulary has its size.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path
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


def written_word_bpe(tokenizer: Any, merges_file: Path) -> Any:
    """A tokenizer of such pieces whose cutting is code, as rules that can be written to a file.

    Words are cut at spaces and around marks, which is what the code does with plain texts; whoever
    uses it looks whether both cut theirs alike.

    Args:
        tokenizer: With "</w>" at the ends of words.
        merges_file: Its merges.
    """
    from tokenizers import Tokenizer, decoders, models, normalizers, pre_tokenizers, processors
    from transformers import PreTrainedTokenizerFast

    lines = merges_file.read_text("utf-8").splitlines()
    merges = [tuple(line.split()[:2]) for line in lines if not line.startswith("#version")]
    vocabulary = tokenizer.get_vocab()
    known = [pair for pair in merges if len(pair) == 2 and {*pair, "".join(pair)} <= {*vocabulary}]
    backend = Tokenizer(
        models.BPE(
            vocab=vocabulary,
            merges=known,
            unk_token=tokenizer.unk_token,
            end_of_word_suffix=WORD_END,
        )
    )
    if tokenizer.tokenize("A") == tokenizer.tokenize("a"):
        backend.normalizer = normalizers.BertNormalizer(handle_chinese_chars=False)
    backend.pre_tokenizer = pre_tokenizers.Sequence(
        [pre_tokenizers.WhitespaceSplit(), pre_tokenizers.Punctuation()]
    )
    backend.decoder = decoders.BPEDecoder(suffix=WORD_END)
    around = tokenizer.convert_ids_to_tokens(tokenizer("")["input_ids"])
    if len(around) == 2:
        begin, end = around
        backend.post_processor = processors.TemplateProcessing(
            single=f"{begin} $A {end}",
            pair=f"{begin} $A {end} $B:1 {end}:1",
            special_tokens=[(one, vocabulary[one]) for one in dict.fromkeys(around)],
        )
    return PreTrainedTokenizerFast(
        tokenizer_object=backend,
        model_max_length=tokenizer.model_max_length,
        **tokenizer.special_tokens_map,
    )
