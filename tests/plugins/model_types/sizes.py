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

_LATENT = {"num_key_value_heads": 4}
"""Keys of all heads come from one small vector (DeepSeek's): no head shares another's."""

_LINEAR_FIRST = ["linear_attention", "full_attention"]
_MAMBA2 = {
    "mamba_n_heads": 4,
    "mamba_d_head": 16,
    "mamba_d_state": 8,
    "mamba_chunk_size": 8,
}
_DELTA = {
    "layer_types": _LINEAR_FIRST,
    "linear_key_head_dim": 8,
    "linear_value_head_dim": 8,
    "linear_num_key_heads": 2,
    "linear_num_value_heads": 4,
}
_KIMI = {
    **_LATENT,
    "layer_types": _LINEAR_FIRST,
    "mlp_layer_types": ["dense", "sparse"],
    "linear_head_dim": 8,
    "linear_num_heads": 4,
    "num_expert_group": 1,
    "num_experts_per_token": 2,
    "num_nextn_predict_layers": 0,
    "model_max_length": 64,
    "qk_nope_head_dim": 8,
}
_BLT_PART = {
    "vocab_size": 400,
    "hidden_size": 32,
    "num_attention_heads": 4,
    "num_hidden_layers": 2,
    "intermediate_size": 48,
    "max_position_embeddings": 64,
    "initializer_range": 0.3,
}

