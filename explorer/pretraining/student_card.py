"""What the cards of the students, and of the teacher IB-BERT, say beside their figures."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from typing import Any, Final

from explorer.pretraining import evaluation
from explorer.pretraining.bert_card import EVALUATION_SEED, UNSEEN
from explorer.pretraining.card import Card, write_card
from explorer.pretraining.corpus import held_out_documents

TOKENIZER: Final = "WordPiece, uncased, that of bert-miniature"
MASKED_LM: Final = ("Masked language model", "15 %: 80/10/10, masks drawn anew each time")
NEXT_SENTENCE: Final = ("Next sentence", "half of the pairs NotNext")

DISTILBERT: Final = Card(
    recipe="distilbert",
    family="A DistilBERT",
    tokenizer=TOKENIZER,
    loads_with="`AutoTokenizer` and `DistilBertForMaskedLM`",
    rows=(
        ("Teacher", "bert-miniature; every other of its layers to start with"),
        ("Left out", "segments and pooler"),
        ("Loss", "5 x soft targets at T = 2 (times 4), 2 x masked language model, 1 x cosine"),
        MASKED_LM,
    ),
)
TINYBERT: Final = Card(
    recipe="tinybert",
    family="A TinyBERT",
    tokenizer=TOKENIZER,
    loads_with="`AutoTokenizer`, `BertForMaskedLM` and `BertForPreTraining`",
    rows=(
        ("Teacher", "bert-miniature; layers 1 and 2 learned from its layers 2 and 4"),
        ("First stage", "attention scores, hidden states and embeddings: mean squares"),
        ("Second stage", "predictions: soft cross-entropy at t = 1, for both heads"),
        ("`fit_denses`", "0 is W_e; 1 and 2 are W_h at layers 1 and 2 (second published version)"),
        MASKED_LM,
        NEXT_SENTENCE,
    ),
)
IB_BERT: Final = Card(
    recipe="ib-bert",
    family="An IB-BERT, the teacher of MobileBERT,",
    tokenizer=TOKENIZER,
    loads_with="`AutoTokenizer`, `MobileBertForMaskedLM` and `MobileBertForPreTraining`",
    rows=(
        ("Inside a block", "192 wide: an inverted bottleneck; layer norm, GELU, one feed-forward"),
        ("Queries and keys", "made behind the bottleneck, as values are; not so in the paper"),
        ("Pieces", "32 wide, then a convolution over three neighbours"),
        ("First stage", "imitates the layers of bert-miniature; not so in the paper"),
        MASKED_LM,
        NEXT_SENTENCE,
    ),
)
MOBILEBERT: Final = Card(
    recipe="mobilebert",
    family="A MobileBERT",
    tokenizer=TOKENIZER,
    loads_with="`AutoTokenizer`, `MobileBertForMaskedLM` and `MobileBertForPreTraining`",
    rows=(
        ("Teacher", "ib-bert-miniature; embeddings and heads copied from it at the start"),
        ("Inside a block", "32 wide: a bottleneck; NoNorm, ReLU, four feed-forwards"),
        ("Pieces", "32 wide, then a convolution over three neighbours"),
        ("First stage", "feature maps (mean square) and attention (KL) of every layer"),
        ("Second stage", "half masked language model, half soft targets; next sentence"),
        MASKED_LM,
        NEXT_SENTENCE,
    ),
)


def write_paired_card(card: Card, model: Any, tokenizer: Any, run: Mapping[str, Any]) -> str:
    """The card of a model with a next-sentence head, and how often that head is right."""
    unseen = held_out_documents(UNSEEN)
    right = evaluation.next_sentence_accuracy(model, tokenizer, unseen, EVALUATION_SEED)
    note = f"Next sentence, unseen pairs: {right:.1%} right."
    return write_card(dataclasses.replace(card, notes=(note,)), model, tokenizer, run)
