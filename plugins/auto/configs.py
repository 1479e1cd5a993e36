"""The numbers of a config, whatever the family calls them."""

from collections.abc import Mapping
from typing import Any

KEYS: Mapping[str, tuple[str, ...]] = {
    "num_hidden_layers": (
        "num_hidden_layers",
        "n_layer",
        "n_layers",
        "num_layers",
        "encoder_layers",
        "decoder_layers",
    ),
    "hidden_size": ("hidden_size", "d_model", "n_embd", "dim", "emb_dim"),
    "num_attention_heads": (
        "num_attention_heads",
        "n_head",
        "n_heads",
        "num_heads",
        "encoder_attention_heads",
        "decoder_attention_heads",
    ),
    "vocab_size": ("vocab_size",),
    "max_position_embeddings": (
        "max_position_embeddings",
        "n_positions",
        "n_ctx",
        "max_encoder_position_embeddings",
        "max_seq_len",
    ),
    "intermediate_size": (
        "intermediate_size",
        "ffn_dim",
        "encoder_ffn_dim",
        "d_ff",
        "n_inner",
        "hidden_dim",
    ),
}
"""BERT's names, and the others' for the same."""

COUNT_FROM_PADDING = frozenset(
    {"xlm-roberta", "xlm-roberta-xl", "camembert", "longformer", "data2vec-text"}
    | {"roberta-prelayernorm", "ibert", "luke", "xmod", "esm"}
)
"""Types whose positions are counted from the one behind the padding's, as RoBERTa's."""

OTHER_ATTENTION = frozenset(
    {"longformer", "led", "big_bird", "bigbird_pegasus", "reformer", "nystromformer", "yoso"}
    | {"mra", "funnel", "fnet", "mamba", "mamba2", "falcon_mamba", "rwkv"}
)
"""Types whose layers have no matrix of attention from every token to every other."""

PARTS_UNKNOWN = frozenset({"fnet"})
"""Of whose layers nobody knows what attention and feed-forward add to the stream."""
DENOISERS = frozenset({"bart", "mbart", "led", "mvp", "plbart"})
"""Types that were trained to write a text anew, with what its masks hide (Lewis et al. 2020)."""

ALWAYS_ONE = frozenset({"mpnet"})
"""Types that take the padding's number for one, whatever the config says."""

MORE_THAN_PRODUCTS = frozenset(
    # Gates, norms or a convolution stand between heads and the matrix behind them.
    {"afmoe", "beam", "bitnet", "convbert", "diffllama", "granite_swa", "granitemoe_swa"}
    | {"hrm_text", "inkling2_text", "laguna", "neomme", "squeezebert"}
    # Words add to scores.
    | {"doge", "inkling_text"}
    # Not each layer attends once.
    | {"bailing_hybrid", "bamba", "granitemoehybrid", "jamba", "kimi_linear", "lfm2_moe", "lfm3"}
    | {"minimax", "nemotron_h", "olmo_hybrid", "qwen3_5_moe_text", "qwen3_5_text", "qwen3_next"}
    | {"qwen4_exp_text", "recurrent_gemma", "zamba", "zamba2"}
    # States are several beside each other, or stacks are.
    | {"blt", "fsmt", "gemma3n_text", "ibert", "pegasus_x", "perceiver"}
)
"""Types that do something else with queries, keys or what heads give than is known here, behind
projections of the usual names."""

TAKEN_APART = (
    *(".query.weight", ".q_lin.weight", ".c_attn.weight", ".q_proj.weight", ".attn.q.weight"),
    *(".query_key_value.weight", ".Wqkv.weight", ".qkv_proj.weight", ".q_b_proj.weight"),
    *(".Wq.weight", ".q_proj.linear.weight", ".SelfAttention.q.weight"),
)
"""Ends of names of projections that were met so far."""


def as_bert(config: Mapping[str, Any]) -> dict[str, Any]:
    """A config with BERT's names for its sizes.

    ConvBERT's layers leave a share of their heads to a convolution, and LFM2 makes another inner
    width of its config's.
    """
    found = dict(config)
    for usual, names in KEYS.items():
        value = next((config[name] for name in names if config.get(name) is not None), None)
        if value is not None:
            found[usual] = value
    width = found.get("hidden_size")
    if found.get("intermediate_size") is None and isinstance(width, int):
        # GPT-2's relatives say so with a null.
        said = any(name in config for name in KEYS["intermediate_size"])
        found.update({"intermediate_size": 4 * width} if said else {})
    if found.get("block_auto_adjust_ff_dim"):
        found["intermediate_size"] = _rounded(found)
    heads, ratio = found.get("num_attention_heads"), found.pop("head_ratio", None)
    if isinstance(heads, int) and isinstance(ratio, int) and ratio > 1:
        found["num_attention_heads"] = max(1, heads // ratio)
    return found


def _rounded(config: Mapping[str, Any]) -> Any:
    """The inner width that LFM2 makes of the one in its config: two thirds, up to a multiple."""
    width, step = config.get("intermediate_size"), config.get("block_multiple_of")
    if not isinstance(width, int) or not isinstance(step, int) or not step:
        return width
    most = int(2 * width / 3)
    factor = config.get("block_ffn_dim_multiplier")
    if factor is None:
        return most
    most = int(factor * most)
    return step * ((most + step - 1) // step)


def written_length(config: Mapping[str, Any]) -> int | None:
    """Places of the decoder, where they are others than the encoder's."""
    found = config.get("max_decoder_position_embeddings")
    return found if isinstance(found, int) else None


def depth_written(config: Mapping[str, Any]) -> int:
    """Layers of the decoder beside an encoder; as many as that has where the config is silent."""
    names = ("decoder_layers", "num_decoder_layers", "num_layers")
    found = next((config[name] for name in names if config.get(name) is not None), 0)
    return found if isinstance(found, int) else 0


def own_keys(config: Mapping[str, Any]) -> dict[str, str]:
    """BERT's names for sizes, and the config's own."""
    return {
        usual: next(name for name in names if name in config)
        for usual, names in KEYS.items()
        if any(name in config for name in names)
    }
