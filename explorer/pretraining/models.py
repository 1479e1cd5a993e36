"""Models that transformers has no class for: its encoders with heads of the families' plugins.

The names of weights are those of the published files. This file imports torch; recipes import it
when they make their models.
"""

from __future__ import annotations

import functools
from typing import Any

from torch import Tensor, nn
from transformers import BertForPreTraining, BertForSequenceClassification
from transformers.modeling_outputs import MaskedLMOutput, TokenClassifierOutput

from explorer.learning.models.span_boundary import plugin_module


@functools.cache
def deberta_masked_lm(version: int) -> Any:
    """DeBERTa with the masked-LM head on the enhanced mask decoder, as a class."""
    modules = plugin_module("deberta", "modules")
    enhanced = plugin_module("deberta", "layouts").HeadLayout.ENHANCED
    base: Any = modules.model_class(version == 1, enhanced, False)

    class DebertaForMaskedLM(base):  # type: ignore[misc]
        def states(self, input_ids: Tensor, attention_mask: Tensor | None = None) -> Any:
            """The decoder's states, [batch, length, hidden]."""
            return modules.decoded_states(self, input_ids=input_ids, attention_mask=attention_mask)

        def score(self, states: Tensor) -> Any:
            """Decoder states [n, hidden] to logits [n, vocabulary]."""
            words = self.deberta.embeddings.word_embeddings.weight
            return self.lm_predictions["lm_head"](states, words)

        def forward(
            self, input_ids: Tensor, attention_mask: Tensor | None = None, **_: Any
        ) -> MaskedLMOutput:
            """Logits over the vocabulary at every token."""
            return MaskedLMOutput(logits=self.score(self.states(input_ids, attention_mask)))

    return DebertaForMaskedLM


@functools.cache
def deberta_discriminator() -> Any:
    """Version 3's encoder with the replaced-token head, as a class."""
    base: Any = plugin_module("deberta", "modules").model_class(False, None, True)

    class DebertaDiscriminator(base):  # type: ignore[misc]
        def forward(
            self, input_ids: Tensor, attention_mask: Tensor | None = None, **_: Any
        ) -> TokenClassifierOutput:
            """Logits at every token, [batch, length]; above zero means replaced."""
            states = self.deberta(input_ids, attention_mask=attention_mask).last_hidden_state
            return TokenClassifierOutput(logits=self.mask_predictions(states))

    return DebertaDiscriminator


class TinyBertForPreTraining(BertForPreTraining):  # type: ignore[misc]
    """BERT with linear maps to the width of a teacher, ``config.fit_size``.

    ``fit_denses.0`` is the paper's W_e and ``fit_denses.m`` its W_h at layer m. The published ones
    have biases.
    """

    def __init__(self, config: Any) -> None:
        super().__init__(config)
        self.fit_denses = _fits(config)
        self.post_init()


class TinyBertForSequenceClassification(BertForSequenceClassification):  # type: ignore[misc]
    """The same with a head for classes in the place of the others: its second stage."""

    def __init__(self, config: Any) -> None:
        super().__init__(config)
        self.fit_denses = _fits(config)
        self.post_init()


def _fits(config: Any) -> Any:
    """A linear map to the teacher's width for the embeddings and for each layer."""
    return plugin_module("tinybert", "hidden_fit").LayerFits(
        nn.Linear(config.hidden_size, config.fit_size) for _ in range(config.num_hidden_layers + 1)
    )
