"""Replaced tokens (Clark et al. 2020), with the ways of sharing of He et al. 2023."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from explorer.learning.batches.losses import encode, replaced_losses, selected_states
from explorer.learning.models.encoders import Electra, electra_config
from explorer.learning.models.residual_layers import scale_residual_layers
from explorer.learning.models.shared_layers import apart, share_layers
from explorer.learning.objectives.masked import MaskedRecipe
from explorer.learning.plan.choices import Tables

GENERATOR: Final = "-generator"
DISCRIMINATOR: Final = "-discriminator"
"""What the names of the halves' folders end in."""
TABLES: Final = ("word_embeddings", "position_embeddings", "token_type_embeddings")


class ReplacedRecipe(MaskedRecipe):
    """A generator and a discriminator, trained together."""

    def make_model(self, tokenizer: Any) -> Any:
        """Both halves in one module, ``generator`` and ``discriminator``."""
        from torch import nn
        from transformers import ElectraForMaskedLM, ElectraForPreTraining

        from explorer.objectives.detection.embedding_sharing import Sharing, share

        plan, parts = self.plan, Electra.parts
        generator = ElectraForMaskedLM(electra_config(plan, tokenizer, plan.generator_width))
        discriminator = ElectraForPreTraining(electra_config(plan, tokenizer, plan.width))
        for half in (generator, discriminator):
            share_layers(list(half.electra.encoder.layer), parts, plan.shared)
            scale_residual_layers(half, plan.layers, scaled=plan.is_scaled)
        if plan.tables is Tables.SHARED:
            # Token, position and segment embeddings and their norm, as in the authors' code.
            generator.electra.embeddings = discriminator.electra.embeddings
            generator.tie_weights()
        elif plan.tables is Tables.DISENTANGLED:
            for name in TABLES:
                one, other = generator.electra.embeddings, discriminator.electra.embeddings
                share(one, other, name, Sharing.DISENTANGLED)
        return nn.ModuleDict({"generator": generator, "discriminator": discriminator})

    def losses(self, model: Any, batch: Mapping[str, Any]) -> dict[str, Any]:
        """The generator's loss and the weighted sum that is trained, in nats."""
        generator, discriminator = model["generator"], model["discriminator"]
        states = selected_states(encode(generator, batch).last_hidden_state, batch)
        rest = {name: batch[name] for name in ("attention_mask", "token_type_ids")}
        return replaced_losses(
            Electra().scores(generator, states),
            lambda tokens: discriminator(tokens, **rest).logits,
            batch,
            self.plan.detection_weight,
        )

    def parts(self, model: Any) -> dict[str, Any]:
        """Two checkpoints, as ELECTRA is published."""
        generator, discriminator = model["generator"], model["discriminator"]
        return {GENERATOR: apart(generator), DISCRIMINATOR: apart(discriminator)}
