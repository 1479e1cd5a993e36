"""What is learnt of whole documents, each a row of tokens: nothing is asked about sentences."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from typing import Any

from explorer.learning.batches.chunked import TrainingBatches
from explorer.learning.models.residual_layers import scale_residual_layers
from explorer.learning.objectives.planned import PlannedRecipe
from explorer.learning.texts.documents import JoinedDocuments, WrittenDocument


class JoinedRecipe(PlannedRecipe):
    """A decoder, alone or with an encoder, that reads documents cut to the model's length."""

    @abstractmethod
    def fresh(self, tokenizer: Any) -> Any:
        """A transformers model with fresh weights, before residual layers are scaled."""

    @abstractmethod
    def batches_of(self, tokenizer: Any, texts: JoinedDocuments, seed: int) -> TrainingBatches:
        """The run's batches of documents as tokens."""

    def make_model(self, tokenizer: Any) -> Any:
        """Its residual layers begin as the plan says."""
        model = self.fresh(tokenizer)
        scale_residual_layers(model, self.plan.layers, scaled=self.plan.is_scaled)
        return model

    def make_batches(
        self, tokenizer: Any, documents: Sequence[WrittenDocument], seed: int
    ) -> TrainingBatches:
        """Of the documents, a block as tokens when its first one is read."""
        return self.batches_of(tokenizer, JoinedDocuments(tokenizer, documents), seed)
