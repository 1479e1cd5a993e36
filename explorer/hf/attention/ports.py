"""A model's attention as ports, by the layout that its family states."""

from collections.abc import Collection, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import replace

from explorer.api.family import Context, Encoded, HeadPlace, LoadedModel
from explorer.hf.attention.ablation import without_heads
from explorer.hf.attention.layout import AttentionKind, AttentionLayout
from explorer.hf.attention.modules import AttentionModule, find_attentions, heads_of
from explorer.hf.attention.projections import captured
from explorer.hf.attention.queries_keys import QueriesKeys
from explorer.hf.attention.weights import (
    AttendingStack,
    capture,
    decoder_start,
    decoder_tokens,
    eager_attention,
    greedy_answer,
    without_masks,
)
from explorer.hf.cancelling import cancellable


class EagerAttentions:
    """As `explorer.api.Attentions`: what transformers computes itself, in full."""

    def __init__(self, model: LoadedModel, layout: AttentionLayout) -> None:
        self._model, self._layout = model, layout

    def capture(
        self, encoded: Encoded, context: Context, answer: Sequence[int] | None = None
    ) -> Mapping[str, AttendingStack]:
        """Every attention for one input, by kind."""
        return capture(self._model, self._layout, encoded, context, answer)


class DescribedAttention:
    """As `explorer.api.AttentionModules`: everything where the family's layout says it is.

    Raises:
        Unavailable: The model is not as the layout says.
    """

    def __init__(self, model: LoadedModel, layout: AttentionLayout) -> None:
        self._model, self.layout = model, layout
        self._modules = find_attentions(model.module, layout)

    def modules(self) -> tuple[AttentionModule, ...]:
        """The attentions in the order of the layers."""
        return self._modules

    def stacks(self) -> tuple[tuple[str, int, int], ...]:
        """Kind, layers and heads of each stack that the model has."""
        stacks = ((kind.value, *heads_of(self._modules, kind)) for kind in AttentionKind)
        return tuple(stack for stack in stacks if stack[1])

    def ablated(self, places: Collection[HeadPlace]) -> AbstractContextManager[None]:
        """Let some heads contribute nothing inside the block.

        Raises:
            UserMistake: A head is not there.
        """
        return without_heads(self._modules, places)

    def captured(
        self, layers: Collection[int] | None = None
    ) -> AbstractContextManager[list[QueriesKeys]]:
        """Collect queries and keys of whatever runs inside the block, one text at a time."""
        return captured(self._modules, layers)

    def queries_and_keys(
        self,
        encoded: Encoded,
        context: Context,
        *,
        layers: Collection[int] | None = None,
        answer: Sequence[int] | None = None,
    ) -> list[QueriesKeys]:
        """Run the model once and keep what its projections give.

        As for the attention itself, a model that reads from the left has its own guesses in the
        place of masks, and a decoder beside an encoder reads an answer.

        Args:
            encoded: Its input.
            context: Can stop it between two layers.
            layers: Which to keep, by their number within their kind; None for all.
            answer: What a decoder beside an encoder reads, without the token that starts it; None
                for what it writes itself.

        Returns:
            In the order of the layers: an encoder's, then a decoder's, then cross attention's.

        Raises:
            UserMistake: A mask stands where nothing can be guessed.
            Cancelled: The run was cancelled; checked before every layer.
        """
        import torch

        model = self._model
        encoded = without_masks(model, encoded, context)
        inputs, told = dict(encoded.inputs), encoded.tokens
        run = model.encoder
        if self.layout.two_stacks:
            written = greedy_answer(model, encoded, context) if answer is None else answer
            ids = [decoder_start(model), *written]
            told = decoder_tokens(model, ids)
            inputs["decoder_input_ids"] = torch.tensor([ids], device=encoded.input_ids.device)
            run = model.module
        with (
            torch.inference_mode(),
            cancellable(context),
            eager_attention(model.module),
            self.captured(layers) as kept,
        ):
            run(**inputs)
        order = list(AttentionKind)
        return [
            replace(
                one,
                query_tokens=encoded.tokens if one.kind is AttentionKind.ENCODER else told,
                key_tokens=told if one.kind is AttentionKind.DECODER else encoded.tokens,
            )
            for one in sorted(kept, key=lambda one: (order.index(one.kind), one.layer))
        ]
