"""Queries, keys and values of every layer and head, as the model itself makes them."""

from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from typing import Any

from explorer.api import AttentionModules, Context, Encoded, LoadedModel, Unavailable
from explorer.hf.attention.modules import AttentionModule, Kind
from explorer.hf.attention.weights import (
    decoder_start,
    eager,
    greedy_answer,
    has_decoder,
    without_masks,
)
from explorer.hf.cancelling import cancellable

BIASES = ("disentangled_att_bias", "disentangled_attention_bias")
"""Methods in which DeBERTa v1, and v2 and v3, make what positions add to the scores."""


@dataclass(frozen=True)
class QueriesKeys:
    """One layer's.

    Attributes:
        kind: Who attends to whom.
        layer: Its number within the kind, from 0.
        queries: Tensor (heads x query tokens x width), float32.
        keys: Tensor (heads x key tokens x width), float32.
        values: Tensor (heads x key tokens x width), float32.
        scale: What the product of a query and a key is multiplied with.
        bias: Tensor (heads or 1 x query tokens x key tokens), float32: what positions add to the
            scores (T5, DeBERTa); None where they add nothing.
    """

    kind: Kind
    layer: int
    queries: Any
    keys: Any
    values: Any
    scale: float
    bias: Any = None

    def scores(self) -> Any:
        """Before softmax: tensor (heads x query tokens x key tokens), float32.

        scale * query . key, with the positions' part where there is one (Vaswani et al. 2017,
        section 3.2.1); minus infinity where a token may not look.
        """
        import torch

        scores = self.queries @ self.keys.transpose(-1, -2) * self.scale
        if self.bias is not None:
            scores = scores + self.bias
        if self.kind is Kind.DECODER:
            seen = torch.ones(scores.shape[-2:], dtype=torch.bool, device=scores.device).tril()
            scores = scores.masked_fill(~seen, float("-inf"))
        return scores


def queries_and_keys(
    model: LoadedModel,
    encoded: Encoded,
    context: Context,
    *,
    layers: Collection[int] | None = None,
    answer: Sequence[int] | None = None,
) -> list[QueriesKeys]:
    """Run the model once and keep what its projections give.

    As for the attention itself (`explorer.hf.attention.weights.capture`), a model that reads from
    the left has its own guesses in the place of masks, and a decoder beside an encoder reads an
    answer.

    Args:
        model: Of any family.
        encoded: Its input.
        context: Can stop it between two layers.
        layers: Which to keep, by their number within their kind; None for all.
        answer: What a decoder beside an encoder reads, without the token that starts it; None
            for what it writes itself.

    Returns:
        In the order of the layers: an encoder's, then a decoder's, then cross attention's.

    Raises:
        Unavailable: The model's attention is of a kind that can't be taken apart.
        UserMistake: A mask stands where nothing can be guessed.
        Cancelled: The run was cancelled; checked before every layer.
    """
    import torch

    encoded = without_masks(model, encoded, context)
    inputs = dict(encoded.inputs)
    run = model.encoder
    if has_decoder(model):
        written = greedy_answer(model, encoded, context) if answer is None else answer
        ids = torch.tensor([[decoder_start(model), *written]], device=encoded.input_ids.device)
        inputs["decoder_input_ids"] = ids
        run = model.module
    with (
        torch.inference_mode(),
        cancellable(context),
        eager(model.module),
        captured(model, layers) as kept,
    ):
        run(**inputs)
    order = list(Kind)
    return sorted(kept, key=lambda one: (order.index(one.kind), one.layer))


