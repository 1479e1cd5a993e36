"""Decoders that read from the left: GPT-2, and GPT-1, whose norms stand after its blocks."""

from __future__ import annotations

from typing import Any, Final

from explorer.learning.models.encoders import spread
from explorer.learning.models.shared_layers import LayerParts, share_layers
from explorer.learning.plan.choices import Norms
from explorer.learning.plan.plan import TrainingPlan

# An attention of one's own knows which layer it is, where it keeps keys and values.
PARTS: Final = LayerParts(("ln_1", "attn.c_attn", "attn.c_proj"), ("ln_2", "mlp"))


def make_decoder(plan: TrainingPlan, tokenizer: Any) -> Any:
    """A transformers model with fresh weights, whose output layer is its embedding."""
    from transformers import GPT2Config, GPT2LMHeadModel, OpenAIGPTConfig, OpenAIGPTLMHeadModel

    sizes = {
        "vocab_size": len(tokenizer),
        "n_positions": plan.length,
        "n_embd": plan.width,
        "n_layer": plan.layers,
        "n_head": plan.heads,
        "resid_pdrop": 0.0,
        "embd_pdrop": 0.0,
        "attn_pdrop": 0.0,
        "initializer_range": spread(plan.width),
        "bos_token_id": tokenizer.bos_token_id,
        "eos_token_id": tokenizer.eos_token_id,
    }
    model = (
        GPT2LMHeadModel(GPT2Config(**sizes))
        if plan.of_norms is Norms.PRE
        else OpenAIGPTLMHeadModel(OpenAIGPTConfig(**sizes))
    )
    share_layers(list(model.transformer.h), PARTS, plan.shared)
    return model
