"""What a weight does, under one name for all families, so that two models can be laid side by side.

transformers calls the same matrix `query`, `q_lin`, `q` or a third of `c_attn`.
"""

import re
from typing import Final

OTHER = "Other"

QKV = "Attention: query, key, value"

_ROLES: Final = (
    # The first that is found in the name is its role.
    (r"(^|\.)pooler\.", "Head: pooler"),
    (r"seq_relationship|sop_classifier", "Head: pair of texts"),
    (r"discriminator_predictions|mask_predictions", "Head: replaced token"),
    (
        r"(decoder|(^|\.)lm_head|generator_lm_head|vocab_projector|pred_layer\.proj)\.weight$",
        "Head: output matrix",
    ),
    (
        r"(^|\.)(cls|predictions|lm_head|generator_\w+|lm_predictions|vocab_\w+|pred_layer)\.",
        "Head: masked or next token",
    ),
    (r"(^|\.)(sbo|fit_denses?)\.", "Head: training only"),
    (r"embeddings\.word_embeddings|wte|tokens_embed|embed_tokens|^shared", "Embedding: pieces"),
    (r"(^|\.)embeddings\.weight", "Embedding: pieces"),
    (r"position_embeddings|wpe|positions_embed", "Embedding: positions"),
    (r"token_type_embeddings", "Embedding: segments"),
    (r"lang_embeddings|task_type_embeddings", "Embedding: languages or tasks"),
    (r"embeddings_project|embedding_hidden_mapping|embedding_transf", "Embedding: projection"),
    (r"embeddings\.LayerNorm|layer_norm_emb", "Embedding: norm"),
    (r"rel_embeddings|relative_attention_bias|encoder\.LayerNorm", "Relative positions"),
    (r"pos_(q_)?proj|pos_(key|query)_proj", "Attention: positions' projections"),
    (r"encoder\.conv\.", "Convolution"),
    (r"bottleneck", "Bottleneck"),
    (r"[Nn]orm|\.ln_", "Layer: norms"),
    (r"EncDecAttention", "Cross attention"),
    (r"c_attn|in_proj|q_bias|v_bias", QKV),
    (r"\.(query|query_proj|q_lin|q)\.", "Attention: query"),
    (r"\.(key|key_proj|k_lin|k)\.", "Attention: key"),
    (r"\.(value|value_proj|v_lin|v)\.", "Attention: value"),
    (
        r"attention\.(output\.)?dense|out_lin|attn\.c_proj|SelfAttention\.o\.",
        "Attention: output",
    ),
    (r"wi_1\.", "Feed-forward: gate"),
    (r"intermediate\.dense|lin1|ffn\.(weight|bias)|mlp\.c_fc|\.wi(_0)?\.", "Feed-forward: in"),
    (r"output\.dense|lin2|ffn_output|mlp\.c_proj|\.wo\.", "Feed-forward: out"),
)
_COMPILED: Final = tuple((re.compile(pattern), role) for pattern, role in _ROLES)
ORDER: Final = (*dict.fromkeys(role for _, role in _ROLES), OTHER)
"""Every role, the head's first."""


def role_of(name: str) -> str:
    """What a weight does; OTHER where its name tells nothing."""
    return next((role for pattern, role in _COMPILED if pattern.search(name)), OTHER)


def group_of(role: str) -> str:
    """The role under which families that keep query, key and value apart meet those that do not."""
    return QKV if role in {"Attention: query", "Attention: key", "Attention: value"} else role


def place_of(role: str) -> int:
    """Where a role stands when a model is read from below: embeddings, layers, head."""
    group = role.partition(":")[0]
    levels = ("Embedding", "Relative positions", "Convolution", "Bottleneck", "Attention")
    if group == "Head":
        return 900 + ORDER.index(role)
    if group == OTHER:
        return 800
    level = levels.index(group) if group in levels else len(levels)
    return 100 * level + ORDER.index(role)


def layer_of(name: str) -> int | None:
    """The number of the layer a weight is in, or None."""
    match = re.search(r"(?:^|\.)(?:layer|layers|h|block|attentions|ffns)\.(\d+)\.", name)
    return int(match.group(1)) if match else None
