"""A GPT-2 of its published small size with random weights, a piece a byte, for timing only."""

from pathlib import Path

VOCABULARY = 50257
END = "<|endoftext|>"


def save_gpt2_small(folder: Path) -> None:
    """Save it in the published layout: 12 layers, 768 wide, 124 million weights."""
    import torch
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers
    from transformers import GPT2Config, GPT2LMHeadModel, PreTrainedTokenizerFast

    letters = sorted(pre_tokenizers.ByteLevel.alphabet())
    rest = [f"w{number}" for number in range(VOCABULARY - len(letters) - 1)]
    vocabulary = {piece: number for number, piece in enumerate([*letters, *rest, END])}
    tokenizer = Tokenizer(models.BPE(vocabulary, []))
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    PreTrainedTokenizerFast(
        tokenizer_object=tokenizer,
        model_max_length=1024,
        bos_token=END,
        eos_token=END,
        unk_token=END,
    ).save_pretrained(folder)
    torch.manual_seed(0)
    GPT2LMHeadModel(GPT2Config()).eval().save_pretrained(folder)
