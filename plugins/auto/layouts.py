"""Where models that nobody described may have their attention: tried, and proved by numbers."""

from dataclasses import replace
from inspect import signature
from typing import Any

from explorer.api.family import Unavailable
from explorer.hf import (
    BERT_ATTENTION,
    GPT_ATTENTION,
    AttentionKind,
    AttentionLayout,
    AttentionStack,
    FusedOrder,
    find_attentions,
)
from explorer.text import N_

UNKNOWN = N_("No plugin says where its attention's queries and keys are.")


def _scale(module: Any, width: int) -> float:
    return float(getattr(module, "scaling", width**-0.5))


def _window(config: Any, layer: int) -> int | None:
    """How far a token sees: a layer with a window sees one place less than its config says."""
    kinds = getattr(config, "layer_types", None)
    if kinds is not None and kinds[layer] != "sliding_attention":
        return None
    width = getattr(config, "sliding_window", None)
    return None if width is None else int(width) - 1


def _half_window(config: Any, layer: int) -> int | None:
    """The same where a window lies to both sides of a token, half of it to each."""
    kinds = getattr(config, "layer_types", None)
    if kinds is None or kinds[layer] != "sliding_attention":
        return None
    return int(config.local_attention) // 2


SMALL = AttentionLayout(
    stacks=(AttentionStack(AttentionKind.ENCODER, "transformer.layer.*.attention"),),
    inside="",
    projections=("q_lin", "k_lin", "v_lin"),
    output="out_lin",
)
"""DistilBERT's."""

LLAMA = AttentionLayout(
    stacks=(AttentionStack(AttentionKind.DECODER, "layers.*.self_attn"),),
    inside="",
    projections=("q_proj", "k_proj", "v_proj"),
    output="o_proj",
    rotary="position_embeddings",
    window=_window,
)
"""Llama's, Mistral's, Qwen2's."""

NEOX = AttentionLayout(
    stacks=(AttentionStack(AttentionKind.DECODER, "layers.*.attention"),),
    inside="",
    projections=("query_key_value",),
    fused=FusedOrder.BY_HEAD,
    output="dense",
    rotary="position_embeddings",
)
"""GPT-NeoX's."""

TRIED = (
    replace(LLAMA, normed=("q_norm", "k_norm", "")),  # Qwen3's: Llama's names are all there too
    replace(LLAMA, normed=("q_layernorm", "k_layernorm", ""), output="out_proj"),  # LFM2's
    LLAMA,
    replace(LLAMA, output="dense", window=None),  # Phi's
    replace(LLAMA, output="out_proj", rotary="", window=None),  # OPT's
    NEOX,
    replace(
        NEOX,
        stacks=(AttentionStack(AttentionKind.DECODER, "h.*.self_attention"),),
        rotary="",
        bias_argument="alibi",
    ),  # BLOOM's
    AttentionLayout(
        stacks=(AttentionStack(AttentionKind.ENCODER, "layers.*.attn"),),
        inside="",
        projections=("Wqkv",),
        output="Wo",
        rotary="position_embeddings",
        window=_half_window,
    ),  # ModernBERT's
    AttentionLayout(
        inside="attn",
        projections=("q", "k", "v"),
        output="attn.o",
        bias_argument="position_bias",
    ),  # MPNet's
    BERT_ATTENTION,
    SMALL,
    replace(
        SMALL, stacks=(AttentionStack(AttentionKind.ENCODER, "attentions.*"),)
    ),  # XLM's, FlauBERT's
    GPT_ATTENTION,
)


BERT_LAYER = ("attention", "feed_forward_chunk", "intermediate", "output")
"""What a layer has that goes on behind its attention as BERT's does."""

BERT_READS = frozenset(
    {"self", "hidden_states", "attention_mask", "encoder_hidden_states", "encoder_attention_mask"}
    | {"past_key_values", "output_attentions", "kwargs", "position_embeddings", "sinusoidal_pos"}
    | {"band_mask", "from_mask", "to_mask", "blocked_encoder_mask", "hidden_states_scaling_factor"}
)
"""What such a layer is given, of which nothing but states is read behind its attention."""


def ends_as_bert(module: Any) -> bool:
    """Whether every layer that attends is one of that kind, token by token behind its attention.

    LUKE's have the parts and cut what comes out into words and entities, by how many went in; those
    of X-MOD are told the language of each text.
    """
    layers = [part for part in module.modules() if hasattr(part, "feed_forward_chunk")]
    return bool(layers) and all(
        all(hasattr(one, name) for name in BERT_LAYER)
        and signature(type(one).forward).parameters.keys() <= BERT_READS
        for one in layers
    )


def layout_that_fits(module: Any, causal: bool, layers_key: str, heads_key: str) -> AttentionLayout:
    """The first layout whose every name is found in a module; one that refuses without any."""
    for tried in TRIED:
        kind = AttentionKind.DECODER if causal else AttentionKind.ENCODER
        stacks = tuple(replace(stack, kind=kind) for stack in tried.stacks)
        layout = replace(
            tried, stacks=stacks, scale=_scale, layers_key=layers_key, heads_key=heads_key
        )
        try:
            find_attentions(module, layout)
        except Unavailable:
            continue
        return layout
    return replace(BERT_ATTENTION, refusal=UNKNOWN, layers_key=layers_key, heads_key=heads_key)
