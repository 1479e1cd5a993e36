"""Dropped spans (Raffel et al. 2020)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from explorer.learning.batches.losses import dropped_losses
from explorer.learning.batches.spans import SpanBatches
from explorer.learning.models.t5 import make_t5, rate_scales
from explorer.learning.objectives.joined import JoinedRecipe
from explorer.learning.plan.plan import TrainingPlan
from explorer.learning.texts.documents import JoinedDocuments
from explorer.learning.tokenizers.wordpiece import SENTINELS, pretrained_sentinel_tokenizer


class PlannedSpans(SpanBatches):
    """Documents with room for their end; what fills a row up is one of those at hand."""

    texts: JoinedDocuments

    def draw(self, number: int, rng: np.random.Generator) -> Sequence[int]:
        """A text, with room for its end."""
        return super().draw(number, rng)[: self.length - 1]

    def any_text(self, rng: np.random.Generator) -> Sequence[int]:
        """A text drawn at random, of those that are at hand."""
        return self.texts[self.texts.near(rng)]


class DroppedRecipe(JoinedRecipe):
    """Spans are dropped, and written."""

    def __init__(self, plan: TrainingPlan) -> None:
        super().__init__(plan)
        self.rate_scales = rate_scales(plan.width, plan.heads)

    def wrapped(self, trained: Any) -> Any:
        """With sentinels; [SEP] ends a text."""
        return pretrained_sentinel_tokenizer(trained, self.plan.length)

    def fresh(self, tokenizer: Any) -> Any:
        """Both stacks and one embedding."""
        return make_t5(self.plan, tokenizer)

    def batches_of(self, tokenizer: Any, texts: JoinedDocuments, seed: int) -> PlannedSpans:
        """Documents with spans drawn anew for every reading."""
        plan = self.plan
        found = PlannedSpans(
            texts,
            plan.batch,
            seed,
            plan.length,
            sentinels=tokenizer.convert_tokens_to_ids(list(SENTINELS)),
            pad=tokenizer.pad_token_id,
            end=tokenizer.eos_token_id,
        )
        found.dropped = plan.selected
        return found

    def losses(self, model: Any, batch: Mapping[str, Any]) -> dict[str, Any]:
        """Nats a written token."""
        return dropped_losses(model, batch)
