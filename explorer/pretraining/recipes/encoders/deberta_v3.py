"""DeBERTa v3 in miniature: replaced-token detection, embeddings shared without a tug-of-war.

He, Gao and Chen 2023. As ELECTRA, with a generator that predicts through the enhanced mask decoder
(half the discriminator's depth, as wide) and gradient-disentangled embedding sharing: the
discriminator's table is the generator's without its gradient, plus a difference of its own that
starts at zero. Their sum is published as the discriminator's table. What differs from the paper's
recipe: sizes, BERT's WordPiece vocabulary, no dropout.
"""

from __future__ import annotations

import copy
from collections.abc import Mapping
from typing import Any

from explorer.learning.batches.losses import selected_states
from explorer.learning.recipe import Schedule
from explorer.pretraining.cards.page import FamilyCard
from explorer.pretraining.recipes.encoders import bert
from explorer.pretraining.recipes.encoders.deberta_v1 import card
from explorer.pretraining.recipes.encoders.deberta_v2 import BUCKETED
from explorer.pretraining.recipes.encoders.electra import GENERATOR, ElectraRecipe

GENERATOR_LAYERS = bert.LAYERS // 2


class DebertaV3Recipe(ElectraRecipe):
    """Architecture of the DeBERTa v3 miniatures; the rest as ELECTRA's."""

    name = "deberta-v3-miniature"
    title = "DeBERTa v3, discriminator and generator"
    shared = "the generator's without its gradient, plus a difference (stored as their sum)"
    # No other program knows these classes.
    config_changes = {"architectures": None}
    schedule = Schedule(steps=2700, peak_rate=1e-3, examples=32, documents=160_000)

    def make_model(self, tokenizer: Any) -> Any:
        """Both halves in one module, ``generator`` and ``discriminator``."""
        from torch import nn
        from transformers import DebertaV2Config

        from explorer.objectives.detection.embedding_sharing import Sharing, share
        from explorer.pretraining.models import deberta_discriminator, deberta_masked_lm

        def config(layers: int) -> Any:
            return DebertaV2Config(
                **BUCKETED,
                vocab_size=len(tokenizer),
                num_hidden_layers=layers,
                pad_token_id=tokenizer.pad_token_id,
            )

        generator = deberta_masked_lm(3)(config(GENERATOR_LAYERS))
        discriminator = deberta_discriminator()(config(bert.LAYERS))
        share(
            generator.deberta.embeddings,
            discriminator.deberta.embeddings,
            "word_embeddings",
            Sharing.DISENTANGLED,
        )
        return nn.ModuleDict({"generator": generator, "discriminator": discriminator})

    def generated(self, generator: Any, batch: Mapping[str, Any]) -> Any:
        """Through the enhanced mask decoder."""
        states = generator.states(batch["input_ids"], batch["attention_mask"])
        return generator.score(selected_states(states, batch))

    def judged(self, discriminator: Any, tokens: Any, batch: Mapping[str, Any]) -> Any:
        """It knows no segments."""
        return discriminator(tokens, batch["attention_mask"]).logits

    def half(self, part: str) -> FamilyCard:
        """What is said of the generator or the discriminator."""
        return card("deberta-v3", "DeBERTa v3's generator" if part == GENERATOR else "DeBERTa v3")

    def parts(self, model: Any) -> dict[str, Any]:
        """The discriminator, which is what v3 is published as, and its generator."""
        discriminator = copy.deepcopy(model["discriminator"])
        # A copy of the difference alone would lose the generator's table it is added to.
        words = model["discriminator"].deberta.embeddings.word_embeddings.as_embedding()
        discriminator.deberta.embeddings.word_embeddings = words
        return {"": discriminator, "-generator": model["generator"]}


RECIPE = DebertaV3Recipe()
