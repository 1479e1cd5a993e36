"""BERT in miniature: masked language model and next-sentence prediction on sentence pairs.

Devlin et al. 2019. Masks are static: a text has ten patterns, met in turn. (This run meets a text
five times, so none comes twice; RoBERTa's recipe has dynamic masks.) What differs from the paper's
recipe: sizes; single texts are read beside pairs (without a next-sentence label), because people
type single sentences; no dropout, because no text is met often.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from explorer.learning.batches.losses import pair_losses, pair_scores
from explorer.learning.batches.pairs import PairReading
from explorer.learning.recipe import Schedule
from explorer.objectives.masking.masked_language_model import STATIC
from explorer.pretraining.cards.masked import PAIRS_ROW, next_sentence_note
from explorer.pretraining.cards.page import FamilyCard
from explorer.pretraining.miniature import MiniatureRecipe
from explorer.world.corpus import CorpusDocument

VOCABULARY = 1600
LENGTH = 128
LAYERS = 4
WIDTH = 128
HEADS = 4


def sizes(tokenizer: Any) -> dict[str, Any]:
    """The configuration of BERT's miniature, and of those that are BERT but for what they learn."""
    return {
        "vocab_size": len(tokenizer),
        "hidden_size": WIDTH,
        "num_hidden_layers": LAYERS,
        "num_attention_heads": HEADS,
        "intermediate_size": 4 * WIDTH,
        "max_position_embeddings": LENGTH,
        "hidden_dropout_prob": 0.0,
        "attention_probs_dropout_prob": 0.0,
        # 0.02 is made for a width of 768; narrower models start better a little wider.
        "initializer_range": 0.05,
        "pad_token_id": tokenizer.pad_token_id,
    }


class BertRecipe(MiniatureRecipe):
    """Tokenizer, architecture and objective of the BERT miniature."""

    name = "bert-miniature"
    title = "BERT"
    about = FamilyCard(
        recipe="bert",
        family="BERT",
        tokenizer="WordPiece, uncased",
        loads_with="`AutoTokenizer`, `BertForMaskedLM` and `BertForPreTraining`",
        rows=(
            ("Masked language model", "15 %: 80/10/10, static: ten patterns a text, met in turn"),
            PAIRS_ROW,
        ),
    )
    schedule = Schedule(
        steps=8500,
        examples=96,
        documents=160_000,
        peak_rate=1.5e-3,
        # The second cycle is for what takes longest to learn: the order of words.
        restarts=((5000, 1.2e-3),),
    )
    reading = PairReading(length=LENGTH, masking=STATIC)

    def make_tokenizer(self, documents: Sequence[CorpusDocument]) -> Any:
        """Uncased WordPiece."""
        from explorer.learning.tokenizers.wordpiece import pretrained_tokenizer, train_wordpiece

        texts = (document.text for document in documents)
        return pretrained_tokenizer(train_wordpiece(texts, VOCABULARY), LENGTH)

    def make_model(self, tokenizer: Any) -> Any:
        """Post-layer-norm encoder with both of BERT's heads."""
        from transformers import BertConfig, BertForPreTraining

        return BertForPreTraining(BertConfig(**sizes(tokenizer)))

    def losses(self, model: Any, batch: Mapping[str, Any]) -> dict[str, Any]:
        """Both heads'."""
        return pair_losses(*pair_scores(model, batch), batch)

    def notes(self, model: Any, tokenizer: Any) -> Sequence[str]:
        """The next-sentence head's."""
        return (next_sentence_note(model, tokenizer),)


RECIPE = BertRecipe()
