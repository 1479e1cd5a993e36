"""Masked words learnt with virtual adversarial training, as DeBERTa fine-tunes (SiFT)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from explorer.learning.batches.losses import encode, masked_losses, selected_states
from explorer.learning.objectives.masked import MaskedRecipe
from explorer.objectives.adversarial.scale_invariant import (
    misleading,
    normalised,
    random_change,
    virtual_adversarial_loss,
)

WEIGHT: Final = 1.0
"""Of the adversarial loss beside that of masked words."""
SPREAD: Final = 0.01
STEP: Final = 0.3
"""How far a token's largest coordinate goes. Fine-tuning moves it by 0.0001: a model that is
trained from its beginning answers the same at so small a distance by itself."""


class AdversarialRecipe(MaskedRecipe):
    """Masked words, and the same answer at embeddings that were changed to mislead."""

    def losses(self, model: Any, batch: Mapping[str, Any]) -> dict[str, Any]:
        """Nats a selected piece, both."""
        import torch

        embedded: list[Any] = []
        norm = model.base_model.embeddings.LayerNorm

        def answer(given: Any = None) -> Any:
            """Logits at the selected tokens, from the embeddings that are given or its own."""

            def embed(_norm: Any, inputs: tuple[Any, ...]) -> tuple[Any]:
                embedded.append(normalised(inputs[0]) if given is None else given)
                return (embedded[-1],)

            hook = norm.register_forward_pre_hook(embed)
            try:
                states = selected_states(encode(model, batch).last_hidden_state, batch)
            finally:
                hook.remove()
            return self.encoder().scores(model, states)

        clean = answer()
        own = embedded[0]
        generator = torch.Generator().manual_seed(int(torch.randint(2**31, ())))
        change = misleading(answer, own, clean, random_change(own, generator, SPREAD), STEP)
        moved = virtual_adversarial_loss(answer, own, clean, change)
        return {**masked_losses(clean, batch), "loss_adversarial": WEIGHT * moved}
