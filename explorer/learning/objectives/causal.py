"""The next piece (Radford et al. 2018, 2019)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from explorer.learning.batches.next_tokens import NextTokenBatches
from explorer.learning.models.decoders import make_decoder
from explorer.learning.models.residual_layers import scale_residual_layers
from explorer.learning.models.shared_layers import apart
from explorer.learning.objectives.planned import PlannedRecipe
from explorer.learning.plan.choices import Norms
from explorer.learning.plan.plan import TrainingPlan
from explorer.learning.texts.documents import JoinedDocuments, WrittenDocument
from explorer.learning.tokenizers.wordpiece import pretrained_left_tokenizer
from explorer.objectives.generation.next_token import next_token_losses


class PlannedTexts(NextTokenBatches):
    """Documents from their start, cut to the model's length.

    Args:
        tokenizer: its end of text ends every document.
        documents: what is read.
        plan: how.
        seed: seed of the order.
    """

    texts: JoinedDocuments

    def __init__(
        self,
        tokenizer: Any,
        documents: Sequence[WrittenDocument],
        plan: TrainingPlan,
        seed: int,
    ) -> None:
        texts = JoinedDocuments(tokenizer, documents)
        super().__init__(texts, plan.batch, seed, plan.length, tokenizer.eos_token_id)

    def any_texts(self, rng: np.random.Generator, shape: tuple[int, int]) -> NDArray[np.int64]:
        """Numbers of texts drawn at random, of those that are at hand."""
        return np.array([[self.texts.near(rng) for _ in range(shape[1])] for _ in range(shape[0])])


class CausalRecipe(PlannedRecipe):
    """Every piece from those before it."""

    def wrapped(self, trained: Any) -> Any:
        """Without [CLS] and [SEP] around a text; [SEP] ends it."""
        return pretrained_left_tokenizer(trained, self.plan.length)

    def make_model(self, tokenizer: Any) -> Any:
        """GPT-2, or GPT-1 where norms stand after."""
        model = make_decoder(self.plan, tokenizer)
        scale_residual_layers(model, self.plan.layers, scaled=self.plan.is_scaled)
        return model

    def make_batches(
        self, tokenizer: Any, documents: Sequence[WrittenDocument], seed: int
    ) -> PlannedTexts:
        """Documents from their start; every other one begins with the end of another."""
        return PlannedTexts(tokenizer, documents, self.plan, seed)

    def losses(self, model: Any, batch: Mapping[str, Any]) -> dict[str, Any]:
        """Nats a piece. Padding lies to the right, where nothing looks at it."""
        options = {"use_cache": False} if self.plan.of_norms is Norms.PRE else {}
        scores = model(input_ids=batch["input_ids"], **options).logits
        return next_token_losses(scores, batch["labels"])

    def parts(self, model: Any) -> dict[str, Any]:
        """The decoder."""
        return {"": apart(model)}
