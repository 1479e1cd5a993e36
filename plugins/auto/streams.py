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
    replace(BERT_STREAM, feed_forward=()),
    StreamStack("layers.*", ()),
    StreamStack("h.*", ()),
)
LAST = ("down_proj", "dense_4h_to_h", "c_proj", "fc2", "fc_out", "Wo", "wo", "w2")
"""What the last matrix of a feed-forward part is called."""


def streams_that_fit(module: Any) -> tuple[StreamStack, ...]:
    """The first whose every name is found in a module."""
    paths = [path for path, _ in module.named_modules()]

    def has(ends: Iterable[str]) -> bool:
        return all(any(path_pattern(end).search(path) for path in paths) for end in ends if end)

    for one in TRIED:
        if has((one.layers, *one.feed_forward, one.attention)):
            above = one.feed_forward or (one.layers,)
            last = (f"{above[0]}.{name}" for name in LAST if has((f"{above[0]}.{name}",)))
            neurons = one.neurons or tuple(last)[:1]
            return (replace(one, neurons=neurons),)
    return (BERT_STREAM,)
