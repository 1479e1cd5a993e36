"""How small configs are made: by the names that types share, and what single types need."""

from collections.abc import Mapping
from typing import Any


def _each(value: int, names: str) -> dict[str, int]:
    return dict.fromkeys(names.split(), value)


SMALL_SIZES: Mapping[str, int | float] = {
    **_each(
        2,
        "num_hidden_layers n_layer n_layers num_layers encoder_layers decoder_layers num_blocks "
        "num_encoder_layers num_decoder_layers depth num_key_value_heads num_kv_heads "
        "num_experts_per_tok moe_topk",
    ),
    **_each(
        32,
        "hidden_size d_model n_embd dim emb_dim embedding_size embedding_dim embed_dim dim_model "
        "word_embed_proj_dim encoder_hidden_size input_embedding_size hidden_size_per_layer_input",
    ),
    **_each(
        4,
        "num_attention_heads n_head n_heads num_heads encoder_attention_heads "
        "decoder_attention_heads num_encoder_attention_heads num_decoder_attention_heads "
        "num_experts num_local_experts n_routed_experts",
    ),
    **_each(
        48,
        "intermediate_size ffn_dim encoder_ffn_dim decoder_ffn_dim d_ff n_inner hidden_dim "
        "ffn_hidden_size moe_intermediate_size shared_expert_intermediate_size dim_ff "
        "intermediate_size_mlp",
    ),
    **_each(
        8,
        "head_dim d_kv q_lora_rank kv_lora_rank qk_nope_head_dim qk_rope_head_dim v_head_dim "
        "attention_head_dim",
    ),
    **_each(
        64,
        "max_position_embeddings n_positions n_ctx max_encoder_position_embeddings "
        "max_decoder_position_embeddings max_sequence_length max_seq_len",
    ),
    **_each(1, "n_group topk_group n_shared_experts first_k_dense_replace"),
    # Larger than the usual 0.02, so that predictions differ enough to have an order.
    "initializer_range": 0.3,
    "init_std": 0.3,
}
"""By the names of config keys, for types that have them."""

OWN_SIZES: Mapping[str, Mapping[str, Any]] = {}
"""What single types need, as their configs check it; None leaves a key at transformers' value."""
