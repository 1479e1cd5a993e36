"""Tiny random checkpoints of a few types, for checking the plugin."""

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from explorer.hf import TINY_LAYERS, TINY_LENGTH, tiny_tokenizer, write_tiny

from .family import GenericFamily

LIKE_BART = {
    "encoder_layers": TINY_LAYERS,
    "decoder_layers": TINY_LAYERS,
    "encoder_attention_heads": 4,
    "decoder_attention_heads": 4,
    "encoder_ffn_dim": 48,
    "decoder_ffn_dim": 48,
}

TYPES: tuple[tuple[str, str, str, Mapping[str, Any]], ...] = (
    # Positions are counted from the padding's number on.
    (
        "xlm-roberta",
        "XLMRobertaForMaskedLM",
        "roberta",
        {"max_position_embeddings": TINY_LENGTH + 2},
    ),
    ("llama", "LlamaForCausalLM", "gpt2", {"num_key_value_heads": 2}),
    ("bart", "BartForConditionalGeneration", "roberta", LIKE_BART),
)
"""A model_type, its class, whose pieces it gets, and values other than the small ones."""


def tiny(folder: Path) -> None:
    """Write one of each."""
    for kind, model_class, pieces, config in TYPES:
        family = replace(GenericFamily(), model_types=(kind,))
        tokenizer = tiny_tokenizer(pieces)
        write_tiny(
            family, folder / kind, model_class=model_class, tokenizer=tokenizer, config=config
        )
