"""ModernBERT (Warner et al. 2024): rotary positions, windows, and gates without biases."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from explorer.api.family import Blueprint, Role, Trait
from explorer.hf import (
    FILLS,
    AttentionKind,
    AttentionLayout,
    AttentionStack,
    ClassChoice,
    HeadSpec,
    StreamStack,
    TransformersFamily,
)

MASKED_LM = HeadSpec(
    name="masked_lm",
    title="Masked language model",
    tensors=("head.dense.weight", "head.norm.weight", "decoder.bias"),
    tied={"decoder.weight": "embeddings.tok_embeddings.weight"},
    modules=("head.", "decoder."),
    ports=FILLS,
)


def window(config: Any, layer: int) -> int | None:
    """How far a token sees to each side; two of three layers have such a window."""
    local = config.layer_types[layer] == "sliding_attention"
    return int(config.local_attention) // 2 if local else None


@dataclass(frozen=True)
class ModernBertFamily(TransformersFamily):
    """Its head is two parts, and its layers are not BERT's."""

    def masked_lm_head(self, module: Any) -> Callable[[Any], Any] | None:
        """Dense layer, activation and norm; then the embeddings again."""
        return lambda states: module.decoder(module.head(states))

    def blueprint(self, config: Mapping[str, Any], heads: tuple[str, ...] = ()) -> Blueprint:
        """Norms come first, and no place has a vector of its own."""
        return replace(
            super().blueprint(config, heads),
            positions=0,
            token_types=0,
            gated=True,
            biases=False,
            norm_first=True,
            final_norm=True,
            pooler=False,
            traits=(
                Trait("attention", "rotary positions", "Queries and keys are turned by place."),
                Trait("stack", "windows", "Two of three layers see a token's neighbourhood."),
                Trait("feed_forward", "gated", "One half of what comes in decides what passes."),
            ),
        )


FAMILY = ModernBertFamily(
    id="modernbert",
    title="ModernBERT",
    model_types=("modernbert",),
    heads_known=(MASKED_LM,),
    classes=(
        ClassChoice("ModernBertModel", frozenset()),
        ClassChoice("ModernBertForMaskedLM", frozenset({"masked_lm"})),
    ),
    prefix="model",
    embedding="embeddings.tok_embeddings.weight",
    optional=(),
    attention=AttentionLayout(
        stacks=(AttentionStack(AttentionKind.ENCODER, "layers.*.attn"),),
        inside="",
        projections=("Wqkv",),
        output="Wo",
        rotary="position_embeddings",
        window=window,
    ),
    streams=(StreamStack("layers.*", ("layers.*.mlp",), neurons=("layers.*.mlp.Wo",)),),
    roles=(
        ("decoder.weight", Role.OUTPUT_MATRIX),
        ("decoder", Role.TOKENS),
        ("head", Role.TOKENS),
        ("embeddings.tok_embeddings", Role.PIECES),
        ("embeddings.norm", Role.EMBEDDING_NORM),
        ("attn.Wqkv", Role.QKV),
        ("attn.Wo", Role.ATTENTION_OUTPUT),
        ("attn_norm", Role.ATTENTION_NORM),
        ("mlp_norm", Role.FEED_FORWARD_NORM),
        ("mlp.Wi", Role.FEED_FORWARD_IN),
        ("mlp.Wo", Role.FEED_FORWARD_OUT),
        ("final_norm", Role.NORMS),
    ),
    pair=False,
)


def tiny(folder: Path) -> None:
    """A small random one whose windows are narrower than a sentence."""
    from explorer.hf import tiny_tokenizer, write_tiny

    tokenizer = tiny_tokenizer("bert")
    config = {
        "local_attention": 4,
        "num_hidden_layers": 4,
        "bos_token_id": tokenizer.cls_token_id,
        "eos_token_id": tokenizer.sep_token_id,
        "cls_token_id": tokenizer.cls_token_id,
        "sep_token_id": tokenizer.sep_token_id,
    }
    write_tiny(FAMILY, folder, tokenizer=tokenizer, config=config)
