"""Attention heads whose contribution is set to zero."""

from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from typing import Any

from explorer.api.family import HeadPlace, UserMistake
from explorer.hf.attention.layout import AttentionKind
from explorer.hf.attention.modules import AttentionModule, heads_of
from explorer.text import N_


@contextmanager
def without_heads(
    modules: Sequence[AttentionModule], places: Collection[HeadPlace]
) -> Iterator[None]:
    """Let some heads contribute nothing while the block runs.

    A head's contribution is its part of the input of the layer's output projection; it is set to
    zero, in every call of the layer (DeBERTa's mask decoder calls the last one again). Layers
    that share their weights (ALBERT) are told apart by the order in which they are called.

    Raises:
        UserMistake: A head is not there.
    """
    wanted: dict[tuple[str, int], set[int]] = {}
    for place in places:
        layers, heads = heads_of(tuple(modules), AttentionKind(place.kind))
        if not (0 <= place.layer < layers and 0 <= place.head < heads):
            raise UserMistake(
                N_(
                    "There is no head {head} in layer {layer} of this model's {kind}: it has "
                    "{layers} layers of {heads} heads, counted from 0."
                ),
                N_("Choose one that is there."),
                head=place.head,
                layer=place.layer,
                kind=place.kind,
                layers=layers,
                heads=heads,
            )
        wanted.setdefault((place.kind, place.layer), set()).add(place.head)
    handles: list[Any] = []
    try:
        for one in modules:
            chosen = [wanted.get((one.kind, layer), set()) for layer in one.layers]
            if any(chosen):
                calls = iter(range(10**12))
                silence = partial(_silence, one, [sorted(heads) for heads in chosen], calls)
                handles.append(one.output.register_forward_pre_hook(silence))
        yield
    finally:
        for handle in handles:
            handle.remove()


def _silence(
    one: AttentionModule,
    chosen: list[list[int]],
    calls: Iterator[int],
    _module: Any,
    inputs: tuple[Any, ...],
) -> tuple[Any, ...] | None:
    heads = chosen[next(calls) % len(chosen)]
    if not heads:
        return None
    contributions = inputs[0].clone()
    contributions.unflatten(-1, (one.heads, one.width))[..., heads, :] = 0
    return (contributions, *inputs[1:])
