"""A model's attention as ports."""

from collections.abc import Mapping, Sequence

from explorer.api import Context, Encoded, LoadedModel
from explorer.hf.attention.modules import AttentionModule, attention_modules
from explorer.hf.attention.weights import Stack, capture


class EagerAttentions:
    """As `explorer.api.Attentions`: what transformers computes itself, in full."""

    def __init__(self, model: LoadedModel) -> None:
        self._model = model

    def capture(
        self, encoded: Encoded, context: Context, answer: Sequence[int] | None = None
    ) -> Mapping[str, Stack]:
        """Every attention for one input, by kind."""
        return capture(self._model, encoded, context, answer)


class FoundModules:
    """As `explorer.api.AttentionModules`: found by the names of their parts.

    Raises:
        Unavailable: None is of a kind that is known.
    """

    def __init__(self, model: LoadedModel) -> None:
        self._modules = attention_modules(model.module, model.config)

    def modules(self) -> tuple[AttentionModule, ...]:
        """The attentions in the order of the layers."""
        return self._modules