OWN_SIZES: Mapping[str, Mapping[str, Any]] = {
    **dict.fromkeys(
        (
            *("axk1", "axk2", "deepseek_v3", "deepseek_v32", "glm4_moe_lite"),
            *("glm_moe_dsa", "longcat_flash", "minicpm3", "youtu"),
        ),
        _LATENT,
    ),
    "bailing_hybrid": _KIMI,
    "bamba": {**_MAMBA2, "attn_layer_indices": [1]},
    "bert-generation": {"is_decoder": True},
    "codegen": {"rotary_dim": 4},
    "cohere_compass_text": {
        "rope_parameters": {"full_attention": {"rope_type": "default", "rope_theta": 10000.0}}
    },
    "dbrx": {
        "attn_config": {"kv_n_heads": 2, "rope_theta": 10000.0, "clip_qkv": 8.0},
        "ffn_config": {"ffn_hidden_size": 48, "moe_num_experts": 4, "moe_top_k": 2},
    },
    "deepseek_v2": {**_LATENT, "num_experts_per_tok": 2, "first_k_dense_replace": 1},
    "dots1": {"n_routed_experts": 4, "n_shared_experts": 1, "num_experts_per_tok": 2},
    "dots3_note_text": {**_LATENT, "per_layer_config": {}},
    "esmc": _LATENT,
    "falcon_h1": {
        "mamba_d_ssm": 64,
        "mamba_n_heads": 8,
        "mamba_d_head": 8,
        "mamba_d_state": 8,
        "mamba_chunk_size": 8,
    },
    "funnel": {
        "block_sizes": [1, 1],
        "block_repeats": [1, 1],
        "d_head": 8,
        "d_inner": 48,
    },
    "gemma3n_text": {
        "layer_types": ["sliding_attention", "full_attention"],
        "num_kv_shared_layers": 0,
        "vocab_size_per_layer_input": 400,
        "laurel_rank": 8,
        "altup_num_inputs": 2,
    },
    "gemma4_text": {
        "vocab_size_per_layer_input": 400,
        "layer_types": ["sliding_attention", "full_attention"],
    },
    "gpt_neo": {"attention_types": [[["global", "local"], 1]], "window_size": 4},
    "gptj": {"rotary_dim": 4},
    "granitemoehybrid": {**_MAMBA2, "layer_types": _LINEAR_FIRST, "shared_intermediate_size": 48},
    "hunyuan_v1_dense": {"head_dim": 8},
    "hunyuan_v1_moe": {"head_dim": 8},
    "jamba": {
        "attn_layer_period": 2,
        "attn_layer_offset": 1,
        "mamba_d_state": 8,
        "mamba_dt_rank": 4,
    },
    "kimi_linear": _KIMI,
    "led": {"attention_window": 8, "max_decoder_position_embeddings": 64},
    "lfm2_moe": {"layer_types": ["conv", "full_attention"], "num_dense_layers": 1},
    "lfm3": {"layer_types": ["conv", "full_attention"]},
    "longformer": {"attention_window": [4, 4]},
    "luke": {"entity_vocab_size": 50, "entity_emb_size": 16},
    "mamba2": {
        "num_heads": 4,
        "head_dim": 16,
        "state_size": 8,
        "n_groups": 2,
        "chunk_size": 8,
    },
    "ministral": {"head_dim": 8},
    "mobilebert": {"initializer_range": 0.05},  # nothing keeps its numbers small
    "nemotron": {"num_key_value_heads": 2},
    "nemotron_h": {
        "ssm_state_size": 8,
        "mamba_num_heads": 4,
        "mamba_head_dim": 16,
        "chunk_size": 8,
        "n_groups": 2,
        "moe_shared_expert_intermediate_size": 48,
    },
    "neomme": {"head_dim": 16, "embedding_rank": 16},
    "perceiver": {
        "d_latents": 32,
        "num_latents": 16,
        "num_self_attends_per_block": 2,
        "num_self_attention_heads": 4,
        "num_cross_attention_heads": 4,
        "num_blocks": 1,
    },
    **dict.fromkeys(("qwen3_5_moe_text", "qwen3_5_text", "qwen3_next"), _DELTA),
    "qwen4_exp_text": {
        **_DELTA,
        "layer_types": ["linear_attention", "indexed_attention"],
        "hc_count": 2,
        "hc_lowrank": 8,
        "indexer_n_heads": 2,
        "indexer_kv_heads": 1,
        "indexer_head_dim": 8,
        "indexer_budget": 16,
        "indexer_compress_ratio": 4,
    },
    "recurrent_gemma": {"block_types": ["recurrent", "attention"], "lru_width": 32},
    "reformer": {
        "attention_head_size": 8,
        "attn_layers": ["local", "lsh"],
        "axial_pos_shape": [8, 8],
        "axial_pos_embds_dim": [16, 16],
        "local_attn_chunk_length": 8,
        "lsh_attn_chunk_length": 8,
        "feed_forward_size": 48,
        "num_buckets": 2,
        "hash_seed": 0,
    },
    "roc_bert": {
        "pronunciation_embed_dim": 16,
        "shape_embed_dim": 16,
        "pronunciation_vocab_size": 400,
        "shape_vocab_size": 400,
    },
    "xglm": {"attention_heads": 4, "pad_token_id": 1},
    "xlstm": {"hidden_size": 128, "embedding_dim": 128, "chunk_size": 8},
    "xmod": {"default_language": "en_XX"},
    "zamba": {
        "num_hidden_layers": 4,
        "layers_block_type": ["linear_attention", "linear_attention", "hybrid", "hybrid"],
        "attention_head_dim": 16,
        "mamba_d_state": 8,
        "mamba_dt_rank": 4,
    },
    "zamba2": {
        "num_hidden_layers": 3,
        "layers_block_type": ["linear_attention", "hybrid", "hybrid"],
        "mamba_d_state": 8,
        "n_mamba_heads": 4,
        "chunk_size": 8,
        "adapter_rank": 8,
    },
    "zaya": {"num_experts_per_tok": 1, "router_hidden_size": 16},
    "blt": {
        "encoder_config": {**_BLT_PART, "hidden_size_global": 32},
        "decoder_config": {**_BLT_PART, "hidden_size_global": 32},
        "global_config": _BLT_PART,
        "patcher_config": _BLT_PART,
        "encoder_hash_byte_group_size": [3, 4],
        "encoder_hash_byte_group_vocab": 64,
        "use_cache": False,
    },
}
"""What single types need, as their configs check it; None leaves a key at transformers' value."""