@contextmanager
def captured(
    model: LoadedModel, layers: Collection[int] | None = None
) -> Iterator[list[QueriesKeys]]:
    """Collect queries and keys of whatever the model runs inside the block, in that order.

    The list fills while the block runs; one item for every call of every layer that is kept.
    Sequences must be alone in their batch.
    """
    kept: list[QueriesKeys] = []
    handles: list[Any] = []
    wrapped: list[tuple[Any, str]] = []
    try:
        for one in model.port(AttentionModules).modules():
            if getattr(one.module, "head_logits_proj", None) is not None:
                raise Unavailable("This model mixes its heads' scores (talking heads).")
            recording = _Recording(one, kept, layers)
            handles.append(one.module.register_forward_pre_hook(recording.begin))
            handles.append(one.module.register_forward_hook(recording.end))
            for name in one.projections:
                projection = getattr(one.module, name)
                handles.append(projection.register_forward_hook(partial(recording.keep, name)))
            for name in BIASES:
                if hasattr(one.module, name):
                    method = getattr(one.module, name)
                    setattr(one.module, name, partial(recording.positions, method))
                    wrapped.append((one.module, name))
        yield kept
    finally:
        for handle in handles:
            handle.remove()
        for module, name in wrapped:
            delattr(module, name)


class _Recording:
    """What one attention module's projections gave in the call that is running."""

    def __init__(
        self, one: AttentionModule, kept: list[QueriesKeys], layers: Collection[int] | None
    ) -> None:
        self._one = one
        self._kept = kept
        self._layers = layers
        self._call = 0
        self._given: dict[str, Any] = {}
        self._bias: Any = None
        self._running = False

    @property
    def _layer(self) -> int:
        # DeBERTa's decoder calls the last layer again: it stays that layer.
        layers = self._one.layers
        return layers[self._call % len(layers)]

    @property
    def _wanted(self) -> bool:
        return self._layers is None or self._layer in self._layers

    def begin(self, *_: Any) -> None:
        self._given, self._bias, self._running = {}, None, True

    def keep(self, name: str, _module: Any, _inputs: Any, output: Any) -> None:
        # DeBERTa may project its distances with the same weights; the tokens come first.
        if self._running and self._wanted:
            self._given.setdefault(name, output)

    def positions(self, method: Any, queries: Any, keys: Any, *rest: Any) -> Any:
        bias = method(queries, keys, *rest)
        if self._wanted:
            one = self._one
            shape = (one.heads, -1, one.width)
            if "in_proj" in one.projections:
                # Its decoder's queries are exchanged behind the projection, and scaled by now.
                self._given["queries"] = queries.reshape(shape).float() / one.scale
                self._given["keys"] = keys.reshape(shape).float()
            if not isinstance(bias, int):
                self._bias = bias.float().reshape(one.heads, *bias.shape[-2:])
        return bias

    def end(self, _module: Any, _inputs: Any, output: Any) -> None:
        self._running = False
        if self._wanted:
            queries, keys, values = self._split()
            if "q" in self._one.projections:  # T5: the bias is handed from layer to layer
                self._bias = output[1][0].float() if bool(output[1].any()) else None
            self._kept.append(
                QueriesKeys(
                    self._one.kind,
                    self._layer,
                    queries,
                    keys,
                    values,
                    self._one.scale,
                    self._bias,
                )
            )
        self._call += 1
        self.begin()
        self._running = False

    def _split(self) -> tuple[Any, Any, Any]:
        """Queries, keys and values, each heads x tokens x width, float32."""
        one, given = self._one, self._given
        if one.projections == ("in_proj",):
            # Each head's query, key and value, one after the other; the biases come later.
            parts = given["in_proj"][0].float().unflatten(-1, (one.heads, 3, one.width))
            queries, keys, values = parts.permute(2, 1, 0, 3)
            biases = (one.module.q_bias, one.module.v_bias)
            add_q, add_v = (bias.float().reshape(one.heads, 1, one.width) for bias in biases)
            queries, values = queries + add_q, values + add_v
            return given.get("queries", queries), given.get("keys", keys), values
        if len(one.projections) == 1:
            outputs = given[one.projections[0]].chunk(3, dim=-1)
        else:
            outputs = tuple(given[name] for name in one.projections)
        queries, keys, values = (
            output[0].float().unflatten(-1, (one.heads, one.width)).transpose(0, 1)
            for output in outputs
        )
        return queries, keys, values
