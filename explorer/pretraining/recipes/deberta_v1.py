"""DeBERTa v1 in miniature: masked language model with disentangled attention.

He, Liu, Gao and Chen 2021. Content and relative position are told apart in every attention score
(content to position and position to content; position to position is left out), and absolute
positions come in at the enhanced mask decoder only. What differs from the paper's recipe: sizes,
WordPiece (BERT's vocabulary) in place of bytes, masks drawn anew each time, no dropout.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, Final

from explorer.objectives import IGNORED
from explorer.pretraining.pair_batches import PairBatches, PairReading
from explorer.pretraining.recipe import Batches, Recipe, Schedule
from explorer.pretraining.recipes import bert
from explorer.world.corpus import Document

# What all three versions share: no absolute positions in the input, no segments.
COMMON: Final = {
    "hidden_size": bert.WIDTH,
    "num_attention_heads": bert.HEADS,
    "intermediate_size": 4 * bert.WIDTH,
    "max_position_embeddings": bert.LENGTH,
    "hidden_dropout_prob": 0.0,
    "attention_probs_dropout_prob": 0.0,
    "type_vocab_size": 0,
    "initializer_range": 0.05,
    "relative_attention": True,
    "position_biased_input": False,
    "max_relative_positions": -1,
}


class DebertaV1Recipe(Recipe):
    """Tokenizer, architecture and objective of the DeBERTa v1 miniature."""

    name: ClassVar[str] = "deberta-v1-miniature"
    title: ClassVar[str] = "DeBERTa v1"
    command: ClassVar[str] = "deberta-v1"
    # No other program knows these classes.
    config_changes: ClassVar[Mapping[str, Any]] = {"architectures": None}
    schedule: ClassVar[Schedule] = Schedule(
        steps=6000, peak_rate=1.5e-3, examples=32, documents=160_000, restarts=((3000, 1e-3),)
    )

    def make_tokenizer(self, documents: Sequence[Document]) -> Any:
        """BERT's, from the same texts: the same vocabulary."""
        return bert.RECIPE.make_tokenizer(documents)

    def make_model(self, tokenizer: Any) -> Any:
        """Version 1's encoder; relative distances up to the whole length."""
        from transformers import DebertaConfig

        from explorer.pretraining.models import deberta_masked_lm

        config = DebertaConfig(
            **COMMON,
            vocab_size=len(tokenizer),
            num_hidden_layers=bert.LAYERS,
            pad_token_id=tokenizer.pad_token_id,
            pos_att_type="c2p|p2c",
        )
        return deberta_masked_lm(1)(config)

    def make_batches(self, tokenizer: Any, documents: Sequence[Document], seed: int) -> Batches:
        """Mostly single texts, with BERT's masks drawn anew each time."""
        reading = PairReading(pairs=0.2, length=bert.LENGTH)
        return PairBatches(tokenizer, documents, self.schedule.examples, seed, reading)

    def losses(self, model: Any, batch: Mapping[str, Any]) -> dict[str, Any]:
        """Cross-entropy in nats at the selected tokens."""
        from torch.nn import functional

        selected = batch["labels"] != IGNORED
        labels = batch["labels"][selected]
        scores = model.score(model.states(batch["input_ids"], batch["attention_mask"])[selected])
        return {
            "loss_mlm": functional.cross_entropy(scores, labels),
            "mlm_accuracy": (scores.argmax(-1) == labels).float().mean(),
        }

    def card(self, model: Any, tokenizer: Any, run: Mapping[str, Any]) -> str:
        """The README."""
        from explorer.pretraining.card import write_card
        from explorer.pretraining.deberta_card import masked_lm_card

        return write_card(masked_lm_card(self.command, self.title), model, tokenizer, run)


RECIPE = DebertaV1Recipe()
