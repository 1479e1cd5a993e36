"""Where models that nobody described may keep their layers' states: tried, proved by numbers."""

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from explorer.hf import (
    BERT_STREAM,
    DISTILBERT_STREAM,
    XLM_STREAM,
    StreamStack,
    path_pattern,
)

BERTS = replace(BERT_STREAM, attention="encoder.layer.*.attention.output.dense")
TRIED = (
    BERTS,
    replace(BERTS, attention="encoder.layer.*.attention.attn.o"),  # MPNet's
    DISTILBERT_STREAM,
    XLM_STREAM,
    StreamStack("layers.*", ("layers.*.mlp",), attention="layers.*.attn"),  # ModernBERT's
    StreamStack("layers.*", ("layers.*.mlp",), attention="layers.*.self_attn"),  # LLaMA's
    StreamStack("layers.*", ("layers.*.mlp",), attention="layers.*.attention"),  # GPT-NeoX's
    # BLOOM's and Falcon's, whose modules may give the stream with what they add to it.
    StreamStack("h.*", ("h.*.mlp.dense_4h_to_h",), attention="h.*.self_attention.dense"),
    StreamStack("h.*", ("h.*.mlp",), attention="h.*.attn"),
    # BART's and OPT's, whose layers hold both matrices of the feed-forward part themselves.
    StreamStack("layers.*", ("layers.*.fc2",), attention="layers.*.self_attn"),
    # MPT's, whose feed-forward module adds what went into it.
    StreamStack("blocks.*", ("blocks.*.ffn.down_proj",), attention="blocks.*.attn"),
    StreamStack("blocks.*", ("blocks.*.ffn",), attention="blocks.*.norm_attn_norm.attn"),  # DBRX's
    StreamStack("h.*", ("h.*.ffn",), attention="h.*.multi_head_attention"),  # CTRL's
    # Llama 4's and LFM2's, and experts of Granite.
    StreamStack("layers.*", ("layers.*.feed_forward",), attention="layers.*.self_attn"),
    StreamStack("layers.*", ("layers.*.block_sparse_moe",), attention="layers.*.self_attn"),
    StreamStack(
        "block.*",
        ("block.*.layer.2.DenseReluDense",),
        attention="block.*.layer.0.SelfAttention",
    ),  # that of its decoder, which attends to two texts
    StreamStack(
        "block.*",
        ("block.*.layer.1.DenseReluDense",),
        attention="block.*.layer.0.SelfAttention",
    ),  # mT5's
    replace(BERT_STREAM, feed_forward=()),
    StreamStack("blocks.*", ()),
    StreamStack("layers.*", ("layers.*.mlp",)),
    StreamStack("layers.*", ("layers.*.feed_forward",)),
    StreamStack("layers.*", ()),
    StreamStack("h.*", ()),
)
LAST = ("down_proj", "dense_4h_to_h", "c_proj", "fc2", "fc_out", "Wo", "wo", "w2")
"""What the last matrix of a feed-forward part is called."""


def streams_that_fit(module: Any, within: str = "") -> tuple[StreamStack, ...]:
    """The first whose every name is found in a module.

    Args:
        module: The whole, or one of two stacks of it.
        within: The stack's name in the whole, where there are two whose layers have the same names.
    """
    paths = [path for path, _ in module.named_modules()]

    def has(ends: Iterable[str]) -> bool:
        return all(any(path_pattern(end).search(path) for path in paths) for end in ends if end)

    def layers_of(end: str) -> set[str]:
        found = (path_pattern(end).search(path) for path in paths)
        return {place.group(1) for place in found if place is not None}

    for one in TRIED:
        ends = (*one.feed_forward, one.attention)
        # Not each layer of a hybrid attends.
        whole = has((one.layers, *ends)) and all(
            layers_of(end) == layers_of(one.layers) for end in ends if end
        )
        if whole and _in_one_list(one.layers, paths):
            above = one.feed_forward or (one.layers,)
            last = (f"{above[0]}.{name}" for name in LAST if has((f"{above[0]}.{name}",)))
            neurons = one.neurons or tuple(last)[:1]
            return (_put_in(replace(one, neurons=neurons), within),)
    return (BERT_STREAM,)


def _in_one_list(layers: str, paths: Iterable[str]) -> bool:
    """Whether all layers are of one stack: of several beside each other (BLT) none is meant.

    A list inside a layer, as of its experts, is no stack.
    """
    found = [place for path in paths if (place := path_pattern(layers).search(path))]
    lists = {place.string[: place.start(1)] for place in found}
    return sum(not any(one != own and own.startswith(one) for one in lists) for own in lists) == 1


def _put_in(stack: StreamStack, within: str) -> StreamStack:
    """With a name before each path."""
    if not within:
        return stack
    return replace(
        stack,
        layers=f"{within}.{stack.layers}",
        feed_forward=tuple(f"{within}.{one}" for one in stack.feed_forward),
        attention=stack.attention and f"{within}.{stack.attention}",
        neurons=tuple(f"{within}.{one}" for one in stack.neurons),
    )
