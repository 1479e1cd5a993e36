"""What tensors are for, by the names that transformers' classes give them most often."""

from explorer.api.family import Role, TensorNames
from explorer.hf import BERT_NAMES

NAMES: TensorNames = (
    ("embed_out", Role.OUTPUT_MATRIX),
    ("generator_lm_head", Role.OUTPUT_MATRIX),
    ("generator_predictions", Role.TOKENS),
    ("embed_tokens", Role.PIECES),
    ("embed_in", Role.PIECES),
    ("embed_positions", Role.POSITIONS),
    ("shared", Role.PIECES),
    ("encoder_attn", Role.CROSS),
    ("q_proj", Role.QUERY),
    ("k_proj", Role.KEY),
    ("v_proj", Role.VALUE),
    ("o_proj", Role.ATTENTION_OUTPUT),
    ("out_proj", Role.ATTENTION_OUTPUT),
    ("query_key_value", Role.QKV),
    ("self_attn_layer_norm", Role.ATTENTION_NORM),
    ("input_layernorm", Role.ATTENTION_NORM),
    ("post_attention_layernorm", Role.FEED_FORWARD_NORM),
    ("final_layer_norm", Role.FEED_FORWARD_NORM),
    ("gate_proj", Role.GATE),
    ("up_proj", Role.FEED_FORWARD_IN),
    ("down_proj", Role.FEED_FORWARD_OUT),
    ("fc1", Role.FEED_FORWARD_IN),
    ("fc2", Role.FEED_FORWARD_OUT),
    ("dense_h_to_4h", Role.FEED_FORWARD_IN),
    ("dense_4h_to_h", Role.FEED_FORWARD_OUT),
    *BERT_NAMES,
)
