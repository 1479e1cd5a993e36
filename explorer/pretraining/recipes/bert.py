"""BERT in miniature: masked language model and next-sentence prediction on sentence pairs.

Devlin et al. 2019. Masks are static: a text has ten patterns, met in turn. (This run meets a text
five times, so none comes twice; RoBERTa's recipe has dynamic masks.) What differs from the paper's
recipe: sizes; single texts are read beside pairs (without a next-sentence label), because people
type single sentences; no dropout, because no text is met often.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from explorer.objectives import IGNORED
from explorer.objectives.masking.masked_language_model import STATIC
from explorer.pretraining.pair_batches import PairBatches, PairReading
from explorer.pretraining.recipe import Batches, Recipe, Schedule
from explorer.world.corpus import Document

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


class BertRecipe(Recipe):
    """Tokenizer, architecture and objective of the BERT miniature."""

    name: ClassVar[str] = "bert-miniature"
    title: ClassVar[str] = "BERT"
    schedule: ClassVar[Schedule] = Schedule(
        steps=8500,
        examples=96,
        documents=160_000,
        peak_rate=1.5e-3,
        # The second cycle is for what takes longest to learn: the order of words.
        restarts=((5000, 1.2e-3),),
    )

    def make_tokenizer(self, documents: Sequence[Document]) -> Any:
        """Uncased WordPiece."""
        from explorer.pretraining.wordpiece import pretrained_tokenizer, train_wordpiece

        texts = (document.text for document in documents)
        return pretrained_tokenizer(train_wordpiece(texts, VOCABULARY), LENGTH)

    def make_model(self, tokenizer: Any) -> Any:
        """Post-layer-norm encoder with both of BERT's heads."""
        from transformers import BertConfig, BertForPreTraining

        return BertForPreTraining(BertConfig(**sizes(tokenizer)))

    def make_batches(self, tokenizer: Any, documents: Sequence[Document], seed: int) -> Batches:
        """Pairs and single texts with static masks."""
        reading = PairReading(length=LENGTH, masking=STATIC)
        return PairBatches(tokenizer, documents, self.schedule.examples, seed, reading)

    def losses(self, model: Any, batch: Mapping[str, Any]) -> dict[str, Any]:
        """Both losses in nats. The vocabulary is scored at selected tokens only."""
        from torch.nn import functional

        encoded = model.bert(
            input_ids=batch["input_ids"],
            attention_mask=batch["attention_mask"],
            token_type_ids=batch["token_type_ids"],
        )
        selected = batch["labels"] != IGNORED
        labels = batch["labels"][selected]
        scores, order = model.cls(encoded.last_hidden_state[selected], encoded.pooler_output)
        next_labels = batch["next_sentence_label"]
        measured = {
            "loss_mlm": functional.cross_entropy(scores, labels),
            "mlm_accuracy": (scores.argmax(-1) == labels).float().mean(),
        }
        paired = next_labels != IGNORED
        if bool(paired.any()):
            measured["loss_nsp"] = functional.cross_entropy(order[paired], next_labels[paired])
            right = order[paired].argmax(-1) == next_labels[paired]
            measured["nsp_accuracy"] = right.float().mean()
        return measured

    def card(self, model: Any, tokenizer: Any, run: Mapping[str, Any]) -> str:
        """The README."""
        from explorer.pretraining.card import Card
        from explorer.pretraining.pair_card import PAIRS_ROW, write_pair_card

        masks = "15 %: 80/10/10, static: ten patterns a text, met in turn"
        card = Card(
            recipe="bert",
            family="BERT",
            tokenizer="WordPiece, uncased",
            loads_with="`AutoTokenizer`, `BertForMaskedLM` and `BertForPreTraining`",
            rows=(("Masked language model", masks), PAIRS_ROW),
        )
        return write_pair_card(card, model, tokenizer, run)


RECIPE = BertRecipe()
