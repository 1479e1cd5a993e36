from .attention.finding import found_layout, shows_right
from .attention.layout import (
    BERT_ATTENTION,
    GPT_ATTENTION,
    AttentionKind,
    AttentionLayout,
    AttentionStack,
    FusedOrder,
)
from .attention.modules import find_attentions, path_pattern
from .attention.ports import EagerAttentions
from .attention.weights import decoder_start, decoder_tokens, eager_attention
from .cancelling import cancellable, install_cancel_hooks
from .family.added_heads import add_head, described_weights, head_weights
from .family.architecture import as_taken, config_number
from .family.base import TransformersFamily
from .family.bert_heads import BERT_MASKED_LM, BERT_NEXT_SENTENCE
from .family.causal import DOUBLE_HEADS, LAST_TOKEN_CLASSES, LeftFamily, next_token_head
from .family.offering import EVERY_PORT, FILLS, NOT_THEIRS, TRACED
from .family.specs import MASKED_LM, NEXT_TOKEN, REPLACED_TOKEN, ClassChoice, HeadSpec
from .family.task_heads import (
    ANSWER_SPANS,
    POOLED_CHOICE,
    POOLED_CLASSES,
    TASK_HEADS,
    TOKEN_CLASSES,
    multiple_choice,
    text_classifier,
)
from .family.tensor_names import BERT_NAMES, OLD_NAMES
from .family.tiny import TINY_LAYERS, TINY_LENGTH, TINY_WIDTH, tiny_tokenizer, write_tiny
from .generate.answers import LaidOutAnswers
from .generate.decoder import DecoderNextTokens
from .loading.checkpoint import (
    load_tokenizer,
    longest_input,
    missing_weights,
    quiet_transformers,
    read_weights,
    stored_weights,
)
from .loading.config_fields import CORRECT_IT, value_of
from .loading.devices import resolve_device, resolve_dtype
from .loading.fingerprint import fingerprint
from .predict.causal import CausalPredictor
from .predict.heads.objectives import SpanBoundaryPredictor
from .predict.heads.tasks import HeadOnCopies, first_position_of, labels_of
from .predict.masked import MaskedPredictor, with_pieces
from .predict.passes.batching import in_batches
from .predict.passes.copies import copied_inputs
from .predict.passes.last_layer import last_tail
from .predict.rows import log_rows, must_be_numbers
from .states.final_norm import FinalNorm
from .states.patching import PreparedRun
from .states.readout import HeadReadout
from .states.rows import StateRows
from .states.runs import patch_ports
from .states.streams import (
    BERT_STREAM,
    DISTILBERT_STREAM,
    GPT_STREAM,
    MOBILEBERT_STREAM,
    XLM_STREAM,
    StreamStack,
)
from .text.causal import NO_PIECE, cut_around_masks, encode_left, ids_of
from .text.encoding import encode_text, input_of, tokens_of
from .text.mentions import NamedEntities, link_entities
from .text.parts import CutText, MaskPiece
from .text.vocabularies.fingerprint import OWN_CODE

__all__ = [
    "ANSWER_SPANS",
    "BERT_ATTENTION",
    "BERT_MASKED_LM",
    "BERT_NAMES",
    "BERT_NEXT_SENTENCE",
    "BERT_STREAM",
    "CORRECT_IT",
    "DISTILBERT_STREAM",
    "DOUBLE_HEADS",
    "EVERY_PORT",
    "FILLS",
    "GPT_ATTENTION",
    "GPT_STREAM",
    "LAST_TOKEN_CLASSES",
    "MASKED_LM",
    "MOBILEBERT_STREAM",
    "NEXT_TOKEN",
    "NOT_THEIRS",
    "NO_PIECE",
    "OLD_NAMES",
    "OWN_CODE",
    "POOLED_CHOICE",
    "POOLED_CLASSES",
    "REPLACED_TOKEN",
    "TASK_HEADS",
    "TINY_LAYERS",
    "TINY_LENGTH",
    "TINY_WIDTH",
    "TOKEN_CLASSES",
    "TRACED",
    "XLM_STREAM",
    "AttentionKind",
    "AttentionLayout",
    "AttentionStack",
    "CausalPredictor",
    "ClassChoice",
    "CutText",
    "DecoderNextTokens",
    "EagerAttentions",
    "FinalNorm",
    "FusedOrder",
    "HeadOnCopies",
    "HeadReadout",
    "HeadSpec",
    "LaidOutAnswers",
    "LeftFamily",
    "MaskPiece",
    "MaskedPredictor",
    "NamedEntities",
    "PreparedRun",
    "SpanBoundaryPredictor",
    "StateRows",
    "StreamStack",
    "TransformersFamily",
    "add_head",
    "as_taken",
    "cancellable",
    "config_number",
    "copied_inputs",
    "cut_around_masks",
    "decoder_start",
    "decoder_tokens",
    "described_weights",
    "eager_attention",
    "encode_left",
    "encode_text",
    "find_attentions",
    "fingerprint",
    "first_position_of",
    "found_layout",
    "head_weights",
    "ids_of",
    "in_batches",
    "input_of",
    "install_cancel_hooks",
    "labels_of",
    "last_tail",
    "link_entities",
    "load_tokenizer",
    "log_rows",
    "longest_input",
    "missing_weights",
    "multiple_choice",
    "must_be_numbers",
    "next_token_head",
    "patch_ports",
    "path_pattern",
    "quiet_transformers",
    "read_weights",
    "resolve_device",
    "resolve_dtype",
    "shows_right",
    "stored_weights",
    "text_classifier",
    "tiny_tokenizer",
    "tokens_of",
    "value_of",
    "with_pieces",
    "write_tiny",
]
