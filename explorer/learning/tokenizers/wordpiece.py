"""Training a WordPiece tokenizer as BERT has it: uncased, special tokens first, small alphabet.

Source: Devlin et al. 2019, section 3; Wu et al. 2016, section 4.1, for word pieces.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final

PAD, UNK, CLS, SEP, MASK = SPECIAL_TOKENS = ("[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]")
# Every letter and digit stays a piece, alone and inside a word, so no word of them is unknown.
ALPHABET: Final = tuple("abcdefghijklmnopqrstuvwxyz0123456789.,?!'\"-:;()")

# T5's, for the spans of a text in their order.
SENTINELS: Final = tuple(f"<extra_id_{number}>" for number in range(100))


def train_wordpiece(
    texts: Iterable[str],
    vocabulary_size: int,
    *,
    strip_accents: bool | None = None,
    letters: Iterable[str] = (),
) -> Any:
    """Train a tokenizer on raw text.

    Args:
        texts: What is read.
        vocabulary_size: Pieces, special tokens among them.
        strip_accents: Letters lose their marks, and Hangul is cut into its parts; None for yes.
        letters: Further ones that stay pieces, as Hangul's syllables.

    Returns:
        A ``tokenizers.Tokenizer`` with BERT's normaliser, pre-tokenizer and pair template.
    """
    from tokenizers import Tokenizer, decoders, models, normalizers, pre_tokenizers, processors
    from tokenizers.trainers import WordPieceTrainer

    # The trainer numbers letters inside words in the order of a hash map, so that ties fall
    # differently in every process. Numbered beforehand they fall the same.
    alphabet = [*ALPHABET, *letters]
    inside = [f"##{letter}" for letter in alphabet if letter.isalnum()]
    trainer = WordPieceTrainer(
        vocab_size=vocabulary_size,
        special_tokens=[*SPECIAL_TOKENS, *alphabet, *inside],
        show_progress=False,
    )
    counted = Tokenizer(models.WordPiece(unk_token=UNK))
    counted.normalizer = normalizers.BertNormalizer(lowercase=True, strip_accents=strip_accents)
    counted.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    counted.train_from_iterator(texts, trainer)

    # Built anew, because to the trained one all letters are special tokens.
    tokenizer = Tokenizer(models.WordPiece(counted.get_vocab(), unk_token=UNK))
    tokenizer.add_special_tokens(list(SPECIAL_TOKENS))
    tokenizer.normalizer = counted.normalizer
    tokenizer.pre_tokenizer = counted.pre_tokenizer
    tokenizer.decoder = decoders.WordPiece(prefix="##")
    tokenizer.post_processor = processors.TemplateProcessing(
        single=f"{CLS}:0 $A:0 {SEP}:0",
        pair=f"{CLS}:0 $A:0 {SEP}:0 $B:1 {SEP}:1",
        special_tokens=[(token, tokenizer.token_to_id(token)) for token in (CLS, SEP)],
    )
    return tokenizer


def pretrained_tokenizer(
    tokenizer: Any, max_length: int, *, strip_accents: bool | None = None
) -> Any:
    """Wrap it as transformers' own ``BertTokenizer`` writes it, ready for ``save_pretrained``."""
    from transformers import BertTokenizerFast

    return BertTokenizerFast(
        tokenizer_object=tokenizer,
        do_lower_case=True,
        strip_accents=strip_accents,
        model_max_length=max_length,
        unk_token=UNK,
        sep_token=SEP,
        pad_token=PAD,
        cls_token=CLS,
        mask_token=MASK,
    )


def pretrained_left_tokenizer(tokenizer: Any, max_length: int) -> Any:
    """The same pieces for a model that reads from the left: nothing around a text; [SEP] ends it.

    Texts are one after the other with [SEP] between, as GPT-2 has <|endoftext|>.
    """
    from tokenizers import processors
    from transformers import PreTrainedTokenizerFast

    tokenizer.post_processor = processors.TemplateProcessing(single="$A", pair="$A $B")
    return PreTrainedTokenizerFast(
        tokenizer_object=tokenizer,
        model_max_length=max_length,
        unk_token=UNK,
        pad_token=PAD,
        bos_token=SEP,
        eos_token=SEP,
    )


def pretrained_sentinel_tokenizer(tokenizer: Any, max_length: int) -> Any:
    """The same pieces and T5's sentinels, which are the last ones; [SEP] ends a text."""
    from tokenizers import processors
    from transformers import PreTrainedTokenizerFast

    tokenizer.post_processor = processors.TemplateProcessing(
        single=f"$A {SEP}",
        pair=f"$A {SEP} $B {SEP}",
        special_tokens=[(SEP, tokenizer.token_to_id(SEP))],
    )
    return PreTrainedTokenizerFast(
        tokenizer_object=tokenizer,
        model_max_length=max_length,
        unk_token=UNK,
        pad_token=PAD,
        eos_token=SEP,
        extra_special_tokens=list(SENTINELS),
    )
