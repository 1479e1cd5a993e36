"""DeBERTa v3 in miniature: replaced-token detection, embeddings shared without a tug-of-war.

He, Gao and Chen 2023. As ELECTRA, with a generator that predicts through the enhanced mask decoder
(half the discriminator's depth, as wide) and gradient-disentangled embedding sharing: the
discriminator's table is the generator's without its gradient, plus a difference of its own that
starts at zero. Their sum is published as the discriminator's table. What differs from the paper's
recipe: sizes, BERT's WordPiece vocabulary, no dropout.
"""

from __future__ import annotations

import copy
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from explorer.objectives import IGNORED
from explorer.objectives.detection.replaced_token_detection import (
    DETECTION_WEIGHT,
    ONLY_MASKS,
    corrupt,
    detection_loss,
    detection_rates,
    draw,
)
from explorer.pretraining.pair_batches import PairBatches, PairReading
from explorer.pretraining.recipe import Batches, Recipe, Schedule
from explorer.pretraining.recipes import bert
from explorer.pretraining.recipes.deberta_v2 import BUCKETED
from explorer.world.corpus import Document

GENERATOR_LAYERS = bert.LAYERS // 2


class DebertaV3Recipe(Recipe):
    """Tokenizer, architecture and objective of the DeBERTa v3 miniatures."""

    name: ClassVar[str] = "deberta-v3-miniature"
    title: ClassVar[str] = "DeBERTa v3, discriminator and generator"
    # No other program knows these classes.
    config_changes: ClassVar[Mapping[str, Any]] = {"architectures": None}
    schedule: ClassVar[Schedule] = Schedule(
        steps=2700, peak_rate=1e-3, examples=32, documents=160_000
    )

    def make_tokenizer(self, documents: Sequence[Document]) -> Any:
        """BERT's, from the same texts: the same vocabulary."""
        return bert.RECIPE.make_tokenizer(documents)

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

    def make_batches(self, tokenizer: Any, documents: Sequence[Document], seed: int) -> Batches:
        """Mostly single texts; every selected token becomes [MASK]."""
        reading = PairReading(pairs=0.2, length=bert.LENGTH, masking=ONLY_MASKS)
        return PairBatches(tokenizer, documents, self.schedule.examples, seed, reading)

    def losses(self, model: Any, batch: Mapping[str, Any]) -> dict[str, Any]:
        """The generator's loss and the weighted sum that is trained, in nats."""
        from torch.nn import functional

        generator, discriminator = model["generator"], model["discriminator"]
        attention = batch["attention_mask"]
        selected = batch["labels"] != IGNORED
        labels = batch["labels"][selected]

        scores = generator.score(generator.states(batch["input_ids"], attention)[selected])
        mlm = functional.cross_entropy(scores, labels)

        corrupted = corrupt(batch["input_ids"], batch["labels"], draw(scores))
        logits = discriminator(corrupted.inputs, attention).logits
        rtd = detection_loss(logits, corrupted.replaced, attention)
        return {
            "loss": mlm + DETECTION_WEIGHT * rtd,
            "mlm_loss": mlm,
            "mlm_accuracy": (scores.argmax(-1) == labels).float().mean(),
            "rtd_loss": rtd,
            **detection_rates(logits, corrupted.replaced, attention),
        }

    def parts(self, model: Any) -> dict[str, Any]:
        """The discriminator, which is what v3 is published as, and its generator."""
        discriminator = copy.deepcopy(model["discriminator"])
        # A copy of the difference alone would lose the generator's table it is added to.
        words = model["discriminator"].deberta.embeddings.word_embeddings.as_embedding()
        discriminator.deberta.embeddings.word_embeddings = words
        return {"": discriminator, "-generator": model["generator"]}

    def card(self, model: Any, tokenizer: Any, run: Mapping[str, Any]) -> str:  # noqa: ARG002
        """The README of either half."""
        from explorer.pretraining.deberta_card import masked_lm_card
        from explorer.pretraining.replaced_token_card import write_card

        generates = run["part"] == "-generator"
        family = "DeBERTa v3's generator" if generates else "DeBERTa v3"
        sharing = "the generator's without its gradient, plus a difference (stored as their sum)"
        about = masked_lm_card("deberta-v3", family)
        return write_card(about, sharing, DETECTION_WEIGHT, {**run, "tokenizer": tokenizer})


RECIPE = DebertaV3Recipe()
