"""T5: an encoder reads a text, a decoder writes one, and one embedding serves both."""

from __future__ import annotations

from typing import Any

from explorer.learning.plan.plan import TrainingPlan


def rate_scales(width: int, heads: int) -> dict[str, float]:
    """What the learning rate of some of T5's weights is multiplied by.

    T5 does not divide attention by sqrt(d_kv): its queries start that much smaller. Its embedding
    starts sqrt(d_model) times larger and is divided by that before the softmax. Adafactor's steps
    are as large as the weights; Adam's are not, so they are scaled here.
    """
    return {
        "Attention.q.": (width / heads) ** -0.5,
        "shared.": width**0.5 / 2,
        "relative_attention_bias.": width**0.5,
    }


def make_t5(plan: TrainingPlan, tokenizer: Any) -> Any:
    """A transformers model with fresh weights; each stack has as many layers as the plan says."""
    from transformers import T5Config, T5ForConditionalGeneration

    config = T5Config(
        vocab_size=len(tokenizer),
        d_model=plan.width,
        d_kv=plan.width // plan.heads,
        d_ff=4 * plan.width,
        num_layers=plan.layers,
        num_decoder_layers=plan.layers,
        num_heads=plan.heads,
        dropout_rate=0.0,
        feed_forward_proj="relu",
        tie_word_embeddings=True,
        n_positions=plan.length,
        pad_token_id=tokenizer.pad_token_id,
        eos_token_id=tokenizer.eos_token_id,
        decoder_start_token_id=tokenizer.pad_token_id,
    )
    return T5ForConditionalGeneration(config)
