"""Small random checkpoints of families without a plugin, as their authors would save them."""

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from explorer.hf.family.tiny import tiny_tokenizer

WIDTH, LAYERS, HEADS = 32, 2, 4
BOTH = {
    "hidden_size": WIDTH,
    "num_hidden_layers": LAYERS,
    "num_attention_heads": HEADS,
    "intermediate_size": 48,
    "initializer_range": 0.3,
}
LEFT = {**BOTH, "num_key_value_heads": 2, "max_position_embeddings": 40}
BART = {
    "d_model": WIDTH,
    "encoder_layers": LAYERS,
    "decoder_layers": LAYERS,
    "encoder_attention_heads": HEADS,
    "decoder_attention_heads": HEADS,
    "encoder_ffn_dim": 48,
    "decoder_ffn_dim": 48,
    "max_position_embeddings": 40,
    "init_std": 0.3,
}


@dataclass(frozen=True)
class Kind:
    """How to make one.

    Attributes:
        name: Beginning of its classes' names in transformers.
        head: End of the name of the class that is saved.
        pieces: Whose kind of tokenizer it gets.
        config: Its sizes.
        full: transformers gives its attention as full matrices.
    """

    name: str
    head: str
    pieces: str
    config: dict[str, Any] = field(default_factory=dict)
    full: bool = True


MASKED = {
    "xlm-roberta": Kind("XLMRoberta", "ForMaskedLM", "roberta", BOTH),
    "camembert": Kind("Camembert", "ForMaskedLM", "roberta", BOTH),
    "mpnet": Kind("MPNet", "ForMaskedLM", "bert", BOTH),
    "convbert": Kind("ConvBert", "ForMaskedLM", "bert", {**BOTH, "embedding_size": 16}),
    "longformer": Kind(
        "Longformer", "ForMaskedLM", "roberta", {**BOTH, "attention_window": [4, 4]}, full=False
    ),
    "roformer": Kind("RoFormer", "ForMaskedLM", "bert", {**BOTH, "embedding_size": WIDTH}),
    "modernbert": Kind("ModernBert", "ForMaskedLM", "bert", {**BOTH, "local_attention": 8}),
}
CAUSAL = {
    "llama": Kind("Llama", "ForCausalLM", "gpt2", LEFT),
    "mistral": Kind("Mistral", "ForCausalLM", "gpt2", LEFT),
    "qwen2": Kind("Qwen2", "ForCausalLM", "gpt2", {**LEFT, "tie_word_embeddings": True}),
    "opt": Kind(
        "OPT", "ForCausalLM", "gpt2", {**BOTH, "ffn_dim": 48, "word_embed_proj_dim": WIDTH}
    ),
    "gpt_neox": Kind("GPTNeoX", "ForCausalLM", "gpt2", {**BOTH, "max_position_embeddings": 40}),
}
LONG = {**BART, "max_position_embeddings": 80}
LED_PLACES = {"max_encoder_position_embeddings": 40, "max_decoder_position_embeddings": 80}
PROPHETNET = {
    "hidden_size": WIDTH,
    "num_encoder_layers": LAYERS,
    "num_decoder_layers": LAYERS,
    "num_encoder_attention_heads": HEADS,
    "num_decoder_attention_heads": HEADS,
    "encoder_ffn_dim": 48,
    "decoder_ffn_dim": 48,
    "max_position_embeddings": 80,
    "decoder_start_token_id": 2,
    "init_std": 0.5,
}
WRITERS = {
    "bart": Kind("Bart", "ForConditionalGeneration", "roberta", LONG),
    "mbart": Kind("MBart", "ForConditionalGeneration", "roberta", LONG),
    "pegasus": Kind("Pegasus", "ForConditionalGeneration", "t5", LONG),
    "marian": Kind("Marian", "MTModel", "t5", {**LONG, "decoder_start_token_id": 0}),
    "led": Kind(
        "LED", "ForConditionalGeneration", "roberta", {**BART, **LED_PLACES, "attention_window": 8}
    ),
    "blenderbot": Kind("Blenderbot", "ForConditionalGeneration", "roberta", LONG),
}
"""With an encoder and a decoder."""
SEES_BEHIND = Kind("ProphetNet", "ForConditionalGeneration", "bert", PROPHETNET)
"""In transformers' class a token's prediction changes with what stands behind the token."""
GOING_ON = {
    "opt": CAUSAL["opt"],
    "gpt_neox": Kind("GPTNeoX", "ForCausalLM", "gpt2", {**BOTH, "max_position_embeddings": 80}),
    "bloom": Kind("Bloom", "ForCausalLM", "gpt2", {**BOTH, "n_layer": LAYERS, "n_head": HEADS}),
    "falcon": Kind("Falcon", "ForCausalLM", "gpt2", BOTH),
    # What it remembers of a text is no key and no value.
    "mamba": Kind("Mamba", "ForCausalLM", "gpt2", {**BOTH, "state_size": 4}),
}
"""With one stack, which reads from the left."""
WRITING = {"bart": Kind("Bart", "ForConditionalGeneration", "roberta", BART)}


def save(folder: Path, kind: Kind, head: str | None = None, **values: Any) -> tuple[Path, Any]:
    """A checkpoint as transformers saves it, and the module that was saved.

    Args:
        folder: Made.
        kind: Of what.
        head: End of the class's name; None for the kind's own.
        **values: Of the config.
    """
    import torch
    import transformers

    tokenizer = tiny_tokenizer(kind.pieces)
    model_class = getattr(transformers, kind.name + (kind.head if head is None else head))
    sizes = {"vocab_size": len(tokenizer), "pad_token_id": tokenizer.pad_token_id, **kind.config}
    for name in ("bos", "eos", "sep", "cls"):
        sizes[f"{name}_token_id"] = getattr(tokenizer, f"{name}_token_id")
    torch.manual_seed(0)
    module = model_class(model_class.config_class(**{**sizes, **values})).eval()
    with torch.no_grad():
        for parameter in module.parameters():
            if parameter.dim() == 1:  # biases and norms are zeros and ones otherwise
                parameter.add_(torch.randn_like(parameter) * 0.1)
    module.save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    return folder, module
