"""The next piece (Radford et al. 2018, 2019)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from explorer.learning.batches.next_tokens import NextTokenBatches
from explorer.learning.models.decoders import make_decoder
from explorer.learning.models.shared_layers import apart
from explorer.learning.objectives.joined import JoinedRecipe
from explorer.learning.plan.choices import Norms
from explorer.learning.texts.documents import JoinedDocuments
from explorer.learning.tokenizers.wordpiece import pretrained_left_tokenizer
from explorer.objectives.generation.next_token import next_token_losses


class PlannedTexts(NextTokenBatches):
    """Documents from their start; what stands with one in a row is one of those at hand."""

    texts: JoinedDocuments

    def any_texts(self, rng: np.random.Generator, shape: tuple[int, int]) -> NDArray[np.int64]:
        """Numbers of texts drawn at random, of those that are at hand."""
        return np.array([[self.texts.near(rng) for _ in range(shape[1])] for _ in range(shape[0])])


class CausalRecipe(JoinedRecipe):
    """Every piece from those before it."""

    def wrapped(self, trained: Any) -> Any:
        """Without [CLS] and [SEP] around a text; [SEP] ends it."""
        return pretrained_left_tokenizer(trained, self.plan.length)

    def fresh(self, tokenizer: Any) -> Any:
        """GPT-2, or GPT-1 where norms stand after."""
        return make_decoder(self.plan, tokenizer)

    def batches_of(self, tokenizer: Any, texts: JoinedDocuments, seed: int) -> PlannedTexts:
        """Documents from their start; every other one begins with the end of another."""
        plan = self.plan
        return PlannedTexts(texts, plan.batch, seed, plan.length, tokenizer.eos_token_id)

    def losses(self, model: Any, batch: Mapping[str, Any]) -> dict[str, Any]:
        """Nats a piece. Padding lies to the right, where nothing looks at it."""
        options = {"use_cache": False} if self.plan.of_norms is Norms.PRE else {}
        scores = model(input_ids=batch["input_ids"], **options).logits
        return next_token_losses(scores, batch["labels"])

    def parts(self, model: Any) -> dict[str, Any]:
        """The decoder."""
        return {"": apart(model)}
