"""What BERT's tensors are for, which most families' names begin or end as."""

import re

from explorer.api.family import Role, TensorNames

BERT_NAMES: TensorNames = (
    ("cls.predictions.decoder.weight", Role.OUTPUT_MATRIX),
    ("cls.seq_relationship", Role.PAIR),
    ("cls", Role.TOKENS),
    ("lm_head.decoder.weight", Role.OUTPUT_MATRIX),
    ("lm_head.weight", Role.OUTPUT_MATRIX),
    ("lm_head", Role.TOKENS),
    ("pooler", Role.POOLER),
    ("classifier", Role.CLASSES),
    ("qa_outputs", Role.ANSWERS),
    ("embeddings.word_embeddings", Role.PIECES),
    ("embeddings.position_embeddings", Role.POSITIONS),
    ("embeddings.token_type_embeddings", Role.SEGMENTS),
    ("embeddings.LayerNorm", Role.EMBEDDING_NORM),
    ("embeddings.project", Role.WIDEN),
    ("attention.self.query", Role.QUERY),
    ("attention.self.key", Role.KEY),
    ("attention.self.value", Role.VALUE),
    ("attention.output.LayerNorm", Role.ATTENTION_NORM),
    ("attention.output.dense", Role.ATTENTION_OUTPUT),
    ("attention", Role.QKV),
    ("intermediate", Role.FEED_FORWARD_IN),
    ("output.LayerNorm", Role.FEED_FORWARD_NORM),
    ("output.dense", Role.FEED_FORWARD_OUT),
)
"""Ends or parts of names, and what such a tensor is for; the first row that fits counts."""

GPT_NAMES: TensorNames = (
    ("lm_head.weight", Role.OUTPUT_MATRIX),
    ("score", Role.CLASSES),
    ("multiple_choice_head", Role.CLASSES),
    ("classifier", Role.CLASSES),
    ("qa_outputs", Role.ANSWERS),
    ("wte", Role.PIECES),
    ("tokens_embed", Role.PIECES),
    ("wpe", Role.POSITIONS),
    ("positions_embed", Role.POSITIONS),
    ("attn.c_attn", Role.QKV),
    ("attn.c_proj", Role.ATTENTION_OUTPUT),
    ("ln_1", Role.ATTENTION_NORM),
    ("ln_2", Role.FEED_FORWARD_NORM),
    ("ln_f", Role.NORMS),
    ("mlp.c_fc", Role.FEED_FORWARD_IN),
    ("mlp.c_proj", Role.FEED_FORWARD_OUT),
)

OLD_NAMES = (
    (re.compile(r"LayerNorm\.gamma$"), "LayerNorm.weight"),
    (re.compile(r"LayerNorm\.beta$"), "LayerNorm.bias"),
)
"""Names from checkpoints converted from TensorFlow, which transformers reads as the new ones."""
