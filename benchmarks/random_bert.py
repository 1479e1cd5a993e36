"""A BERT base with random weights and a vocabulary of made-up words, for timing only."""

import subprocess
import sys
from pathlib import Path

VOCABULARY = 30522


def save_bert_base(folder: Path, **config: int) -> list[str]:
    """Save it in the published layout; returns words that are one piece each.

    Args:
        folder: Where to.
        **config: Other sizes than BERT base's.
    """
    import torch
    from tokenizers import Tokenizer, models, normalizers, pre_tokenizers, processors
    from transformers import BertConfig, BertForMaskedLM, PreTrainedTokenizerFast

    special = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
    words = [f"w{number}" for number in range(VOCABULARY - len(special))]
    vocabulary = {piece: number for number, piece in enumerate([*special, *words])}
    tokenizer = Tokenizer(models.WordPiece(vocabulary, unk_token="[UNK]"))
    tokenizer.normalizer = normalizers.BertNormalizer(lowercase=True)
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    tokenizer.post_processor = processors.TemplateProcessing(
        single="[CLS] $A [SEP]",
        pair="[CLS] $A [SEP] $B:1 [SEP]:1",
        special_tokens=[("[CLS]", vocabulary["[CLS]"]), ("[SEP]", vocabulary["[SEP]"])],
    )
    PreTrainedTokenizerFast(
        tokenizer_object=tokenizer,
        model_max_length=512,
        pad_token="[PAD]",
        unk_token="[UNK]",
        cls_token="[CLS]",
        sep_token="[SEP]",
        mask_token="[MASK]",
    ).save_pretrained(folder)
    torch.manual_seed(0)
    BertForMaskedLM(BertConfig(vocab_size=VOCABULARY, **config)).eval().save_pretrained(folder)
    return words[:600]


def save_bert_base_elsewhere(folder: Path) -> None:
    """Save it by a process of its own, so that the caller never imports torch."""
    subprocess.run([sys.executable, "-m", __name__, str(folder)], check=True, capture_output=True)


if __name__ == "__main__":
    save_bert_base(Path(sys.argv[1]))
