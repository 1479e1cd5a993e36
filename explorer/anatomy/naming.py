"""What a weight is for, told by its name and by the class of the module that holds it.

Names are those of transformers' modules, without which no plugin could load a checkpoint; a
family that is named otherwise still gets a sum, with its weights in the backbone.
"""

import re

HEAD = re.compile(
    r"(^|\.)(cls|predictions|lm_head|generator_(predictions|lm_head)|discriminator_predictions"
    r"|mask_predictions|lm_predictions|vocab_(transform|layer_norm|projector)|pred_layer|pooler"
    r"|sop_classifier|classifier|qa_outputs|score|sbo|fit_denses?|logits_proj|sequence_summary)\."
)
EMBEDDING = re.compile(
    r"(^|\.)(embeddings|embeddings_project|embedding_hidden_mapping_in|embed_tokens|tokens_embed"
    r"|positions_embed|wte|wpe|shared|position_embeddings|lang_embeddings|layer_norm_emb)\."
)
WIDTH = re.compile(
    r"(^|\.)(bottleneck|embeddings_project|embedding_hidden_mapping_in|embedding_transformation"
    r"|conv)\."
)
ATTENTION = re.compile(r"(attention|attn|attentions)(\.|$)", re.IGNORECASE)
ONCE_A_TEXT = re.compile(
    r"(^|\.)(pooler|seq_relationship|sop_classifier|sequence_summary)\."
    # What DeBERTa makes of the relative positions does not depend on the tokens.
    r"|\.(pos_proj|pos_q_proj|pos_key_proj|pos_query_proj|rel_embeddings"
    r"|relative_attention_bias)\."
    r"|encoder\.LayerNorm\."
)

WITHIN_ANOTHER = "cls.predictions.dense.weight"
"""MobileBERT's: columns of its output matrix for which the narrow embeddings have no room."""


def section_of(name: str, module: str) -> str:
    """Below, in or above the layers.

    Args:
        name: The weight's.
        module: Class of the module that holds it.
    """
    if HEAD.search(name):
        return "head"
    if EMBEDDING.search(name) and not ATTENTION.search(name):
        return "embedding"
    # Relative positions are looked up in the layers, not added to the input.
    if module == "Embedding" and not ATTENTION.search(name) and "rel_embeddings" not in name:
        return "embedding"
    return "backbone"


def kind_of(name: str, module: str) -> str:
    """What a weight is for; one of weights.KINDS."""
    if section_of(name, module) == "head":
        return "head"
    if "norm" in module.lower():
        return "norm"
    if module == "Embedding" and not ATTENTION.search(name):
        return "embedding"
    if WIDTH.search(name):
        return "projection"
    if ATTENTION.search(name):
        return "attention"
    return "feed_forward"


def is_lookup(module: str) -> bool:
    """Whether rows are taken out of it, which costs no multiplication."""
    return module == "Embedding"


def works_on_tokens(name: str) -> bool:
    """Whether every token goes through it."""
    return ONCE_A_TEXT.search(name) is None


def gives(name: str, shape: tuple[int, ...], module: str) -> int:
    """How many numbers a weight's module gives for one token; 0 for what is no weight of its own.

    Args:
        name: The weight's.
        shape: The weight's.
        module: Class of the module that holds it.
    """
    if not name.endswith("weight") or name.endswith(WITHIN_ANOTHER) or not shape:
        return 0
    # A table and GPT's linear layers have their output last, all others first.
    return shape[-1] if module in {"Embedding", "Conv1D"} else shape[0]
