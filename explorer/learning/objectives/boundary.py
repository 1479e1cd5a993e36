"""Masked spans, told from inside and from their boundaries (Joshi et al. 2020)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from explorer.learning.batches.losses import boundary_losses
from explorer.learning.models.encoders import Bert, PlannedEncoder, sizes
from explorer.learning.objectives.masked import MaskedRecipe
from explorer.learning.plan.plan import TrainingPlan


class SpanBert(Bert):
    """BERT with both of SpanBERT's heads."""

    def fresh(self, plan: TrainingPlan, tokenizer: Any) -> Any:
        """Single texts alone."""
        from transformers import BertConfig

        from explorer.learning.models.span_boundary import SpanBertForPreTraining

        return SpanBertForPreTraining(BertConfig(**sizes(plan, tokenizer)))


class BoundaryRecipe(MaskedRecipe):
    """Whole spans are masked, and nothing is asked about pairs."""

    def encoder(self) -> PlannedEncoder:
        """BERT's layers, SpanBERT's heads."""
        return SpanBert()

    def losses(self, model: Any, batch: Mapping[str, Any]) -> dict[str, Any]:
        """Nats a selected piece, from inside and from the boundaries."""
        from explorer.learning.models.span_boundary import PLACES

        return boundary_losses(model, batch, PLACES)
