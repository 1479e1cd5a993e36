"""Queries, keys and values of every layer and head, as the model itself makes them."""

import sys
from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from functools import partial, reduce
from inspect import signature
from typing import Any

from explorer.hf.attention.layout import FusedOrder
from explorer.hf.attention.modules import AttentionModule
from explorer.hf.attention.queries_keys import QueriesKeys
from explorer.hf.attention.watched import watched_attentions


@contextmanager
def captured(
    modules: Sequence[AttentionModule], layers: Collection[int] | None = None
) -> Iterator[list[QueriesKeys]]:
    """Collect queries and keys of whatever the model runs inside the block, in that order.

    The list fills while the block runs; one item for every call of every layer that is kept.
    Sequences must be alone in their batch.
    """
    kept: list[QueriesKeys] = []
    handles: list[Any] = []
    wrapped: list[tuple[Any, str]] = []
    if any(one.rule is not None for one in modules):
        with watched_attentions(modules, layers) as kept:
            yield kept
        return
    try:
        for one in modules:
            recording = _Recording(one, kept, layers)
            handles.append(one.module.register_forward_pre_hook(recording.begin, with_kwargs=True))
            handles.append(one.module.register_forward_hook(recording.end))
            for name in filter(None, (*one.layout.projections, *one.layout.normed)):
                projection = reduce(getattr, name.split("."), one.module)
                handles.append(projection.register_forward_hook(partial(recording.keep, name)))
            name = one.layout.bias_method
            if name:
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
        self._running = False
        self._forget()

    def _forget(self) -> None:
        self._given: dict[str, Any] = {}
        self._entered: dict[str, Any] = {}
        self._multiplied: tuple[Any, Any] | None = None
        self._rotation: Any = None
        self._bias: Any = None

    @property
    def _which(self) -> int:
        # DeBERTa's decoder calls the last layer again: it stays that layer.
        return self._call % len(self._one.layers)

    @property
    def _wanted(self) -> bool:
        return self._layers is None or self._one.layers[self._which] in self._layers

    def begin(self, module: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
        self._forget()
        layout = self._one.layout
        if layout.rotary:
            self._rotation = _argument(module, layout.rotary, args, kwargs)
        if layout.bias_argument:
            self._bias = _argument(module, layout.bias_argument, args, kwargs)
        self._running = True

    def keep(self, name: str, _module: Any, inputs: Any, output: Any) -> None:
        # DeBERTa may project its distances with the same weights; the tokens come first.
        if self._running and self._wanted:
            self._given.setdefault(name, output)
            self._entered.setdefault(name, inputs[0] if inputs else None)

    def positions(self, method: Any, queries: Any, keys: Any, *rest: Any) -> Any:
        bias = method(queries, keys, *rest)
        if self._wanted:
            one = self._one
            shape = (one.heads, -1, one.width)
            if one.layout.method_reads:
                own = queries.reshape(shape).float() / one.scale
                self._multiplied = (own, keys.reshape(shape).float())
            if not isinstance(bias, int):
                self._bias = bias.float().reshape(one.heads, *bias.shape[-2:])
        return bias

    def end(self, _module: Any, _inputs: Any, output: Any) -> None:
        self._running = False
        if self._wanted:
            one = self._one
            queries, keys, values = self._split()
            unturned = None
            if self._rotation is not None:
                unturned = queries, keys
                queries, keys = turned_by(one.module, queries, keys, *self._rotation)
            if one.layout.bias_result is not None:
                self._bias = output[one.layout.bias_result]
            if one.layout.bias_result is not None or one.layout.bias_argument:
                self._bias = _added(self._bias, queries, keys)
            self._kept.append(
                QueriesKeys(
                    one.kind,
                    one.layers[self._which],
                    *(self._multiplied or (queries, keys)),
                    values,
                    one.scale,
                    self._bias,
                    one.windows[self._which],
                    unturned=unturned,
                )
            )
        self._call += 1
        self._forget()

    def _split(self) -> list[Any]:
        """Queries, keys and values, each heads x tokens x width, float32."""
        one, layout = self._one, self._one.layout
        given = [self._given[name][0].float() for name in layout.projections]
        if len(given) == 1 and layout.fused is FusedOrder.BY_HEAD:
            parts = given[0].unflatten(-1, (one.heads, 3, one.width)).permute(2, 1, 0, 3)
        else:
            outputs = given if len(given) == 3 else given[0].chunk(3, dim=-1)
            parts = [self._by_head(output) for output in outputs]
        found = list(parts)
        for place, name in enumerate(layout.normed):
            if name:
                normed = self._given[name][0].float()
                if self._is_head_first(self._entered[name], given[place]):
                    normed = normed.transpose(0, 1)
                found[place] = self._by_head(normed)
        for place, name in enumerate(layout.biases):
            if name:
                bias = getattr(one.module, name).float().reshape(one.heads, 1, one.width)
                found[place] = found[place] + bias
        return found

    def _is_head_first(self, entered: Any, projected: Any) -> bool:
        """Whether a norm is given heads x tokens x width (Gemma 3), and not tokens first (Qwen 3).

        Args:
            entered: What it was given, in a batch of one.
            projected: What the projection gave for it: tokens x all numbers.
        """
        tokens = len(projected)
        if entered is None or entered.dim() != 4 or entered.shape[1] == entered.shape[2] == 1:
            return False
        if entered.shape[1] != entered.shape[2]:
            return bool(entered.shape[2] == tokens)
        own = projected.unflatten(-1, (-1, entered.shape[-1]))
        return bool((entered[0].transpose(0, 1) == own).all())

    def _by_head(self, given: Any) -> Any:
        """From what a module gives (tokens x ...) to heads x tokens x width; shared ones again."""
        own = given.reshape(len(given), -1, self._one.width).transpose(0, 1)
        return own.repeat_interleave(self._one.heads // len(own), dim=0)


def _added(bias: Any, queries: Any, keys: Any) -> Any:
    """What positions add (heads or 1 x queries x keys), from what a module has of it; or None.

    ALiBi's is one row for all queries (Press et al. 2022).
    """
    if bias is None or not bool(bias.any()):
        return None
    shape = (queries.shape[1], keys.shape[1])
    return bias.float().reshape(-1, *bias.shape[-2:]).expand(-1, *shape)


def _argument(module: Any, name: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """What a module's forward is called with under a name; None where it is left out."""
    if name in kwargs:
        return kwargs[name]
    bound = signature(type(module).forward).bind_partial(module, *args, **kwargs)
    return bound.arguments.get(name)


def turned_by(module: Any, queries: Any, keys: Any, cosines: Any, sines: Any) -> tuple[Any, Any]:
    """Queries and keys turned by their places, as the module's own file turns them.

    Models pair a head's dimensions otherwise: half a head apart, or neighbours (Cohere, GLM).

    Args:
        module: An attention of transformers.
        queries: Tensor (heads x tokens x width), float32.
        keys: Likewise.
        cosines: Tensor (1 x tokens x turned dimensions).
        sines: Likewise.
    """
    import torch

    own = getattr(sys.modules[type(module).__module__], "apply_rotary_pos_emb", None)
    if own is None or list(signature(own).parameters)[:4] != ["q", "k", "cos", "sin"]:
        return rotated(queries, cosines, sines), rotated(keys, cosines, sines)
    width = cosines.shape[-1]
    parts = (one[None, ..., :width] for one in (queries, keys))
    first, second = own(*parts, cosines.float(), sines.float())
    return (
        torch.cat((first[0], queries[..., width:]), dim=-1),
        torch.cat((second[0], keys[..., width:]), dim=-1),
    )


def rotated(vectors: Any, cosines: Any, sines: Any) -> Any:
    """Vectors turned by their tokens' places, the first half of their dimensions with the second.

    Where fewer dimensions are turned than a head has, they are the first, and the rest stays.

    Rotary positions (Su et al. 2021, equation 34) in the order of dimensions that transformers
    has: the pairs are half a head apart.

    Args:
        vectors: Tensor (heads x tokens x width), float32.
        cosines: Tensor (1 x tokens x turned dimensions).
        sines: Tensor (1 x tokens x turned dimensions).
    """
    import torch

    turning, rest = vectors.split((width := cosines.shape[-1], vectors.shape[-1] - width), dim=-1)
    first, second = turning.chunk(2, dim=-1)
    turned = torch.cat((-second, first), dim=-1)
    return torch.cat((turning * cosines.float() + turned * sines.float(), rest), dim=-1)
