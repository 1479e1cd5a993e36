"""DeBERTa v1 in miniature: masked language model with disentangled attention.

He, Liu, Gao and Chen 2021. Content and relative position are told apart in every attention score
(content to position and position to content; position to position is left out), and absolute
positions come in at the enhanced mask decoder only. What differs from the paper's recipe: sizes,
WordPiece (BERT's vocabulary) in place of bytes, masks drawn anew each time, no dropout.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from explorer.learning.batches.losses import masked_losses, selected_states
from explorer.learning.batches.pairs import PairReading
from explorer.learning.recipe import Schedule
from explorer.pretraining.cards.page import FamilyCard
from explorer.pretraining.miniature import MiniatureRecipe
from explorer.pretraining.recipes.encoders import bert
from explorer.world.corpus import CorpusDocument

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


ENCODER: Final = "`AutoTokenizer` and `AutoModel` (the encoder; transformers leaves the head out)"


def card(recipe: str, family: str) -> FamilyCard:
    """What is said of a DeBERTa that predicts masked tokens."""
    return FamilyCard(
        recipe=recipe,
        family=family,
        tokenizer="WordPiece, uncased, the same as bert-miniature's",
        loads_with=ENCODER,
        rows=(
            (
                "Attention",
                "disentangled: content to content, content to position, position to content",
            ),
            (
                "Absolute positions",
                "in the enhanced mask decoder only: the last layer, applied twice",
            ),
        ),
    )


class DebertaV1Recipe(MiniatureRecipe):
    """Tokenizer, architecture and objective of the DeBERTa v1 miniature."""

    name = "deberta-v1-miniature"
    title = "DeBERTa v1"
    about = card("deberta-v1", title)
    # No other program knows these classes.
    config_changes = {"architectures": None}
    schedule = Schedule(
        steps=6000, peak_rate=1.5e-3, examples=32, documents=160_000, restarts=((3000, 1e-3),)
    )
    # Mostly single texts.
    reading = PairReading(pairs=0.2, length=bert.LENGTH)

    def make_tokenizer(self, documents: Sequence[CorpusDocument]) -> Any:
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

    def losses(self, model: Any, batch: Mapping[str, Any]) -> dict[str, Any]:
        """Cross-entropy in nats at the selected tokens."""
        states = model.states(batch["input_ids"], batch["attention_mask"])
        return masked_losses(model.score(selected_states(states, batch)), batch)


RECIPE = DebertaV1Recipe()
