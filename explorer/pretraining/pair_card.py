"""The card of a model that reads sentence pairs: also how often its next-sentence head is right."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from typing import Any, Final

from explorer.pretraining import evaluation
from explorer.pretraining.card import EVALUATION_SEED, UNSEEN, Card, write_card
from explorer.world.corpus import held_out_documents

# What several families say alike.
DYNAMIC_ROW: Final = ("Masked language model", "15 %: 80/10/10, masks drawn anew each time")
PAIRS_ROW: Final = ("Next sentence", "half of the pairs NotNext")


def write_pair_card(card: Card, model: Any, tokenizer: Any, run: Mapping[str, Any]) -> str:
    """Measure the model and both of its heads, and describe it in Markdown."""
    unseen = held_out_documents(UNSEEN)
    right = evaluation.next_sentence_accuracy(model, tokenizer, unseen, EVALUATION_SEED)
    note = f"Next sentence, unseen pairs: {right:.1%} right."
    return write_card(dataclasses.replace(card, notes=(note,)), model, tokenizer, run)
